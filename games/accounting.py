"""Closing days: what the house took at each table, in each game, from each player.

A day (UTC) is closed once, when it is over and its last hands have ended; asked again, the same is
answered. What the hands say is held against what the ledger moved for them.

A hand that is taken back belongs to two days: it counts on the day on which it ended, and what it
brought is taken off the day on which it was taken back. So a closed day stays as it is, and a day's
sums are what the ledger moved on it. Where both are one day, the hand has no part in it.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from games.models import Day, DayResult, Hand, HandSeat
from wallets.models import Account, Currency, Entry

ONE_DAY = timedelta(days=1)
# A hand that ended in a day's last moment may be stored a little later.
LAG = timedelta(minutes=10)

# What lists find: only hands that stand, however late another was taken back.
STANDS: Final = Q(hand__status=Hand.Status.FINISHED)
WON: Final = STANDS & Q(net__gt=0)
LOST: Final = STANDS & Q(net__lt=0)
LISTED: Final[dict[str, Any]] = {
    "voids": Count("pk", filter=Q(hand__status=Hand.Status.VOID)),
    "hands_won": Count("pk", filter=WON),
    "hands_lost": Count("pk", filter=LOST),
    "hands_even": Count("pk", filter=STANDS & Q(net=0)),
    "gains": Coalesce(Sum("net", filter=WON), 0),
    "losses": Coalesce(Sum("net", filter=LOST), 0),
}


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
        hold_books(Currency.objects.all())
        closed = Day.objects.filter(day=day).first()
        if closed is not None:
            return closed
        hands, back = _hands_of(day), _taken_back_on(day)
        made = Day.objects.create(
            day=day,
            closed_at=now,
            hands=hands.count(),
            reversed=back.count(),
            sums=_sums(hands, back),
            differences=list(_differences(hands, back)),
        )
        DayResult.objects.bulk_create(_results(day, made))
        return made


def hold_books(currencies: QuerySet[Currency]) -> None:
    """Until this transaction ends nobody closes a day of these, or takes a paid hand back.

    Of a day closed and a hand of it taken back at the same time neither would see the other: the
    day would count the hand as it was. It comes before the lock of any table, as a day that is
    written waits for the tables it tells of.
    """
    held = currencies.select_for_update(no_key=True).order_by("code")
    list(held.values_list("code"))


def _ended_on(day: date) -> QuerySet[Hand]:
    start = datetime.combine(day, time(), UTC)
    return Hand.objects.filter(ended_at__gte=start, ended_at__lt=start + ONE_DAY)


def _hands_of(day: date) -> QuerySet[Hand]:
    """The hands that ended on a day and still stood when it was over."""
    start = datetime.combine(day, time(), UTC)
    stood = Q(status=Hand.Status.FINISHED) | Q(reversed_at__gte=start + ONE_DAY)
    return _ended_on(day).filter(stood)


def _taken_back_on(day: date) -> QuerySet[Hand]:
    """The hands of earlier days that were taken back on this one."""
    start = datetime.combine(day, time(), UTC)
    return Hand.objects.filter(
        reversed_at__gte=start, reversed_at__lt=start + ONE_DAY, ended_at__lt=start
    )


def taken_back_later(player_id: int) -> list[HandSeat]:
    """A player's hands that were taken back on a later day than they had ended on."""
    taken = Hand.objects.filter(reversed_at__isnull=False)
    rows = HandSeat.objects.filter(player=player_id, hand__in=taken).select_related("hand")
    return [row for row in rows if ended_on(row) < given_back_on(row)]


def ended_on(row: HandSeat) -> date:
    assert row.ended_at is not None
    return row.ended_at.astimezone(UTC).date()


def given_back_on(row: HandSeat) -> date:
    assert row.hand.reversed_at is not None
    return row.hand.reversed_at.astimezone(UTC).date()


def _sums(hands: QuerySet[Hand], back: QuerySet[Hand]) -> dict[str, dict[str, int]]:
    """What the house took in each currency: amounts of two are never added."""
    sums: dict[str, dict[str, int]] = {}
    for found, sign in ((hands, 1), (back, -1)):
        rows = found.values("table__currency_id").annotate(rakes=Sum("rake"), banks=Sum("bank"))
        for row in rows.order_by("table__currency_id"):
            told = sums.setdefault(row["table__currency_id"], {"rake": 0, "bank": 0})
            told["rake"] += sign * row["rakes"]
            told["bank"] += sign * row["banks"]
    return dict(sorted(sums.items()))


