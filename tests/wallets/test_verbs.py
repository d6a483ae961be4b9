"""Verbs: a name of its own, a key that only the house has, and of staff an entry of the journal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import DatabaseError, connection, transaction

from tests import commits
from tests.games.falsified import nothing_guards
from wallets.audit import reconciliation
from wallets.models.record_models import RecordedChange
from wallets.models.staff_models import HouseLimit, JournalEntry
from wallets.of_record import triggers, verbs
from wallets.of_record.verbs import Writer, under
from wallets.staff import journal

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

LIMIT = "limit.change"
PLAYERS = "player:care.ask_limit"


def change(value: int = 7) -> None:
    HouseLimit.objects.update_or_create(pk="deposit", defaults={"value": value})


def note(verb: str = LIMIT) -> JournalEntry:
    return journal.write(
        journal.HOUSE, verb, "limit:deposit", before={}, after={"value": 7}, reason="because"
    )


@contextmanager
def as_a_transaction() -> Iterator[None]:
    """Do something, and have what waits for the commit checked by the database itself."""
    with transaction.atomic(durable=True):
        yield
        connection.check_constraints()


def last() -> RecordedChange:
    return RecordedChange.objects.filter(table="wallets_houselimit").latest("id")


def findings() -> list[str]:
    return [verb.sentence for verb in reconciliation.check_verbs()]


def test_a_name_is_declared_once() -> None:
    with pytest.raises(ValueError, match="already a verb"):
        verbs.declare("house:record.write_late")


def test_an_entry_proves_what_was_changed_before_it() -> None:
    with as_a_transaction(), under(LIMIT):
        change()
        entry = note()
    assert (last().verb, last().entry_id) == (LIMIT, entry.act)
    assert len(last().seal) == len(entry.changes) == 64
    assert findings() == []


def test_verbs_of_the_house_inside_one_of_staff_are_proved_by_its_entry() -> None:
    with as_a_transaction(), under(LIMIT):
        with under(PLAYERS):
            change(1)
        assert last().verb == LIMIT
        note()
        # What follows the entry is of the house again.
        with under(PLAYERS):
            change(2)
        assert (last().verb, last().entry_id) == (PLAYERS, None)


def test_a_verb_of_staff_inside_another_has_an_entry_of_its_own() -> None:
    with as_a_transaction(), under("proposal.approve"):
        change(1)
        with under(LIMIT):
            change(2)
            note(LIMIT)
        assert last().verb == LIMIT
        note("proposal.approve")
    assert JournalEntry.objects.exclude(act=None).count() == 2


def borrowed(verb: str, act: str = "") -> Callable[[], Writer]:
    return lambda: Writer(verb, act, "")


def nothing_follows() -> None:
    with under(LIMIT):
        change()


def the_entry_has_another_verb() -> None:
    with under(LIMIT):
        change()
        note("proposal.approve")


def the_entry_came_before() -> None:
    with under(LIMIT):
        change(1)
        note()
        change(2)


REFUSED = {
    fault.__name__: fault
    for fault in (nothing_follows, the_entry_has_another_verb, the_entry_came_before)
}


@pytest.mark.parametrize("case", REFUSED)
def test_the_database_refuses_the_commit(case: str) -> None:
    with pytest.raises(DatabaseError), as_a_transaction():
        REFUSED[case]()


@under(LIMIT)
def the_entry_follows_the_commit() -> None:
    with transaction.atomic(durable=True):
        change()
    note()


@under(LIMIT)
def the_change_is_in_no_transaction() -> None:
    HouseLimit.objects.filter(pk="deposit").update(value=8)
    note()


@pytest.mark.parametrize("late", [the_entry_follows_the_commit, the_change_is_in_no_transaction])
def test_a_test_meets_the_refusal_where_the_house_commits(late: Callable[[], None]) -> None:
    """Though the test's own transaction goes on."""
    HouseLimit.objects.create(pk="deposit", value=1)
    with pytest.raises(DatabaseError, match="does not follow"):
        late()
    assert commits.refused
    commits.refused.clear()


@pytest.mark.parametrize("verb", [LIMIT, "casino.office.desk.payments.deposit", "invented"])
@pytest.mark.parametrize("act", ["", "f" * 32])
def test_a_name_of_staff_alone_is_refused(
    verb: str, act: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verbs, "writer", borrowed(verb, act))
    triggers.connected(connection)
    try:
        with pytest.raises(DatabaseError), as_a_transaction():
            change()
    finally:
        monkeypatch.undo()
        triggers.connected(connection)


def test_the_act_of_an_earlier_entry_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with as_a_transaction(), under(LIMIT):
        change(1)
        entry = note()
    monkeypatch.setattr(verbs, "writer", borrowed(LIMIT, entry.act or ""))
    triggers.connected(connection)
    try:
        with pytest.raises(DatabaseError, match="is written already"), transaction.atomic():
            change(2)
    finally:
        monkeypatch.undo()
        triggers.connected(connection)


@pytest.mark.parametrize(
    ("verb", "sentence"),
    [
        ("", "was changed outside the application"),
        (PLAYERS, f"{PLAYERS} changed this row"),
        ("player:invented", "which is no verb of the house"),
        ("house:journal.write", "not by a program of the house"),
    ],
)
def test_a_borrowed_name_is_reported(
    verb: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verbs, "writer", borrowed(verb, "f" * 32))
    triggers.connected(connection)
    try:
        change()
    finally:
        monkeypatch.undo()
        triggers.connected(connection)
    assert any(sentence in finding for finding in findings())


def test_an_entry_whose_changes_were_deleted_is_reported() -> None:
    """Before they have their places they leave no gap in the record."""
    with as_a_transaction(), under(LIMIT):
        change()
        entry = note()
    with nothing_guards(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM wallets_recordedchange WHERE entry_id = %s", [entry.act])
        cursor.execute("DELETE FROM wallets_houselimit")
    (finding,) = reconciliation.check_verbs()
    assert finding.subject == str(entry.position)
