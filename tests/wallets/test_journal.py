"""The journal only grows, follows itself, and finds edits that were made past it."""

import json
from datetime import UTC, datetime

import pytest
from django.db import DatabaseError, connection, transaction

from tests.append_only import triggers_set_aside
from wallets.audit import chains
from wallets.audit.reconciliation import reconcile
from wallets.models import Book, Closing, ClosingHead
from wallets.models.staff_models import JournalEntry
from wallets.staff import journal
from wallets.values.errors import Refused

pytestmark = pytest.mark.django_db

OLGA = journal.By("player:1", "olga")
VERB = journal.register("test.change", "Test")
FREE = journal.register("test.look", "Look", needs_reason=False)


def write(number: int = 1, **options: object) -> JournalEntry:
    values: dict[str, object] = {
        "before": {"limit": number},
        "after": {"limit": number + 1},
        "reason": "a good one",
    }
    return journal.write(OLGA, VERB, f"table:{number}", **(values | options))  # type: ignore[arg-type]


@pytest.fixture
def written() -> list[JournalEntry]:
    return [write(number) for number in range(1, 5)]


def found(*, everything: bool = True) -> set[tuple[str, str]]:
    return {(finding.check, finding.subject) for finding in reconcile(everything=everything)}


def attack(*statements: str) -> None:
    with triggers_set_aside(connection), connection.cursor() as cursor:
        for sql in statements:
            cursor.execute(sql)


def test_an_entry_says_who_from_where_what_before_after_and_why() -> None:
    with journal.coming_from("192.0.2.7"):
        pk = write(reason="  as agreed\nwith Ada ", cause="proposal:3").pk
    entry = JournalEntry.objects.get(pk=pk)
    assert (entry.actor, entry.actor_name, entry.origin) == ("player:1", "olga", "192.0.2.7")
    assert (entry.verb, entry.subject, entry.cause) == (VERB, "table:1", "proposal:3")
    assert (entry.before, entry.after) == ({"limit": 1}, {"limit": 2})
    assert entry.reason == "as agreed with Ada"
    assert entry.hash == journal.hash_of(entry)
    assert not found()


@pytest.mark.always
@pytest.mark.parametrize("reason", ["", " \n ", "x" * 201])
def test_a_verb_that_matters_needs_a_reason(reason: str) -> None:
    with pytest.raises(Refused) as refused:
        write(reason=reason)
    assert refused.value.code == "reason"
    assert not JournalEntry.objects.exists()


def test_a_verb_that_moves_nothing_needs_none_and_no_other_verb_is_written() -> None:
    assert journal.write(OLGA, FREE, "hand:1", before={}, after={}, reason="").position == 1
    with pytest.raises(KeyError):
        journal.write(OLGA, "test.unheard_of", "hand:1", before={}, after={}, reason="x")


@pytest.mark.always
@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -(2**70),
        "牌 and a \0 NUL and \ud800",
        {"a": [1, {"b": None}]},
        (1, 2),
        1.5,
        datetime(2026, 1, 1, tzinfo=UTC),
    ],
)
def test_whatever_is_written_reads_as_it_was_hashed(value: object) -> None:
    write(before={"value": value})
    entry = JournalEntry.objects.get()
    assert entry.before == json.loads(json.dumps(journal.value_of({"value": value})))
    assert entry.hash == journal.hash_of(entry)
    assert not found()


def test_an_entry_stands_or_falls_with_its_transaction(written: list[JournalEntry]) -> None:
    with transaction.atomic():
        write(9)
        transaction.set_rollback(True)
    assert JournalEntry.objects.count() == 4
    assert Book.objects.get(name="journal").position == 4
    assert not found()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE wallets_journalentry SET reason = 'another'",
        "DELETE FROM wallets_journalentry WHERE position = 4",
        "DELETE FROM wallets_journalentry",
    ],
)
def test_the_database_refuses_to_change_it(written: list[JournalEntry], sql: str) -> None:
    with (
        pytest.raises(DatabaseError),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql)
    assert not found()


@pytest.mark.parametrize("wrong", [{"position": 7}, {"previous": "f" * 64}, {"position": 4}])
def test_the_database_refuses_an_entry_that_does_not_follow(
    written: list[JournalEntry], wrong: dict[str, object]
) -> None:
    last = written[-1]
    row = JournalEntry.objects.get(pk=last.pk)
    row.pk, row.position, row.previous = None, last.position + 1, last.hash
    for name, value in wrong.items():
        setattr(row, name, value)
    with pytest.raises(DatabaseError), transaction.atomic():
        row.save(force_insert=True)
    assert JournalEntry.objects.count() == 4


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("actor", "'player:9'"),
        ("actor_name", "'mallory'"),
        ("origin", "'192.0.2.9'"),
        ("verb", "'test.look'"),
        ("subject", "'table:9'"),
        ("before", """'{"limit": 9}'"""),
        ("after", """'{"limit": 9}'"""),
        ("reason", "'another'"),
        ("cause", "'proposal:1'"),
        ("at", "'2001-01-01 00:00:00'"),
    ],
)
@pytest.mark.parametrize("everything", [True, False])
def test_an_edit_by_the_owner_of_the_database_is_found(
    written: list[JournalEntry], column: str, value: str, everything: bool
) -> None:
    attack(f"UPDATE wallets_journalentry SET {column} = {value} WHERE position = 2")
    assert found(everything=everything) == {("journal", "2")}


def test_an_entry_deleted_is_found(written: list[JournalEntry]) -> None:
    attack("DELETE FROM wallets_journalentry WHERE position = 2")
    assert ("journal", "3") in found()


def test_the_last_entry_deleted_is_found(written: list[JournalEntry]) -> None:
    attack("DELETE FROM wallets_journalentry WHERE position = 4")
    assert found() == {("journal", "4"), ("record", f"wallets_journalentry {written[-1].pk}")}


def forge(first: int) -> None:
    """Edits an entry and computes all hashes from there on again, the book's too."""
    with triggers_set_aside(connection):
        previous = JournalEntry.objects.get(position=first).previous
        for entry in JournalEntry.objects.filter(position__gte=first).order_by("position"):
            entry.previous = previous
            if entry.position == first:
                entry.reason = "a forged one"
            entry.hash = previous = journal.hash_of(entry)
            entry.save()
        Book.objects.filter(name="journal").update(head=previous)


def test_a_closing_finds_a_journal_whose_hashes_were_computed_again(
    written: list[JournalEntry],
) -> None:
    closing = chains.close_books()
    assert closing.heads.get(book="journal").position == 4
    write(5)
    forge(3)
    assert ("journal", "4") in found()
    assert ("journal", "4") in found(everything=False)


def test_the_daily_closing_covers_it_once(written: list[JournalEntry]) -> None:
    chains.close_books()
    chains.close_books()
    write(5)
    chains.close_books()
    assert ClosingHead.objects.filter(book="journal").count() == 2
    assert not found()
    assert Closing.objects.count() == 3


def test_a_missing_guard_is_named(written: list[JournalEntry]) -> None:
    with connection.cursor() as cursor:
        name = "wallets_journalentry_follows"
        on = " ON wallets_journalentry" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER {name}{on}")
    assert ("guard", name) in found()


def test_entries_are_in_the_order_of_their_times(written: list[JournalEntry]) -> None:
    """With any clock of a machine, days are ranges of positions."""
    times = list(JournalEntry.objects.order_by("position").values_list("at", flat=True))
    assert times == sorted(times)
