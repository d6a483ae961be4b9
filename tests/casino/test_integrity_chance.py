"""What chance allows: errors that add up, bounds that hold, and cheats that are found."""

from math import exp, isclose
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import integrity
from casino.office.integrity import chance
from casino.office.integrity.chance import Shape, Total

BELL: Final = integrity.bell()


def total_of(values: list[float], weight: float = 1.0) -> Total:
    total = Total()
    for value in values:
        total.add(value, weight)
    return total


def test_all_looks_at_all_games_stay_within_the_error_of_one_player() -> None:
    spent = sum(chance.error_of(look, game) for look in range(1, 60) for game in range(11))
    assert spent < chance.PLAYER_ERROR
    assert spent > 0.9 * chance.PLAYER_ERROR


def test_all_looks_at_all_pairs_stay_within_the_error_of_one_player() -> None:
    spent = sum(chance.pair_error_of(look) for look in range(1, 60)) * chance.PAIRS
    assert spent <= chance.PLAYER_ERROR


@pytest.mark.parametrize(
    ("hands", "looks"),
    [(0, 0), (312, 0), (313, 1), (625, 2), (1_250, 3), (2_499, 3), (2_500, 4), (4_999, 4),
     (5_000, 5), (9_999, 5), (10_000, 6)],
)  # fmt: skip
def test_looks_double(hands: int, looks: int) -> None:
    assert chance.looks_at(hands) == looks


@pytest.mark.parametrize(("hands", "looks"), [(39, 0), (40, 1), (79, 1), (80, 2), (640, 5)])
def test_looks_at_pairs_double(hands: int, looks: int) -> None:
    assert chance.pair_looks_at(hands) == looks


def test_a_bell_needs_no_correction_and_heavy_tails_raise_the_bound() -> None:
    plain = Shape(1_000, 0.0, 1_000.0, 0.0, 3_000.0)
    skewed = Shape(1_000, 0.0, 1_000.0, 2_000.0, 9_000.0)
    assert chance.bound(1e-4, plain, 400) == chance.quantile(1e-4)
    assert chance.bound(1e-4, skewed, 400) > chance.bound(1e-4, skewed, 40_000)
    assert chance.bound(1e-4, skewed, 40_000) > chance.quantile(1e-4)


def test_one_huge_bet_among_small_ones_is_no_evidence() -> None:
    total = total_of([1.0, -1.0] * 500)
    total.add(1.0, 10_000.0)
    assert total.effective < 2
    assert chance.looks_at(total.effective) == 0


@given(st.floats(0.01, 1_000), st.lists(st.floats(-50, 50), min_size=2, max_size=60))
def test_the_size_of_bets_changes_no_score(scale: float, values: list[float]) -> None:
    verdict, other = (
        chance.wins_beyond(total_of(values, weight), BELL.shape, 1e-4) for weight in (1.0, scale)
    )
    assert isclose(verdict.score, other.score, rel_tol=1e-6, abs_tol=1e-6)


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=60))
def test_it_is_the_same_from_either_end_of_a_pair(values: list[float]) -> None:
    ways = [[value * way for value in values] for way in (1, -1)]
    verdict, other = (chance.flows_beyond(total_of(way), BELL.shape, 1e-4) for way in ways)
    assert verdict == other


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=60), st.floats(-20, 20))
def test_central_moments_do_not_move(values: list[float], moved: float) -> None:
    shape = integrity.shape_of(values).centred()
    other = integrity.shape_of([value + moved for value in values]).centred()
    assert isclose(shape.variance, other.variance, rel_tol=1e-6, abs_tol=1e-6)


@pytest.mark.slow
def test_superusers_at_90_big_bets_in_100_are_found_within_2500_hands() -> None:
    """The standard deviation is 90 big bets in 100 hands, so five of them are 2,500 hands' wins."""
    assert sum(hands > 0 for hands in integrity.caught(BELL, 100)) >= 95


