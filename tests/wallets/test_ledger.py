"""Posting: what it does, what it refuses, and what is answered twice."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.append_only import triggers_set_aside
from tests.people import BY_TEST
from tests.wallets.paying import TEXTS, balance, pay
from wallets.audit.reconciliation import reconcile
from wallets.models import BALANCE_MAX, FIRST_HASH, Account, Book, Currency, Entry, Transaction
from wallets.money import cashier
from wallets.money.accounts import account
from wallets.money.ledger import Leg, body_text, post
from wallets.of_record.chain import chained, hashed
from wallets.staff import journal
from wallets.values import AMOUNT_MAX
from wallets.values.errors import Conflict, Overdrawn, Refused

pytestmark = pytest.mark.django_db

BOB = "player:bob"


class TestPosting:
    def test_moves_money_and_says_why(self, alice: Account, bob: Account) -> None:
        posted = pay(alice, bob, 30_00, reference="hand:1", reason="a bet", actor="player:alice")
        assert posted.created
        assert (balance(alice), balance(bob)) == (70_00, 80_00)
        stored = Transaction.objects.get(pk=posted.transaction)
        assert (stored.book_id, stored.position, stored.kind) == ("table:1", 1, "payment")
        assert (stored.reference, stored.reason, stored.actor) == (
            "hand:1",
            "a bet",
            "player:alice",
        )
        entries = Entry.objects.filter(transaction=stored).order_by("account_id")
        assert [(entry.account_id, entry.amount, entry.balance_after) for entry in entries] == [
            (alice.pk, -30_00, 70_00),
            (bob.pk, 30_00, 80_00),
        ]

    def test_a_whole_hand_is_one_transaction(self, euro: Currency, alice: Account) -> None:
        rake = account(Account.Kind.RAKE, "table:1", euro)
        seats = [account(Account.Kind.STACK, f"seat:{seat}", euro) for seat in range(4)]
        for seat in seats:
            pay(alice, seat, 10_00)
        changes = [-2_00, -3_00, 6_65, -2_00]
        legs = [Leg(seat.pk, change) for seat, change in zip(seats, changes, strict=True)]
        post(uuid4(), "hand", [*legs, Leg(rake.pk, 35)], book="table:1", **BY_TEST)
        assert [balance(seat) for seat in seats] == [8_00, 7_00, 16_65, 8_00]
        assert balance(rake) == 35

    def test_entries_of_one_account_are_added_up(self, alice: Account, bob: Account) -> None:
        legs = [Leg(alice.pk, -5), Leg(bob.pk, 3), Leg(bob.pk, 2)]
        posted = post(uuid4(), "hand", legs, book="table:1", **BY_TEST)
        assert Entry.objects.get(transaction=posted.transaction, account=bob).amount == 5

    def test_each_book_is_a_chain(self, alice: Account, bob: Account) -> None:
        for book in ("table:1", "table:2", "table:1"):
            pay(alice, bob, 1, book=book)
        first, second = Transaction.objects.filter(book="table:1").order_by("position")
        assert (first.previous, second.previous) == (FIRST_HASH, first.hash)
        assert (second.position, Book.objects.get(pk="table:1").head) == (2, second.hash)
        assert Transaction.objects.get(book="table:2").previous == FIRST_HASH

    def test_the_hashes_are_what_the_page_says(self, alice: Account, bob: Account) -> None:
        posted = pay(alice, bob, 1, reason="“零” \\ \x7f")
        stored = Transaction.objects.get(pk=posted.transaction)
        texts = {
            name: getattr(stored, name) for name in ("key", "kind", "reference", "reason", "actor")
        }
        text = body_text({**texts, "book": stored.book_id}, [(alice.pk, -1), (bob.pk, 1)])
        assert stored.digest == hashed(text)
        owners = ["player player:alice EUR", "player player:bob EUR"]
        assert stored.hash == chained(stored.previous, stored.digest, stored.time, owners)

    def test_is_undone_with_the_callers_transaction(self, alice: Account, bob: Account) -> None:
        with transaction.atomic():
            pay(alice, bob, 10)
            transaction.set_rollback(True)
        assert balance(alice) == 100_00
        assert not Transaction.objects.filter(book="table:1").exists()

    def test_a_refusal_leaves_the_callers_transaction_usable(
        self, alice: Account, bob: Account
    ) -> None:
        with transaction.atomic():
            with pytest.raises(Overdrawn):
                pay(alice, bob, 100_01)
            pay(alice, bob, 100_00)
        assert (balance(alice), balance(bob)) == (0, 150_00)


class TestRefusals:
    def refused(self, legs: list[Leg], **texts: Any) -> Refused:
        before = Transaction.objects.count(), list(Account.objects.order_by("pk").values())
        with pytest.raises(Refused) as caught:
            post(uuid4(), **{"kind": "payment", "entries": legs} | TEXTS | texts)
        after = Transaction.objects.count(), list(Account.objects.order_by("pk").values())
        assert before == after
        assert caught.value.sentence.endswith(".")
        return caught.value

    def test_more_than_there_is(self, alice: Account, bob: Account) -> None:
        error = self.refused([Leg(alice.pk, -100_01), Leg(bob.pk, 100_01)])
        assert isinstance(error, Overdrawn)
        assert (error.code, error.values["account"]) == ("overdrawn", alice.pk)
        assert "it holds" in error.sentence

    @pytest.mark.parametrize("kind", Account.NEVER_OWING)
    def test_no_player_owes(self, kind: str, euro: Currency, bob: Account) -> None:
        empty = account(kind, "table:1", euro)
        assert self.refused([Leg(empty.pk, -1), Leg(bob.pk, 1)]).code == "overdrawn"

    @pytest.mark.parametrize("kind", sorted(set(Account.Kind) - set(Account.NEVER_OWING)))
    def test_the_house_may_owe(self, kind: str, euro: Currency, bob: Account) -> None:
        house = account(kind, "house", euro)
        owed = balance(house)
        pay(house, bob, 1)
        assert balance(house) == owed - 1

    def test_unbalanced_postings_are_refused(self, alice: Account, bob: Account) -> None:
        assert self.refused([Leg(alice.pk, -2), Leg(bob.pk, 1)]).code == "unbalanced"

    @pytest.mark.always
    def test_nothing(self, alice: Account) -> None:
        assert self.refused([]).code == "empty"
        assert self.refused([Leg(alice.pk, 1), Leg(alice.pk, -1)]).code == "empty"

    @pytest.mark.parametrize("amount", [0, AMOUNT_MAX + 1, 1.0, True, "1", None])
    def test_what_is_no_amount(self, amount: Any, alice: Account, bob: Account) -> None:
        error = self.refused([Leg(alice.pk, amount), Leg(bob.pk, 1)])
        assert (error.code, error.values["account"]) == ("amount", alice.pk)

    def test_amounts_that_add_up_to_too_much(self, alice: Account, bob: Account) -> None:
        legs = [Leg(alice.pk, AMOUNT_MAX), Leg(alice.pk, AMOUNT_MAX)]
        legs += [Leg(bob.pk, -AMOUNT_MAX), Leg(bob.pk, -AMOUNT_MAX)]
        assert self.refused(legs).code == "amount"

    @pytest.mark.always
    @pytest.mark.parametrize("nowhere", [0, 1_000_000])
    def test_an_account_that_is_not_there(self, nowhere: int, alice: Account) -> None:
        error = self.refused([Leg(alice.pk, -1), Leg(nowhere, 1)])
        assert (error.code, error.values["account"]) == ("unknown_account", nowhere)

    @pytest.mark.always
    def test_two_currencies(self, alice: Account) -> None:
        chips = Currency.objects.create(code="CHIP", name="Chips", kind="chips")
        other = account(Account.Kind.PLAYER, BOB, chips)
        assert self.refused([Leg(alice.pk, -1), Leg(other.pk, 1)]).code == "mixed_currencies"

    def test_more_than_an_account_can_hold(self, euro: Currency) -> None:
        house, rake = (account(kind, "table:1", euro) for kind in ("house", "rake"))
        with triggers_set_aside(connection):
            for full, held in ((house, -BALANCE_MAX), (rake, BALANCE_MAX)):
                Account.objects.filter(pk=full.pk).update(balance=held)
        error = self.refused([Leg(house.pk, -1), Leg(rake.pk, 1)])
        assert (error.code, error.values["account"]) == ("balance_bounds", house.pk)

    @pytest.mark.parametrize(
        "texts",
        [
            {"kind": ""},
            {"book": ""},
            {"book": "x" * 65},
            {"reason": "x" * 201},
            {"actor": "\0"},
            {"reference": "\ud800"},
        ],
    )
    def test_texts_that_cannot_be_kept(
        self, texts: dict[str, str], alice: Account, bob: Account
    ) -> None:
        assert self.refused([Leg(alice.pk, -1), Leg(bob.pk, 1)], **texts).code == "text"

    def test_the_book_of_the_journal(self, alice: Account, bob: Account) -> None:
        """Its head is that of the entries of staff, which no posting may move."""
        legs = [Leg(alice.pk, -1), Leg(bob.pk, 1)]
        assert self.refused(legs, book=journal.BOOK).code == "book"
        assert not Book.objects.filter(name=journal.BOOK).exists()


class TestRepeating:
    def test_the_same_is_posted_once(self, alice: Account, bob: Account) -> None:
        key = uuid4()
        first, second = pay(alice, bob, 100_00, key), pay(alice, bob, 100_00, key)
        assert (first.created, second.created) == (True, False)
        assert first.transaction == second.transaction
        assert (balance(alice), balance(bob)) == (0, 150_00)

    @pytest.mark.parametrize("other", ["amount", "reason", "book", "actor"])
    def test_another_body_is_a_conflict(self, other: str, alice: Account, bob: Account) -> None:
        key = uuid4()
        pay(alice, bob, 10, key)
        changed: dict[str, Any] = {} if other == "amount" else {other: "another"}
        with pytest.raises(Conflict) as caught:
            pay(alice, bob, 11 if other == "amount" else 10, key, **changed)
        assert caught.value.code == "conflict"
        assert balance(alice) == 99_90

    def test_a_refused_key_can_be_used_later(self, alice: Account, bob: Account) -> None:
        key = uuid4()
        with pytest.raises(Overdrawn):
            pay(bob, alice, 60_00, key)
        pay(alice, bob, 10_00)
        assert pay(bob, alice, 60_00, key).created


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 80_00), st.booleans()),
        max_size=12,
    )
)
def test_every_posting_balances(euro: Currency, moves: list[tuple[int, int, int, bool]]) -> None:
    wallets = [account(Account.Kind.PLAYER, f"player:{n}:{uuid4()}", euro) for n in range(3)]
    for wallet in wallets:
        cashier.deposit(
            wallet.owner, euro, 100_00, key=uuid4(), actor="cashier:carol", reason="at the desk"
        )
    accounts = [*wallets, account(Account.Kind.HOUSE, "table:1", euro)]
    expected = {holder.pk: balance(holder) for holder in accounts}
    for source, target, amount, repeated in moves:
        paying, paid = accounts[source], accounts[target]
        possible = source != target and (source == 3 or expected[paying.pk] >= amount)
        key = uuid4()
        for _time in range(1 + repeated):
            if possible:
                pay(paying, paid, amount, key)
            else:
                with pytest.raises(Refused):
                    pay(paying, paid, amount, key)
        if possible:
            expected[paying.pk] -= amount
            expected[paid.pk] += amount
    assert expected == {holder.pk: balance(holder) for holder in accounts}
    assert not list(reconcile(everything=True))
