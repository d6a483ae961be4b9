"""Closed days as an index of a long history, and a player's winnings over time and by game.

The results of a day count the hands that a player won, lost and had voided at each table. So a list
reads only the days that have hands to show, and a search without a result reads no hands at all.
Days do not know the sizes of hands.

The sums of closed days are stored in `DayResult`. Only later hands are added up one by one, so the
time does not grow with a player's history.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum, Value
from django.db.models.expressions import Combinable

from games.models import Day, DayResult, Hand, HandSeat
from games.records.closed_days import ended_on, given_back_on, taken_back_later
from games.records.search_filters import Search
from wallets.models import Currency
from wallets.values.days import ONE_DAY, day_column, day_of, start_of

# Days that are further apart than this are searched separately.
GAP: Final = timedelta(days=30)

# How many hands of a result there are, and their net results; void hands have none.
HANDS: Final[dict[str, Combinable]] = {
    "": F("hands_won") + F("hands_lost") + F("hands_even"),
    "won": F("hands_won"),
    "lost": F("hands_lost"),
    "even": F("hands_even"),
}
NET: Final = {
    "": F("gains") + F("losses"),
    "won": F("gains"),
    "lost": F("losses"),
    "even": F("gains") * 0,
}
# Without a filter by result a list includes void hands.
SHOWN: Final = HANDS | {"": F("voids") + HANDS[""], "void": F("voids")}


class Span(NamedTuple):
    """From the beginning of one day to the end of another."""

    first: date
    last: date

    @property
    def ended(self) -> Q:
        """The hands that ended in this time."""
        return Q(ended_at__gte=start_of(self.first), ended_at__lt=start_of(self.last + ONE_DAY))


def open_since() -> date | None:
    """The first day that is not closed; None if no day was ever closed."""
    closed = Day.objects.order_by("-day").values_list("day", flat=True).first()
    return closed + ONE_DAY if closed else None


def results_of(player_id: int, search: Search) -> QuerySet[DayResult]:
    """The results of closed days that have hands for this search."""
    rows = DayResult.objects.filter(search.about(), player=player_id)
    if search.first_day:
        rows = rows.filter(on__gte=search.first_day)
    if search.last_day:
        rows = rows.filter(on__lte=search.last_day)
    return rows.alias(shown=SHOWN[search.result]).filter(shown__gt=0)


def sums(player_id: int, search: Search) -> QuerySet[DayResult, Any]:
    """By currency the `count` of hands and what was `won`."""
    rows = results_of(player_id, search).order_by().values("currency_id")
    totals = rows.annotate(count=Sum(HANDS[search.result]), won=Sum(NET[search.result]))
    return totals.filter(count__gt=0)


def spans(
    player_id: int, search: Search, edge: date | None, need: int, *, newer: bool
) -> Iterator[Span]:
    """The spans in which to search for the next `need` hands from an edge on, in this order.

    The hands of the edge's own day are not counted, as they may lie on the other side of it.
    """
    rows = results_of(player_id, search)
    if edge:
        rows = rows.filter(**{"on__gte" if newer else "on__lte": edge})
    count = Sum(SHOWN[search.result])
    days = rows.values_list("on").annotate(found=count).order_by("on" if newer else "-on")
    return _joined(_enough(days[: need + 1], edge, need))


def _enough(days: Iterable[tuple[date, int]], edge: date | None, need: int) -> Iterator[date]:
    total = 0
    for day, count in days:
        yield day
        total += count if day != edge else 0
        if total >= need:
            return


def _joined(days: Iterable[date]) -> Iterator[Span]:
    span: list[date] = []
    for day in days:
        if span and abs(day - span[-1]) > GAP:
            yield Span(min(span), max(span))
            span = []
        span.append(day)
    if span:
        yield Span(min(span), max(span))


# The spans on offer, in days; None means all time.
SPANS: Final[dict[str, int | None]] = {"30": 30, "365": 365, "all": None}
MONTHS_FROM_DAYS: Final = 92
SUMMED: Final = {"count": Sum("hands"), "won": Sum("net"), "taken": Sum("rake")}


class Sums(NamedTuple):
    hands: int
    net: int
    rake: int

    def plus(self, other: "Sums") -> "Sums":
        return Sums(self.hands + other.hands, self.net + other.net, self.rake + other.rake)


NOTHING: Final = Sums(0, 0, 0)


class Profit(NamedTuple):
    """A player's results; `days` has every day of the span in order, even without hands."""

    currency: Currency
    days: list[tuple[date, Sums]]
    games: list[tuple[str, Sums]]
    whole: Sums

    @property
    def running(self) -> list[tuple[date, int]]:
        """The total at the end of each day."""
        total, totals = 0, []
        for day, sums in self.days:
            total += sums.net
            totals.append((day, total))
        return totals

    @property
    def periods(self) -> list[tuple[str, Sums]]:
        """The rows of the table: days with hands, or months if the span is long."""
        if len(self.days) <= MONTHS_FROM_DAYS:
            return [(day.isoformat(), sums) for day, sums in self.days if sums != NOTHING]
        months: dict[str, Sums] = {}
        for day, sums in self.days:
            month = f"{day:%Y-%m}"
            months[month] = months.get(month, NOTHING).plus(sums)
        return [(month, sums) for month, sums in months.items() if sums != NOTHING]


