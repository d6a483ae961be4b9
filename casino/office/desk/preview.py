"""Preview a payment.

The verb itself is asked, so the preview refuses what the payment would; its writes are rolled back.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import uuid4

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from casino.accounts.models import Player
from casino.care import limit_sums, limits
from casino.care.models import PlayerLimit
from casino.office.desk import cash
from casino.office.desk.denominations import pieces_of
from casino.office.desk.models import Shift
from casino.office.desk.paying import DeskCash
from wallets.models import Account, Currency
from wallets.models.holders import player_reference
from wallets.money import limits as house_limits
from wallets.money.accounts import account
from wallets.staff.approvals import Order
from wallets.staff.permitted import money
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused
from wallets.values.player import Viewer
from wallets.values.registry import Registry

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
    state = CheckLine("good", _("The account is open, not frozen"))
    if not player.is_active:
        state = CheckLine("bad", _("This account is frozen: no money moves."))
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
        quick=[one for one in QUICK if sign > 0 or one < wallet],
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
        yield CheckLine("good", _("The wallet holds it"), money(wallet, currency))
    if payment.sign > 0:
        yield from _deposit_limits(payment, refused=bool(refusal))
    if needs_second:
        limit = house_limits.value(payment.verb.kind)
        shown = show_amount(limit * 10**currency.exponent, currency, is_exact=True)
        yield CheckLine("second", _("From {amount} on, a colleague approves").format(amount=shown))


def _deposit_limits(payment: Payment, *, refused: bool) -> Iterable[CheckLine]:
    """The limits that the player has set for deposits, with what this one leaves of each."""
    for limit in limits.in_force(payment.player.pk, PlayerLimit.Kind.DEPOSIT):
        if limit.currency_id == payment.currency.code and limit.value is not None:
            after = limit_sums.used(payment.player.pk, limit, payment.now) + payment.amount
            shown = [
                show_amount(one, payment.currency, is_exact=True) for one in (after, limit.value)
            ]
            words = _("Own limit for deposits, {period}").format(period=limit.get_period_display())
            yield CheckLine(
                "bad" if refused and after > limit.value else "good",
                words,
                _("{used} of {value}").format(used=shown[0], value=shown[1]),
            )


def _counted(payment: Payment) -> Mapping[int, int] | None:
    """The pieces of the shift's last count; later payments are not known by pieces."""
    last = payment.shift.counts.filter(currency=payment.currency).order_by("-pk").first()
    return {int(piece): number for piece, number in last.pieces.items()} if last else None


def _in_words(
    currency: Currency, amount: int, there: Mapping[int, int] | None
) -> list[tuple[str, int]]:
    found = (_notes(currency, amount, there) if there else []) or _notes(currency, amount)
    return [(show_amount(piece, currency), number) for piece, number in found]


def _notes(
    currency: Currency, amount: int, there: Mapping[int, int] | None = None
) -> list[tuple[int, int]]:
    """The fewest notes and coins that come to an amount, of those that are there; or none."""
    found, left = [], amount
    for piece in pieces_of(currency):
        number = left // piece if there is None else min(left // piece, there.get(piece, 0))
        if number:
            found.append((piece, number))
            left -= number * piece
    return [] if left else found


def verb_arguments(values: Mapping[str, Any], player: Player, shift: Shift) -> dict[str, Any]:
    """The arguments of a payment, as its form gives them."""
    return {
        "player": player_reference(player.pk),
        "currency": values["currency"],
        "amount": values["amount"],
        "till": shift.till_id,
    }
