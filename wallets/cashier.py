"""Move money into the house, out of it, and between a player's wallet and a stack.

Each verb is one posting under a key from the caller, so a repeated request moves money only once.
Owners are references such as `player:12` and `seat:34`.

An issue account says what the house has given out against cash: what it owes is the cash there. So
each till and the vault has an issue account of its own, and holds the opposite of its balance.
"""

from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from wallets import deposit_rules
from wallets.accounts import account
from wallets.amounts import read_minor_units
from wallets.ledger import Leg, Posted, is_posted, overdrawn, post
from wallets.models import Account, Currency

# The owner of the accounts that the house has once per currency.
HOUSE: Final = "house"
# The book of deposits and withdrawals; buy-ins are in the books of their tables.
BOOK: Final = "cashier"
# The kinds of postings with which a player's money is set aside for a withdrawal, and released.
SET_ASIDE: Final = "withdrawal_request"
RELEASED: Final = "withdrawal_return"
CORRECTION: Final = "correction"


def deposit(  # noqa: PLR0913 - what a deposit is
    player: str,
    currency: Currency,
    amount: int,
    *,
    key: UUID,
    actor: str,
    reason: str,
    cash: str = HOUSE,
) -> Posted:
    """Pay money in, unless a rule refuses it; the issue account owes what players hold.

    `cash` is where the money is.
    """
    source = account(Account.Kind.ISSUE, cash, currency)
    target = account(Account.Kind.PLAYER, player, currency)
    legs = _transfer(source, target, amount)
    with transaction.atomic():
        if not is_posted(key):
            deposit_rules.require(player, currency, amount, timezone.now())
        return post(key, "deposit", legs, book=BOOK, reason=reason, actor=actor)


def withdraw(  # noqa: PLR0913 - what a withdrawal is
    player: str,
    currency: Currency,
    amount: int,
    *,
    key: UUID,
    actor: str,
    reason: str,
    cash: str = HOUSE,
    kind: str = Account.Kind.PLAYER,
) -> Posted:
    """Pay money out of a wallet, or out of what was set aside; refuse what it does not hold."""
    source = account(kind, player, currency)
    target = account(Account.Kind.ISSUE, cash, currency)
    legs = _transfer(source, target, amount)
    return post(key, "withdrawal", legs, book=BOOK, reason=reason, actor=actor)


def require(kind: str, owner: str, currency: Currency, amount: int) -> None:
    """Refuse an amount that an account does not hold, and say what it holds."""
    source = account(kind, owner, currency)
    if source.balance < amount:
        raise overdrawn(source)


def set_aside(
    player: str, currency: Currency, amount: int, *, key: UUID, actor: str, reason: str
) -> Posted:
    """Keep a player's money for a withdrawal, in an account of its own."""
    source = account(Account.Kind.PLAYER, player, currency)
    target = account(Account.Kind.ESCROW, player, currency)
    legs = _transfer(source, target, amount)
    return post(key, SET_ASIDE, legs, book=BOOK, reason=reason, actor=actor)


def release(
    player: str, currency: Currency, amount: int, *, key: UUID, actor: str, reason: str
) -> Posted:
    """Put into the wallet again what was set aside and is not paid out."""
    source = account(Account.Kind.ESCROW, player, currency)
    target = account(Account.Kind.PLAYER, player, currency)
    legs = _transfer(source, target, amount)
    return post(key, RELEASED, legs, book=BOOK, reason=reason, actor=actor)


def correct(  # noqa: PLR0913 - what a correction is
    player: str,
    currency: Currency,
    amount: int,
    against: Account,
    *,
    key: UUID,
    actor: str,
    reason: str,
) -> Posted:
    """Add to a wallet, or take from it if the amount is negative, against a house account."""
    wallet = account(Account.Kind.PLAYER, player, currency)
    legs = [Leg(against.pk, -amount), Leg(wallet.pk, amount)]
    return post(key, CORRECTION, legs, book=BOOK, reason=reason, actor=actor)


def move_cash(  # noqa: PLR0913 - what a transfer is
    kind: str, source: Account, target: Account, amount: int, *, key: UUID, actor: str, reason: str
) -> Posted:
    """Move cash between issue accounts, or between one and the house.

    Who holds less cash owes less, so the signs are those of debts.
    """
    legs = _transfer(target, source, amount)
    return post(key, kind, legs, book=BOOK, reason=reason, actor=actor)


def grant(
    player: str, currency: Currency, amount: int, *, key: UUID, actor: str, reason: str
) -> Posted:
    """Give a player the house's money: a promotion, or play money to start with."""
    source = account(Account.Kind.PROMOTION, HOUSE, currency)
    target = account(Account.Kind.PLAYER, player, currency)
    legs = _transfer(source, target, amount)
    return post(key, "grant", legs, book=BOOK, reason=reason, actor=actor)


def take_back(
    player: str, currency: Currency, amount: int, *, key: UUID, actor: str, reason: str
) -> Posted:
    """Return what the house has given to a player, from the wallet to the promotions."""
    source = account(Account.Kind.PLAYER, player, currency)
    target = account(Account.Kind.PROMOTION, HOUSE, currency)
    legs = _transfer(source, target, amount)
    return post(key, "grant_return", legs, book=BOOK, reason=reason, actor=actor)


def buy_in(  # noqa: PLR0913 - what a buy-in is
    player: str,
    stack: str,
    currency: Currency,
    amount: int,
    *,
    key: UUID,
    book: str,
    actor: str,
    reason: str,
    reference: str = "",
) -> Posted:
    """Move money from a player's wallet to a stack: sitting down, or topping up."""
    wallet, stack_account = _wallet_and_stack(player, stack, currency)
    legs = _transfer(wallet, stack_account, amount)
    return post(key, "buy_in", legs, book=book, actor=actor, reason=reason, reference=reference)


def cash_out(  # noqa: PLR0913 - what a cash-out is
    player: str,
    stack: str,
    currency: Currency,
    amount: int,
    *,
    key: UUID,
    book: str,
    actor: str,
    reason: str,
    reference: str = "",
) -> Posted:
    """Move money from a stack to its player's wallet."""
    wallet, stack_account = _wallet_and_stack(player, stack, currency)
    legs = _transfer(stack_account, wallet, amount)
    return post(key, "cash_out", legs, book=book, actor=actor, reason=reason, reference=reference)


def _wallet_and_stack(player: str, stack: str, currency: Currency) -> tuple[Account, Account]:
    """Return the two accounts of a buy-in or cash-out, which move money in opposite directions."""
    return (
        account(Account.Kind.PLAYER, player, currency),
        account(Account.Kind.STACK, stack, currency),
    )


def _transfer(source: Account, target: Account, amount: int) -> list[Leg]:
    read_minor_units(amount)
    return [Leg(source.pk, -amount), Leg(target.pk, amount)]
