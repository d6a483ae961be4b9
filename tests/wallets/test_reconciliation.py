"""Changes made behind the application's back are found and named."""

from collections.abc import Callable, Iterable
from datetime import datetime
from io import StringIO
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from tests.append_only import triggers_set_aside
from tests.people import BY_TEST, by_staff
from wallets import tasks
from wallets.audit import chains
from wallets.audit.chains import closing_hash
from wallets.audit.reconciliation import reconcile
from wallets.models import FIRST_HASH, Account, Book, Closing, ClosingHead, Currency, Transaction
from wallets.money.cashier import buy_in
from wallets.money.ledger import Leg, post

Heads = Iterable[tuple[str, int, str]]

pytestmark = pytest.mark.django_db


@pytest.fixture
def busy(euro: Currency, alice: Account, bob: Account) -> Callable[[int], None]:
    """Posts so many payments between alice and bob, in two books."""

    def work(count: int) -> None:
        for number in range(count):
            legs = [Leg(alice.pk, -number - 1), Leg(bob.pk, number + 1)]
            post(
                uuid4(),
                "payment",
                legs,
                book=f"table:{number % 2}",
                reference="hand:1",
                **BY_TEST,
            )

    work(6)
    return work


def attack(*statements: str) -> None:
    """Edit the database as its owner could; the triggers are restored afterwards."""
    with triggers_set_aside(connection), connection.cursor() as cursor:
        for sql in statements:
            cursor.execute(sql)


def found(*, everything: bool = True) -> set[tuple[str, str]]:
    return {(finding.check, finding.subject) for finding in reconcile(everything=everything)}


def last_payment(book: str = "table:1") -> Transaction:
    return Transaction.objects.filter(book=book).latest("position")


def test_an_honest_ledger_fits(busy: Callable[[int], None]) -> None:
    progress: list[tuple[int, int]] = []
    assert not list(reconcile(progress=lambda done, total: progress.append((done, total))))
    assert progress == [(8, 8)]


def test_a_balance_edited(busy: Callable[[int], None], alice: Account) -> None:
    attack(f"UPDATE wallets_account SET balance = balance + 500 WHERE id = {alice.pk}")
    assert found(everything=False) == {
        ("balance", f"{alice.pk} player player:alice EUR"),
        ("currency", "EUR"),
    }


@pytest.mark.always
def test_an_amount_edited(busy: Callable[[int], None], alice: Account) -> None:
    edited = last_payment()
    where = f"transaction_id = {edited.pk} AND account_id = {alice.pk}"
    attack(f"UPDATE wallets_entry SET amount = amount + 1 WHERE {where}")
    findings = found(everything=False)
    assert {check for check, _subject in findings} == {"running", "unbalanced", "body"}
    assert ("unbalanced", str(edited.pk)) in findings
    assert ("body", f"{edited.pk} (table:1:3)") in findings


def test_an_amount_edited_so_that_all_sums_fit(
    busy: Callable[[int], None], alice: Account, bob: Account
) -> None:
    """Only the hash can tell: the entries balance, and so do the accounts."""
    edited = last_payment()
    changes = [
        f"UPDATE wallets_entry SET amount = amount {sign} 1, balance_after = balance_after {sign} 1"
        f" WHERE transaction_id = {edited.pk} AND account_id = {account.pk}"
        for sign, account in (("-", alice), ("+", bob))
    ]
    changes += [
        f"UPDATE wallets_account SET balance = balance {sign} 1 WHERE id = {account.pk}"
        for sign, account in (("-", alice), ("+", bob))
    ]
    attack(*changes)
    assert found() == {("body", f"{edited.pk} (table:1:3)")}


@pytest.mark.parametrize("column", ["reason", "actor", "reference", "kind"])
def test_a_text_edited(column: str, busy: Callable[[int], None]) -> None:
    edited = last_payment()
    attack(f"UPDATE wallets_transaction SET {column} = 'another' WHERE id = {edited.pk}")
    assert found() == {("body", f"{edited.pk} (table:1:3)")}


def test_a_time_edited(busy: Callable[[int], None]) -> None:
    edited = last_payment()
    attack(f"UPDATE wallets_transaction SET time = '2001-01-01 00:00:00' WHERE id = {edited.pk}")
    assert found() == {("hash", f"{edited.pk} (table:1:3)")}


