"""Random rounds of Russian poker through the shared harness."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from games.rules.cards import DECK, Card
from games.rules.contract import Action, AnyGame, Choice, Party, SeatStack
from games.rules.house.actions import Close, Done, Pool, Remove
from games.rules.house.antes import Ante, Fold
from games.rules.russian_poker.boxes import (
    Accept,
    Bet,
    Buy,
    BuyDealer,
    Exchange,
    Insure,
    Pick,
    RussianState,
)
from tests.rules.conftest import Share
from tests.rules.harness import Table, played_hands

HANDS = 1_000
OPTIONS: dict[str, tuple[object, ...]] = {
    "edition": (1, 2),
    "bonus_card": (False, True),
    "bonus_card_count": (1, 2, 5),
    "lucky_game": (False, True, True),
    "min": (1, 50, 100),
    "max": (100, 777, 10_000),
    "max_payout": (1, 900, 10**6),
    "max_insurance": (None, 1, 120, 5_000),
    "rake_bp": (0, 0, 500, 10_000),
    "tournament": (False, False, True),
    "bonus_min": (1, 10, 100),
    "bonus_max": (100, 5_000),
    "jackpot_bp": (0, 1_000, 10_000),
    "mystery_bp": (0, 100),
    "straight_flush_share_bp": (1_500, 10_000),
    "royal_share_bp": (5_000, 10_000),
}
STACKS = (1, 99, 250, 1_000, 4_000, 40_000, 10**15)


def context(random: Random, seated: Sequence[SeatStack]) -> dict[str, object]:
    fields: dict[str, object] = {}
    if random.random() < 0.5:
        for name in ("bonus_card", "wheel_card", "lucky_card"):
            fields[name] = random.choice(DECK).text
        fields["wheel"] = fields["lucky_game"] = random.randrange(100)
    if random.random() < 0.5:
        fields["mystery_left"] = random.choice((1, 5, 200))
    return fields


def amount_of(random: Random, choice: Choice) -> int:
    return random.choice((choice.least or 0, choice.most or 0, random.randint(*bounds(choice))))


def bounds(choice: Choice) -> tuple[int, int]:
    return choice.least or 0, choice.most or 0


def choose(random: Random, game: AnyGame, state: RussianState, seat: Party) -> Action:
    """Anything that the choices offer, and one of them after the other."""
    choice = random.choice(game.choices(state, seat))
    if choice.do in ("ante", "insure", "exchange", "pick", "pool"):
        return with_amount(random, choice)
    named = (Remove, Done, Close, Buy, Bet, Fold, Accept, BuyDealer)
    kind = next(kind for kind in named if kind.__struct_config__.tag == choice.do)
    return kind() if choice.box is None else kind(choice.box)  # type: ignore[call-arg]


def with_amount(random: Random, choice: Choice) -> Action:
    box, least, most = choice.box or 0, choice.least or 0, choice.most or 10**6
    amount = random.choice((least, most, random.randint(least, most)))
    if choice.do == "insure":
        return Insure(box, amount)
    if choice.do == "exchange":
        return Exchange(box, tuple(map(Card, random.sample(choice.among, amount))))
    if choice.do == "pick":
        return Pick(box, int(random.choice(choice.among)))
    if choice.do == "pool":
        pool: Any = choice.among[0]
        return Pool(pool, amount)
    blind = "blind" in choice.among
    return Ante(box, 0, amount, blind) if "bonus" in choice.among else Ante(box, amount, 0, blind)


def cards_in_play(state: RussianState) -> list[Card]:
    """The shoe; what boxes and dealer have is its beginning, each card once."""
    dealt = [card for box in state.boxes for card in {*box.dealt, *box.cards}]
    dealt += [*state.dealer, *state.dealer_draws]
    assert sorted(dealt, key=str) == sorted(state.cards[: state.taken], key=str)
    return list(state.cards)


def open_to(state: RussianState, seat: int | None) -> set[Card]:
    """The dealer's cards as they are turned, the own open box; at the end what the rules turn."""
    seen: set[Card] = set(state.dealer[:1])
    settled = state.phase in ("pick", "pool", "over")
    if state.phase == "dealer" or (
        settled and any(box.insurance or not box.folded for box in state.boxes)
    ):
        seen |= {*state.dealer, *state.dealer_draws}
    for box in state.boxes:
        if box.seat == seat and (settled or not box.blind):
            seen |= {*box.dealt, *box.cards}
        if settled and not box.folded:
            seen |= {*box.cards}
        if settled and box.bonus:
            seen |= {*box.dealt}
    return seen


TABLE = Table(OPTIONS, STACKS, context, choose, cards_in_play, open_to)


@pytest.mark.long
def test_random_rounds_keep_the_contract(share: Share[int]) -> None:
    rounds = played_hands("russian_poker", TABLE, share(range(HANDS)))
    if len(rounds) == HANDS:
        last = [played.states[-1] for played in rounds]
        boxes = [box for state in last for box in state.boxes]
        # Whatever can happen has happened.
        assert {box.drawn for box in boxes} == {"", "exchange", "buy"}
        assert {box.answer for box in boxes} == {"", "accept", "buy_dealer"}
        assert {box.folded for box in boxes} == {box.blind for box in boxes} == {True, False}
        assert any(box.insurance and box.blind for box in boxes)
        assert any(box.insurance and not box.blind for box in boxes)
        assert {len(state.dealer_draws) for state in last} == {0, 1, 2}
        assert any(state.pools for state in last)
