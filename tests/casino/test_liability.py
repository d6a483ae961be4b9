"""The report of liability keeps what is set aside for players apart from guarantees."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.utils import timezone

from casino.office.reports.balances import accounts_behind, held_at, owed_rows
from wallets.models import Account, Currency
from wallets.money import cashier
from wallets.money.accounts import account


def test_a_guarantee_is_not_what_waits_for_the_desk(db: None) -> None:
    """Both are set aside in the ledger: the one by the house, the other for a player."""
    euro = Currency.objects.create(code="EUR", name="Euro")
    given: Any = {"actor": "test", "reason": "test"}
    cashier.deposit("player:1", euro, 700, key=uuid4(), **given)
    cashier.set_aside("player:1", euro, 200, key=uuid4(), **given)
    house = account(Account.Kind.HOUSE, "house", euro)
    held = account(Account.Kind.ESCROW, "tournament:1", euro)
    cashier.move_cash("guarantee_held", held, house, 5_000, key=uuid4(), **given)
    (row,) = owed_rows({}, timezone.now(), held_at(timezone.now() + timedelta(seconds=1)))
    assert (row.cells["wallets"], row.cells["set_aside"], row.cells["guarantees"]) == (
        500,
        200,
        5_000,
    )
    assert (row.cells["owed"], row.cells["difference"]) == (5_700, 0)
    for column, owner in (("set_aside", "player:1"), ("guarantees", "tournament:1")):
        ((number, _held),) = accounts_behind(timezone.now() + timedelta(seconds=1), "EUR", column)
        assert Account.objects.get(pk=number).owner == owner
