"""Jackpots: the pools that bonus bets fill, and the triggers of mystery prizes.

A hand's own posting fills a pool and pays from it; this module does the rest, between hands. The
house puts at most `JACKPOT_SEED_MAX` into a pool, and can take money out of a pool that no table
plays for; each such posting names who did it and why. The games define how a trigger is drawn and
what its texts mean.
"""

from collections.abc import Callable
from typing import Final
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from wallets.models import Account, Currency, Entry, Jackpot, Trigger
from wallets.money import limits
from wallets.money.accounts import account
from wallets.money.cashier import HOUSE
from wallets.money.ledger import Leg, Posted, is_posted, post
from wallets.of_record.verbs import verb
from wallets.storage.sealed_columns import sealed_column
from wallets.values import AMOUNT_MAX
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused
from wallets.values.registry import Registry

# The book of the house's payments into pools; bets and hits are in the books of their tables.
BOOK: Final = "jackpots"
SECRET: Final = sealed_column(Trigger, "sealed")
# The namespace of the keys of fill-ups that no form asked for.
FILL_UPS: Final = UUID("6f2b1c1e-6a57-4b6e-9b0c-2d1c8f0e5a43")
# Why the house fills up a pool by itself.
FILLED_UP: Final = _n("below its seed")
# The longest reason that the ledger stores.
REASON_MAX: Final = 200
# The editable settings of an existing jackpot; its name is part of its account.
SETTINGS: Final = frozenset(("seed", "reserve", "share_bp", "lowest", "highest", "active"))
# Those that the rules of the tables state, and the packages that know whether tables do.
PUBLISHED: Final = ("seed", "share_bp", "lowest", "highest", "active")
PLAYED_FOR: Final = Registry[Callable[[Jackpot], bool]]("look at who plays for a jackpot")


@transaction.atomic
def create(
    name: str,
    kind: str,
    currency: Currency,
    *,
    actor: str,
    reason: str = "opened",
    key: UUID | None = None,
    **values: int,
) -> Jackpot:
    """Open a pool and fill it up to its seed and reserve."""
    pool = account(Account.Kind.JACKPOT, f"jackpot:{name}", currency)
    jackpot = Jackpot(name=name, kind=kind, pool=pool, **values)
    _store(jackpot)
    fill_up(jackpot, actor=actor, reason=_reason(reason), key=key)
    return jackpot


@transaction.atomic
def configure(
    jackpot: Jackpot, *, actor: str, reason: str, key: UUID | None = None, **values: object
) -> Jackpot:
    """Change a jackpot; the actor immediately fills up what its pool then lacks.

    If the new seed is lower, the surplus remains in the pool until it is drained.
    """
    reason = _reason(reason)
    changed = held(jackpot)
    for name in SETTINGS & values.keys():
        setattr(changed, name, values[name])
    _store(changed)
    if changed.active:
        fill_up(changed, actor=actor, reason=reason, key=key)
    return changed


@transaction.atomic
def drain(jackpot: Jackpot, amount: int, *, key: UUID, actor: str, reason: str) -> Posted:
    """Move money from the pool of an inactive jackpot back to the house, once under its key.

    An active pool is promised to the players who bet on it, so the jackpot must first be inactive.
    """
    reason = _reason(reason)
    pool = _hold(jackpot)
    if not is_posted(key):
        check_drain(Jackpot.objects.get(pk=jackpot.pk), pool, amount)
    house = account(Account.Kind.HOUSE, HOUSE, pool.currency_id)
    legs = [Leg(pool.pk, -amount), Leg(house.pk, amount)]
    return post(key, "drain", legs, book=BOOK, reference=pool.owner, reason=reason, actor=actor)


def check_drain(jackpot: Jackpot, pool: Account, amount: int) -> None:
    """Refuse to drain an active pool, or more than it holds."""
    if jackpot.active:
        raise Refused(
            "jackpot_active", _("This jackpot is in use: deactivate it before you drain it.")
        )
    if not 1 <= amount <= pool.balance:
        raise Refused(
            "drain_bounds",
            _("This pool holds {most}; you cannot take out more."),
            most=show_amount(max(0, pool.balance), pool.currency),
        )


def is_played_for(jackpot: Jackpot) -> bool:
    return jackpot.active and any(look(jackpot) for look in PLAYED_FOR.values())


def lacking(jackpot: Jackpot, pool: Account) -> int:
    """Return what the house must put into the pool for these settings."""
    return max(0, _aim(jackpot) - pool.balance) if jackpot.active else 0


def held(jackpot: Jackpot) -> Jackpot:
    """Read a jackpot anew, under the lock of its pool, which lasts until the transaction ends."""
    _hold(jackpot)
    return Jackpot.objects.select_related("pool__currency").get(pk=jackpot.pk)


