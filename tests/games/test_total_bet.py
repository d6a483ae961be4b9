"""What a player has bet is one figure: at the rack, on the plate, and in the settlement.

Random rounds of every game against the house, with blind boxes, bonus bets and all that is bought.
"""

from random import Random
from typing import Any, Final

import pytest
from msgspec import to_builtins

from games.boards.betting import betting
from games.boards.table_view import table_view
from games.models import Hand, Table
from games.rules.contract import Choices
from games.tables.decisions import choices_at
from games.tables.hand_state import game_of, state_of
from games.tables.jackpots import game_at
from tests.games.house import House
from tests.games.markup import words
from tests.games.test_nobody_waits import HOUSE_GAMES
from tests.games.viewers import board_of
from tests.people import client_of

NAMES: Final = ("alice", "bob")
ROUNDS: Final = 6
BETS_MAX: Final = 6
STEPS_MAX: Final = 100


def bet_of(house: House, table: Table, name: str) -> int:
    """What a player has bet by their plate; with the rest it is the whole stack, as at the rack."""
    table.refresh_from_db()
    view = table_view(house.person(name), table, house.now)
    (mine,) = [seat for seat in view.seats if seat.mine]
    assert mine.bet + mine.free == house.stack(table, name)
    if view.is_betting:
        rack = betting(game_at(table), view)
        assert rack
        assert (rack.standing, rack.free) == (mine.bet, mine.free)
    return mine.bet


def chosen(random: Random, choices: Choices, made: int) -> dict[str, Any]:
    """One of the choices, with the least amount or a larger one."""
    ends = choices[-1].do == "done" and (made >= BETS_MAX or random.random() < 0.1)
    choice = choices[-1] if ends else random.choice(choices)
    sent: dict[str, Any] = to_builtins(choice)
    if choice.least and choice.most and choice.do in ("bet", "insure"):
        name = "bonus" if "bonus" in choice.among else "amount"
        sent[name] = random.choice((choice.least, min(choice.most, 2_500)))
    return sent


def play_round(house: House, table: Table, random: Random) -> dict[int, int]:
    """Play a round at random, and return what each seat had bet at its end."""
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    hand_id = table.hand_id
    bets = dict.fromkeys(NAMES, 0)
    for made in range(STEPS_MAX):
        for number, name in enumerate(NAMES, 1):
            if table.hand_id != hand_id:
                return bets_at_the_end(Hand.objects.get(pk=hand_id), bets)
            hand, state = house.state(table)
            if choices := choices_at(game_of(hand), state, number):
                action = chosen(random, choices, made)
                if action["do"] == "remove":
                    bets[name] = 0
                house.act(table, name, action)
            table.refresh_from_db()
            if table.hand_id == hand_id:
                for player in NAMES:
                    bet = bet_of(house, table, player)
                    assert bet >= bets[player], "a bet on the table has fallen"
                    bets[player] = bet
    raise AssertionError("the round does not end")


def bets_at_the_end(hand: Hand, before: dict[str, int]) -> dict[int, int]:
    """What each seat had bet when the round was over, with its last decision."""
    game: Any = game_of(hand)
    state = state_of(hand, game, hand.moves.order_by("number"))
    bets = {number: game.committed(state, number) for number, _ in enumerate(NAMES, 1)}
    assert all(bet >= last for bet, last in zip(bets.values(), before.values(), strict=True))
    return bets


@pytest.mark.parametrize("game", HOUSE_GAMES)
def test_the_total_bet_never_falls_before_the_settlement(house: House, game: str) -> None:
    table = house.dealt_in(game, *NAMES)
    random, lost_all = Random(game), 0
    for _ in range(ROUNDS):
        bets = play_round(house, table, random)
        results = Hand.objects.filter(table=table).latest("pk").seats.values_list("number", "net")
        for number, net in results:
            assert net is not None
            assert net >= -bets[number]
            lost_all += 0 < bets[number] == -net
    assert lost_all, "nobody has lost all that they had bet"


@pytest.mark.parametrize(
    ("game", "moves", "total"),
    [
        ("casino_holdem", [{"box": 1, "amount": 500}, {"box": 2, "amount": 500}], 2_000),
        (
            "russian_poker",
            [{"box": 1, "amount": 500, "bonus": 500}, {"box": 2, "amount": 500, "bonus": 500}],
            3_000,
        ),
    ],
)
def test_a_blind_box_counts_whole_at_the_rack(
    house: House, game: str, moves: list[dict[str, Any]], total: int
) -> None:
    table = house.dealt_in(game, "alice")
    for move in moves:
        house.act(table, "alice", {"do": "ante", "blind": move["box"] > 1} | move)
    board = board_of(client_of(house.person("alice")), table)
    assert f"Total bet {total // 100}: open box" in words(board)
    assert f"{500 - total // 100} left" in words(board)
