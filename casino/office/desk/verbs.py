"""The desk's verbs: corrections, cash between tills, and all that need an approval.

By a correction the wallet gets the difference, or gives it. The other side is the till while its
shift is open; afterwards the variance that the shift was closed with. Cash between tills is always
moved by two people: the one who proposes, and the one who counts it again.
"""

from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from casino.office.desk import cash, receipts
from casino.office.desk.models import Receipt, Till
from casino.office.desk.paying import DeskCash
from casino.office.desk.receipts import WORK
from casino.office.desk.requests import PAY, PayRequest
from casino.office.desk.shifts import (
    MANAGE,
    CloseShift,
    OpenShift,
    own_shift,
    require_no_waiting_count,
    shift_at,
)
from wallets.models import Account
from wallets.models.holders import player_reference
from wallets.money import cashier
from wallets.money.accounts import account
from wallets.money.ledger import Posted, is_posted
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.cash_verbs import DEPOSIT, WITHDRAWAL
from wallets.staff.permitted import Permitted, currency_of, money, moved
from wallets.values.amounts import read_minor_units, require_bounds
from wallets.values.errors import Refused

KINDS = (Receipt.Kind.DEPOSIT, Receipt.Kind.WITHDRAWAL)


def receipt_of(number: object) -> Receipt:
    """A receipt that can be corrected: of a deposit or a withdrawal."""
    receipt = None
    if type(number) is int:
        rows = Receipt.objects.select_related("currency", "shift__till", "player")
        receipt = rows.filter(pk=number, kind__in=KINDS).first()
    if receipt is None:
        raise Refused("no_such_receipt", _("There is no such receipt."))
    return receipt


def _shift_is_open(receipt: Receipt) -> bool:
    return receipt.shift is not None and receipt.shift.closed_at is None


def _difference(receipt: Receipt, right: int) -> int:
    """Return what the wallet gets, or gives if it is negative, so that the receipt is right."""
    sign = 1 if receipt.kind == Receipt.Kind.DEPOSIT else -1
    return sign * (right - receipts.effective(receipt))


class Correct(Permitted):
    """Arguments: the number of the row of the `receipt`, and the `right` amount, which may be 0."""

    name, words, permission = "desk.correct", _("Correct a receipt"), WORK

    def check(self, arguments: Arguments) -> Arguments:
        receipt = receipt_of(arguments.get("receipt"))
        right = require_bounds(arguments.get("right"), receipt.currency, least=0)
        return {"receipt": receipt.pk, "right": right}

    def admit(self, order: Order) -> None:
        if is_posted(order.key):
            return
        receipt = receipt_of(order.arguments["receipt"])
        if not receipts.visible_to(order.maker).filter(pk=receipt.pk).exists():
            raise Refused("no_such_receipt", _("There is no such receipt."))
        difference = _difference(receipt, order.arguments["right"])
        if not difference:
            raise Refused("nothing_to_correct", _("The receipt already has this amount."))
        if difference < 0:
            assert receipt.player_id is not None, "deposits and withdrawals are of players"
            player = player_reference(receipt.player_id)
            cashier.require(Account.Kind.PLAYER, player, receipt.currency, -difference)
            if receipt.shift and _shift_is_open(receipt):
                cash.require(receipt.shift.till, receipt.currency, -difference)

    def subject(self, arguments: Arguments) -> str:
        return f"receipt:{arguments['receipt']}"

    def state(self, arguments: Arguments) -> Arguments:
        receipt = receipt_of(arguments["receipt"])
        return {"amount": receipts.effective(receipt), "open": _shift_is_open(receipt)}

    def needs_approval(self, order: Order) -> bool:
        return not is_posted(order.key)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        receipt = receipt_of(arguments["receipt"])
        now = money(receipts.effective(receipt), receipt.currency)
        return [Change(receipt.number, now, money(arguments["right"], receipt.currency))]

    def carry_out(self, order: Order) -> Posted:
        receipt = receipt_of(order.arguments["receipt"])
        assert receipt.player_id is not None, "deposits and withdrawals are of players"
        currency, player = receipt.currency, player_reference(receipt.player_id)
        with transaction.atomic():
            cash.lock(receipt.till_id)
            receipt.refresh_from_db()
            before = receipts.effective(receipt)
            difference = _difference(receipt, order.arguments["right"])
            shift = receipt.shift if _shift_is_open(receipt) else None
            against = cash.variance_account(currency)
            if shift:
                against = cash.cash_account(shift.till, currency)
                if not is_posted(order.key):
                    require_no_waiting_count(shift.till)
                    cash.require(shift.till, currency, -difference)
            posted = cashier.correct(player, currency, difference, against, **order.stated)
            if not posted.created:
                return posted
            receipts.issue(
                Receipt.Kind.CORRECTION,
                order,
                posted,
                currency,
                difference,
                shift=shift,
                player=receipt.player,
                corrects=receipt,
                wallet_after=account(Account.Kind.PLAYER, player, currency).balance,
            )
            order.note(
                self.name,
                receipt.reference,
                before={"amount": before},
                after={"amount": order.arguments["right"], "currency": currency.code},
            )
        return posted


# The number of what is outside the house: its bank.
OUTSIDE: Final = 0
KIND: Final = "till_transfer"


def end_of(number: object) -> Till | None:
    """A till, the vault, or what is outside the house."""
    if number == OUTSIDE and type(number) is int:
        return None
    till = None
    if type(number) is int:
        till = Till.objects.filter(pk=number).first()
    if till is None:
        raise Refused("no_such_till", _("There is no such till."))
    return till


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


VERBS = (
    DeskCash(DEPOSIT, "desk.deposit", _("Deposit at the desk"), "wallets.deposit", 1),
    DeskCash(WITHDRAWAL, "desk.withdrawal", _("Withdrawal at the desk"), "wallets.withdraw", -1),
    PayRequest(WITHDRAWAL, PAY, _("Pay a requested withdrawal"), "wallets.withdraw", -1),
    Correct(),
    Transfer(),
    OpenShift(),
    CloseShift(),
)