def seed_max(currency: Currency) -> int:
    """Return the most that the house puts into a pool of a currency, in minor units."""
    return int(min(limits.value("jackpot_seed") * 10**currency.exponent, AMOUNT_MAX))


def check(jackpot: Jackpot, currency: Currency) -> None:
    """Refuse a seed and reserve above what the house allows for a pool."""
    most = seed_max(currency)
    if jackpot.seed + jackpot.reserve > most:
        raise Refused(
            "seed_bounds",
            _("Seed and reserve are {most} together at most."),
            most=show_amount(most, currency),
        )


def _store(jackpot: Jackpot) -> None:
    jackpot.full_clean()
    check(jackpot, jackpot.pool.currency)
    jackpot.save()


def _reason(typed: str) -> str:
    """A reason as the ledger keeps it; the house's money never moves without one."""
    reason = " ".join(typed.split())
    if not 1 <= len(reason) <= REASON_MAX:
        raise Refused("reason", _("Say why, in 1 to {most} characters."), most=REASON_MAX)
    return reason


def _aim(jackpot: Jackpot) -> int:
    """Return the amount to which the house fills a pool: never above the bound."""
    return min(jackpot.seed + jackpot.reserve, seed_max(jackpot.pool.currency))


def amount(jackpot: Jackpot) -> int:
    """Return what the pool shows now; its account is read again."""
    return _shown(
        jackpot, Account.objects.values_list("balance", flat=True).get(pk=jackpot.pool_id)
    )


def amount_read(jackpot: Jackpot) -> int:
    """Return what the pool shows, by the account that was read with the jackpot."""
    return _shown(jackpot, jackpot.pool.balance)


def _shown(jackpot: Jackpot, balance: int) -> int:
    """What players see and a hit shares: everything except the reserve."""
    return max(balance - jackpot.reserve, 0)


@transaction.atomic
def fill_up(
    jackpot: Jackpot,
    *,
    actor: str = HOUSE,
    reason: str = FILLED_UP,
    key: UUID | None = None,
) -> Posted | None:
    """Bring a pool below seed and reserve back up to them; return None if it is not below.

    The pool is locked while it is filled, so two concurrent calls fill it once. Without a key the
    posting's key is derived from the pool's last entry, which the posting supersedes.
    """
    pool = _hold(jackpot)
    lacking = _aim(Jackpot.objects.get(pk=jackpot.pk)) - pool.balance
    if lacking <= 0:
        return None
    house = account(Account.Kind.HOUSE, HOUSE, pool.currency_id)
    legs = [Leg(house.pk, -lacking), Leg(pool.pk, lacking)]
    if key is None:
        last = Entry.objects.filter(account=pool).aggregate(last=Max("id"))["last"]
        key = uuid5(FILL_UPS, f"{pool.pk} {last}")
    return post(key, "seed", legs, book=BOOK, reference=pool.owner, reason=reason, actor=actor)


def _hold(jackpot: Jackpot) -> Account:
    """Lock and return the pool's account, as a hand with a hit does; the jackpot's row is not
    locked.

    With two locks, a hit that commits the next trigger and a fill-up could deadlock.
    """
    return Account.objects.select_for_update().get(pk=jackpot.pool_id)


def trigger(jackpot: Jackpot) -> Trigger | None:
    """Return the trigger that is committed and not yet opened."""
    return Trigger.objects.filter(jackpot=jackpot, opened_at=None).first()


@verb("house:jackpot.commit", alone=True)
@transaction.atomic
def commit(jackpot: Jackpot, *, published: str, secret: bytes) -> Trigger:
    """Publish the hash of the next trigger and store its secret; only one is closed at a time."""
    _hold(jackpot)
    if trigger(jackpot) is not None:
        raise Refused("trigger_closed", _("The trigger that is committed has not been opened."))
    last = Trigger.objects.filter(jackpot=jackpot).first()
    number = 1 if last is None else last.number + 1
    sealed = SECRET.seal(secret, jackpot.pk, number)
    return Trigger.objects.create(
        jackpot=jackpot, number=number, published=published, sealed=sealed
    )


def secret_of(one: Trigger) -> bytes:
    return SECRET.open(one)


@verb("house:jackpot.open_trigger", alone=True)
def open_trigger(one: Trigger, *, opened: str, reference: str) -> bool:
    """Publish what was committed, once; return whether this call did it."""
    closed = Trigger.objects.filter(pk=one.pk, opened_at=None)
    return bool(closed.update(opened=opened, reference=reference, opened_at=timezone.now()))
