"""Payments between two accounts, as the tests of the ledger make them."""

from typing import Any
from uuid import UUID, uuid4

from tests.people import BY_TEST
from wallets.models import Account
from wallets.money.ledger import Leg, Posted, post

TEXTS = {"book": "table:1"} | BY_TEST


def balance(account: Account) -> int:
    return Account.objects.get(pk=account.pk).balance


def pay(
    source: Account, target: Account, amount: int, key: UUID | None = None, **texts: Any
) -> Posted:
    legs = [Leg(source.pk, -amount), Leg(target.pk, amount)]
    return post(key or uuid4(), "payment", legs, **TEXTS | texts)
