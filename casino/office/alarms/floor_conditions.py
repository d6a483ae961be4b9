"""Conditions of tables and money, which floor staff handle."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django.db.models import DateTimeField, ExpressionWrapper, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from casino.office.alarms.condition_checks import FIRST_BACK, OVERLAP
from casino.office.alarms.conditions import OF_THE_ROOM, Condition, Moment, State
from casino.office.alarms.models import Look
from casino.ops.health import OVERDUE_SECONDS_MAX
from games.models import Hand, HandSeat, Table
from wallets.models import Currency
from wallets.money import limits
from wallets.values.amounts import show_amount

# One look reports no more states than these; the next look reports the rest.
TABLES_MAX: Final = 50
HANDS_MAX: Final = 200
PAID: Final = ("pool_paid",)


def stuck_tables(moment: Moment) -> Iterator[State]:
    """Tables where something was due for longer than players are promised."""
    due = late_tables(moment.now).order_by("due_at")
    for table in due.only("pk", "name", "due_at")[:TABLES_MAX]:
        assert table.due_at is not None
        seconds = int((moment.now - table.due_at).total_seconds())
        yield State(table.reference, {"table": table.title, "seconds": seconds})


def late_tables(now: datetime) -> QuerySet[Table]:
    return Table.objects.filter(due_at__lt=now - timedelta(seconds=OVERDUE_SECONDS_MAX))


def _hands_since_look(kind: str, now: datetime) -> QuerySet[Hand]:
    """The hands that ended since the last check for events, or shortly before it."""
    last = Coalesce(
        Subquery(Look.objects.filter(pk=kind).values("at")[:1]), Value(now - FIRST_BACK)
    )
    since = ExpressionWrapper(last - Value(OVERLAP), output_field=DateTimeField())
    return Hand.objects.filter(ended_at__gt=since)


def large_wins(moment: Moment) -> Iterator[State]:
    """Hands paid since the last check in which a player won at least the limit."""
    threshold = limits.value("large_win")
    paid = HandSeat.objects.filter(
        hand__ended_at__gt=moment.since,
        hand__status=Hand.Status.FINISHED,
        currency__kind=Currency.Kind.MONEY,
        net__gte=max(threshold, 1),
    ).select_related("player", "currency", "hand")
    for row in paid.order_by("-net")[:HANDS_MAX]:
        if row.net >= threshold * 10**row.currency.exponent:
            figures: dict[str, object] = {"player": row.player.username, "hand": row.hand.code}
            yield State(
                f"{row.hand.reference}:{row.number}", figures | _money(row.net, row.currency)
            )


def jackpot_hits(moment: Moment) -> Iterator[State]:
    """Hands since the last look that were paid something out of a pool."""
    ended = Hand.objects.filter(ended_at__gt=moment.since, status=Hand.Status.FINISHED)
    hands = ended.exclude(jackpots={}).select_related("table__currency")
    for hand in hands.order_by("ended_at").iterator():
        lines = (hand.settlement or {}).get("lines", ())
        amount = sum(line["amount"] for line in lines if line["key"] in PAID)
        if amount:
            currency = hand.table.currency
            figures: dict[str, object] = {"hand": hand.code, "table": hand.table.title}
            yield State(hand.reference, figures | _money(amount, currency))


def _money(amount: int, currency: Currency) -> dict[str, object]:
    return {"amount": amount, "exponent": currency.exponent, "currency": currency.code}


def in_money(figures: Mapping[str, Any]) -> dict[str, object]:
    """The figures with the amount as its readers read it."""
    currency = Currency(code=figures["currency"], exponent=figures["exponent"])
    return {**figures, "amount": show_amount(figures["amount"], currency)}


CONDITIONS: Final = (
    Condition(
        "stuck",
        _("A table is stuck"),
        _("{table}: something was due {seconds} s ago, and the clock has not done it."),
        OF_THE_ROOM,
        stuck_tables,
        may_stand=late_tables,
    ),
    Condition(
        "large_win",
        _("Large win"),
        _("{player} has won {amount} {currency} in {hand}."),
        OF_THE_ROOM,
        large_wins,
        lasting=False,
        every_seconds=10,
        may_stand=partial(_hands_since_look, "large_win"),
        shown=in_money,
    ),
    Condition(
        "jackpot",
        _("Jackpot hit"),
        _("{hand} at {table} was paid {amount} {currency} out of a pool."),
        OF_THE_ROOM,
        jackpot_hits,
        lasting=False,
        every_seconds=10,
        may_stand=partial(_hands_since_look, "jackpot"),
        shown=in_money,
    ),
)
