"""What pools cost the house, with its seeds: by hand, in limits, and by rounds that are played."""

from math import log
from random import Random

import pytest

from bench.pools import CASES, ERRORS, ROUNDS, Case, measure
from games.rules.analysis.edges import (
    JackpotLine,
    PoolTerms,
    house_edges,
    mystery_cost,
    pools_cost,
    progressive_cost,
)

LINES = [JackpotLine(1.385e-5, 0.15, 100), JackpotLine(1.54e-6, 0.5, 100)]
PRIZE = PoolTerms(mystery_seed=5_000, lowest=10_000, highest=50_000)


def test_a_mystery_prize_costs_its_seed_beside_the_shares() -> None:
    # A prize of 300 on average is fed by 250 of bets, of which a tenth goes to the pool.
    assert mystery_cost(0.1, 100, PRIZE) == pytest.approx(0.1 * 300 / 250, abs=2e-4)
    assert mystery_cost(0.1, 100, PoolTerms(lowest=10_000, highest=50_000)) == pytest.approx(0.1)
    # A seed above the highest prize falls with every bet.
    assert mystery_cost(0.1, 100, PoolTerms(0, 60_000, 10_000, 50_000)) == pytest.approx(600)


def test_a_jackpot_without_a_seed_costs_its_shares() -> None:
    assert progressive_cost(0.1, LINES, 0) == pytest.approx(0.1, abs=1e-5)
    assert progressive_cost(0.1, [], 1_000) == 0.1


def test_a_seed_far_above_what_bets_bring_is_paid_by_the_house() -> None:
    seed = 1_000_000.0
    hits = sum(line.chance * line.share for line in LINES)
    growth = 0.1 * hits / sum(line.chance for line in LINES)
    assert progressive_cost(0.1, LINES, seed) == pytest.approx(hits * seed + growth, rel=1e-3)


def test_the_cost_of_a_jackpot_grows_with_its_seed() -> None:
    costs = [progressive_cost(0.1, LINES, seed) for seed in (0, 5_000, 20_000, 80_000, 320_000)]
    assert costs == sorted(costs)
    assert costs[-1] > 0.5


def test_the_bonus_of_blackjack_pays_its_players_with_this_seed() -> None:
    """Without the seed the house seemed to keep 1.67 % of it."""
    tenth, twentieth, *_others = CASES
    assert float(house_edges(tenth.game)["bonus"]) == pytest.approx(0.0167, abs=1e-4)
    assert float(house_edges(tenth.game, tenth.terms)["bonus"]) == pytest.approx(-0.0033, abs=1e-4)
    assert float(house_edges(twentieth.game, twentieth.terms)["bonus"]) > 0.05


@pytest.mark.parametrize(
    ("share", "lines", "seed"),
    [
        (0.1, LINES, 10_000),
        (0.1, LINES, 200_000),
        (0.02, [JackpotLine(1e-4, 0.2, 240), JackpotLine(3e-4, 0.1, 240)], 100),
        (0.1, [JackpotLine(1e-5, 1.0, 0)], 1_000),
    ],
)
def test_a_jackpot_that_is_hit_again_and_again_costs_what_is_said(
    share: float, lines: list[JackpotLine], seed: float
) -> None:
    chance, hit = Random(7), sum(line.chance for line in lines)
    level, added, bets = seed, 0.0, 0
    for line in chance.choices(lines, [line.chance for line in lines], k=60_000):
        waited = 1 + int(log(1 - chance.random()) / log(1 - hit))
        bets += waited
        level += share * waited
        added += max(0.0, line.least - line.share * level)
        level *= 1 - line.share
        added += max(0.0, seed - level)
        level = max(level, seed)
    assert progressive_cost(share, lines, seed) == pytest.approx(share + added / bets, rel=0.02)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_rounds_agree_with_the_figures(case: Case) -> None:
    whole, _cost = measure(case, 5_000, case.name)
    assert whole.agrees, whole


@pytest.mark.release
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_million_rounds_agree_with_the_figures(case: Case) -> None:
    whole, cost = measure(case, ROUNDS, case.name)
    assert whole.agrees, whole
    if not case.game.jackpot_bp:
        assert cost.agrees, cost
        # So many rounds show whether a seed was left out.
        without_seeds = float(pools_cost(case.game, PoolTerms()))
        assert abs(cost.played - without_seeds) > ERRORS * cost.error