@pytest.mark.always
def test_an_owner_edited(busy: Callable[[int], None], bob: Account) -> None:
    attack(f"UPDATE wallets_account SET owner = 'player:mallory' WHERE id = {bob.pk}")
    assert {check for check, _subject in found()} == {"hash"}


def test_a_hash_made_anew_breaks_the_next(busy: Callable[[int], None]) -> None:
    first, second = Transaction.objects.filter(book="table:1").order_by("position")[:2]
    forged = "f" * 64
    attack(f"UPDATE wallets_transaction SET hash = '{forged}' WHERE id = {first.pk}")
    assert found() == {
        ("hash", f"{first.pk} (table:1:1)"),
        ("chain", f"{second.pk} (table:1:2)"),
    }


@pytest.mark.always
def test_a_transaction_deleted_with_all_its_traces(
    busy: Callable[[int], None], alice: Account, bob: Account
) -> None:
    gone, after = Transaction.objects.filter(book="table:1").order_by("position")[1:3]
    attack(
        f"DELETE FROM wallets_entry WHERE transaction_id = {gone.pk}",
        f"DELETE FROM wallets_transaction WHERE id = {gone.pk}",
    )
    assert ("gap", f"{after.pk} (table:1:3)") in found(everything=False)


def test_the_end_of_a_book_deleted(busy: Callable[[int], None]) -> None:
    gone = last_payment()
    attack(
        f"DELETE FROM wallets_entry WHERE transaction_id = {gone.pk}",
        f"DELETE FROM wallets_transaction WHERE id = {gone.pk}",
    )
    assert ("head", "table:1") in found(everything=False)


def test_a_book_set_back(busy: Callable[[int], None]) -> None:
    last = last_payment()
    attack(f"UPDATE wallets_book SET position = 2, head = '{last.previous}' WHERE name = 'table:1'")
    assert found() == {("beyond", str(last.pk))}


def test_entry_without_a_transaction_is_found(busy: Callable[[int], None], alice: Account) -> None:
    attack(
        f"""INSERT INTO wallets_entry (transaction_id, account_id, amount, balance_after)
        VALUES (999999, {alice.pk}, 1, 1)"""
    )
    checks = {check for check, _subject in found()}
    assert "stray" in checks
    attack("DELETE FROM wallets_entry WHERE transaction_id = 999999")


def test_a_guard_taken_away(busy: Callable[[int], None]) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE wallets_entry DISABLE TRIGGER wallets_entry_moves")
        else:
            cursor.execute("DROP TRIGGER wallets_entry_moves")
    assert found() == {("guard", "wallets_entry_moves")}


