"""Random hands of the five thirteen-card games through the shared harness."""

from random import Random
from typing import Any

import pytest

from games.rules.cards import Card
from games.rules.contract import Action, AnyGame, Party, SeatStack
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.state import Arrange, Bet, Exchange, Give, ThirteenState
from tests.rules.cases import every
from tests.rules.conftest import Share
from tests.rules.harness import Table, played_hands

HANDS = 500
BANKED = {
    "bet_min": (1, 100),
    "bet_max": (100, 5_000),
    "banker": ("fixed", "rotating"),
    "banker_eats_ties": (False, True),
    "pure_dragon": (13, 100),
}
OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "chinese_poker": {
        "point": (1, 50, 333),
        "table": ("plain", "bonus"),
        "extra_point": ("plain_tables", "no_premium"),
        "twelve": ("colour", "suit"),
        "residual_tie": (False, True),
    },
    "thirteen_hongkong": BANKED,
    "thirteen_philippine": BANKED,
    "thirteen_taiwan": {
        **BANKED,
        "point": (1, 50, 333),
        "banker": ("none", "none", "fixed", "rotating"),
        "prices": ("high", "low"),
        "pure_dragon": (20, 108),
    },
    "thirteen_fujian": {
        "point": (1, 50, 333),
        "jokers": (0, 2),
        "allow_foul": (False, True),
        "all_big": (10, 30),
        "trips_five_pairs": (5, 1),
    },
}
COMMON = {"rake_bp": (0, 500, 10_000), "tournament": (False, False, True)}
STACKS = (1, 99, 250, 1_000, 2_519, 40_000, 10**15)


def context(random: Random, seated: list[SeatStack]) -> dict[str, Any]:
    return {"button": random.choice(seated).seat} if random.random() < 0.9 else {}


def choose(random: Random, game: AnyGame, state: ThirteenState, seat: Party) -> Action:
    choice = game.choices(state, seat)[0]
    if choice.do == "bet":
        return Bet(random.randint(choice.least or 0, choice.most or 0))
    if choice.do == "exchange":
        direction: Any = random.choice(choice.among)
        return Exchange(random.randint(0, 2), direction)
    hand = list(state.hands[state.place(seat)])
    random.shuffle(hand)
    if choice.do == "give":
        return Give(tuple(hand[:3]))
    return choose_rows(random, game, state, seat, hand, choice.among)


def choose_rows(
    random: Random,
    game: Any,
    state: ThirteenState,
    seat: Party,
    hand: list[Card],
    held: tuple[str, ...],
) -> Action:
    """Sensible rows, any rows, or a natural, true or false; rows alone where fouls are refused."""
    chance = random.random()
    if held and chance < 0.7:
        return Arrange(declare=Natural(random.choice(held)))
    rows = Arrange(front=tuple(hand[:3]), middle=tuple(hand[3:8]), back=tuple(hand[8:]))
    if chance < 0.9 or not game.has_fouls:
        return game.fallback(state, seat)
    if chance < 0.97:
        return rows
    declared = random.choice(list(game.naturals))
    return Arrange(declare=declared) if chance < 0.985 else Arrange(*rows.rows, declared)


def cards_in_play(state: ThirteenState) -> list[Card]:
    return [card for hand in state.hands for card in hand]


def open_to(state: ThirteenState, seat: int | None) -> set[Card]:
    """Everybody's cards at the end; until then one's own, once the bets are placed."""
    if state.phase == "over":
        return set(cards_in_play(state))
    if seat is None or state.phase == "bet":
        return set()
    return set(state.hands[state.place(seat)])


def table(key: str) -> Table:
    return Table({**OPTIONS[key], **COMMON}, STACKS, context, choose, cards_in_play, open_to)


@pytest.mark.long
@every(key=OPTIONS)
def test_random_hands_keep_the_contract(key: str, share: Share[int]) -> None:
    played_hands(key, table(key), share(range(HANDS)))