def test_of_honest_players_hardly_one_is_flagged() -> None:
    """Ten thousand of each; `python -m bench.integrity` has games with tails as well."""
    deviation = BELL.shape.variance**0.5
    flagged = 0
    for player in range(10_000):
        random, total, done = Random(player), Total(), 0
        for look, hands in enumerate((*chance.EARLY_LOOKS, chance.MAIN_LOOK), 1):
            # The sum of so many draws from a bell is one draw from a wider one.
            total.total += random.gauss(0.0, deviation * (hands - done) ** 0.5)
            total.count = total.weights2 = total.weights4 = hands
            total.squares, done = deviation**2 * hands, hands
            error = chance.error_of(look)
            if chance.wins_beyond(total, BELL.shape, error).beyond:
                flagged += 1
                break
    assert flagged <= 1


def test_those_who_play_a_wild_bet_are_measured_by_it() -> None:
    """A bet that pays 30 to 1 once in 31 times is fair, however calm the house's other bets are."""
    calm = integrity.shape_of([1.0, -1.0] * 500)
    flagged = 0
    for player in range(200):
        random = Random(player)
        wild = total_of([30.0 if random.random() < 1 / 31 else -1.0 for _ in range(1_250)])
        flagged += chance.wins_beyond(wild, calm, chance.error_of(3)).beyond
    assert flagged == 0


@pytest.mark.parametrize(("part", "found"), [(1.0, 40), (0.5, 40), (0.0, 0)])
def test_dumping_pairs_are_found_and_honest_ones_are_not(part: float, found: int) -> None:
    shift = part * BELL.shape.variance**0.5
    after = [integrity.pair_found_after(BELL, Random(seed), shift) for seed in range(40)]
    assert sum(hands > 0 for hands in after) == found


@pytest.mark.parametrize(("helped", "beyond"), [(False, False), (True, True)])
def test_whoever_helps_a_landlord_is_not_excused_by_the_role(helped: bool, beyond: bool) -> None:
    """Landlords win a bet a hand on average, here as elsewhere; help is what they win beyond it."""
    random = Random(3)
    others = integrity.shape_of(random.choices([-4.0, 6.0], k=4_000))
    values = random.choices([-4.0, 6.0], weights=[1, 9] if helped else [1, 1], k=160)
    error = chance.pair_error_of(3)
    assert chance.helped_beyond(total_of(values), others, error).beyond is beyond


@pytest.mark.parametrize(
    ("found", "of", "rate", "probability"),
    [(0, 10, 0.5, 1.0), (1, 1, 0.25, 0.25), (2, 2, 0.5, 0.25), (1, 2, 0.5, 0.75),
     (10, 10, 0.5, 2**-10), (3, 2, 0.5, 0.0)],
)  # fmt: skip
def test_how_likely_so_many_tries_are(found: int, of: int, rate: float, probability: float) -> None:
    assert isclose(chance.at_least(found, of, rate), probability, abs_tol=1e-12)


def test_the_bound_of_tries_is_the_last_that_chance_allows() -> None:
    most = chance.bound_of_tries(200, 0.02, 1e-5)
    assert chance.at_least(most + 1, 200, 0.02) <= 1e-5 < chance.at_least(most, 200, 0.02)


@pytest.mark.parametrize(
    ("spread", "fastest", "programs"),
    [(0.5, 0.4, 0), (0.35, 0.2, 0), (0.1, 0.0, 50), (0.02, 0.4, 50)],
)
def test_programs_answer_more_evenly_than_people(
    spread: float, fastest: float, programs: int
) -> None:
    seen = [integrity.answers_evenly(Random(seed), spread, fastest=fastest) for seed in range(50)]
    assert sum(seen) == programs


def test_whoever_answers_before_they_can_have_seen_is_a_program() -> None:
    random = Random(5)
    times = [0.05 * exp(random.gauss(0.0, 0.6)) for _ in range(chance.ACTS)]
    assert chance.is_a_programs(chance.rhythm_of_times(times))
    assert not chance.is_a_programs(chance.rhythm_of_times(times[1:]))
