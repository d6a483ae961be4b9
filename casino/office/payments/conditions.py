"""What staff must know about payments: differences, other amounts, and payments that are stuck."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from casino.office.alarms.conditions import Condition, Moment, State
from casino.office.payments.models import Difference, Payment
from wallets.staff.permitted import money

# What was paid in otherwise, or does not go out, is looked into within the day.
STUCK_AFTER: Final = timedelta(hours=24)
Status = Payment.Status
OF_MONEY: Final = "wallets.withdraw"


def _differences(_moment: Moment) -> Iterator[State]:
    for row in Difference.objects.filter(closed_at=None):
        figures = {
            "reference": row.provider_reference,
            "here": row.here or "–",
            "there": row.there or "–",
        }
        yield State(row.reference, figures)


def _paid_otherwise(_moment: Moment) -> Iterator[State]:
    for payment in Payment.objects.filter(status=Status.DIFFERS):
        yield State(payment.reference, {"number": payment.pk})


def _inquiries() -> QuerySet[Payment]:
    return Payment.objects.filter(status=Status.INQUIRED)


def disputed() -> QuerySet[Payment]:
    """The chargebacks about which staff have something to decide."""
    owed = Q(status=Status.WON, posting_key__isnull=False)
    return Payment.objects.filter(Q(status=Status.DISPUTED) | owed)


def _of_chargebacks(rows: QuerySet[Payment]) -> Iterator[State]:
    for payment in rows.select_related("currency", "player"):
        amount = money(payment.amount, payment.currency)
        figures = {"number": payment.pk, "amount": amount, "player": payment.player.username}
        yield State(payment.reference, figures)


def _stuck(moment: Moment) -> Iterator[State]:
    rows = Payment.objects.filter(
        status__in=(Status.SENDING, Status.REFUNDING), decided_at__lt=moment.now - STUCK_AFTER
    )
    for payment in rows:
        yield State(payment.reference, {"number": payment.pk, "error": payment.last_error or "–"})


CONDITIONS: Final = (
    Condition(
        "payment_difference",
        _("A provider's list and the ledger differ"),
        _("{reference}: {here} in the ledger, {there} at the provider (minor units)."),
        OF_MONEY,
        _differences,
        every_seconds=60,
        may_stand=lambda _now: Difference.objects.filter(closed_at=None),
    ),
    Condition(
        "payment_paid_otherwise",
        _("A payment is of another amount than was asked for"),
        _("P{number} is in no wallet: book what was paid, or return it."),
        OF_MONEY,
        _paid_otherwise,
        every_seconds=60,
        may_stand=lambda _now: Payment.objects.filter(status=Status.DIFFERS),
    ),
    Condition(
        "payment_disputed",
        _("A payment is disputed"),
        _("P{number}, {amount} of {player}: decide who bears it, or return what was won."),
        OF_MONEY,
        lambda _moment: _of_chargebacks(disputed()),
        every_seconds=60,
        may_stand=lambda _now: disputed(),
    ),
    # Staff answer an inquiry at the provider, so the member who takes the alarm clears it.
    Condition(
        "payment_inquiry",
        _("A payer's bank asks about a payment"),
        _("P{number}, {amount} of {player}: answer at the provider before it is disputed."),
        OF_MONEY,
        lambda _moment: _of_chargebacks(_inquiries()),
        lasting=False,
        every_seconds=60,
        may_stand=lambda _now: _inquiries(),
    ),
    Condition(
        "payment_stuck",
        _("A payment has been on its way for a day"),
        _("P{number}: {error}."),
        OF_MONEY,
        _stuck,
        every_seconds=60,
        may_stand=lambda _now: Payment.objects.filter(
            status__in=(Status.SENDING, Status.REFUNDING)
        ),
    ),
)
