"""Cash from till to till, to the vault and from it, and into the house and out of it.

Two people always move it together: the one who proposes, and the one who counts it again.
"""

from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from casino.office.desk import cash, receipts
from casino.office.desk.models import Receipt, Till
from casino.office.desk.shifts import MANAGE, WORK, own_shift, require_no_waiting_count, shift_at
from wallets.money import cashier
from wallets.money.ledger import Posted, is_posted
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted, currency_of, moved
from wallets.values.amounts import read_minor_units
from wallets.values.errors import Refused

# The number of what is outside the house: its bank.
OUTSIDE: Final = 0
KIND: Final = "till_transfer"


def end_of(number: object) -> Till | None:
    """A till, the vault, or what is outside the house."""
    if number == OUTSIDE and type(number) is int:
        return None
    found = None
    if type(number) is int:
        found = Till.objects.filter(pk=number).first()
    if found is None:
        raise Refused("no_such_till", _("There is no such till."))
    return found


class Transfer(Permitted):
    """Arguments: `source` and `target`, the numbers of tills; `currency` and `amount`."""

    name, words, permission = "desk.transfer", _("Move cash"), WORK

    def check(self, arguments: Arguments) -> Arguments:
        source, target = end_of(arguments.get("source")), end_of(arguments.get("target"))
        if source == target:
            raise Refused("same_till", _("Choose two different tills."))
        return {
            "source": source.pk if source else OUTSIDE,
            "target": target.pk if target else OUTSIDE,
            "currency": currency_of(arguments.get("currency")).code,
            "amount": read_minor_units(arguments.get("amount")),
        }

    def admit(self, order: Order) -> None:
        if is_posted(order.key):
            return
        arguments, maker = order.arguments, order.maker
        source, target = end_of(arguments["source"]), end_of(arguments["target"])
        if not maker.has_perm(MANAGE):
            shift = own_shift(maker)
            ends = arguments["source"], arguments["target"]
            if OUTSIDE in ends:
                raise Refused(
                    "not_outside", _("Only a manager can move cash into or out of the house.")
                )
            if shift is None or shift.till_id not in ends:
                raise Refused("not_your_till", _("Your own till must be one of the two."))
        require_no_waiting_count(source, target)
        if source:
            cash.lock(source, target)
            cash.require(source, currency_of(arguments["currency"]), arguments["amount"])

    def subject(self, arguments: Arguments) -> str:
        return f"till:{arguments['source'] or arguments['target']}"

    def needs_approval(self, order: Order) -> bool:
        return not is_posted(order.key)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        """Cashiers read it, and count blind: it says what is moved, and not what a till holds."""
        currency, amount = currency_of(arguments["currency"]), arguments["amount"]
        return [
            Change(str(end_of(arguments[end]) or _("Outside the house")), "", moved(sum_, currency))
            for end, sum_ in (("source", -amount), ("target", amount))
        ]

    def carry_out(self, order: Order) -> Posted:
        arguments = order.arguments
        source, target = end_of(arguments["source"]), end_of(arguments["target"])
        currency, amount = currency_of(arguments["currency"]), arguments["amount"]
        with transaction.atomic():
            cash.lock(source, target)
            if not is_posted(order.key):
                require_no_waiting_count(source, target)
            if source and not is_posted(order.key):
                cash.require(source, currency, amount)
            ends = cash.cash_account(source, currency), cash.cash_account(target, currency)
            posted = cashier.move_cash(KIND, *ends, amount, **order.stated)
            if not posted.created:
                return posted
            # A receipt is about the till that the cash leaves, or that it enters from outside.
            about, other = (source, target) if source else (target, None)
            receipts.issue(
                Receipt.Kind.TRANSFER,
                order,
                posted,
                currency,
                -amount if source else amount,
                till=about,
                shift=shift_at(about),
                to_till=other,
                to_shift=shift_at(other),
            )
            order.note(self.name, self.subject(arguments), before={}, after={**arguments})
        return posted