def _results(on: date, day: Day) -> Iterator[DayResult]:
    """By table and player: what the day brought, and what lists find of it.

    A hand taken back on a later day was played all the same: it stays in the books of its own day,
    and only what it brought is taken off those of the other. Lists never count it.
    """
    results: dict[tuple[int, int], DayResult] = {}
    for found, sign in ((_hands_of(on), 1), (_taken_back_on(on), -1)):
        for row in _by_player(found).annotate(hands=Count("pk"), won=Sum("net"), taken=Sum("rake")):
            result = _result_of(results, day, row)
            result.hands += row["hands"] if sign > 0 else 0
            result.net += sign * row["won"]
            result.rake += sign * row["taken"]
    for row in _by_player(_ended_on(on)).annotate(**LISTED):
        result = _result_of(results, day, row)
        for name in LISTED:
            setattr(result, name, row[name])
    yield from results.values()


def _by_player(hands: QuerySet[Hand]) -> QuerySet[HandSeat, Any]:
    seats = HandSeat.objects.filter(hand__in=hands).order_by("hand__table_id", "player_id")
    return seats.values("hand__table_id", "hand__game", "hand__table__currency_id", "player_id")


def _result_of(
    results: dict[tuple[int, int], DayResult], day: Day, row: dict[str, Any]
) -> DayResult:
    new = DayResult(
        day=day,
        on=day.day,
        table_id=row["hand__table_id"],
        game=row["hand__game"],
        currency_id=row["hand__table__currency_id"],
        player_id=row["player_id"],
        hands=0,
        net=0,
        rake=0,
        **dict.fromkeys(LISTED, 0),
    )
    return results.setdefault((new.table_id, new.player_id), new)


def recount(hand: Hand) -> None:
    """After a hand was taken back: what lists find of its day, if it is closed, is counted anew.

    The caller holds the books.
    """
    assert hand.ended_at is not None
    day = Day.objects.filter(day=hand.ended_at.astimezone(UTC).date()).first()
    if day is None:
        return
    of_table = _ended_on(day.day).filter(table=hand.table_id)
    for row in _by_player(of_table).annotate(**LISTED):
        told = {name: row[name] for name in LISTED}
        day.results.filter(table=hand.table_id, player=row["player_id"]).update(**told)


def wrong_days() -> Iterator[tuple[Day, str]]:
    """Closed days whose results are not what their hands give, with a sentence for each row."""
    for day in Day.objects.order_by("day"):
        stored = {(row.table_id, row.player_id): _told(row) for row in day.results.all()}
        due = {(row.table_id, row.player_id): _told(row) for row in _results(day.day, day)}
        for table, player in sorted(stored.keys() | due.keys()):
            if stored.get((table, player)) != due.get((table, player)):
                yield day, f"table {table}, player {player}: not what the hands give"


def mend_day(day: Day) -> None:
    """Make the results of a closed day anew from its hands."""
    with transaction.atomic():
        hold_books(Currency.objects.all())
        day.results.all().delete()
        DayResult.objects.bulk_create(_results(day.day, day))


def _told(row: DayResult) -> tuple[Any, ...]:
    return tuple(getattr(row, field.attname) for field in row._meta.concrete_fields[1:])


def _differences(hands: QuerySet[Hand], back: QuerySet[Hand]) -> Iterator[str]:
    """Where the hands of a table say that the house took something else than the ledger does."""
    told: dict[int, tuple[int, int]] = {}
    seats = 0
    for found, sign in ((hands, 1), (back, -1)):
        for row in found.values("table_id").annotate(rake=Sum("rake"), bank=Sum("bank")):
            rake, bank = told.get(row["table_id"], (0, 0))
            told[row["table_id"]] = (rake + sign * row["rake"], bank + sign * row["bank"])
        taken = HandSeat.objects.filter(hand__in=found).aggregate(rake=Sum("rake"))["rake"]
        seats += sign * (taken or 0)
    posted = Q(transaction__key__in=hands.values("posting"))
    given_back = Q(transaction__key__in=back.values("reversal"))
    moved = {
        (row["account__owner"], row["account__kind"]): row["moved"]
        for row in Entry.objects.filter(
            posted | given_back,
            account__kind__in=(Account.Kind.RAKE, Account.Kind.HOUSE),
        )
        .values("account__owner", "account__kind")
        .annotate(moved=Sum("amount"))
    }
    for table_id, (rake, bank) in sorted(told.items()):
        for kind, due in ((Account.Kind.RAKE, rake), (Account.Kind.HOUSE, bank)):
            amount = moved.get((f"table:{table_id}", kind), 0)
            if amount != due:
                yield f"table {table_id}: the hands give {due} to {kind}, the ledger {amount}"
    if seats != sum(rake for rake, _ in told.values()):
        yield f"the seats paid {seats} of rake, and the hands took something else"
