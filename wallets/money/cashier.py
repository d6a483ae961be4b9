"""Move money into the house, out of it, and between a player's wallet and a stack.

The ledger knows no limits of players. A package that does registers a rule when the site starts; it
is asked inside of the posting's transaction, and refuses by raising
`wallets.values.errors.Refused`. A posting with the same key is not checked again.

Each verb is one posting under a key from the caller, so a repeated request moves money only once.
Owners are references such as `player:12` and `seat:34`.

An issue account says what the house has given out against cash: what it owes is the cash there. So
each till and the vault has its own issue account, and holds the opposite of its balance.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final, NotRequired, TypedDict, Unpack
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from wallets.models import Account, Currency
from wallets.money.accounts import account
from wallets.money.ledger import Leg, Posted, is_posted, overdrawn, post
from wallets.values.amounts import read_minor_units
from wallets.values.registry import Registry

# Takes a player's number, the currency, the amount in minor units, and the time.
Rule = Callable[[int, Currency, int, datetime], None]

RULES: Final = Registry[Rule]("rule of deposits")
# Takes a player's number and the currency; refuses that money leaves the wallet for good, or
# writes in the transaction of the posting what ends with it.
WithdrawalRule = Callable[[int, Currency], None]
WITHDRAWALS: Final = Registry[WithdrawalRule]("rule of withdrawals")


def require_admitted(owner: str, currency: Currency, amount: int, now: datetime) -> None:
    """Refuse what any rule refuses; owners that are no players have no rules."""
    if player := _player_in(owner):
        for rule in RULES.values():
            rule(player, currency, amount, now)


def require_free(owner: str, currency: Currency) -> None:
    """Refuse a withdrawal that any rule refuses."""
    if player := _player_in(owner):
        for rule in WITHDRAWALS.values():
            rule(player, currency)


def _player_in(owner: str) -> int:
    """The number of a player; 0 for any other owner."""
    kind, _colon, number = owner.partition(":")
    return int(number) if kind == "player" and number.isdecimal() else 0


# The owner of the accounts that the house has once per currency.
HOUSE: Final = "house"
# The book of deposits and withdrawals; buy-ins are in the books of their tables.
BOOK: Final = "cashier"
# The kinds of postings with which a player's money is set aside for a withdrawal, and released.
SET_ASIDE: Final = "withdrawal_request"
RELEASED: Final = "withdrawal_return"
CORRECTION: Final = "correction"


class Stated(TypedDict):
    """What every posting states: the key of the request, who makes it, and why."""

    key: UUID
    actor: str
    reason: str


class AtTable(Stated):
    """The same with a book or a reference: of a table and a seat, or of a promotion."""

    book: NotRequired[str]
    reference: NotRequired[str]


def deposit(
    player: str, currency: Currency, amount: int, *, cash: str = HOUSE, **stated: Unpack[Stated]
) -> Posted:
    """Pay money in, unless a rule refuses it; the issue account owes what players hold.

    `cash` is where the money is.
    """
    source = account(Account.Kind.ISSUE, cash, currency)
    target = account(Account.Kind.PLAYER, player, currency)
    with transaction.atomic():
        if not is_posted(stated["key"]):
            require_admitted(player, currency, amount, timezone.now())
        return _post_transfer("deposit", source, target, amount, **stated)


def withdraw(
    player: str,
    currency: Currency,
    amount: int,
    *,
    cash: str = HOUSE,
    kind: str = Account.Kind.PLAYER,
    **stated: Unpack[Stated],
) -> Posted:
    """Pay money out of a wallet, or out of what was set aside; refuse what it does not hold."""
    source = account(kind, player, currency)
    target = account(Account.Kind.ISSUE, cash, currency)
    with transaction.atomic():
        if kind == Account.Kind.PLAYER and not is_posted(stated["key"]):
            require_free(player, currency)
        return _post_transfer("withdrawal", source, target, amount, **stated)


def require(kind: str, owner: str, currency: Currency, amount: int) -> None:
    """Refuse an amount that an account does not hold, and say what it holds."""
    source = account(kind, owner, currency)
    if source.balance < amount:
        raise overdrawn(source)


def set_aside(player: str, currency: Currency, amount: int, **stated: Unpack[Stated]) -> Posted:
    """Keep a player's money for a withdrawal, in an account of its own."""
    source = account(Account.Kind.PLAYER, player, currency)
    target = account(Account.Kind.ESCROW, player, currency)
    with transaction.atomic():
        if not is_posted(stated["key"]):
            require_free(player, currency)
        return _post_transfer(SET_ASIDE, source, target, amount, **stated)