class TestClosing:
    def test_closed_transactions_are_not_reconciled_again(
        self, busy: Callable[[int], None]
    ) -> None:
        chains.close_books()
        busy(2)
        progress: list[tuple[int, int]] = []
        assert not list(reconcile(progress=lambda done, total: progress.append((done, total))))
        assert progress == [(2, 2)]

    def test_closings_are_a_chain_of_the_books_that_moved(
        self, busy: Callable[[int], None]
    ) -> None:
        first = chains.close_books()
        busy(1)
        second = chains.close_books()
        third = chains.close_books()
        assert [closing.previous for closing in (first, second, third)] == [
            FIRST_HASH,
            first.hash,
            second.hash,
        ]
        # A closing is of record, so the book of the record moves with each.
        assert [closing.books for closing in (first, second, third)] == [4, 2, 1]
        book = Book.objects.get(pk="table:0")
        assert ClosingHead.objects.get(closing=second, book="table:0").head == book.head
        assert not found()

    @pytest.mark.always
    def test_a_closing_that_somebody_else_has_made_is_taken(
        self, busy: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        theirs = chains.close_books()

        def hashed_late(
            previous: str, time: datetime, heads: Iterable[tuple[str, int, str]]
        ) -> str:
            """Another process has written the next closing before this one is hashed."""
            Closing.objects.create(previous=previous, hash="f" * 64, books=0)
            return closing_hash(previous, time, heads)

        monkeypatch.setattr(chains, "closing_hash", hashed_late)
        assert chains.close_books() == theirs

    def test_rewritten_chain_does_not_match_the_closings(self, busy: Callable[[int], None]) -> None:
        """An attacker who knows the protocol hashes a changed book again, to its very end."""
        chains.close_books()
        before = last_payment()
        forged = "f" * 64
        attack(
            f"UPDATE wallets_transaction SET hash = '{forged}' WHERE id = {before.pk}",
            f"UPDATE wallets_book SET head = '{forged}' WHERE name = 'table:1'",
        )
        assert ("closed", "table:1 3") in found(everything=False)

    @pytest.mark.always
    def test_a_closing_edited(self, busy: Callable[[int], None]) -> None:
        first = chains.close_books()
        busy(1)
        chains.close_books()
        attack(f"UPDATE wallets_closinghead SET head = '{'f' * 64}' WHERE closing_id = {first.pk}")
        assert ("closing", str(first.pk)) in found(everything=False)


class TestCommand:
    def run(self, *arguments: str) -> tuple[int, str]:
        out = StringIO()
        try:
            call_command("reconcile", *arguments, stdout=out, force_color=True)
        except SystemExit as ended:
            return int(ended.code or 0), out.getvalue()
        return 0, out.getvalue()

    def test_says_that_all_fits(self, busy: Callable[[int], None]) -> None:
        code, out = self.run("--everything")
        assert (code, "all accounts and all books fit" in out) == (0, True)

    @pytest.mark.always
    def test_a_red_line_for_each_thing_and_a_code(
        self, busy: Callable[[int], None], alice: Account
    ) -> None:
        attack(f"UPDATE wallets_account SET balance = balance + 500 WHERE id = {alice.pk}")
        code, out = self.run()
        assert code == 1
        assert f"account {alice.pk} player player:alice EUR" in out
        assert out.splitlines()[-1].partition("m")[2].startswith("2 things do not fit")
        assert all(line.startswith("\x1b[31") for line in out.splitlines())

    def test_closing_prints_what_is_to_be_published(self, busy: Callable[[int], None]) -> None:
        out = StringIO()
        call_command("close_books", *by_staff(), stdout=out)
        assert out.getvalue().strip() == Closing.objects.get().hash


class TestTask:
    @pytest.mark.always
    def test_closes_the_books_where_all_fits(self, busy: Callable[[int], None]) -> None:
        assert tasks.reconcile() == 0
        assert Closing.objects.count() == 1

    def test_closes_nothing_where_something_does_not(
        self, busy: Callable[[int], None], alice: Account, caplog: pytest.LogCaptureFixture
    ) -> None:
        attack(f"UPDATE wallets_account SET balance = balance + 500 WHERE id = {alice.pk}")
        assert tasks.reconcile(everything=True) == 2
        assert not Closing.objects.exists()
        assert "player:alice" in caplog.text

    def test_every_hour_names_the_account_and_closes_nothing(
        self,
        busy: Callable[[int], None],
        alice: Account,
        caplog: pytest.LogCaptureFixture,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        (hourly,) = [
            entry
            for entry in settings.CELERY_BEAT_SCHEDULE.values()
            if entry["task"] == tasks.reconcile.name and entry["schedule"].hour == set(range(24))
        ]
        reported: list[int] = []
        monkeypatch.setattr(tasks, "report", lambda _name, task, *_rest: reported.append(task))
        assert tasks.reconcile(**hourly["kwargs"]) == 0
        # A run that looked further may have found something, so this one says nothing.
        assert (reported, Closing.objects.count()) == ([], 0)
        attack(f"UPDATE wallets_account SET balance = balance + 500 WHERE id = {alice.pk}")
        assert tasks.reconcile(**hourly["kwargs"]) == 2
        assert "player:alice" in caplog.text
        assert (reported, Closing.objects.count()) == ([2], 0)


def test_long_books_are_read_in_parts(
    busy: Callable[[int], None], monkeypatch: pytest.MonkeyPatch, euro: Currency
) -> None:
    monkeypatch.setattr("wallets.audit.chains.TRANSACTIONS", 4)
    for number in range(5):
        buy_in("player:alice", "seat:1", euro, 1, key=uuid4(), book=f"small:{number}", **BY_TEST)
    busy(7)
    progress: list[int] = []
    assert not list(reconcile(everything=True, progress=lambda done, total: progress.append(done)))
    assert progress[-1] == Transaction.objects.count() == 20
    edited = last_payment()
    attack(f"UPDATE wallets_transaction SET reason = 'another' WHERE id = {edited.pk}")
    assert found() == {("body", f"{edited.pk} (table:1:{edited.position})")}
