"""Prizes: they sum to the pool for any field, and ties share."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.mathematics.payouts import (
    BASIS_POINTS,
    ByAmounts,
    ByFieldSize,
    ByPercentage,
    FieldTable,
    Payouts,
    Share,
    places_paid,
    prizes,
    prizes_of,
)

THREE = (Share(5_000), Share(3_000), Share(2_000))


@st.composite
def shares(draw: st.DrawFn) -> tuple[Share, ...]:
    """Shares that fall and sum to all of the pool."""
    cuts = sorted(draw(st.sets(st.integers(1, BASIS_POINTS - 1), max_size=12)))
    edges = [0, *cuts, BASIS_POINTS]
    parts = [high - low for low, high in itertools.pairwise(edges)]
    return tuple(Share(part) for part in sorted(parts, reverse=True))


payouts = st.one_of(
    st.builds(ByPercentage, shares()),
    st.builds(
        lambda tables: ByFieldSize(
            tuple(FieldTable(2 + 7 * number, table) for number, table in enumerate(tables))
        ),
        st.lists(shares(), min_size=1, max_size=4),
    ),
    st.builds(ByAmounts, st.lists(st.integers(1, 10_000), min_size=1, max_size=9).map(tuple)),
)


@pytest.mark.parametrize(
    ("paid", "pool", "players", "entries", "expected"),
    [
        (ByPercentage(THREE), 1_000, 10, 10, (500, 300, 200)),
        # Odd minor units go to the places from the first downwards.
        (ByPercentage(THREE), 1_003, 10, 10, (502, 301, 200)),
        (ByPercentage(THREE), 1, 10, 10, (1, 0, 0)),
        # Two players share what three places would have got, five to three.
        (ByPercentage(THREE), 800, 2, 2, (500, 300)),
        (ByPercentage(THREE), 800, 1, 1, (800,)),
        (ByPercentage((Share(4_000), Share(3_000, places=2))), 100, 9, 9, (40, 30, 30)),
        (ByAmounts((70, 30)), 100, 4, 4, (70, 30)),
        # Re-entries count as entries, and a place needs a player.
        (
            ByFieldSize((FieldTable(2, (Share(10_000),)), FieldTable(8, THREE))),
            1_000,
            6,
            8,
            (500, 300, 200),
        ),
        (
            ByFieldSize((FieldTable(2, (Share(10_000),)), FieldTable(8, THREE))),
            1_000,
            7,
            7,
            (1_000,),
        ),
    ],
)
def test_the_prizes(
    paid: Payouts, pool: int, players: int, entries: int, expected: tuple[int, ...]
) -> None:
    assert prizes(paid, pool, players, entries) == expected
    assert places_paid(paid, players, entries) == len(expected)


@given(payouts, st.integers(0, 10**12), st.integers(1, 40), st.integers(0, 20))
def test_prizes_sum_to_the_pool_and_never_rise(
    paid: Payouts, pool: int, players: int, again: int
) -> None:
    amounts = prizes(paid, pool, players, players + again)
    assert sum(amounts) == pool
    assert len(amounts) <= players
    if not isinstance(paid, ByAmounts):
        assert list(amounts) == sorted(amounts, reverse=True)


@pytest.mark.parametrize(
    ("by_place", "groups", "expected"),
    [
        ((50, 30, 20), [[7], [8], [9], [1]], {7: 50, 8: 30, 9: 20, 1: 0}),
        ((50, 30, 20), [[7, 8], [9]], {7: 40, 8: 40, 9: 20}),
        # The odd minor units go to the better tie-break, one each.
        ((50, 31, 20), [[8, 7], [9]], {8: 41, 7: 40, 9: 20}),
        ((50, 30, 21), [[3, 1, 2]], {3: 34, 1: 34, 2: 33}),
        # Level across the last place that is paid.
        ((50, 30, 21), [[1], [2], [3, 4]], {1: 50, 2: 30, 3: 11, 4: 10}),
    ],
)
def test_those_who_are_level_share(
    by_place: tuple[int, ...], groups: list[list[int]], expected: dict[int, int]
) -> None:
    assert prizes_of(by_place, groups) == expected


@given(payouts, st.integers(0, 10**9), st.lists(st.integers(1, 5), min_size=1, max_size=15))
def test_ties_split_the_whole_pool_to_the_minor_unit(
    paid: Payouts, pool: int, sizes: list[int]
) -> None:
    entries = iter(range(sum(sizes)))
    groups = [[next(entries) for _ in range(size)] for size in sizes]
    players = sum(sizes)
    amounts = prizes_of(prizes(paid, pool, players, players), groups)
    assert sum(amounts.values()) == pool
    assert len(amounts) == players
    for group in groups:
        shared = [amounts[entry] for entry in group]
        assert shared == sorted(shared, reverse=True)
        assert max(shared) - min(shared) <= 1
