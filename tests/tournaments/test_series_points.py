"""Points of a series: formulas, the best events of a player, and who is ahead of whom."""

import pytest

from tournaments.mathematics.series_points import (
    PRESETS,
    Formula,
    Result,
    SeriesRules,
    preview,
    standings,
)


@pytest.mark.parametrize(
    ("formula", "place", "entrants", "points"),
    [
        (Formula(), 1, 16, 400),
        (Formula(), 4, 16, 200),
        (Formula(), 2, 16, 282),
        (Formula(for_playing=5), 16, 16, 105),
        (Formula(manner="field"), 1, 8, 100),
        (Formula(manner="field"), 8, 8, 12),
        (Formula(manner="table", table=(25, 18)), 2, 99, 18),
        (Formula(manner="table", table=(25, 18), for_playing=1), 3, 99, 1),
    ],
)
def test_a_place_brings_points(formula: Formula, place: int, entrants: int, points: int) -> None:
    assert formula.points(place, entrants) == points


def test_the_best_events_count_and_single_events_decide_among_equals() -> None:
    rules = SeriesRules(formula=Formula(manner="table", table=(10, 6, 4)), events=3, best=2)
    results = [
        *(Result(1, player, place, 3) for place, player in enumerate((1, 2, 3), 1)),
        *(Result(2, player, place, 3) for place, player in enumerate((2, 3, 1), 1)),
        *(Result(3, player, place, 3) for place, player in enumerate((3, 2, 4), 1)),
    ]
    ranked = standings(rules, results)
    # The second and the first have 16 and 14, and the third as much as the first.
    assert [(standing.player, standing.points) for standing in ranked] == [
        (2, 16),
        (3, 16),
        (1, 14),
        (4, 4),
    ]
    by_player = {standing.player: standing for standing in ranked}
    assert [place.counts for place in by_player[2].scored] == [True, True, False]
    equal = standings(rules, [Result(1, 7, 2, 3), Result(2, 7, 3, 3), Result(1, 5, 1, 3)])
    # Ten points in one event are ahead of ten points in two.
    assert [standing.player for standing in equal] == [5, 7]
    assert [standing.place for standing in equal] == [1, 2]


def test_rules_that_contradict_themselves_are_named() -> None:
    def codes(**rules: object) -> list[str]:
        return [code for code, _values in SeriesRules(**rules).faults()]  # type: ignore[arg-type]

    assert codes(events=3, best=4) == ["best_of_fewer"]
    assert codes(formula=Formula(manner="table")) == ["points_table"]
    assert codes(formula=Formula(manner="table", table=(1, 2))) == ["points_table"]
    assert codes(formula=Formula(base=0)) == ["no_points"]
    assert [preset.rules.faults() for preset in PRESETS.values()] == [[]] * len(PRESETS)


def test_a_preview_shows_no_place_that_a_field_has_not() -> None:
    shown = dict(preview(Formula(manner="field")))
    assert shown[1] == [100, 100, 100]
    assert shown[12][0] is None
    assert shown[12][1:] == [54, 81]
    assert [place for place, _points in preview(Formula(manner="table", table=(9, 4, 0)))] == [1, 2]
