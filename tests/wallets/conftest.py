"""A small house with money in it."""

from uuid import uuid4

import pytest

from wallets.models import Account, Currency
from wallets.money import cashier
from wallets.money.accounts import account

ALICE, BOB, STRANGER = "player:alice", "player:bob", "player:stranger"


@pytest.fixture
def euro(db: None) -> Currency:
    return Currency.objects.create(code="EUR", name="Euro", exponent=2)


@pytest.fixture
def alice(euro: Currency) -> Account:
    cashier.deposit(ALICE, euro, 100_00, key=uuid4(), actor="cashier:carol", reason="at the desk")
    return account(Account.Kind.PLAYER, ALICE, euro)


@pytest.fixture
def bob(euro: Currency) -> Account:
    cashier.deposit(BOB, euro, 50_00, key=uuid4(), actor="cashier:carol", reason="at the desk")
    return account(Account.Kind.PLAYER, BOB, euro)
