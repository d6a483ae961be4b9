"""Random rounds of casino hold'em through the shared harness."""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from games.rules.cards import DECK, Card
from games.rules.casino_holdem.game import Call, HoldemState
from games.rules.contract import HOUSE, Action, AnyGame, Choice, Party, SeatStack
from games.rules.house.actions import Close, Done, Pool, Remove
from games.rules.house.antes import Ante, Fold
from tests.rules.conftest import Share
from tests.rules.harness import Played, Table, played_hands

HANDS = 600
OPTIONS: dict[str, tuple[object, ...]] = {
    "edition": (1, 2),
    "min": (1, 50, 100),
    "max": (100, 777, 10_000),
    "max_payout": (1, 900, 10**6),
    "bonus_min": (1, 100),
    "bonus_max": (100, 5_000),
    "jackpot_bp": (0, 1_000, 10_000),
    "mystery_bp": (0, 100, 900),
    "straight_flush_share_bp": (1_500, 3_000),
    "royal_share_bp": (5_000, 10_000),
    "rake_bp": (0, 0, 500, 10_000),
    "tournament": (False, False, True),
}
STACKS = (1, 99, 250, 301, 1_000, 40_000, 10**15)


def context(random: Random, seated: Sequence[SeatStack]) -> dict[str, Any]:
    """Each feature on or off; a mystery pool near its trigger now and then."""
    draws = {
        "bonus_card": random.choice(DECK).text,
        "wheel_card": random.choice(DECK).text,
        "wheel": random.randrange(100),
        "mystery_left": random.choice((1, 40, 40, 10**6)),
    }
    return {name: drawn for name, drawn in draws.items() if random.random() < 0.7}


def choose(random: Random, game: AnyGame, state: HoldemState, seat: Party) -> Action:
    choices = game.choices(state, seat)
    if seat == HOUSE:
        if state.phase == "pool":
            pool: Any = random.choice(choices[0].among)
            return Pool(pool, random.randint(0, 10**6))
        return Close()
    # More boxes make the better round: a seat is done, or takes a bet back, only now and then.
    choices = tuple(choice for choice in choices if choice.do != "remove" or random.random() < 0.1)
    choice = random.choice([*choices[:-1] * 3, choices[-1]])
    if choice.do == "ante":
        return _ante(random, choice)
    box = choice.box or 0
    kinds: dict[str, Callable[[], Action]] = {
        "remove": lambda: Remove(box),
        "done": Done,
        "call": lambda: Call(box),
        "fold": lambda: Fold(box),
    }
    return kinds[choice.do]()


def _ante(random: Random, choice: Choice) -> Ante:
    amount = random.randint(choice.least or 0, choice.most or 0)
    ante, bonus = (0, amount) if "bonus" in choice.among else (amount, 0)
    return Ante(choice.box or 0, ante, bonus, "blind" in choice.among)


def cards_in_play(state: HoldemState) -> list[Card]:
    """The shoe; the dealt cards must be its beginning, in the order of dealing."""
    if state.board:
        places = [*[box.cards for box in state.boxes], state.dealer]
        dealt = [place[at] for at in (0, 1) for place in places]
        dealt += state.board
        assert dealt == list(state.cards[: len(dealt)])
    return list(state.cards)


def open_to(state: HoldemState, seat: int | None) -> set[Card]:
    """The flop, and what the rules open to a seat; said here a second time and in other words."""
    shown = set(state.board)
    ended = state.phase in ("pool", "over")
    somebody_in = any(not box.folded for box in state.boxes)
    if ended and somebody_in:
        shown.update(state.dealer)
    for box in state.boxes:
        own = box.seat == seat and not box.blind
        if own or (ended and (box.bonus or not box.folded)):
            shown.update(box.cards)
    return shown


TABLE = Table(OPTIONS, STACKS, context, choose, cards_in_play, open_to)


def check_dealt(played: Played) -> None:
    """So many cards are dealt as boxes, dealer and board hold."""
    for state in played.states:
        hole = len(state.dealer) * (1 + len(state.boxes))
        assert played.game.dealt(state) == (hole + len(state.board) if state.board else 0)


@pytest.mark.long
def test_random_rounds_keep_the_contract(share: Share[int]) -> None:
    rounds = played_hands("casino_holdem", TABLE, share(range(HANDS)), check_dealt)
    kinds: Counter[str] = Counter()
    for played in rounds:
        last = played.states[-1]
        kinds.update({line.key for line in played.settlement.lines})
        kinds.update(dealt=bool(last.board), blind=any(box.blind for box in last.boxes))
        kinds.update(folded=any(box.folded for box in last.boxes), closed=len(last.board) == 3)
    assert len(rounds) / 3 < kinds["dealt"] < len(rounds)
    if len(rounds) == HANDS:
        assert min(kinds[kind] for kind in ("blind", "folded", "closed", "wheel", "mystery")) >= 3
