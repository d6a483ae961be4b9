"""What goes in and out of wallets at the cashier, statements, and opening accounts."""

from typing import Any
from uuid import uuid4

import pytest

from tests.people import BY_TEST
from tests.wallets.paying import balance, pay
from wallets.models import Account, Currency, Transaction
from wallets.money import cashier
from wallets.money.accounts import account, statement
from wallets.values import AMOUNT_MAX
from wallets.values.errors import Overdrawn, Refused

pytestmark = pytest.mark.django_db
AT_THE_DESK: Any = {"actor": "cashier:carol", "reason": "at the desk"}


class TestCashier:
    def test_what_is_paid_in_is_owed(self, euro: Currency, alice: Account) -> None:
        issue = account(Account.Kind.ISSUE, cashier.HOUSE, euro)
        assert (balance(alice), balance(issue)) == (100_00, -100_00)
        key = uuid4()
        for _time in range(2):
            cashier.withdraw("player:alice", euro, 40_00, key=key, **AT_THE_DESK)
        assert (balance(alice), balance(issue)) == (60_00, -60_00)
        stored = Transaction.objects.get(key=key)
        assert (stored.kind, stored.actor) == ("withdrawal", "cashier:carol")

    @pytest.mark.always
    def test_no_more_is_paid_out_than_there_is(self, euro: Currency, alice: Account) -> None:
        with pytest.raises(Overdrawn):
            cashier.withdraw("player:alice", euro, 100_01, key=uuid4(), **AT_THE_DESK)

    def test_nothing_is_paid_in_backwards(self, euro: Currency, alice: Account) -> None:
        for amount in (0, AMOUNT_MAX + 1):
            with pytest.raises(Refused):
                cashier.deposit("player:alice", euro, amount, key=uuid4(), **AT_THE_DESK)
        with pytest.raises(Refused) as caught:
            cashier.deposit("player:alice", euro, -1, key=uuid4(), **AT_THE_DESK)
        assert caught.value.code == "amount"
        assert balance(alice) == 100_00

    def test_to_the_table_and_back(self, euro: Currency, alice: Account) -> None:
        stack = account(Account.Kind.STACK, "seat:1", euro)
        table: Any = {"book": "table:1", "reference": "table:1"} | BY_TEST
        cashier.buy_in("player:alice", "seat:1", euro, 30_00, key=uuid4(), **table)
        assert (balance(alice), balance(stack)) == (70_00, 30_00)
        with pytest.raises(Overdrawn):
            cashier.cash_out("player:alice", "seat:1", euro, 30_01, key=uuid4(), **table)
        cashier.cash_out("player:alice", "seat:1", euro, 30_00, key=uuid4(), **table)
        assert (balance(alice), balance(stack)) == (100_00, 0)

    def test_what_is_granted_is_the_houses(self, euro: Currency, alice: Account) -> None:
        cashier.grant("player:alice", euro, 5_00, key=uuid4(), actor="house", reason="welcome")
        promotion = account(Account.Kind.PROMOTION, cashier.HOUSE, euro)
        assert (balance(alice), balance(promotion)) == (105_00, -5_00)


class TestStatement:
    def test_pages_do_not_shift(self, alice: Account, bob: Account) -> None:
        for amount in range(1, 6):
            pay(alice, bob, amount)
        first = statement(alice, limit=2)
        pay(alice, bob, 9)
        second = statement(alice, before=first.before, limit=2)
        third = statement(alice, before=second.before, limit=2)
        pages = [[entry.amount for entry in page.entries] for page in (first, second, third)]
        assert pages == [[-5, -4], [-3, -2], [-1, 100_00]]
        assert third.before is None
        assert first.entries[0].transaction.book_id == "table:1"


class TestAccounts:
    def test_are_opened_once(self, euro: Currency) -> None:
        wallet = account(Account.Kind.PLAYER, "player:alice", euro)
        assert account("player", "player:alice", "EUR") == wallet
        assert account(Account.Kind.STACK, "player:alice", euro) != wallet

    @pytest.mark.parametrize("owner", ["a\nb", "x" * 65, ""])
    def test_an_owner_is_a_reference(self, owner: str, euro: Currency) -> None:
        with pytest.raises(ValueError, match=r".+"):
            account(Account.Kind.PLAYER, owner, euro)

    def test_a_kind_is_one_of_a_few(self, euro: Currency) -> None:
        with pytest.raises(ValueError, match="purse"):
            account("purse", "player:alice", euro)
