"""The till of the house: odds rounded down, commission, and the maximum payout to the unit."""

from games.rules.contract import HOUSE, SeatStack
from games.rules.house.till import EVEN, Odds, Till
from games.rules.settlement import Line, Settlement, Transfer
from tests.rules.cases import each

STAKES = [SeatStack(1, 10**9), SeatStack(2, 10**9)]


@each(
    (EVEN, 7, 7), (Odds(11), 3, 33), (Odds(3, 2), 100, 150), (Odds(3, 2), 5, 7), (Odds(1, 2), 1, 0)
)
def test_odds_give_the_net_win_rounded_down(odds: Odds, stake: int, won: int) -> None:
    assert odds.win(stake) == won
    till = Till(STAKES, 10**9)
    till.win(1, "bet", stake, odds)
    settlement = till.settlement(0)
    assert settlement.net == {1: won, 2: 0, HOUSE: -won}
    values: dict[str, int | str] = {"bet": "bet", "stake": stake, "pays": odds.pays, "to": odds.to}
    assert settlement.lines == ((Line("bet_won", HOUSE, 1, won, values),) if won else ())


@each((1, 1), (20, 1), (21, 2), (100, 5), (10_000, 500), (10**6, 50_000))
def test_commission_is_taken_from_a_win_and_the_rest_rounded_down(stake: int, kept: int) -> None:
    till = Till(STAKES, 10**9)
    till.win(2, "banker", stake, EVEN, commission_bp=500)
    settlement = till.settlement(0)
    paid = stake - kept
    assert settlement.transfers == ((Transfer(HOUSE, 2, paid, "banker"),) if paid else ())
    assert settlement.lines[1:] == (
        Line("commission", 2, HOUSE, kept, {"bet": "banker", "rate_bp": 500}),
    )


def caps(till: Till) -> list[tuple[str, int, int]]:
    lines = till.settlement(0).lines
    return [(line.key, line.amount, line.values["won"]) for line in lines if "cap" in line.key]


def test_a_box_wins_its_maximum_and_not_a_unit_more() -> None:
    till = Till(STAKES, 500)
    till.win(1, "bet", 500, EVEN, 3)
    assert caps(till) == []
    till.win(2, "bet", 1, EVEN, 3)
    assert caps(till) == [("box_payout_cap", 1, 501)]
    till.win(1, "bet", 40, EVEN, 3)
    assert caps(till)[1:] == [("box_payout_cap", 40, 541)]
    till.win(1, "bet", 40, EVEN, 4)
    assert till.settlement(0).net == {1: 540, 2: 0, HOUSE: -540}


def test_without_boxes_the_maximum_is_of_each_seat_after_commission() -> None:
    till = Till(STAKES, 95)
    till.win(1, "banker", 100, EVEN, commission_bp=500)
    till.win(2, "player", 100, EVEN)
    assert caps(till) == [("payout_cap", 5, 100)]
    assert till.settlement(0).net == {1: 95, 2: 95, HOUSE: -190}


def test_prizes_are_paid_beside_the_maximum() -> None:
    till = Till(STAKES, 100)
    till.win(1, "bet", 100, EVEN, 1)
    till.prize("bonus_won", 1, 900, {"box": 1})
    till.prize("wheel", 1, 0, {"box": 1})
    settlement = till.settlement(0)
    assert settlement.net[1] == 1_000
    assert [line.key for line in settlement.lines] == ["box_won", "bonus_won"]


def test_rake_is_taken_of_the_net_win() -> None:
    till = Till(STAKES, 10**9)
    till.win(1, "bet", 300, EVEN, 1)
    till.lose(1, "bet", 100, 2)
    till.lose(2, "bet", 50)
    assert till.settlement(1_000) == Settlement(
        {1: 180, 2: -50, HOUSE: -150},
        {1: 20},
        (
            Transfer(HOUSE, 1, 300, "bet"),
            Transfer(1, HOUSE, 100, "bet"),
            Transfer(2, HOUSE, 50, "bet"),
        ),
        (
            Line(
                "box_won", HOUSE, 1, 300, {"bet": "bet", "stake": 300, "pays": 1, "to": 1, "box": 1}
            ),
            Line("box_lost", 1, HOUSE, 100, {"bet": "bet", "box": 2}),
            Line("bet_lost", 2, HOUSE, 50, {"bet": "bet"}),
            Line("rake", 1, "rake", 20, {"won": 200, "rake_bp": 1_000}),
        ),
        {},
    )
