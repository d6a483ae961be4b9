"""The audit of tournaments finds nothing in an honest house, and whatever is edited by SQL."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone
from msgspec.structs import replace

from casino.accounts.models import Player
from games.records import audit_house, registered_audits
from games.tables import clock
from tests.games import every_row
from tests.games.falsified import nothing_guards
from tests.tournaments.edits import EDITS, table_of_edits
from tests.tournaments.edits_while_open import OPEN, open_events, pauline
from tests.tournaments.events import lasting, structure
from tests.tournaments.test_rehearsal import found_in, played
from tournaments.audit import whole as audit
from tournaments.event import closing
from tournaments.event.organiser import locked
from tournaments.mathematics.rounds import KnockOut, Rounds
from tournaments.mathematics.structure import Structure
from tournaments.models import Elimination, TableChange, Tournament
from tournaments.rehearsal.play import Rehearsal
from tournaments.running import control, progress
from wallets.values.days import day_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

EVENING = structure(
    field_max=40,
    table_size=3,
    levels=[{"point": 300, "seconds": 20}, {"point": 1_000}],
    late_registration_level=1,
    reentries={"most": 1, "until_level": 1},
    add_on={"chips": 500, "stake": 300, "fee": 30, "until_level": 1},
    guarantee=30_000,
)
KNOCK_OUT = structure(
    kind="knock_out",
    game="doudizhu",
    table_size=3,
    field_min=7,
    levels=[{"point": 20, "seconds": 60}, {"point": 40, "seconds": 60}, {"point": 80}],
    knock_out=KnockOut(line_points=10, until=6),
    rounds=Rounds(manner="swiss", count=3, hands=2, point=10, chips=2_000),
)
# Small ones of the other kinds, in which a player rests.
OTHERS = (
    replace(
        KNOCK_OUT,
        game="chinese_poker",
        table_size=2,
        field_min=5,
        # No player falls below the line in the first two hands.
        levels=structure(levels=[{"point": 1, "hands": 2}, {"point": 400}]).levels,
        knock_out=KnockOut(line_points=2, until=4),
        rounds=Rounds(manner="swiss", count=2, hands=1, point=10, chips=500),
    ),
    structure(
        kind="duplicate",
        table_size=2,
        field_min=4,
        levels=[{"point": 10}],
        duplicate={"rounds": 2, "deals": 1, "manner": "fixed"},
    ),
)


def found(*numbers: int) -> list[str]:
    return [str(finding) for finding in (audit.audit(numbers) if numbers else audit.since())]


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[Tournament]:
    """A finished event with late players, re-entries, add-ons, moves and a guarantee.

    Beside it there are events that are not over.
    """
    with lasting(django_db_blocker, __name__), pytest.MonkeyPatch.context() as patched:
        # One of seven comes late.
        patched.setattr("tournaments.rehearsal.play.LATE", 20)
        assert found_in(played(EVENING, 7, seed="1")) == []
        open_events()
        yield event_of("freeze_out")


def event_of(name: str) -> Tournament:
    """The finished event of a kind, or one that is not over by its name."""
    if name in OPEN:
        return Tournament.objects.get(name=name)
    return Tournament.objects.get(kind=name, state=Tournament.State.FINISHED)


@pytest.fixture(autouse=True)
def no_files_of_another_test() -> None:
    """The anchors of the house stay for all tests of it."""


@pytest.mark.always
def test_an_honest_event_has_nothing_to_notice(world: Tournament) -> None:
    assert found() == []
    whys = set(TableChange.objects.filter(tournament=world).values_list("why", flat=True))
    assert whys >= {"start", "late", "balance"}, whys
    assert Elimination.objects.filter(tournament=world, life=1, entry__entries=2).exists()
    assert world.added


@pytest.mark.always
@pytest.mark.parametrize(
    "kind",
    [
        "freeze_out",
        *(
            pytest.param(other_structure.kind, marks=pytest.mark.release)
            for other_structure in OTHERS
        ),
        *OPEN,
    ],
)
def test_every_edit_is_noticed(world: Tournament, kind: str) -> None:
    for other_structure in OTHERS:
        if other_structure.kind == kind:
            played(other_structure, 5, seed="edits")
    missed = {}
    with transaction.atomic(), nothing_guards():
        for edit in (edit for edit in EDITS if edit.kind == kind):
            with transaction.atomic():
                event = event_of(kind)
                edit.make(event)
                codes = {finding.code for finding in audit.audit([event.pk])}
                transaction.set_rollback(True)
            if not codes.issuperset(edit.codes):
                missed[edit.what] = codes
    assert missed == {}
    assert found() == []


@pytest.mark.always
def test_some_edits_of_rows_are_noticed(world: Tournament, request: pytest.FixtureRequest) -> None:
    """Others with each seed, and here those of events."""
    seed = int(request.config.getoption("sample") or 0)
    some = [table for table in every_row.declared_tables() if table.startswith("tournaments_")]
    every_row.forget()
    with transaction.atomic():
        with nothing_guards():
            assert every_row.sampled(seed, some) == []
        transaction.set_rollback(True)


# In the second, the level rises while the event is still to act on hands that have ended.
@pytest.mark.release
@pytest.mark.parametrize(("manner", "seed"), [("swiss", "1"), ("fixed", "s22")])
def test_a_knock_out_and_its_rounds_are_audited(manner: Any, seed: str) -> None:
    assert KNOCK_OUT.rounds is not None
    rounds = replace(KNOCK_OUT.rounds, manner=manner)
    played(replace(KNOCK_OUT, rounds=rounds), 11, seed=seed)
    assert found() == []


@pytest.mark.always
def test_an_event_is_audited_while_it_runs_and_when_it_was_cancelled() -> None:
    end_open_events()
    rehearsal = Rehearsal(EVENING, 5, "cancelled")
    list(rehearsal.enter())
    for steps in (0, 2, 10):
        for _ in range(steps):
            list(rehearsal.step(rehearsal.row))
        assert found(rehearsal.number) == []
        with transaction.atomic():
            closing.begin(locked(rehearsal.number), "house", "a fire", rehearsal.now)
            progress.step(rehearsal.number, rehearsal.now)
            assert rehearsal.row.state == Tournament.State.CANCELLED
            assert found(rehearsal.number) == []
            transaction.set_rollback(True)


def end_open_events() -> None:
    """Bots of an event that is played cannot enter another."""
    with nothing_guards():
        Tournament.objects.update(state=Tournament.State.CANCELLED)


@pytest.mark.release
@pytest.mark.parametrize("played", [EVENING, *OTHERS], ids=lambda one: one.kind)
def test_an_event_agrees_with_itself_after_each_step_of_the_house(
    played: Structure, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever staff do meanwhile; each step is a transaction, which others see."""
    end_open_events()
    monkeypatch.setattr("tournaments.rehearsal.play.LATE", 20)
    rehearsal = Rehearsal(played, 7, "steps")
    monkeypatch.setattr(timezone, "now", lambda: rehearsal.now)
    seen: list[tuple[str, str]] = []

    def look(step: Callable[..., Any]) -> Callable[..., Any]:
        def stepped(*given: Any) -> Any:
            done = step(*given)
            seen.extend((rehearsal.row.state, finding) for finding in found(rehearsal.number))
            return done

        return stepped

    monkeypatch.setattr(progress, "single_step", look(progress.single_step))
    monkeypatch.setattr(clock, "tick", look(clock.tick))
    for _entered in rehearsal.enter():
        seen.extend((rehearsal.row.state, finding) for finding in found(rehearsal.number))
    manager = pauline()
    acts = iter(staff_acts(manager, rehearsal))
    while not rehearsal.row.is_over:
        list(rehearsal.step(rehearsal.row))
        if rehearsal.row.state == Tournament.State.RUNNING:
            next(acts, None)
            seen.extend((rehearsal.row.state, finding) for finding in found(rehearsal.number))
    assert seen == []


