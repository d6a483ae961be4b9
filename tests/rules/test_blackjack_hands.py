"""Random rounds of blackjack through the shared harness."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from games.rules.blackjack.game import WHEEL, Blackjack
from games.rules.blackjack.state import (
    Bet,
    BlackjackState,
    Decline,
    Double,
    EvenMoney,
    Follow,
    Hit,
    Insure,
    Split,
    Stand,
    Surrender,
)
from games.rules.cards import DECK, Card
from games.rules.contract import Action, AnyGame, Choice, Party, SeatStack
from games.rules.errors import Illegal
from games.rules.house.actions import Close, Done, Pool, Remove
from tests.rules.conftest import Share
from tests.rules.harness import Played, Table, played_hands

HANDS = 1_000
OPTIONS: dict[str, tuple[object, ...]] = {
    "edition": (1, 2, 3),
    "min": (1, 50, 100),
    "max": (100, 777, 10_000),
    "max_payout": (1, 900, 10**6),
    "rake_bp": (0, 0, 500, 10_000),
    "tournament": (False, False, True),
    "boxes": (1, 3, 7),
    "bonus_min": (1, 50),
    "bonus_max": (50, 1_000),
    "jackpot_bp": (0, 1_000),
    "mystery_bp": (0, 700),
    "hit_soft_17": (False, True),
    "original_bets_only": (False, True),
    "insurance": ("half", "whole"),
    "third_card": ("player", "dealer_up"),
    "spades_bp": (0, 2_000, 10_000),
    "suited_bp": (0, 1_000, 7_000),
    "bonus_card": (True, True, False),
    "wheel": (True, True, False),
    "shuffle_every_round": (False, True),
}
STACKS = (1, 99, 150, 250, 1_000, 40_000, 10**15)
ON_A_HAND = {"hit": Hit, "stand": Stand, "double": Double, "split": Split}


def context(random: Random, seated: Sequence[SeatStack]) -> dict[str, object]:
    drawn = {
        "bonus_card": random.choice(DECK).text,
        "wheel_card": random.choice(DECK).text,
        "wheel": random.randrange(sum(segment.weight for segment in WHEEL)),
        "mystery_left": random.choice((1, 30, 10**6)),
    }
    return {name: value for name, value in drawn.items() if random.random() < 0.7}


def action_of(random: Random, choice: Choice) -> Action:
    """The action that a choice stands for, with a random amount within its bounds."""
    box, hand = choice.box or 0, choice.hand or 0
    amount = random.choice(
        (choice.least, choice.most, random.randint(choice.least or 0, choice.most or 10**4))
    )
    if choice.do == "bet":
        return Bet(box, 0, amount or 0) if choice.among else Bet(box, amount or 0)
    if choice.do == "insure":
        return Insure(box, amount or 0)
    if choice.do == "pool":
        return Pool(random.choice(choice.among), amount or 0)  # type: ignore[arg-type]
    if choice.do == "follow":
        return Follow(box, random.choice(choice.among) == "yes")
    if choice.do in ON_A_HAND:
        return ON_A_HAND[choice.do](box, hand)
    without = {"done": Done(), "close": Close(), "decline": Decline()}
    kinds = {"surrender": Surrender, "remove": Remove}
    return without.get(choice.do) or kinds.get(choice.do, EvenMoney)(box)


def choose(random: Random, game: AnyGame, state: BlackjackState, seat: Party) -> Action:
    """Any choice, but a pair is split and a second bet goes where others have bet."""
    choices = game.choices(state, seat)
    taken = {box.number for box in state.boxes}
    liked = [choice for choice in choices if choice.do in ("split", "follow")]
    if state.phase == "bet" and random.random() < 0.9:
        liked = [choice for choice in choices if choice.do == "bet" and choice.box in taken]
    return action_of(random, random.choice(liked or choices))


def cards_in_play(state: BlackjackState) -> list[Card]:
    """The shoe; what was dealt and drawn must be its beginning."""
    held = [card for box in state.boxes for hand in box.hands for card in hand.cards]
    assert Counter([*held, *state.dealer]) == Counter(state.cards[: state.drawn])
    return list(state.cards)


def open_to(state: BlackjackState, seat: int | None) -> set[Card]:
    return set(state.cards[: state.drawn])


TABLE = Table(OPTIONS, STACKS, context, choose, cards_in_play, open_to, seats=(1, 2, 3, 5))


def check_choices(played: Played) -> None:
    """Offered amounts are accepted at both bounds and refused beyond them."""
    game = played.game
    for state in played.states:
        for seat in game.to_act(state):
            for choice in game.choices(state, seat):
                for action in bounds_of(choice):
                    game.apply(state, seat, action)
                for action in beyond(choice):
                    with pytest.raises(Illegal):
                        game.apply(state, seat, action)


def bounds_of(choice: Choice) -> list[Action]:
    box, least, most = choice.box or 0, choice.least or 0, choice.most or 0
    if choice.do == "bet":
        return [
            Bet(box, 0, amount) if choice.among else Bet(box, amount) for amount in (least, most)
        ]
    if choice.do == "insure":
        return [Insure(box, least), Insure(box, most)]
    if choice.do == "follow":
        return [Follow(box, answer == "yes") for answer in choice.among]
    return [action_of(Random(0), choice)]


def beyond(choice: Choice) -> list[Action]:
    box, least, most = choice.box or 0, choice.least or 0, choice.most or 0
    if choice.do == "bet":
        return [
            Bet(box, 0, amount) if choice.among else Bet(box, amount)
            for amount in (least - 1, most + 1)
        ]
    if choice.do == "insure":
        return [Insure(box, least - 1), Insure(box, most + 1)]
    if choice.do == "follow" and "yes" not in choice.among:
        return [Follow(box, True)]
    return []


def check_what_is_not_offered(played: Played) -> None:
    """No move on the hand that is to be played is accepted unless it is offered."""
    game = played.game
    for state in played.states:
        if not state.waiting:
            continue
        box, hand = state.box.number, state.at_hand
        moves: list[Action] = [kind(box, hand) for kind in ON_A_HAND.values()]
        moves += [Surrender(box), EvenMoney(box), Follow(box, False)]
        for seat in state.waiting:
            offered = {choice.do for choice in game.choices(state, seat)}
            for action in moves:
                if action.__struct_config__.tag not in offered:
                    with pytest.raises(Illegal):
                        game.apply(state, seat, action)


@pytest.mark.long
def test_random_rounds_keep_the_contract(share: Share[int]) -> None:
    seeds = share(range(HANDS))
    rounds = played_hands("blackjack", TABLE, seeds, check_choices, check_what_is_not_offered)
    dealt = sum(bool(played.states[-1].dealer) for played in rounds)
    assert len(rounds) / 3 < dealt < len(rounds)
    if len(rounds) == HANDS:
        done = {type(action).__name__ for played in rounds for _, action in played.moves}
        # A blackjack against an ace that takes even money is too rare to be waited for.
        # Only a table makes a top-up, when its player brings more money.
        assert done | {"EvenMoney", "TopUp"} == {kind.__name__ for kind in Blackjack.actions}
        lines = {line.key for played in rounds for line in played.settlement.lines}
        assert lines >= {"box_won", "box_lost", "box_payout_cap", "bonus_won", "pool_share"}
