"""Deposits and withdrawals at a till, with a receipt, and what a payment would do.

They are the verbs of `wallets/staff/cash_verbs.py` with a till: the same limits, and the same
postings. The preview asks the verb itself, so it refuses what the payment would; its writes are
rolled back.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import uuid4

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.accounts.models import Player
from casino.care import limits
from casino.care.models import PlayerLimit
from casino.office.desk import cash, receipts
from casino.office.desk.models import Receipt, Shift
from casino.office.desk.shifts import own_shift, require_no_waiting_count, till_of
from wallets.models import Account, Currency
from wallets.models.holders import player_reference
from wallets.money import limits as house_limits
from wallets.money.accounts import account
from wallets.money.ledger import Posted, is_posted
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.cash_verbs import CashVerb
from wallets.staff.permitted import currency_of, money, moved
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused
from wallets.values.player import Viewer
from wallets.values.registry import Registry

# Notes and coins in minor units, the largest first. Another currency is counted as a sum;
# a sum may always be typed instead of pieces.
_CENTS: Final = (20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1)
_NOTES: Final[Mapping[str, tuple[int, ...]]] = {
    "EUR": _CENTS,
    "GBP": _CENTS[2:],
    "USD": (10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 25, 10, 5, 1),
    "CNY": (10_000, 5_000, 2_000, 1_000, 500, 100, 50, 10),
    "HKD": (100_000, 50_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10),
    "TWD": (200_000, 100_000, 50_000, 20_000, 10_000, 5_000, 1_000, 500, 100),
    "MOP": (100_000, 50_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10),
    "PHP": (100_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 100, 25, 5, 1),
    "JPY": (10_000, 5_000, 2_000, 1_000, 500, 100, 50, 10, 5, 1),
}
# The digits after the point for which they are written.
_EXPONENTS: Final = {"JPY": 0}


def pieces_of(currency: Currency) -> tuple[int, ...]:
    if currency.exponent != _EXPONENTS.get(currency.code, 2):
        return ()
    return _NOTES.get(currency.code, ())


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

    def require(self, order: Order, player: str, currency: Currency, amount: int) -> None:
        shift = self.shift_of(order)
        require_no_waiting_count(shift.till)
        person = person_of(player)
        if person.pk == order.maker.pk:
            raise Refused("own_money", _("A colleague must serve you."))
        if not person.is_active:
            raise Refused("player_frozen", _("This account is frozen: no money moves."))
        super().require(order, player, currency, amount)
        if self.sign < 0:
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
            if self.sign < 0:
                _player, currency, amount = self._of(order.arguments)
                cash.require(shift.till, currency, amount)
            return super().carry_out(order)

    def cash_of(self, arguments: Arguments) -> str:
        return f"till:{arguments['till']}"

    def paid(self, order: Order, posted: Posted, currency: Currency) -> None:
        self.with_receipt(order, self._receipt(order, posted, currency))

    def with_receipt(self, order: Order, receipt: Receipt) -> None:
        """Make the other changes of this payment, in the same transaction."""

    def _receipt(self, order: Order, posted: Posted, currency: Currency) -> Receipt:
        player = order.arguments["player"]
        return receipts.issue(
            self.kind,
            order,
            posted,
            currency,
            self.sign * order.arguments["amount"],
            shift=self.shift_of(order),
            player_id=int(player.partition(":")[2]),
            wallet_after=account(Account.Kind.PLAYER, player, currency).balance,
        )


# Amounts that are offered as buttons, in minor units: they fit notes of two decimals and of none.
QUICK: Final = (5_000, 10_000, 20_000, 50_000, 100_000)


class CheckLine(NamedTuple):
    """One thing that was looked at: `good`, `bad`, `warn`, or `second` for a second person."""

    state: str
    words: str | Promise
    figure: str = ""
    address: str = ""


class Payment(NamedTuple):
    """A payment that a cashier thinks of; `sign` is 1 for a deposit, and -1 for a withdrawal."""

    verb: DeskCash
    member: Viewer
    player: Player
    shift: Shift
    currency: Currency
    amount: int
    now: datetime

    @property
    def sign(self) -> int:
        return self.verb.sign


class Outlook(NamedTuple):
    """The effects of a payment; without an amount, how things are now."""

    currency: Currency
    wallet_now: int
    wallet_after: int | None
    till_now: int
    till_after: int | None
    # Notes and coins to hand over, the largest first: (value, number).
    notes: list[tuple[str, int]]
    quick: list[int]
    # The whole wallet, for a withdrawal.
    everything: int
    checks: list[CheckLine]
    refused: bool
    needs_second: bool


# Checks of a person, by those who know about them. They take the reader, the player, the kind of
# payment and the time.
PersonCheck = Callable[[Viewer, Player, str, datetime], Iterable[CheckLine]]
PERSON_CHECKS: Final = Registry[PersonCheck]("check of a person at the desk")


def person_checks(member: Viewer, player: Player, kind: str, now: datetime) -> list[CheckLine]:
    """Facts that do not depend on the amount."""
    state = CheckLine("good", gettext("The account is open, not frozen"))
    if not player.is_active:
        state = CheckLine("bad", gettext("This account is frozen: no money moves."))
    others = (check(member, player, kind, now) for check in PERSON_CHECKS.values())
    return [state, *(line for lines in others for line in lines)]


def outlook(payment: Payment) -> Outlook:
    currency, amount, sign = payment.currency, payment.amount, payment.sign
    wallet = account(Account.Kind.PLAYER, player_reference(payment.player.pk), currency).balance
    till = cash.cash_in(payment.shift.till, currency)
    refusal, needs_second = _answer_of(payment) if amount else ("", False)
    return Outlook(
        currency=currency,
        wallet_now=wallet,
        wallet_after=wallet + sign * amount if amount else None,
        till_now=till,
        till_after=till + sign * amount if amount else None,
        notes=_in_words(currency, amount, _counted(payment)) if sign < 0 else [],
        quick=[quick_amount for quick_amount in QUICK if sign > 0 or quick_amount < wallet],
        everything=wallet if sign < 0 else 0,
        checks=list(_checks(payment, wallet, refusal, needs_second=needs_second)) if amount else [],
        refused=bool(refusal),
        needs_second=needs_second,
    )


def _answer_of(payment: Payment) -> tuple[str, bool]:
    """Return the verb's own refusal, if any, and whether a second person has to approve."""
    values = {"currency": payment.currency.code, "amount": payment.amount}
    arguments = verb_arguments(values, payment.player, payment.shift)
    with transaction.atomic():
        try:
            checked = payment.verb.check(arguments)
            order = Order(checked, payment.member, "", uuid4(), payment.now)
            payment.verb.admit(order)
            return "", payment.verb.needs_approval(order)
        except Refused as refusal:
            return refusal.sentence, False
        finally:
            transaction.set_rollback(True)