def staff_acts(manager: Player, rehearsal: Rehearsal) -> Iterator[None]:
    """A pause, a player disqualified, and registration closed, with play between them."""
    yield
    control.pause(manager, rehearsal.number, "the light went out", rehearsal.now)
    rehearsal.now += timedelta(seconds=7.0005)
    control.resume(manager, rehearsal.number, "it is back", rehearsal.now)
    yield
    if rehearsal.row.registration_closed_at is None:
        control.close_registration(manager, rehearsal.number, "it is late", rehearsal.now)
    yield
    entry = rehearsal.row.all_entries.filter(state="playing").earliest("number")
    control.disqualify(manager, rehearsal.number, entry.player_id, "foul play", rehearsal.now)
    yield


# How it is run.


def test_the_command_audits_tournaments(world: Tournament) -> None:
    out = StringIO()
    call_command("audit", tournaments=True, stdout=out)
    assert out.getvalue().strip() == "tournaments: 0 findings"
    with pytest.raises(CommandError, match="audits nothing else"):
        call_command("audit", tournaments=True, after=3, stdout=out)
    Tournament.objects.filter(pk=world.pk).update(entrants=99)
    with pytest.raises(SystemExit) as ended:
        call_command("audit", tournaments=True, stdout=out)
    assert ended.value.code == 1
    assert f"tournament {world.pk}: entrants are stored as 99" in out.getvalue()
    assert "[sum]" in out.getvalue()


def test_the_nightly_audit_has_the_events_since_that_day(world: Tournament) -> None:
    assert world.ended_at is not None
    day = day_of(world.ended_at)
    Tournament.objects.filter(pk=world.pk).update(entrants=99)
    tonight = list(audit_house.audit_day(day))
    later = list(audit_house.audit_day(day.replace(year=day.year + 1)))
    assert any("entrants are stored as 99" in sentence for sentence in tonight)
    assert not any("entrants are stored as 99" in sentence for sentence in later)


def test_an_audit_that_is_broken_off_is_a_finding() -> None:
    def broken(_since: object) -> Iterator[str]:
        yield "first"
        raise ValueError("damaged")

    audits = registered_audits.FurtherAudit("tests", "", broken)
    assert list(audits.sentences()) == [
        "first",
        "the audit of tests was broken off: ValueError: damaged",
    ]


def test_the_page_says_how_many_edits_are_tried(repository: Path) -> None:
    """`python -m tests.tournaments.print_edits` prints them for auditors."""
    assert table_of_edits().count("\n| ") == len(EDITS) + 1
    assert f"{len(EDITS)} edits" in (repository / "docs" / "tournaments.md").read_text()
