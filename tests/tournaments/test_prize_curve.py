"""Prizes from a curve: how many are paid, what they add up to, and curves that are recognised."""

import pytest

from tournaments.mathematics.payouts import BASIS_POINTS, ByFieldSize, ByPercentage, Share, prizes
from tournaments.mathematics.prize_curve import CURVES, Curve, curve_of, payouts_of, places_of


@pytest.mark.parametrize(
    ("curve", "entries", "places"),
    [
        (Curve(15, "even"), 3, 1),
        (Curve(15, "even"), 4, 2),
        (Curve(15, "even"), 60, 9),
        (Curve(15, "even"), 300, 45),
        (Curve(10, "steep"), 15, 2),
        # Tickets are rounded down: nine entries pay for one.
        (Curve(20, "equal"), 9, 1),
        (Curve(20, "equal"), 10, 2),
    ],
)
def test_so_many_places_are_paid(curve: Curve, entries: int, places: int) -> None:
    assert places_of(curve, entries) == places


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: f"{curve.paid}-{curve.shape}")
def test_the_shares_of_a_curve_fall_and_add_up(curve: Curve) -> None:
    payouts = payouts_of(curve, 10_000)
    assert isinstance(payouts, ByFieldSize)
    starts = [table.entries_from for table in payouts.tables]
    assert starts == sorted(set(starts))
    assert starts[0] == 2
    for table in payouts.tables:
        each = [share.share for share in table.shares]
        assert each == sorted(each, reverse=True)
        total = sum(share.share * share.places for share in table.shares)
        lost = sum(share.places for share in table.shares) if curve.shape == "equal" else 1
        assert BASIS_POINTS - lost < total <= BASIS_POINTS


def test_tickets_are_equal_and_pay_out_the_whole_pool() -> None:
    payouts = payouts_of(Curve(20, "equal"), 100)
    paid = prizes(payouts, 15 * 2_000, 15, 15)
    assert paid == (10_000, 10_000, 10_000)


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: f"{curve.paid}-{curve.shape}")
def test_a_curve_is_recognised_by_its_prizes(curve: Curve) -> None:
    recognised = curve_of(payouts_of(curve, 400), 400)
    assert recognised is not None
    assert payouts_of(recognised, 400) == payouts_of(curve, 400)


def test_other_prizes_are_of_no_curve() -> None:
    assert curve_of(ByPercentage((Share(7_000), Share(3_000))), 400) is None
