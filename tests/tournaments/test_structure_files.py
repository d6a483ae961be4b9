"""The structure file: the examples of the documentation, what is refused and why, and the clock."""

import json
from pathlib import Path
from typing import Any

import pytest

from games.rules.errors import Unreadable
from tournaments.mathematics.preview import preview, previews
from tournaments.mathematics.problems import problems, require_sound
from tournaments.mathematics.structure import (
    Period,
    Structure,
    first_period,
    game_at,
    period_after,
    read,
    write,
)

EXAMPLES = Path(__file__).parents[2] / "docs" / "tournaments"
NAMES = ("sit-and-go", "freeze-out", "knock-out", "duplicate")


def example(name: str, /, **changes: Any) -> Structure:
    """An example of the documentation, with some of its fields changed; None leaves one out."""
    data = json.loads((EXAMPLES / f"{name}.json").read_bytes()) | changes
    return read(
        json.dumps({key: value for key, value in data.items() if value is not None}).encode()
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_are_sound_and_round_trip(name: str) -> None:
    structure = example(name)
    assert not problems(structure)
    assert structure.kind == name.replace("-", "_")
    assert read(write(structure)) == structure
    require_sound(structure)


def test_every_example_is_tested() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.json")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_preview_of_an_example(name: str) -> None:
    structure = example(name)
    for forecast in previews(structure):
        if not forecast.runs:
            assert forecast.entrants < structure.field_min
            continue
        assert sum(forecast.prizes) == forecast.pool >= structure.guarantee
        assert forecast.pool == forecast.entrants * structure.stake + forecast.added
        assert 10 * 60 < forecast.seconds < 6 * 3_600
        assert 1 <= forecast.level <= len(structure.levels)


def test_a_larger_field_takes_longer_and_a_lower_level_too() -> None:
    structure = example("freeze-out")
    seconds = [preview(structure, entrants).seconds for entrants in (8, 20, 100, 400)]
    assert seconds == sorted(set(seconds))
    slow = example("freeze-out", starting_chips=4_000)
    assert preview(slow, 100).seconds > preview(structure, 100).seconds


def test_a_preview_says_what_the_house_adds() -> None:
    forecast = preview(example("freeze-out"), 50)
    assert (forecast.tables, forecast.pool, forecast.added, forecast.fees) == (
        13,
        250_000,
        25_000,
        25_000,
    )
    assert forecast.prizes[:3] == (75_000, 50_000, 37_500)
    none = preview(example("knock-out"), 10)
    assert (none.runs, none.pool, none.prizes) == (False, 0, ())


def shares(*parts: int) -> dict[str, Any]:
    return {"by": "percentage", "shares": [{"share": part} for part in parts]}


WRONG: list[tuple[str, dict[str, Any], str, str | None]] = [
    ("sit-and-go", {"game": "blackjack"}, "not_for_tournaments", "$.game"),
    ("sit-and-go", {"options": {"point": 5}}, "option_decided_elsewhere", "$.options.point"),
    ("sit-and-go", {"options": {"rake_bp": 0}}, "option_decided_elsewhere", None),
    ("sit-and-go", {"options": {"table": "round"}}, "options_refused", "$.options"),
    ("sit-and-go", {"options": {"colour": 1}}, "options_refused", "$.options"),
    ("sit-and-go", {"game": "thirteen_hongkong", "options": {"banker": "fixed"}, "levels":
     [{"bet_min": 5, "bet_max": 10}]}, "banker_fixed", "$.options.banker"),
    ("duplicate", {"table_size": 4}, "table_size", "$.table_size"),
    ("sit-and-go", {"game": "thirteen_fujian", "options": {}, "field_min": 3},
     "field_too_small", "$.field_min"),
    ("duplicate", {"field_min": 5}, "field_too_small", "$.field_min"),
    ("freeze-out", {"field_max": 7}, "field_bounds", "$.field_max"),
    ("freeze-out", {"stake": 0, "guarantee": 0}, "empty_pool", "$.stake"),
    ("sit-and-go", {"payouts": {"by": "amounts", "amounts": [2_600, 1_399]}},
     "payouts_do_not_sum", "$.payouts.amounts"),
    ("sit-and-go", {"payouts": {"by": "amounts", "amounts": [1_400, 2_600]}}, "payouts_rise",
     "$.payouts.amounts[1]"),
    ("sit-and-go", {"payouts": {"by": "amounts", "amounts": [800] * 5}}, "payouts_too_many",
     "$.payouts.amounts"),
    ("freeze-out", {"payouts": {"by": "amounts", "amounts": [250_000]}}, "payouts_not_fixed",
     "$.payouts"),
    ("freeze-out", {"payouts": shares(6_000, 3_999)}, "payouts_do_not_sum", None),
    ("freeze-out", {"payouts": shares(4_000, 6_000)}, "payouts_rise", None),
    ("freeze-out", {"payouts": {"by": "field_size", "tables": [{"entries_from": 9, "shares":
     [{"share": 10_000}]}, {"entries_from": 9, "shares": [{"share": 5_000, "places": 2}]}]}},
     "payouts_order", "$.payouts.tables"),
    ("freeze-out", {"payouts": {"by": "field_size", "tables": [{"entries_from": 9, "shares":
     [{"share": 10_000}]}]}}, "payouts_missing", "$.payouts.tables"),
    ("sit-and-go", {"starting_chips": 19}, "chips_too_few", "$.starting_chips"),
    ("knock-out", {"starting_chips": 149}, "chips_too_few", "$.starting_chips"),
    ("sit-and-go", {"levels": [{"point": 20, "hands": 6}, {"point": 19}]}, "levels_fall",
     "$.levels[1]"),
    ("sit-and-go", {"game": "thirteen_hongkong", "options": {}, "levels": [{"bet_min": 5,
     "bet_max": 10, "hands": 5}, {"bet_min": 5, "bet_max": 9}]}, "levels_fall", "$.levels[1]"),
    ("sit-and-go", {"levels": [{"bet_min": 5, "bet_max": 9}]}, "level_stakes", None),
    ("sit-and-go", {"game": "thirteen_hongkong", "options": {}, "levels": [{"point": 5}]},
     "level_stakes", "$.levels[0]"),
    ("sit-and-go", {"game": "thirteen_hongkong", "options": {}, "levels": [{"bet_min": 9,
     "bet_max": 5}]}, "level_bets", "$.levels[0]"),
    ("duplicate", {"levels": [{"point": 10**14 + 1}]}, "level_too_high", "$.levels[0]"),
    ("sit-and-go", {"levels": [{"point": 5}, {"point": 6}]}, "level_duration", "$.levels[0]"),
    ("sit-and-go", {"levels": [{"point": 5, "hands": 2}, {"point": 6, "seconds": 60}, {"point":
     7}]}, "level_duration", "$.levels[1]"),
    ("sit-and-go", {"breaks": [{"after_level": 6, "seconds": 60}]}, "break_too_late",
     "$.breaks[0]"),
    ("sit-and-go", {"breaks": [{"after_level": 2, "seconds": 60}] * 2}, "break_twice",
     "$.breaks[1]"),
    ("knock-out", {"late_registration_level": 1}, "freeze_out_only", None),
    ("sit-and-go", {"reentries": {"most": 1, "until_level": 1}}, "freeze_out_only", None),
    ("freeze-out", {"late_registration_level": 21}, "level_without_end", None),
    ("freeze-out", {"add_on": {"chips": 9, "stake": 9, "from_level": 3, "until_level": 2}},
     "add_on_levels", "$.add_on"),
    ("sit-and-go", {"knock_out": {"line_points": 1, "until": 2}}, "part_of_another_kind",
     "$.knock_out"),
    ("sit-and-go", {"field_min": 3}, "sit_and_go_field", "$.field_max"),
    ("sit-and-go", {"field_min": 28, "field_max": 28}, "sit_and_go_field", "$.field_max"),
    ("knock-out", {"knock_out": None}, "part_missing", "$.knock_out"),
    ("duplicate", {"duplicate": None}, "part_missing", "$.duplicate"),
    ("knock-out", {"knock_out": {"line_points": 1, "until": 18}}, "knock_out_until",
     "$.knock_out.until"),
    ("knock-out", {"knock_out": {"line_points": 1, "until": 10}}, "rounds_field",
     "$.knock_out.until"),
    ("duplicate", {"levels": [{"point": 5, "hands": 2}, {"point": 6}]}, "duplicate_levels",
     "$.levels"),
    ("knock-out", {"game": "thirteen_hongkong", "table_size": 4, "levels": [{"bet_min": 5,
     "bet_max": 10}]}, "needs_points", "$.game"),
    ("freeze-out", {"levels": [{"point": 1}]}, "level_without_end", None),
    ("freeze-out", {"levels": [{"point": 1}], "late_registration_level": 0, "reentries": None,
     "add_on": None, "breaks": []}, "too_long", "$.levels"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "changes", "code", "path"), WRONG)
def test_what_is_wrong_has_a_code_and_a_path(
    name: str, changes: dict[str, Any], code: str, path: str | None
) -> None:
    structure = example(name, **changes)
    unreadables = problems(structure)
    assert code in [unreadable.code for unreadable in unreadables]
    assert path is None or (code, path) in [
        (unreadable.code, unreadable.path) for unreadable in unreadables
    ]
    assert all(
        unreadable.sentence.endswith(".") and "{" not in unreadable.sentence
        for unreadable in unreadables
    )
    with pytest.raises(Unreadable):
        require_sound(structure)


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"kind": "lottery"}, "$.kind"),
        ({"levels": []}, "$.levels"),
        ({"stake": -1}, "$.stake"),
        ({"stake": 1.5}, "$.stake"),
        ({"starting_chips": 0}, "$.starting_chips"),
        ({"field_max": 10_001}, "$.field_max"),
        ({"payouts": {"by": "luck"}}, "$.payouts.by"),
        ({"prize": 5}, "$"),
        ({"name": ""}, "$.name"),
    ],
)
def test_a_wrong_shape_cannot_be_read(changes: dict[str, Any], path: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        example("sit-and-go", **changes)
    assert refusal.value.path == path


def test_the_game_is_played_at_the_stakes_of_its_level_without_rake() -> None:
    structure = example("sit-and-go")
    games = [game_at(structure, level) for level in (1, 6)]
    assert [game.least_stake for game in games] == [20, 200]
    assert {(game.key, game.rake_bp, game.table) for game in games} == {  # type: ignore[attr-defined]
        ("chinese_poker", 0, "bonus")
    }


def test_levels_and_breaks_follow_one_another() -> None:
    structure = example("freeze-out")
    period, periods = first_period(structure), []
    for _ in range(5):
        periods.append(period)
        period = period_after(structure, period)
    assert periods == [
        Period(1, seconds=600),
        Period(2, seconds=600),
        Period(3, seconds=600),
        Period(3, on_break=True, seconds=300),
        Period(4, seconds=600),
    ]
    last = Period(len(structure.levels))
    assert period_after(structure, last) == last


def test_levels_by_hands() -> None:
    structure = example("sit-and-go")
    assert first_period(structure) == Period(1, hands=6)
    assert period_after(structure, Period(5, hands=6)) == Period(6)
