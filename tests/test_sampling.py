"""Each run takes a part of the tests, and twenty runs in a row take them all."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.sampling import SEEDS, sampled, thinned

GAMES = [f"game {number}" for number in range(11)]
ROLES = [f"role {number}" for number in range(7)]


def cases_of(name: str, *marks: str, file: str = "test_it.py", **axes: list[Any]) -> Iterator[Any]:
    """The cases of a test, as pytest collects them: each value of each axis with all others."""
    cases: list[dict[str, Any]] = [{}]
    for axis, values in axes.items():
        cases = [{**case, axis: value} for case in cases for value in values]
    for case in cases:
        identity = "-".join(map(str, case.values()))
        yield SimpleNamespace(
            path=Path(file),
            nodeid=f"{file}::{name}[{identity}]",
            callspec=SimpleNamespace(params=case),
            get_closest_marker=lambda mark: mark in marks or None,
        )


ITEMS = [
    *cases_of("test_a_rule"),
    *cases_of("test_a_table", hand=list(range(30))),
    *cases_of("test_a_matrix", game=GAMES, role=ROLES),
    *cases_of("test_a_verb", "database"),
    *cases_of("test_money", "database", "always"),
    *cases_of("test_pages", "database", game=GAMES, role=ROLES),
    *cases_of("test_random_hands", "slow", hand=list(range(30))),
    *cases_of("test_evenings", "database", "long", game=GAMES, role=ROLES),
    *(
        case
        for number in range(12)
        for case in cases_of(
            f"test_journey_{number}",
            file="journeys/test_it.py",
            engine=["chromium", "firefox", "webkit"],
        )
    ),
    *cases_of("test_for_a_release", "release"),
]
RUNS = [sampled(ITEMS, seed) for seed in range(1545, 1545 + SEEDS)]


def named(run: list[Any]) -> list[str]:
    return [item.nodeid for item in run]


def test_twenty_runs_in_a_row_take_everything_but_what_is_for_a_release() -> None:
    taken = {name for run in RUNS for name in named(run)}
    assert taken == {item.nodeid for item in ITEMS if "for_a_release" not in item.nodeid}


def test_each_run_takes_all_rules_and_tables_and_each_game_and_role() -> None:
    whole = [name for name in named(ITEMS) if "rule" in name or "table" in name or "money" in name]
    for run in RUNS:
        assert [name for name in named(run) if name in whole] == whole
        assert {one.callspec.params.get("game") for one in run} == {None, *GAMES}
        assert {one.callspec.params.get("role") for one in run} == {None, *ROLES}


def test_a_run_takes_a_small_part_of_a_matrix_and_repeats() -> None:
    for seed, run in enumerate(RUNS, 1545):
        assert sum("matrix" in name for name in named(run)) <= len(GAMES) + len(ROLES)
        assert named(sampled(ITEMS, seed)) == named(run)


def test_half_of_the_journeys_run_in_chromium_and_a_third_of_these_in_another_engine() -> None:
    for run in RUNS:
        engines = [one.callspec.params.get("engine") for one in run]
        assert [engines.count(name) for name in ("chromium", "firefox", "webkit")] == [6, 1, 1]


def test_of_a_thinned_matrix_each_row_and_each_column_is_left() -> None:
    left = thinned(ITEMS)
    pages = [one.callspec.params for one in left if "test_pages" in one.nodeid]
    assert len(pages) <= len(GAMES) + len(ROLES)
    assert {case["game"] for case in pages} == set(GAMES)
    assert {case["role"] for case in pages} == set(ROLES)
    left_whole = ("rule", "table", "verb", "money", "random_hands")
    whole = [name for name in named(ITEMS) if any(word in name for word in left_whole)]
    assert [name for name in named(left) if name in whole] == whole
    assert not any("for_a_release" in name for name in named(left))
