"""Deposits and withdrawals at the desk, through approvals.

Several small payments count as one: otherwise a cashier could split a large one. The money of a
withdrawal that waits for a second person is set aside, so that the player cannot play it away.
"""

from datetime import timedelta
from typing import Final
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import Sum
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from wallets.models import Account, Currency, Entry
from wallets.models.holders import lock_player
from wallets.models.staff_models import Proposal
from wallets.money import cashier, limits
from wallets.money.accounts import account
from wallets.money.ledger import Posted, is_posted
from wallets.staff import journal
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted, currency_of, money
from wallets.values.amounts import read_minor_units
from wallets.values.errors import Refused

DEPOSIT: Final = "deposit"
WITHDRAWAL: Final = "withdrawal"
OWNER_MAX: Final = 64
# Several payments of a cashier to one player reach a threshold together within this time.
COUNTED_FOR: Final = timedelta(hours=24)
# Why the ledger returns money for whose withdrawal the deadline has passed.
EXPIRED: Final = _n("nobody approved the withdrawal in time")


class CashVerb(Permitted):
    """Money that a cashier takes in or pays out, from a threshold on with a second person.

    Arguments: `player` (a reference), `currency` (a code) and `amount` in minor units.
    """

    # Of the posting, and of the limit from which it needs approval.
    kind: str
    # Which of the player's accounts it is paid into, or out of.
    holds: str = Account.Kind.PLAYER

    def __init__(self, name: str, words: str | Promise, permission: str, sign: int) -> None:
        self.name, self.words, self.permission, self.sign = name, words, permission, sign
        self.kind = name

    def check(self, arguments: Arguments) -> Arguments:
        player, currency = arguments.get("player"), currency_of(arguments.get("currency"))
        if not isinstance(player, str) or not player or len(player) > OWNER_MAX:
            raise Refused("no_such_player", _("There is no such player."))
        amount = read_minor_units(arguments.get("amount"))
        return {"player": player, "currency": currency.code, "amount": amount}

    def admit(self, order: Order) -> None:
        if not is_posted(order.key):
            self.require(order, *self._of(order.arguments))

    def require(self, order: Order, player: str, currency: Currency, amount: int) -> None:
        """Check account and rules before a colleague is asked to approve."""
        if self.sign < 0:
            cashier.require(self._holds(order.key), player, currency, amount)
        else:
            cashier.require_admitted(player, currency, amount, order.now)

    @property
    def sets_aside(self) -> bool:
        """Whether a proposal sets money aside, unless that has been done already."""
        return self.sign < 0 and self.holds == Account.Kind.PLAYER

    def reserve(self, order: Order) -> None:
        if self.sets_aside:
            kept = order._replace(key=set_aside_key(order.key))
            cashier.set_aside(*self._of(order.arguments), **kept.stated)

    def closed(self, proposal: Proposal) -> None:
        """Without approval, return the reserved amount to the wallet."""
        if is_posted(set_aside_key(proposal.key)):
            cashier.release(
                *self._of(proposal.arguments),
                key=returned_key(proposal.key),
                actor=proposal.checker or cashier.HOUSE,
                reason=proposal.decision or EXPIRED,
            )

    @staticmethod
    def _of(arguments: Arguments) -> tuple[str, Currency, int]:
        return arguments["player"], currency_of(arguments["currency"]), arguments["amount"]

    def _holds(self, key: UUID) -> str:
        """Return the kind of account that is paid into, or pays: what was set aside for it."""
        is_set_aside = self.sign < 0 and is_posted(set_aside_key(key))
        return Account.Kind.ESCROW if is_set_aside else self.holds

    def subject(self, arguments: Arguments) -> str:
        return str(arguments["player"])

    def needs_approval(self, order: Order) -> bool:
        """Whether this and what the cashier moved lately without approval reach the limit."""
        if is_posted(order.key):
            return False
        # One payment of a member is counted before their next one is.
        lock_player(order.maker)
        amount = order.arguments["amount"] + self._lately(order)
        return limits.reaches(self.kind, amount, currency_of(order.arguments["currency"]))

    def _lately(self, order: Order) -> int:
        moved = Entry.objects.filter(
            # Money that was set aside is paid out of its own account.
            account__kind__in=(Account.Kind.PLAYER, Account.Kind.ESCROW),
            account__owner=order.arguments["player"],
            account__currency=order.arguments["currency"],
            transaction__kind=self.kind,
            transaction__actor=journal.by(order.maker).reference,
            transaction__time__gt=order.now - COUNTED_FOR,
        ).exclude(transaction__key__in=Proposal.objects.values("key"))
        return self.sign * int(moved.aggregate(sum=Sum("amount"))["sum"] or 0)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        """A payment that waits: a deposit into the wallet, or what is set aside to be paid out."""
        currency = currency_of(arguments["currency"])
        holds = Account.Kind.ESCROW if self.sign < 0 else self.holds
        held = account(holds, arguments["player"], currency).balance
        after = held + self.sign * arguments["amount"]
        words = _("Wallet") if self.sign > 0 else _("Set aside")
        return [
            Change(str(_("Amount")), "", money(arguments["amount"], currency)),
            Change(str(words), money(held, currency), money(after, currency)),
        ]

    def carry_out(self, order: Order) -> Posted:
        player, currency, amount = self._of(order.arguments)
        cash, stated = self.cash_of(order.arguments), order.stated
        with transaction.atomic():
            holds = self._holds(order.key)
            if self.sign > 0:
                posted = cashier.deposit(player, currency, amount, cash=cash, **stated)
            else:
                posted = cashier.withdraw(player, currency, amount, cash=cash, kind=holds, **stated)
            if posted.created:
                self.paid(order, posted, currency)
                held = account(holds, player, currency).balance
                order.note(
                    self.name,
                    player,
                    before={"balance": held - self.sign * amount},
                    after={"balance": held, "currency": currency.code, "amount": amount},
                )
        return posted

    def paid(self, order: Order, posted: Posted, currency: Currency) -> None:
        """Write what belongs to a payment, before its entry of the journal."""

    def cash_of(self, arguments: Arguments) -> str:
        """The owner of the account whose cash it is."""
        return cashier.HOUSE


def set_aside_key(key: UUID) -> UUID:
    """The key of the posting that sets money aside for a proposal."""
    return uuid5(key, "set aside")


def returned_key(key: UUID) -> UUID:
    """The key of the posting that returns it."""
    return uuid5(key, "release")
