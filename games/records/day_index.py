"""Closed days as an index of a long history: which days have hands for a search, and their sums.

The results of a day count the hands that a player won, lost and had voided at each table. So a list
reads only the days that have hands to show, and a search without a result reads no hands at all.
Days do not know the sizes of hands.
"""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import F, Q, QuerySet, Sum
from django.db.models.expressions import Combinable

from games.models import Day, DayResult
from games.records.search_filters import Search
from wallets.values.days import ONE_DAY, start_of

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
    found = 0
    for day, count in days:
        yield day
        found += count if day != edge else 0
        if found >= need:
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
