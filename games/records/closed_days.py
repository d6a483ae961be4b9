"""Closing days: what the house took at each table, in each game, from each player.

A gaming day is closed once, after its last hands have ended; closing it again
changes nothing. The results of the hands are compared with what the ledger moved for them.

A reversed hand belongs to two days: it counts on the day on which it ended, and its results are
subtracted on the day of the reversal. So a closed day never changes, and a day's sums are what the
ledger moved on it. If both are the same day, the hand does not count at all.
"""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any, Final, Protocol

from django.db import transaction
from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from games.models import Day, DayResult, Hand, HandSeat
from games.shoes import anchors
from wallets.models import Account, Currency, Entry
from wallets.values.days import ONE_DAY, day_of, start_of
from wallets.values.registry import Registry


class DaySums(Protocol):
    """The sums that a package keeps of each closed day."""

    def write(self, day: date) -> None:
        """Write the sums of a day in place of those that are there."""

    def differences(self, day: date) -> Iterator[str]:
        """Differences between stored sums and hands, as sentences; nothing if none are stored."""
        ...

    def strangers(self) -> list[date]:
        """The days of sums that belong to no day that is closed."""
        ...

    def lacking(self) -> list[date]:
        """The closed days without sums: those from before the package was there."""
        ...


KEPT: Final = Registry[DaySums]("sums of days")


def write(day: date) -> None:
    for kept in KEPT.values():
        kept.write(day)


def differences(day: date) -> Iterator[str]:
    for kept in KEPT.values():
        yield from kept.differences(day)


def strangers() -> Iterator[date]:
    for kept in KEPT.values():
        yield from kept.strangers()


def complete(at_most: int) -> None:
    """Write the sums of some days that lack them, the newest first."""
    for kept in KEPT.values():
        for day in kept.lacking()[:at_most]:
            kept.write(day)


# A hand that ended in a day's last moment may be stored a little later.
LAG = timedelta(minutes=10)
# How many older days get the sums that packages keep of them, each time that days are closed.
COMPLETED: Final = 30

# Lists count only hands that were not reversed, however late the reversal was.
FINISHED: Final = Q(hand__status=Hand.Status.FINISHED)
WON: Final = FINISHED & Q(net__gt=0)
LOST: Final = FINISHED & Q(net__lt=0)
LISTED: Final[dict[str, Count | Coalesce]] = {
    "voids": Count("pk", filter=Q(hand__status=Hand.Status.VOID)),
    "hands_won": Count("pk", filter=WON),
    "hands_lost": Count("pk", filter=LOST),
    "hands_even": Count("pk", filter=FINISHED & Q(net=0)),
    "gains": Coalesce(Sum("net", filter=WON), 0),
    "losses": Coalesce(Sum("net", filter=LOST), 0),
}


def close_days(now: datetime) -> list[Day]:
    """Close every day that is over and has not been closed, the oldest first."""
    closed = Day.objects.order_by("-day").values_list("day", flat=True).first()
    first = Hand.objects.order_by("ended_at").exclude(ended_at=None).first()
    if first is None or first.ended_at is None:
        return []
    day = closed + ONE_DAY if closed else day_of(first.ended_at)
    days = []
    while day < day_of(now - LAG):
        days.append(close_day(day, now))
        day += ONE_DAY
    complete(COMPLETED)
    if days:
        anchors.anchor(now, days[-1].day)
    return days


def close_day(day: date, now: datetime) -> Day:
    """Close one day; a day that is closed stays as it is."""
    with transaction.atomic():
        hold_books(Currency.objects.all())
        closed = Day.objects.filter(day=day).first()
        if closed is not None:
            return closed
        made = Day.objects.create(day=day, closed_at=now, **_counted(day))
        DayResult.objects.bulk_create(_results(day, made))
        write(day)
        return made


def hold_books(currencies: QuerySet[Currency]) -> None:
    """Lock currencies: until the transaction ends, no other one closes days or reverses hands.

    Without the lock, a day could be closed while one of its hands is reversed, and neither
    transaction would see the other. Take it before the lock of any table: closing a day waits for
    the tables that it counts.
    """
    held = currencies.select_for_update(no_key=True).order_by("code")
    list(held.values_list("code"))


def _ended_on(day: date) -> QuerySet[Hand]:
    start = start_of(day)
    return Hand.objects.filter(ended_at__gte=start, ended_at__lt=start_of(day + ONE_DAY))


def stood_on(day: date) -> QuerySet[Hand]:
    """The hands that ended on a day and still stood when it was over."""
    stood = Q(status=Hand.Status.FINISHED) | Q(reversed_at__gte=start_of(day + ONE_DAY))
    return _ended_on(day).filter(stood)


def taken_back_on(day: date) -> QuerySet[Hand]:
    """The hands of earlier days that were reversed on this day."""
    start = start_of(day)
    return Hand.objects.filter(
        reversed_at__gte=start, reversed_at__lt=start_of(day + ONE_DAY), ended_at__lt=start
    )


def hands_on(day: date) -> list[int]:
    """The numbers of all hands that ended or were reversed on a day."""
    hands = _ended_on(day) | taken_back_on(day)
    return list(hands.order_by("pk").values_list("pk", flat=True))


def taken_back_later(player_id: int) -> list[HandSeat]:
    """A player's hands that were reversed on a later day than the one on which they ended."""
    taken = Hand.objects.filter(reversed_at__isnull=False)
    rows = HandSeat.objects.filter(player=player_id, hand__in=taken).select_related("hand")
    return [row for row in rows if ended_on(row) < given_back_on(row)]