def release(player: str, currency: Currency, amount: int, **stated: Unpack[Stated]) -> Posted:
    """Put into the wallet again what was set aside and is not paid out."""
    source = account(Account.Kind.ESCROW, player, currency)
    target = account(Account.Kind.PLAYER, player, currency)
    return _post_transfer(RELEASED, source, target, amount, **stated)


def correct(
    player: str, currency: Currency, amount: int, against: Account, **stated: Unpack[Stated]
) -> Posted:
    """Add to a wallet, or take from it if the amount is negative, against a house account."""
    wallet = account(Account.Kind.PLAYER, player, currency)
    legs = [Leg(against.pk, -amount), Leg(wallet.pk, amount)]
    return _post_legs(CORRECTION, legs, **stated)


def move_cash(
    kind: str, source: Account, target: Account, amount: int, **stated: Unpack[Stated]
) -> Posted:
    """Move cash between issue accounts, or between one and the house.

    A till with less cash owes less, so the signs are those of debts.
    """
    return _post_transfer(kind, target, source, amount, **stated)


def grant(player: str, currency: Currency, amount: int, **stated: Unpack[Stated]) -> Posted:
    """Give a player the house's money: play money to start with, or for a task of the day."""
    source, target = _given(player, currency)
    return _post_transfer("grant", source, target, amount, **stated)


def award(player: str, currency: Currency, amount: int, **stated: Unpack[AtTable]) -> Posted:
    """Give a player what a promotion awards; it is paid as a grant is, and named apart."""
    source, target = _given(player, currency)
    return _post_transfer("award", source, target, amount, **stated)


def _given(player: str, currency: Currency) -> tuple[Account, Account]:
    """Where the house's money comes from, and where it goes."""
    source = account(Account.Kind.PROMOTION, HOUSE, currency)
    return source, account(Account.Kind.PLAYER, player, currency)


def take_back(player: str, currency: Currency, amount: int, **stated: Unpack[Stated]) -> Posted:
    """Return what the house has given to a player, from the wallet to the promotions."""
    source = account(Account.Kind.PLAYER, player, currency)
    target = account(Account.Kind.PROMOTION, HOUSE, currency)
    return _post_transfer("grant_return", source, target, amount, **stated)


def buy_in(
    player: str, stack: str, currency: Currency, amount: int, **stated: Unpack[AtTable]
) -> Posted:
    """Move money from a player's wallet to a stack: sitting down, or topping up."""
    source = account(Account.Kind.PLAYER, player, currency)
    target = account(Account.Kind.STACK, stack, currency)
    return _post_transfer("buy_in", source, target, amount, **stated)


def cash_out(
    player: str, stack: str, currency: Currency, amount: int, **stated: Unpack[AtTable]
) -> Posted:
    """Move money from a stack to its player's wallet."""
    source = account(Account.Kind.STACK, stack, currency)
    target = account(Account.Kind.PLAYER, player, currency)
    return _post_transfer("cash_out", source, target, amount, **stated)


def _post_transfer(
    kind: str, source: Account, target: Account, amount: int, **stated: Unpack[AtTable]
) -> Posted:
    read_minor_units(amount)
    return _post_legs(kind, [Leg(source.pk, -amount), Leg(target.pk, amount)], **stated)


def _post_legs(kind: str, legs: list[Leg], **stated: Unpack[AtTable]) -> Posted:
    stated.setdefault("book", BOOK)
    return post(kind=kind, entries=legs, **stated)
