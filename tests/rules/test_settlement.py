"""Payments within stacks, rake, and the lines that explain what was cut."""

from games.rules.contract import SeatStack
from games.rules.settlement import Line, Payments, Settlement, Transfer
from tests.rules.cases import each


def payments(*stacks: int, winnings_limited: bool = True) -> Payments:
    stakes = [SeatStack(seat, stack) for seat, stack in enumerate(stacks, start=1)]
    return Payments(stakes, winnings_limited=winnings_limited)


def test_a_stack_of_25_19_winning_15_from_each_of_three_collects_15_then_10_19_then_nothing() -> (
    None
):
    hand = payments(2519, 10_000, 10_000, 10_000)
    assert [hand.pay(payer, 1, 1500, "rows") for payer in (2, 3, 4)] == [1500, 1019, 0]
    assert hand.settlement(0).transfers[0] == Transfer(2, 1, 1500, "rows")
    assert hand.settlement(0).net == {1: 2519, 2: -1500, 3: -1019, 4: 0}


def test_in_a_cash_hand_a_seat_at_its_limit_takes_no_part_in_later_payments() -> None:
    winner = payments(100, 500, 500)
    assert winner.pay(2, 1, 300, "rows") == 100
    assert winner.pay(1, 3, 50, "rows") == 0
    loser = payments(100, 500, 500)
    assert loser.pay(1, 2, 300, "rows") == 100
    assert loser.pay(3, 1, 50, "rows") == 0


def test_in_a_tournament_winnings_are_not_limited_and_a_broke_seat_may_still_collect() -> None:
    hand = payments(100, 500, 500, winnings_limited=False)
    assert hand.pay(2, 1, 300, "rows") == 300
    assert hand.pay(1, 3, 900, "rows") == 400
    assert hand.pay(2, 1, 50, "rows") == 50
    assert hand.settlement(0).net == {1: -50, 2: -350, 3: 400}


def test_payments_never_exceed_the_stack() -> None:
    hand = payments(100, 1000, 1000)
    assert [hand.pay(1, 2, 60, "rows"), hand.pay(1, 3, 60, "rows")] == [60, 40]


def test_a_line_gives_back_what_a_stack_could_not_move_and_names_the_stack() -> None:
    hand = payments(100, 1000)
    hand.pay(1, 2, 250, "rows")
    (line,) = hand.settlement(0).lines
    assert (line.key, line.source, line.target, line.amount) == ("purse_limit", 2, 1, 150)
    assert line.values == {"due": 250, "paid": 100, "seat": 1}
    hand = payments(1000, 100)
    hand.pay(1, 2, 250, "rows")
    assert hand.settlement(0).lines[0].values["seat"] == 2


@each(
    *((1000, 500, 50), (19, 500, 0), (20, 500, 1), (39, 500, 1)),
    *((1000, 0, 0), (7, 10_000, 7), (1, 10_000, 1)),
)
def test_rake_is_a_share_of_the_net_win_rounded_down(won: int, rake_bp: int, taken: int) -> None:
    hand = payments(5000, 5000)
    hand.pay(2, 1, won, "rows")
    settlement = hand.settlement(rake_bp)
    assert settlement.net == {1: won - taken, 2: -won}
    assert settlement.rake == ({1: taken} if taken else {})
    line = Line("rake", 1, "rake", taken, {"won": won, "rake_bp": rake_bp})
    assert settlement.lines == ((line,) if taken else ())


def test_rake_is_of_the_net_of_the_whole_hand_not_of_single_payments() -> None:
    hand = payments(5000, 5000, 5000)
    hand.pay(2, 1, 1000, "rows")
    hand.pay(1, 3, 900, "rows")
    assert hand.settlement(500).rake == {1: 5, 3: 45}


def test_the_bank_has_no_stack_and_pays_no_rake() -> None:
    hand = payments(100, winnings_limited=False)
    assert hand.pay("house", 1, 10**15, "bet") == 10**15
    assert hand.pay(1, "house", 10, "bet") == 10
    assert hand.settlement(0).net == {1: 10**15 - 10, "house": 10 - 10**15}
    hand = payments(100, winnings_limited=False)
    hand.pay(1, "house", 50, "bet")
    assert hand.settlement(500).net == {1: -50, "house": 50}
    assert hand.settlement(500).rake == {}


def test_zero_amounts_make_no_line() -> None:
    hand = payments(100, 100)
    assert hand.pay(1, 2, 0, "rows") == 0
    settlement = hand.settlement(500)
    assert (settlement.transfers, settlement.lines) == ((), ())


def test_payer_is_named_when_both_stacks_run_out() -> None:
    hand = payments(100, 100)
    hand.pay(1, 2, 250, "rows")
    assert hand.settlement(0).lines[0].values["seat"] == 1


def test_a_hand_in_which_nothing_moved_tells_so() -> None:
    assert payments(100).settlement(0) == Settlement({1: 0}, {}, (), ())
