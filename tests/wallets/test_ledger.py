"""Posting: what is refused, what is answered twice, and what the database itself forbids."""

from typing import Any
from uuid import uuid4

import pytest

from wallets.ledger import Leg, post
from wallets.models import Account, Entry, Transaction

pytestmark = pytest.mark.django_db


def balance(one: Account) -> int:
    return Account.objects.get(pk=one.pk).balance


def pay(source: Account, target: Account, amount: int, **texts: Any) -> Any:
    legs = [Leg(source.pk, -amount), Leg(target.pk, amount)]
    return post(texts.pop("key", uuid4()), "payment", legs, book="table:1", **texts)


def test_a_posting_moves_money_and_says_so(alice: Account, bob: Account) -> None:
    posted = pay(alice, bob, 30_00, reference="hand:1", reason="a bet", actor="player:alice")
    assert posted.created
    assert (balance(alice), balance(bob)) == (70_00, 80_00)
    stored = Transaction.objects.get(pk=posted.transaction)
    assert (stored.book_id, stored.position, stored.reference) == ("table:1", 1, "hand:1")
    entries = Entry.objects.filter(transaction=stored).order_by("account_id")
    assert [(one.account_id, one.amount, one.balance_after) for one in entries] == [
        (alice.pk, -30_00, 70_00),
        (bob.pk, 30_00, 80_00),
    ]
