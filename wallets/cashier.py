"""What moves money into the house, out of it, and between a player's purse and a stack.

Each verb is one posting under a key of the caller's, so that a repeated request moves nothing
twice. Owners are references such as `player:12` and `seat:34`.
"""

from typing import Final
from uuid import UUID

from wallets.accounts import account
from wallets.ledger import Leg, Posted, check_amount, post
from wallets.models import Account, Currency

# The owner of accounts of which the house has one in each currency.
HOUSE: Final = "house"
# The book of what is paid in and out; buy-ins stand in the books of their tables.
BOOK: Final = "cashier"


def deposit(
    player: str, currency: Currency, amount: int, *, key: UUID, actor: str, reason: str = ""
) -> Posted:
    """Pay money in: what players hold is owed by the account of issued money."""
    source = account(Account.Kind.ISSUE, HOUSE, currency)
    target = account(Account.Kind.PLAYER, player, currency)
    legs = _transfer(source, target, amount)
    return post(key, "deposit", legs, book=BOOK, reason=reason, actor=actor)


def withdraw(
    player: str, currency: Currency, amount: int, *, key: UUID, actor: str, reason: str = ""
) -> Posted:
    """Pay money out; refused as overdrawn where the purse does not hold it."""
    source = account(Account.Kind.PLAYER, player, currency)
    target = account(Account.Kind.ISSUE, HOUSE, currency)
    legs = _transfer(source, target, amount)
    return post(key, "withdrawal", legs, book=BOOK, reason=reason, actor=actor)


def grant(
    player: str, currency: Currency, amount: int, *, key: UUID, actor: str, reason: str
) -> Posted:
    """Give a player money of the house's: a promotion, or play money to begin with."""
    source = account(Account.Kind.PROMOTION, HOUSE, currency)
    target = account(Account.Kind.PLAYER, player, currency)
    legs = _transfer(source, target, amount)
    return post(key, "grant", legs, book=BOOK, reason=reason, actor=actor)


def buy_in(  # noqa: PLR0913 - what a buy-in is
    player: str,
    stack: str,
    currency: Currency,
    amount: int,
    *,
    key: UUID,
    book: str,
    reference: str = "",
    actor: str = "",
) -> Posted:
    """From a player's purse to a stack: sitting down, or topping up."""
    purse, chips = _purse_and_stack(player, stack, currency)
    legs = _transfer(purse, chips, amount)
    return post(key, "buy_in", legs, book=book, reference=reference, actor=actor)


def cash_out(  # noqa: PLR0913 - what a cash-out is
    player: str,
    stack: str,
    currency: Currency,
    amount: int,
    *,
    key: UUID,
    book: str,
    reference: str = "",
    actor: str = "",
) -> Posted:
    """From a stack to its player's purse."""
    purse, chips = _purse_and_stack(player, stack, currency)
    legs = _transfer(chips, purse, amount)
    return post(key, "cash_out", legs, book=book, reference=reference, actor=actor)


def _purse_and_stack(player: str, stack: str, currency: Currency) -> tuple[Account, Account]:
    """What a buy-in and a cash-out move money between, each the other way."""
    return (
        account(Account.Kind.PLAYER, player, currency),
        account(Account.Kind.STACK, stack, currency),
    )


def _transfer(source: Account, target: Account, amount: int) -> list[Leg]:
    check_amount(amount)
    return [Leg(source.pk, -amount), Leg(target.pk, amount)]