def currencies_of(player_id: int) -> list[Currency]:
    """The currencies for which a player has played, by code; chips of tournaments are no money."""
    closed = DayResult.objects.filter(player=player_id, currency=OuterRef("pk"), hands__gt=0)
    unclosed = _open_hands(player_id).filter(currency=OuterRef("pk"))
    money = Currency.objects.exclude(kind=Currency.Kind.CHIPS)
    return list(money.filter(Exists(closed) | Exists(unclosed)))


def profit(player_id: int, currency: Currency, span: int | None, now: datetime) -> Profit:
    """A player's results in one currency over the last `span` days."""
    today = day_of(now)
    first = today - timedelta(days=span - 1) if span else None
    by_day: dict[date, Sums] = defaultdict(lambda: NOTHING)
    by_game: dict[str, Sums] = defaultdict(lambda: NOTHING)
    # Two queries, by day and by game: one query would return a row for each pair.
    for rows in (_closed(player_id, currency, first), _unclosed(player_id, currency, first, today)):
        for name, sums in (("on", by_day), ("game", by_game)):
            for row in rows.values(name).annotate(**SUMMED):
                added = Sums(row["count"], row["won"], row["taken"])
                sums[row[name]] = sums[row[name]].plus(added)
    for on, game, added in _corrections(player_id, currency, first):
        by_day[on] = by_day[on].plus(added)
        by_game[game] = by_game[game].plus(added)
    first = first or min(by_day, default=today)
    days = [first + timedelta(days=number) for number in range((today - first).days + 1)]
    played = [row for row in by_game.items() if row[1] != NOTHING]
    games = sorted(played, key=lambda row: (-row[1].net, row[0]))
    whole = NOTHING
    for sums_of_game in by_game.values():
        whole = whole.plus(sums_of_game)
    return Profit(currency, [(day, by_day[day]) for day in days], games, whole)


def _closed(player_id: int, currency: Currency, first: date | None) -> QuerySet[DayResult]:
    rows = DayResult.objects.filter(player=player_id, currency=currency).order_by()
    return rows.filter(on__gte=first) if first else rows


def _unclosed(
    player_id: int, currency: Currency, first: date | None, today: date
) -> QuerySet[HandSeat]:
    rows = _open_hands(player_id).filter(currency=currency)
    if first:
        rows = rows.filter(ended_at__gte=start_of(first))
    oldest = rows.order_by("ended_at").values_list("ended_at", flat=True).first()
    since = day_of(oldest) if oldest else today
    return rows.order_by().annotate(on=day_column("ended_at", since, today), hands=Value(1))


class Correction(NamedTuple):
    """The amounts that a reversed hand adds to the sums of a day, or subtracts from them."""

    on: date
    game: str
    sums: Sums


def _corrections(player_id: int, currency: Currency, first: date | None) -> Iterator[Correction]:
    """Corrections for hands that were reversed on a later day than the one on which they ended."""
    since = open_since()
    for row in taken_back_later(player_id):
        if row.currency_id != currency.pk:
            continue
        for on, sign in ((ended_on(row), 1), (given_back_on(row), -1)):
            if (since is None or on >= since) and (first is None or on >= first):
                sums = Sums(max(sign, 0), sign * row.net, sign * row.rake)
                yield Correction(on, row.game, sums)


def _open_hands(player_id: int) -> QuerySet[HandSeat]:
    """The finished hands of days that are not closed yet."""
    hands = HandSeat.objects.filter(
        player=player_id, ended_at__isnull=False, status=Hand.Status.FINISHED
    )
    since = open_since()
    return hands.filter(ended_at__gte=start_of(since)) if since else hands
