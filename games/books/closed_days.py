"""Closed days as an index of a long history: which days hold what is asked for, and its sums.

The results of a day say how many of its hands a player won, lost and had taken back at each table.
So a list of hands looks only at days on which there is something to find, and what is asked for in
vain is known to be missing without a look at the hands. Of a hand's size no day knows.
"""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import F, Q, QuerySet, Sum

from games.books.asked import Search, start_of
from games.models import Day, DayResult

ONE_DAY: Final = timedelta(days=1)
# Days between which more time lies than this are looked at separately.
GAP: Final = timedelta(days=30)

# How many hands of a result there are, and what they brought: hands taken back brought nothing.
HANDS: Final[dict[str, Any]] = {
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
# What a list shows; where any result will do, hands taken back are among them.
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
    """The first day that is not closed; none where no day was ever closed."""
    closed = Day.objects.order_by("-day").values_list("day", flat=True).first()
    return closed + ONE_DAY if closed else None


def results_of(player_id: int, search: Search) -> QuerySet[DayResult]:
    """The results of closed days in which there is something that is asked for."""
    rows = DayResult.objects.filter(search.about(), player=player_id)
    if search.first_day:
        rows = rows.filter(on__gte=search.first_day)
    if search.last_day:
        rows = rows.filter(on__lte=search.last_day)
    return rows.alias(shown=SHOWN[search.result]).filter(shown__gt=0)


def sums(player_id: int, search: Search) -> QuerySet[DayResult, Any]:
    """By currency the `count` of hands and what was `won`."""
    rows = results_of(player_id, search).order_by().values("currency_id")
    told = rows.annotate(count=Sum(HANDS[search.result]), won=Sum(NET[search.result]))
    return told.filter(count__gt=0)


def spans(
    player_id: int, search: Search, edge: date | None, need: int, *, newer: bool
) -> Iterator[Span]:
    """Where to look for so many hands from an edge on, in the order in which to look.

    What the day of the edge holds is not counted: it may lie behind the edge.
    """
    rows = results_of(player_id, search)
    if edge:
        rows = rows.filter(**{"on__gte" if newer else "on__lte": edge})
    count = Sum(SHOWN[search.result])
    told = rows.values_list("on").annotate(found=count).order_by("on" if newer else "-on")
    return _joined(_enough(told[: need + 1], edge, need))


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
