"""The eight presets: each is a sound event of every game that it suits, and can be played."""

import pytest
from msgspec.structs import replace

from tests.tournaments.events import Event
from tests.tournaments.test_rehearsal import found_in, played
from tournaments.audit import whole as audit
from tournaments.mathematics.presets import PRESETS, has_banker, preset, with_game
from tournaments.mathematics.preview import preview
from tournaments.mathematics.problems import problems
from tournaments.mathematics.structure import GAMES, Structure
from tournaments.models import Tournament

# They are played for points, so games with a banker are refused.
FOR_POINTS = ("evening", "fixed_rounds", "swiss_rounds", "duplicate")


def made(name: str, **given: int) -> Structure:
    return preset(name, "Evening", "PLAY", 100, **given)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_sound_with_every_game_that_it_suits(name: str) -> None:
    for game in GAMES:
        codes = [problem.code for problem in problems(with_game(made(name), game))]
        refused = name in FOR_POINTS and has_banker(game)
        assert codes == (["needs_points"] if refused else []), game


@pytest.mark.parametrize(
    ("name", "kind", "entry", "guarantee"),
    [
        ("sit_and_go", "sit_and_go", 11_00, 0),
        ("evening", "knock_out", 22_00, 500_00),
        ("freezeout", "freeze_out", 55_00, 2_000_00),
        ("fixed_rounds", "knock_out", 55_00, 0),
        ("swiss_rounds", "knock_out", 55_00, 0),
        ("duplicate", "duplicate", 22_00, 0),
        ("free", "freeze_out", 0, 50_00),
        ("satellite", "freeze_out", 22_00, 0),
    ],
)
def test_what_a_preset_is_and_costs(name: str, kind: str, entry: int, guarantee: int) -> None:
    structure = made(name)
    assert structure.kind == kind
    assert (structure.stake + structure.fee, structure.guarantee) == (entry, guarantee)


def test_a_satellite_pays_a_ticket_for_every_fifth_entrant() -> None:
    structure = made("satellite", ticket=55_01)
    for entrants in (5, 20, 60, 100):
        prizes = preview(structure, entrants).prizes
        assert len(prizes) == entrants // 5
        assert min(prizes) >= 55_01
        assert max(prizes) - min(prizes) <= 1


def quick(structure: Structure) -> Structure:
    """The preset for a few players, who are out after a few hands."""
    levels = tuple(
        replace(level, point=(level.point or 0) * 40 or None) for level in structure.levels[:3]
    )
    levels = (*levels[:-1], replace(levels[-1], seconds=None, hands=None))
    field = {"field_min": structure.table_size, "field_max": 2 * structure.table_size}
    if structure.kind == "sit_and_go":
        field = {"field_min": 4, "field_max": 4}
    if structure.kind == "duplicate":
        field["field_min"] = 2 * structure.table_size
        levels = structure.levels
    changed = replace(structure, levels=levels, breaks=(), **field)
    if changed.knock_out:
        changed = replace(
            changed,
            field_min=2 * changed.table_size,
            knock_out=replace(changed.knock_out, line_points=2, until=changed.table_size),
        )
    if changed.late_registration_level:
        changed = replace(changed, late_registration_level=1)
    if changed.reentries:
        changed = replace(changed, reentries=replace(changed.reentries, until_level=1))
    if changed.rounds:
        changed = replace(changed, rounds=replace(changed.rounds, count=1, hands=1))
    if changed.duplicate:
        changed = replace(changed, duplicate=replace(changed.duplicate, rounds=1, deals=1))
    return changed


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    [
        preset_name
        if preset_name == "evening"
        else pytest.param(preset_name, marks=pytest.mark.release)
        for preset_name in PRESETS
    ],
)
def test_a_preset_is_rehearsed_by_bots(name: str) -> None:
    rehearsed = quick(made(name))
    assert problems(rehearsed) == []
    lines = played(rehearsed, rehearsed.field_max)
    assert found_in(lines) == []
    assert lines[-1]["event"] == "ended"
    assert [str(finding) for finding in audit.since()] == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    [
        preset_name
        if preset_name == "sit_and_go"
        else pytest.param(preset_name, marks=pytest.mark.release)
        for preset_name in PRESETS
    ],
)
def test_a_preset_is_announced_and_played_by_people(event: Event, name: str) -> None:
    structure = quick(made(name))
    event.open(structure, structure.field_max)
    event.until(event.is_over)
    assert event.row.state == Tournament.State.FINISHED
    paid = sum(payout.amount for payout in event.row.payouts.filter(kind="prize"))
    assert paid == event.row.stakes + (event.row.added or 0)
