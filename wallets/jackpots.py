"""Jackpots: the pools that bonus bets fill, and the triggers of mystery prizes.

A hand's own posting fills a pool and pays from it; here is what is done between hands. How a
trigger is drawn and what its texts mean is the games' affair.
"""

from typing import Final
from uuid import uuid4

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from wallets.accounts import account
from wallets.cashier import HOUSE
from wallets.errors import Refused
from wallets.ledger import Leg, Posted, post
from wallets.models import Account, Currency, Jackpot, Trigger
from wallets.sealing import seal, unseal

# The book of what the house puts into pools; bets and hits stand in the books of their tables.
BOOK: Final = "jackpots"


@transaction.atomic
def create(name: str, kind: str, currency: Currency, *, actor: str, **settings: int) -> Jackpot:
    """Open a pool and fill it up to its seed and reserve."""
    pool = account(Account.Kind.JACKPOT, f"jackpot:{name}", currency)
    jackpot = Jackpot(name=name, kind=kind, pool=pool, **settings)
    jackpot.full_clean()
    jackpot.save()
    fill_up(jackpot, actor=actor)
    return jackpot


def amount(jackpot: Jackpot) -> int:
    """What the pool shows and a hit shares in: all but the reserve."""
    balance = Account.objects.values_list("balance", flat=True).get(pk=jackpot.pool_id)
    return max(balance - jackpot.reserve, 0)


@transaction.atomic
def fill_up(jackpot: Jackpot, *, actor: str = "") -> Posted | None:
    """Bring a pool that has fallen below seed and reserve up to them; none where it has not.

    The jackpot's row is held meanwhile, so that two who do this at once fill it once.
    """
    held = Jackpot.objects.select_for_update().get(pk=jackpot.pk)
    pool = Account.objects.get(pk=held.pool_id)
    lacking = held.seed + held.reserve - pool.balance
    if lacking <= 0:
        return None
    house = account(Account.Kind.HOUSE, HOUSE, pool.currency_id)
    legs = [Leg(house.pk, -lacking), Leg(pool.pk, lacking)]
    return post(uuid4(), "seed", legs, book=BOOK, reference=pool.owner, actor=actor)


def trigger(jackpot: Jackpot) -> Trigger | None:
    """The trigger that is committed and not yet opened."""
    return Trigger.objects.filter(jackpot=jackpot, opened_at=None).first()


@transaction.atomic
def commit(jackpot: Jackpot, *, published: str, secret: bytes) -> Trigger:
    """Publish the hash of the next trigger and keep its secret; one is closed at a time."""
    Jackpot.objects.select_for_update().get(pk=jackpot.pk)
    if trigger(jackpot) is not None:
        raise Refused("trigger_closed", _("The trigger that is committed has not been opened."))
    last = Trigger.objects.filter(jackpot=jackpot).first()
    number = 1 if last is None else last.number + 1
    sealed = seal(secret)
    return Trigger.objects.create(
        jackpot=jackpot, number=number, published=published, sealed=sealed
    )


def secret_of(one: Trigger) -> bytes:
    return unseal(one.sealed)


def open_trigger(one: Trigger, *, opened: str, reference: str) -> bool:
    """Publish what was committed, once; says whether it was this call that did."""
    closed = Trigger.objects.filter(pk=one.pk, opened_at=None)
    return bool(closed.update(opened=opened, reference=reference, opened_at=timezone.now()))
