"""Closing days: what the house took at each table, in each game, from each player.

A day (UTC) is closed once, when it is over and its last hands have ended; asked again, the same is
answered. What the hands say is held against what the ledger moved for them.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from games.models import Day, DayResult, Hand, HandSeat
from wallets.models import Account, Entry

ONE_DAY = timedelta(days=1)
# A hand that ended in a day's last moment may be stored a little later.
LAG = timedelta(minutes=10)
FINISHED = Q(hand__status=Hand.Status.FINISHED)


def close_days(now: datetime) -> list[Day]:
    """Close every day that is over and has not been closed, the oldest first."""
    closed = Day.objects.order_by("-day").values_list("day", flat=True).first()
    first = Hand.objects.order_by("ended_at").exclude(ended_at=None).first()
    if first is None or first.ended_at is None:
        return []
    day = closed + ONE_DAY if closed else first.ended_at.astimezone(UTC).date()
    days = []
    while day < (now - LAG).astimezone(UTC).date():
        days.append(close_day(day, now))
        day += ONE_DAY
    return days


def close_day(day: date, now: datetime) -> Day:
    """Close one day; a day that is closed stays as it is."""
    with transaction.atomic():
        closed = Day.objects.filter(day=day).first()
        if closed is not None:
            return closed
        hands = _hands_of(day)
        made, new = Day.objects.get_or_create(
            day=day,
            defaults={
                "closed_at": now,
                "hands": hands.count(),
                "sums": _sums(hands),
                "differences": list(_differences(hands)),
            },
        )
        if new:
            DayResult.objects.bulk_create(_results(made))
        return made


def _ended_on(day: date) -> QuerySet[Hand]:
    start = datetime.combine(day, time(), UTC)
    return Hand.objects.filter(ended_at__gte=start, ended_at__lt=start + ONE_DAY)


def _hands_of(day: date) -> QuerySet[Hand]:
    return _ended_on(day).filter(status=Hand.Status.FINISHED)


def _sums(hands: QuerySet[Hand]) -> dict[str, dict[str, int]]:
    """What the house took in each currency: amounts of two are never added."""
    rows = hands.values("table__currency_id").annotate(rakes=Sum("rake"), banks=Sum("bank"))
    return {
        row["table__currency_id"]: {"rake": row["rakes"], "bank": row["banks"]}
        for row in rows.order_by("table__currency_id")
    }


def _results(day: Day) -> Iterator[DayResult]:
    rows = (
        HandSeat.objects.filter(hand__in=_ended_on(day.day))
        .values("hand__table_id", "hand__game", "hand__table__currency_id", "player_id")
        .annotate(
            hands=Count("pk", filter=FINISHED),
            won=Coalesce(Sum("net", filter=FINISHED), 0),
            taken=Coalesce(Sum("rake", filter=FINISHED), 0),
            voids=Count("pk", filter=Q(hand__status=Hand.Status.VOID)),
            hands_won=Count("pk", filter=Q(net__gt=0)),
            hands_lost=Count("pk", filter=Q(net__lt=0)),
            gains=Coalesce(Sum("net", filter=Q(net__gt=0)), 0),
        )
        .order_by("hand__table_id", "player_id")
    )
    for row in rows:
        yield DayResult(
            day=day,
            on=day.day,
            table_id=row["hand__table_id"],
            game=row["hand__game"],
            currency_id=row["hand__table__currency_id"],
            player_id=row["player_id"],
            hands=row["hands"],
            net=row["won"],
            rake=row["taken"],
            voids=row["voids"],
            hands_won=row["hands_won"],
            hands_lost=row["hands_lost"],
            gains=row["gains"],
        )


def wrong_days() -> Iterator[tuple[Day, str]]:
    """Closed days whose results are not what their hands give, with a sentence for each row."""
    for day in Day.objects.order_by("day"):
        stored = {(row.table_id, row.player_id): _told(row) for row in day.results.all()}
        due = {(row.table_id, row.player_id): _told(row) for row in _results(day)}
        for key in sorted(stored.keys() | due.keys()):
            if stored.get(key) != due.get(key):
                yield (
                    day,
                    f"table {key[0]}, player {key[1]}: the results are not those of the hands",
                )


def mend_day(day: Day) -> None:
    """Make the results of a closed day anew from its hands."""
    with transaction.atomic():
        day.results.all().delete()
        DayResult.objects.bulk_create(_results(day))


def _told(row: DayResult) -> tuple[Any, ...]:
    return tuple(getattr(row, field.attname) for field in row._meta.concrete_fields[1:])


def _differences(hands: QuerySet[Hand]) -> Iterator[str]:
    """Where the hands of a table say that the house took something else than the ledger does."""
    told = {
        row["table_id"]: (row["rake"] or 0, row["bank"] or 0)
        for row in hands.values("table_id").annotate(rake=Sum("rake"), bank=Sum("bank"))
    }
    moved = {
        (row["account__owner"], row["account__kind"]): row["moved"]
        for row in Entry.objects.filter(
            transaction__key__in=hands.values("posting"),
            account__kind__in=(Account.Kind.RAKE, Account.Kind.HOUSE),
        )
        .values("account__owner", "account__kind")
        .annotate(moved=Sum("amount"))
    }
    for table_id, (rake, bank) in sorted(told.items()):
        for kind, due in ((Account.Kind.RAKE, rake), (Account.Kind.HOUSE, bank)):
            posted = moved.get((f"table:{table_id}", kind), 0)
            if posted != due:
                yield f"table {table_id}: the hands give {due} to {kind}, the ledger {posted}"
    seats = HandSeat.objects.filter(hand__in=hands).aggregate(rake=Sum("rake"))["rake"] or 0
    if seats != sum(rake for rake, _ in told.values()):
        yield f"the seats paid {seats} of rake, and the hands took something else"
