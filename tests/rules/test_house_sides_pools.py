"""The pools that bonus bets fill, and what a hit takes out of them."""

import pytest
from msgspec.structs import replace

from games.rules.cards import parse_cards
from games.rules.contract import HOUSE, Choice, replay
from games.rules.errors import Illegal
from games.rules.house.actions import Close, Done, Pool
from games.rules.house.sides import SideContext
from games.rules.messages import sentence
from tests.rules.boxes import GAME, STAKES, Bet
from tests.rules.cases import each, every, illegal
from tests.rules.harness import Moves
from tests.rules.house_sides import settled


def test_the_jackpot_gets_its_share_of_every_bonus_bet() -> None:
    moves: Moves = [(1, Bet(1, 100, 59)), (2, Bet(2, 100, 10)), (3, Bet(3, 100)), (HOUSE, Close())]
    settlement = settled("2c3c2d3d2h3h", moves)
    # 10% of 59 is 5, rounded down, and of 10 it is 1. The house carries it: net alone is balanced.
    assert settlement.pools == {"progressive": 6}
    assert settlement.net == {1: -159, 2: -110, 3: -100, "house": 369}
    shares = [line for line in settlement.lines if line.key == "pool_share"]
    assert [(line.source, line.target, line.amount) for line in shares] == [
        (HOUSE, "progressive", 5),
        (HOUSE, "progressive", 1),
    ]
    assert sentence(shares[0]) == "10% of 1's 59 bonus bet on box 1 goes to the progressive pool"


def test_a_hit_waits_for_the_house_to_name_the_pool() -> None:
    moves: Moves = [(1, Bet(1, 100, 50)), (HOUSE, Close())]
    state = replay(GAME, STAKES, parse_cards("KcKd"), SideContext(), moves)
    assert GAME.to_act(state) == {HOUSE}
    assert GAME.choices(state, HOUSE) == (Choice("pool", least=0, among=("progressive",)),)
    assert GAME.fallback(state, HOUSE) == Pool("progressive", 0)
    for party, action, code in [
        (1, Pool("progressive", 5), "not_your_turn"),
        (HOUSE, Pool("mystery", 5), "pool_not_hit"),
        (HOUSE, Close(), "no_more_bets"),
        (HOUSE, Done(), "no_more_bets"),
    ]:
        illegal(code, GAME.apply, state, party, action)
    with pytest.raises(Illegal):
        GAME.settle(state)


@every(moment=[0, 1])
def test_a_pool_cannot_be_named_before_it_is_hit(moment: int) -> None:
    moves: Moves = [(1, Bet(1, 100, 50))]
    state = replay(GAME, STAKES, parse_cards("KcKd"), SideContext(), moves[:moment])
    for party, code in ((HOUSE, "pool_not_hit"), (1, "house_only")):
        illegal(code, GAME.apply, state, party, Pool("progressive", 1))


def test_hits_share_the_pool_as_it_stood_in_box_order_while_it_lasts() -> None:
    moves: Moves = [
        (1, Bet(3, 100, 100)),
        (2, Bet(2, 100, 100)),
        (3, Bet(1, 100, 100)),
        (1, Bet(4, 100, 100)),
        (HOUSE, Close()),
        (HOUSE, Pool("progressive", 1_004)),
    ]
    settlement = settled("AcAdAhAsKcKd2c3d", moves)
    paid = [(line.target, line.amount) for line in settlement.lines if line.key == "jackpot"]
    # Three fifths of 1,004 to box 1, the rest of it to box 2, nothing is left for the kings.
    assert paid == [(3, 602), (2, 402)]
    assert settlement.pools == {"progressive": 4 * 10 - 1_004}
    assert settlement.net == {
        1: -100 - 100 - 100,
        2: 150 + 402,
        3: 150 + 602,
        "house": 300 - 552 - 752,
    }


def test_a_hit_on_an_empty_pool_keeps_its_stake() -> None:
    moves: Moves = [(1, Bet(1, 100, 50)), (HOUSE, Close()), (HOUSE, Pool("progressive", 0))]
    settlement = settled("KcKd", moves)
    assert settlement.net[1] == -100
    assert settlement.pools == {"progressive": 5}


@every(options=[{"jackpot_bp": 0}, {"tournament": True}])
def test_without_a_jackpot_nothing_waits_and_nothing_is_taken(options: dict[str, object]) -> None:
    moves: Moves = [(1, Bet(1, 100, 50)), (HOUSE, Close())]
    settlement = settled("KcKd", moves, game=replace(GAME, **options))
    assert settlement.pools == {}
    assert settlement.net[1] == -100 + 250


@each((1, 1), (5, 1), (6, 3), (12, 3), (13, 2), (14, 2), (15, None))
def test_the_mystery_prize_falls_to_the_bet_that_reaches_the_trigger(
    left: int, winner: int | None
) -> None:
    """The shares in box order are 5, 7 and 2."""
    game = replace(GAME, mystery_bp=500, jackpot_bp=0)
    bets: Moves = [
        (1, Bet(1, 100, 119)),
        (2, Bet(5, 100, 40)),
        (3, Bet(3, 100, 140)),
        (HOUSE, Close()),
    ]
    moves = [*bets, (HOUSE, Pool("mystery", 12_345))] if winner else bets
    settlement = settled("2c3c2d3d2h3h", moves, SideContext(mystery_left=left), game)
    losses = {1: -219, 2: -140, 3: -240}
    prizes = {seat: settlement.net[seat] - losses[seat] for seat in losses}
    assert prizes == {seat: 12_345 if seat == winner else 0 for seat in losses}
    assert settlement.pools == {"mystery": 14 - (12_345 if winner else 0)}


def test_two_pools_hit_in_one_round_are_both_awaited() -> None:
    context = SideContext(mystery_left=1)
    moves: Moves = [
        (1, Bet(1, 100, 100)),
        (HOUSE, Close()),
        (HOUSE, Pool("mystery", 30_000)),
        (HOUSE, Pool("progressive", 1_000)),
    ]
    settlement = settled("KcKd", moves, context)
    assert settlement.net[1] == -100 + 30_000 + 200
    assert settlement.pools == {"progressive": 10 - 200, "mystery": 1 - 30_000}
    waiting = replay(GAME, STAKES, parse_cards("KcKd"), context, moves[:3])
    illegal("pool_not_hit", GAME.apply, waiting, HOUSE, Pool("mystery", 1))
