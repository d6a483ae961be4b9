"""The commands of auditors: the audit of every hand, and records to take away."""

import json
from copy import copy
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import tasks
from games.models import ChainEntry, Hand, Table
from games.records import audit_house, closed_days
from games.records.audit import Auditor, Wrong
from games.rules.record import read_record, replay_record
from games.shoes import chain
from tests.games.evenings import Evening, played_once
from tests.games.house import House
from tests.people import by_staff
from tests.rules.verdicts import verdict
from wallets.audit.reconciliation import reconcile
from wallets.values.days import day_of

# An evening is played before the first of them.
pytestmark = pytest.mark.slow


def play(house: House) -> Table:
    house.bots(3)
    table = house.table("doudizhu", bots_max=2)
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: table.hands_dealt == 4)
    chain.link()
    return table


evening = played_once(play)


@pytest.fixture
def played(tonight: Evening[Table]) -> Table:
    return tonight.made


def audit(*arguments: str, err: StringIO | None = None) -> tuple[str, int]:
    out = StringIO()
    try:
        call_command("audit", *arguments, stdout=out, stderr=err, no_color=True)
    except SystemExit as end:
        return out.getvalue(), int(end.code or 0)
    return out.getvalue(), 0


def export(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("export", *arguments, *by_staff(), stdout=out)
    return out.getvalue().splitlines()


def test_an_honest_house_passes(played: Table) -> None:
    output, code = audit()
    assert output.strip() == "3 hands audited: no differences"
    assert code == 0


def test_each_difference_is_a_line_and_the_exit_code_says_so(played: Table) -> None:
    hand = Hand.objects.get(table=played, number=2)
    Hand.objects.filter(pk=hand.pk).update(rake=77)
    output, code = audit()
    assert f"hand {hand.pk} {hand.code}: the house's part is stored as 0, rake 77" in output
    assert "3 hands audited, 1 of them with differences" in output
    assert code == 1


class Screen(StringIO):
    """A stream with a spectator."""

    def isatty(self) -> bool:
        return True


@pytest.mark.always
def test_whoever_watches_the_audit_sees_how_far_it_is(
    house: House, played: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bar for hands, whose number is known, and a count for entries of the public chain."""
    monkeypatch.setattr(
        Auditor, "hands", lambda _, numbers: (Wrong(number, None, []) for number in numbers)
    )
    hand = Hand.objects.get(table=played, number=2)
    columns = {field.attname: getattr(hand, field.attname) for field in Hand._meta.fields}
    columns |= {"id": None, "posting": None}
    Hand.objects.bulk_create(Hand(**columns | {"number": number}) for number in range(1_000, 1_097))
    ChainEntry.objects.bulk_create(
        ChainEntry(kind="result", body={}, made_at=house.now) for _ in range(100)
    )
    chain.link()
    screen, file = Screen(), StringIO()
    assert audit(err=screen) == audit(err=file)
    shown = [line.rstrip() for line in screen.getvalue().split("\r")]
    halfway, whole = f"[{'#' * 15}{' ' * 15}] 50/100 hands", f"[{'#' * 30}] 100/100 hands"
    assert shown[:3] == ["", halfway, whole]
    assert shown[3:5] == ["50 entries of the public chain", "100 entries of the public chain"]
    assert file.getvalue() == ""


@pytest.mark.always
def test_the_audit_goes_on_behind_a_hand(played: Table) -> None:
    first, second, _third = Hand.objects.filter(status="finished").order_by("pk")
    Hand.objects.filter(pk=first.pk).update(rake=77)
    assert audit("--after", str(first.pk)) == ("\r2 hands audited: no differences\n", 0)
    assert audit("--after", first.code) == ("\r2 hands audited: no differences\n", 0)
    assert audit(str(second.pk))[1] == 0
    assert audit(str(first.pk))[1] == 1


def test_hands_are_named_as_people_say_them(played: Table) -> None:
    first, second, _third = Hand.objects.filter(status="finished").order_by("pk")
    ended = first.ended_at
    assert ended is not None
    seat = first.seats.select_related("player").earliest("number")
    single, three = "\r1 hand audited: no differences\n", "\r3 hands audited: no differences\n"
    for names, said in (
        ((first.code.lower(),), single),
        ((f"T{played.pk}",), three),
        ((str(seat.player).upper(),), three),
        ((day_of(ended).isoformat(),), three),
        ((first.code, str(first.pk)), single),
    ):
        assert audit(*names) == (said, 0), names
        assert len(export(*names)) == int(said.split()[0])
    assert len(export("--after", second.code)) == 1
    for name in ("T99-H1", "nobody here", "2026-02-30", "hand:0"):
        with pytest.raises(CommandError, match="is no hand, table, player or day"):
            audit(name)
    with pytest.raises(CommandError, match="There is no hand 999999"):
        audit("--after", "999999")


def test_the_audit_reads_the_public_chain(played: Table) -> None:
    entry = ChainEntry.objects.filter(kind="lock").first()
    assert entry is not None
    ChainEntry.objects.filter(pk=entry.pk).update(body={})
    output, code = audit()
    assert f"the public chain: entry {entry.pk} does not follow the one before it" in output
    assert code == 1


def falsify_a_day(house: House, table: Table) -> Hand:
    """A hand of a closed day is deleted with all that hangs on it."""
    closed_days.close_days(house.now)
    hand = Hand.objects.get(table=table, number=2)
    hand.moves.all().delete()
    hand.seats.all().delete()
    Hand.objects.filter(pk=hand.pk).delete()
    return hand


def test_day_is_not_recomputed_from_hands_that_contradict_the_chain(
    house: House, played: Table
) -> None:
    house.pass_time(24 * 3600)
    falsify_a_day(house, played)
    output, code = audit("--mend-days", *by_staff())
    assert "no day is made anew: hands, chain and ledger do not agree" in output
    assert code == 1
    assert list(audit_house.days())


def test_days_are_rebuilt_only_after_every_hand(played: Table) -> None:
    with pytest.raises(CommandError):
        audit("--mend-days", "--after", "1", *by_staff())


def test_each_night_the_day_is_audited(
    house: House, played: Table, caplog: pytest.LogCaptureFixture
) -> None:
    house.pass_time(24 * 3600)
    assert tasks.audit_day() == 0
    falsify_a_day(house, played)
    assert tasks.audit_day() > 0
    assert any("there is no such hand" in record.message for record in caplog.records)


@pytest.mark.always
def test_the_audit_of_the_day_runs_once_each_night() -> None:
    (schedule,) = [
        copy(entry["schedule"])
        for entry in settings.CELERY_BEAT_SCHEDULE.values()
        if entry["task"] == "games.tasks.audit_day"
    ]
    ran = datetime(2027, 12, 31, 12, tzinfo=UTC)
    schedule.nowfun = lambda: ran
    # A leap year.
    for number in range(366):
        start, wait, _now = schedule.remaining_delta(ran)
        ran = start + wait
        assert ran.date() == (datetime(2028, 1, 1, tzinfo=UTC) + timedelta(days=number)).date()
        assert day_of(ran) == day_of(ran - timedelta(hours=1)) + timedelta(days=1)


def test_reconciliation_starts_from_the_ledger_too(house: House, played: Table) -> None:
    assert list(reconcile()) == []
    settled = Hand.objects.exclude(posting=None).filter(table=played)
    # Hands that no player calls move nothing.
    house.until(played, lambda _table: settled.exists())
    paid = settled[0]
    Hand.objects.filter(pk=paid.pk).update(posting=None)
    assert [finding.check for finding in reconcile()] == ["astray"]


def test_a_house_from_before_there_were_digests_passes(played: Table) -> None:
    """Its hands are compared by their settlement, and a voided hand has no entry."""
    for entry in ChainEntry.objects.all():
        for name in ("digest", "kept", "void", "players"):
            entry.body.pop(name, None)
        entry.position, entry.head = None, ""
        entry.save()
    chain.link()
    output, code = audit()
    assert code == 0, output
    hand = Hand.objects.get(table=played, number=2)
    assert hand.settlement is not None
    hand.settlement["net"]["1"] += 1
    hand.save(update_fields=["settlement"])
    assert "the public chain has another settlement" in audit()[0]


def test_the_audit_reads_hands_in_batches(house: House, played: Table) -> None:
    house.until(played, lambda table: table.hands_dealt == 6)
    numbers = list(Hand.objects.filter(status="finished").values_list("pk", flat=True))
    assert len(numbers) == 5

    def statements(numbers: list[int]) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert not any(wrong.findings for wrong in Auditor().hands(numbers))
        return len(queries)

    assert statements(numbers) == statements(numbers[:2])


def test_records_come_as_lines_that_replay_and_verify(played: Table, tmp_path: Path) -> None:
    lines = export()
    assert len(lines) == 3
    for line in lines:
        record = read_record(line)
        game = record.options
        assert game.to_act(replay_record(record)) == frozenset()
        holds, said = verdict(tmp_path, json.loads(line))
        assert holds, said


@pytest.mark.always
def test_records_are_chosen_by_table_and_day(played: Table) -> None:
    numbers = [json.loads(line)["id"] for line in export("--table", str(played.pk))]
    assert numbers == [f"T{played.pk}-H{number}" for number in (1, 2, 3)]
    assert export("--table", "999999") == []
    assert export("--until", "2026-03-01") == []
    assert len(export("--since", "2026-03-01")) == 3
