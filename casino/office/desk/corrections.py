"""Corrections: what a receipt should have said, with a reason and always with a second person.

The wallet gets the difference, or gives it. The other side is the till while its shift is open;
afterwards the variance that the shift was closed with.
"""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from casino.office.desk import cash, receipts
from casino.office.desk.models import Receipt
from casino.office.desk.receipts import WORK
from casino.office.desk.shifts import require_no_waiting_count
from wallets.models import Account
from wallets.models.holders import player_reference
from wallets.money import cashier
from wallets.money.accounts import account
from wallets.money.ledger import Posted, is_posted
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted, money
from wallets.values.amounts import require_bounds
from wallets.values.errors import Refused

KINDS = (Receipt.Kind.DEPOSIT, Receipt.Kind.WITHDRAWAL)


def receipt_of(number: object) -> Receipt:
    """A receipt that can be corrected: of a deposit or a withdrawal."""
    found = None
    if type(number) is int:
        rows = Receipt.objects.select_related("currency", "shift__till", "player")
        found = rows.filter(pk=number, kind__in=KINDS).first()
    if found is None:
        raise Refused("no_such_receipt", _("There is no such receipt."))
    return found


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
