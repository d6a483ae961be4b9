"""Random rounds of both baccarats through the shared harness."""

from random import Random
from typing import Any

import pytest

from games.rules.baccarat.game import BaccaratState, Bet, Remove
from games.rules.cards import Card
from games.rules.contract import HOUSE, Action, AnyGame, Party
from games.rules.house.actions import Close, Done
from tests.rules.cases import every
from tests.rules.conftest import Share
from tests.rules.harness import Table, played_hands

HANDS = 400
OPTIONS: dict[str, tuple[object, ...]] = {
    "min": (1, 50, 100),
    "max": (100, 777, 10_000),
    "max_tie": (None, 150),
    "max_pair": (None, 333),
    "max_payout": (1, 900, 10**6),
    "rake_bp": (0, 0, 500, 10_000),
    "tournament": (False, False, True),
    "banker_note_literal": (False, True),
}
STACKS = (1, 99, 250, 1_000, 40_000, 10**15)


def choose(random: Random, game: AnyGame, state: BaccaratState, seat: Party) -> Action:
    """Bets of any size, now and then a seat that is done, and the close at last."""
    if seat == HOUSE:
        return Close()
    choice: Any = random.choice(game.choices(state, seat))
    if choice.do == "done":
        return Done()
    if choice.do == "remove":
        return Remove(choice.among[0])
    return Bet(choice.among[0], random.randint(choice.least or 0, choice.most or 0))


def cards_in_play(state: BaccaratState) -> list[Card]:
    """The shoe; the dealt coup must be its beginning, in the order of dealing."""
    if state.coup:
        player, banker = state.coup.player, state.coup.banker
        dealt = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
        assert dealt == list(state.cards[: len(dealt)])
    return list(state.cards)


def open_to(state: BaccaratState, seat: int | None) -> set[Card]:
    return {*state.coup.player, *state.coup.banker} if state.coup else set()


TABLE = Table(OPTIONS, STACKS, lambda random, seated: {}, choose, cards_in_play, open_to)


@pytest.mark.slow
@every(key=["baccarat", "baccarat_commission"])
def test_random_rounds_keep_the_contract(key: str, share: Share[int]) -> None:
    rounds = played_hands(key, TABLE, share(range(HANDS)))
    dealt = sum(played.states[-1].coup is not None for played in rounds)
    assert len(rounds) / 3 < dealt < len(rounds)