def _checks(
    payment: Payment, wallet: int, refusal: str, *, needs_second: bool
) -> Iterable[CheckLine]:
    currency = payment.currency
    if refusal:
        yield CheckLine("bad", refusal)
    elif payment.sign < 0:
        yield CheckLine("good", gettext("The wallet holds it"), money(wallet, currency))
    if payment.sign > 0:
        yield from _deposit_limits(payment, refused=bool(refusal))
    if needs_second:
        limit = house_limits.value(payment.verb.kind)
        shown = show_amount(limit * 10**currency.exponent, currency, is_exact=True)
        yield CheckLine(
            "second", gettext("From {amount} on, a colleague approves").format(amount=shown)
        )


def _deposit_limits(payment: Payment, *, refused: bool) -> Iterable[CheckLine]:
    """The limits that the player has set for deposits, with what this one leaves of each."""
    for limit in limits.in_force(payment.player.pk, PlayerLimit.Kind.DEPOSIT):
        if limit.currency_id == payment.currency.code and limit.value is not None:
            after = limits.used(payment.player.pk, limit, payment.now) + payment.amount
            shown = [
                show_amount(amount, payment.currency, is_exact=True)
                for amount in (after, limit.value)
            ]
            words = gettext("Own limit for deposits, {period}").format(
                period=limit.get_period_display()
            )
            yield CheckLine(
                "bad" if refused and after > limit.value else "good",
                words,
                gettext("{used} of {value}").format(used=shown[0], value=shown[1]),
            )


def _counted(payment: Payment) -> Mapping[int, int] | None:
    """The pieces of the shift's last count; later payments are not known by pieces."""
    last = payment.shift.counts.filter(currency=payment.currency).order_by("-pk").first()
    return {int(piece): number for piece, number in last.pieces.items()} if last else None


def _in_words(
    currency: Currency, amount: int, there: Mapping[int, int] | None
) -> list[tuple[str, int]]:
    notes = (_notes(currency, amount, there) if there else []) or _notes(currency, amount)
    return [(show_amount(piece, currency), number) for piece, number in notes]


def _notes(
    currency: Currency, amount: int, there: Mapping[int, int] | None = None
) -> list[tuple[int, int]]:
    """The fewest notes and coins that come to an amount, of those that are there; or none."""
    notes, left = [], amount
    for piece in pieces_of(currency):
        number = left // piece if there is None else min(left // piece, there.get(piece, 0))
        if number:
            notes.append((piece, number))
            left -= number * piece
    return [] if left else notes


def verb_arguments(values: Mapping[str, Any], player: Player, shift: Shift) -> dict[str, Any]:
    """The arguments of a payment, as its form gives them."""
    return {
        "player": player_reference(player.pk),
        "currency": values["currency"],
        "amount": values["amount"],
        "till": shift.till_id,
    }
