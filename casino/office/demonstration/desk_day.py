"""The first day at a demonstration's cash desk: a float from the vault, and players who pay in.

The verbs of the desk do the work, so receipts, tills and journal agree. The shift stays open for
the user who signs in as the cashier; that at another till was closed, with a coin too few.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import uuid4

from django.contrib.auth import get_user_model
from django.utils.translation import gettext_noop as _n

from casino.office.desk import cash, shifts, verbs
from casino.office.desk.models import Shift, Till
from games.tables.demo import CURRENCY
from wallets.models.holders import player_reference
from wallets.staff import approvals

TILL: Final = _n("Till 1")
OTHER_TILL: Final = _n("Till 2")
CLOSED: Final = "a coin fell behind the desk"
LACKING: Final = 200
OPENED: Final = _n("the desk opens")
PAID: Final = _n("cash at the desk")
VAULT: Final = 10_000_000
FLOAT: Final = 2_000_000
# What players pay in, one after the other; a payment below zero is paid out.
PAYMENTS: Final = (
    *(("alice", 50_000), ("bob", 20_000), ("carol", 35_000)),
    *(("dave", 80_000), ("bob", -10_000), ("alice", 15_000)),
)


def make(now: datetime) -> None:
    """Work the day, in a house whose desk has never been open."""
    if Shift.objects.exists():
        return
    players: Any = get_user_model().objects
    people = {one.username: one for one in players.filter(is_bot=False)}
    operator, manager, cashier = (people[name] for name in ("operator", "manager", "cashier"))
    till, vault = shifts.add_till(operator, TILL, OPENED, now), cash.vault()

    def submit(member: Any, verb: str, arguments: Mapping[str, object], reason: str) -> None:
        """Do it, or propose it to the manager, who approves."""
        submitted = approvals.submit(member, verb, arguments, reason=reason, key=uuid4(), now=now)
        if submitted.proposal is not None:
            approvals.approve(manager, submitted.proposal.pk, reason=reason, now=now)

    def move(member: Any, source: int, target: Till, amount: int) -> None:
        ends = {"source": source, "target": target.pk}
        submit(member, "desk.transfer", ends | {"currency": CURRENCY, "amount": amount}, OPENED)

    move(operator, verbs.OUTSIDE, vault, VAULT)
    submit(cashier, shifts.OPEN, {"till": till.pk, "counted": {}}, OPENED)
    move(cashier, vault.pk, till, FLOAT)
    for name, amount in PAYMENTS:
        verb = "desk.deposit" if amount > 0 else "desk.withdrawal"
        payment = {"player": player_reference(people[name].pk), "till": till.pk}
        payment |= {"currency": CURRENCY, "amount": abs(amount)}
        submit(cashier, verb, payment, PAID)
    other = shifts.add_till(operator, OTHER_TILL, OPENED, now)
    submit(operator, shifts.OPEN, {"till": other.pk, "counted": {}}, OPENED)
    move(operator, vault.pk, other, FLOAT)
    counted = {CURRENCY: FLOAT - LACKING}
    submit(operator, shifts.CLOSE, {"till": other.pk, "counted": counted}, CLOSED)