def ended_on(row: HandSeat) -> date:
    assert row.ended_at is not None
    return day_of(row.ended_at)


def given_back_on(row: HandSeat) -> date:
    assert row.hand.reversed_at is not None
    return day_of(row.hand.reversed_at)


def _sums(hands: QuerySet[Hand], back: QuerySet[Hand]) -> dict[str, dict[str, int]]:
    """Return what the house took, by currency: amounts of two currencies are never added.

    Chips of tournaments are no money, so they have no sum.
    """
    sums: dict[str, dict[str, int]] = {}
    for batch, sign in ((hands, 1), (back, -1)):
        money = batch.exclude(table__currency__kind=Currency.Kind.CHIPS)
        rows = money.values("table__currency_id").annotate(rakes=Sum("rake"), banks=Sum("bank"))
        for row in rows.order_by("table__currency_id"):
            of_currency = sums.setdefault(row["table__currency_id"], {"rake": 0, "bank": 0})
            of_currency["rake"] += sign * row["rakes"]
            of_currency["bank"] += sign * row["banks"]
    return dict(sorted(sums.items()))


def _results(on: date, day: Day) -> Iterator[DayResult]:
    """By table and player: the results of the day, and the counts for lists.

    A hand that was reversed on a later day was still played: it counts on the day on which it
    ended, and only its results are subtracted on the later day. Lists never count it.
    """
    results: dict[tuple[int, int], DayResult] = {}
    for hands, sign in ((stood_on(on), 1), (taken_back_on(on), -1)):
        for row in _by_player(hands).annotate(hands=Count("pk"), won=Sum("net"), taken=Sum("rake")):
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
    """After a reversal, count the hands of its day again for lists, if the day is closed.

    The caller holds the lock of `hold_books`.
    """
    assert hand.ended_at is not None
    day = Day.objects.filter(day=day_of(hand.ended_at)).first()
    if day is None:
        return
    of_table = _ended_on(day.day).filter(table=hand.table_id)
    for row in _by_player(of_table).annotate(**LISTED):
        counts = {name: row[name] for name in LISTED}
        day.results.filter(table=hand.table_id, player=row["player_id"]).update(**counts)


def wrong_day(day: Day) -> Iterator[str]:
    """Differences between a closed day's results and its hands, as sentences."""
    stored = {(row.table_id, row.player_id): _values(row) for row in day.results.all()}
    due = {(row.table_id, row.player_id): _values(row) for row in _results(day.day, day)}
    for table, player in sorted(stored.keys() | due.keys()):
        if stored.get((table, player)) != due.get((table, player)):
            yield f"table {table}, player {player}: not what the hands give"
    counted = _counted(day.day)
    for name in ("hands", "reversed", "sums"):
        if getattr(day, name) != counted[name]:
            yield f"its {name} are not what the hands give"
    yield from counted["differences"]
    if day.differences != counted["differences"]:
        yield "what did not add up when it was closed is not what does not now"
    yield from differences(day.day)


def missing_days() -> Iterator[date]:
    """Days before the last closed day that are not closed."""
    there = set(Day.objects.values_list("day", flat=True))
    first = Hand.objects.exclude(ended_at=None).order_by("ended_at").first()
    if not there or first is None or first.ended_at is None:
        return
    day = min(*there, day_of(first.ended_at))
    while day < max(there):
        if day not in there:
            yield day
        day += ONE_DAY


def _counted(day: date) -> dict[str, Any]:
    """The columns of a day's own row."""
    hands, back = stood_on(day), taken_back_on(day)
    return {
        "hands": hands.count(),
        "reversed": back.count(),
        "sums": _sums(hands, back),
        "differences": list(_differences(hands, back)),
    }


def mend_day(day: Day) -> None:
    """Replace the results of a closed day by those of its hands; audit the hands before."""
    with transaction.atomic():
        hold_books(Currency.objects.all())
        Day.objects.filter(pk=day.pk).update(**_counted(day.day))
        day.results.all().delete()
        DayResult.objects.bulk_create(_results(day.day, day))
        write(day.day)


def _values(row: DayResult) -> tuple[object, ...]:
    return tuple(getattr(row, field.attname) for field in row._meta.concrete_fields[1:])


def _differences(hands: QuerySet[Hand], back: QuerySet[Hand]) -> Iterator[str]:
    """Differences between hands and ledger in the house's take at a table, as sentences."""
    by_table: dict[int, tuple[int, int]] = {}
    seats = 0
    for batch, sign in ((hands, 1), (back, -1)):
        for row in batch.values("table_id").annotate(rake=Sum("rake"), bank=Sum("bank")):
            rake, bank = by_table.get(row["table_id"], (0, 0))
            by_table[row["table_id"]] = (rake + sign * row["rake"], bank + sign * row["bank"])
        taken = HandSeat.objects.filter(hand__in=batch).aggregate(rake=Sum("rake"))["rake"]
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
    for table_id, (rake, bank) in sorted(by_table.items()):
        for kind, due in ((Account.Kind.RAKE, rake), (Account.Kind.HOUSE, bank)):
            amount = moved.get((f"table:{table_id}", kind), 0)
            if amount != due:
                yield f"table {table_id}: the hands give {due} to {kind}, the ledger {amount}"
    if seats != sum(rake for rake, _ in by_table.values()):
        yield f"the seats paid {seats} of rake, and the hands took something else"
