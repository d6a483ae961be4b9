"""Deposits and withdrawals at a till, in the cashier's own shift, with a receipt.

They are the verbs of `wallets/staff/cash_verbs.py` with a till: the same limits, and the same
postings.
"""

from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from casino.office.desk import cash, receipts
from casino.office.desk.models import Receipt, Shift
from casino.office.desk.shifts import own_shift, require_no_waiting_count, till_of
from wallets.models import Account
from wallets.money.accounts import account
from wallets.money.ledger import Posted, is_posted
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.cash_verbs import CashVerb
from wallets.staff.permitted import currency_of, moved
from wallets.values.errors import Refused


def person_of(reference: object) -> Any:
    """A player who can stand at the desk: neither a bot nor a frozen player."""
    kind, _colon, number = str(reference).partition(":")
    person = None
    if kind == "player" and number.isdecimal() and len(number) < 19:
        person = get_user_model().objects.filter(pk=int(number), is_bot=False).first()
    if person is None:
        raise Refused("no_such_player", _("There is no such player."))
    return person


class DeskCash(CashVerb):
    """Arguments: those of a payment, and the number of the `till`."""

    def __init__(self, kind: str, name: str, words: Any, permission: str, sign: int) -> None:
        super().__init__(name, words, permission, sign)
        self.kind = kind

    def check(self, arguments: Arguments) -> Arguments:
        till = till_of(arguments.get("till"))
        person_of(arguments.get("player"))
        return {**super().check(arguments), "till": till.pk}

    def admit(self, order: Order) -> None:
        if is_posted(order.key):
            return
        shift = self.shift_of(order)
        require_no_waiting_count(shift.till)
        person = person_of(order.arguments["player"])
        if person.pk == order.maker.pk:
            raise Refused("own_money", _("A colleague must serve you."))
        if not person.is_active:
            raise Refused("player_frozen", _("This account is frozen: no money moves."))
        super().admit(order)
        if self.sign < 0:
            _player, currency, amount = self._of(order.arguments)
            cash.require(shift.till, currency, amount)

    def shift_of(self, order: Order) -> Shift:
        """The cashier's own shift, which must still be open."""
        shift = own_shift(order.maker)
        if shift is None or shift.till_id != order.arguments["till"]:
            raise Refused("no_shift", _("Open a shift first."))
        return shift

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        """Cashiers read it, and count blind: it says what is moved, and not what a till holds."""
        till, currency = till_of(arguments["till"]), currency_of(arguments["currency"])
        line = Change(till.name, "", moved(self.sign * arguments["amount"], currency))
        return [*super().describe(arguments, state), line]

    def carry_out(self, order: Order) -> Posted:
        with transaction.atomic():
            cash.lock(order.arguments["till"])
            if is_posted(order.key):
                return super().carry_out(order)
            shift = self.shift_of(order)
            require_no_waiting_count(shift.till)
            currency, amount = currency_of(order.arguments["currency"]), order.arguments["amount"]
            if self.sign < 0:
                cash.require(shift.till, currency, amount)
            return super().carry_out(order)

    def cash_of(self, arguments: Arguments) -> str:
        return f"till:{arguments['till']}"

    def paid(self, order: Order, posted: Posted) -> None:
        self.with_receipt(order, self._receipt(order, posted))

    def with_receipt(self, order: Order, receipt: Receipt) -> None:
        """Make the other changes of this payment, in the same transaction."""

    def _receipt(self, order: Order, posted: Posted) -> Receipt:
        player, currency = order.arguments["player"], currency_of(order.arguments["currency"])
        return receipts.issue(
            self.kind,
            order,
            posted,
            currency,
            self.sign * order.arguments["amount"],
            shift=self.shift_of(order),
            player=person_of(player),
            wallet_after=account(Account.Kind.PLAYER, player, currency).balance,
        )
