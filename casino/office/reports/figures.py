"""The figures of a range of days: closed days from their stored sums, all others from their hands.

A day without stored sums is read from its hands, so a report is right whether or not a day has been
closed, and only slower.
"""

from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Any

from casino.office.reports.counting import DayCount, count_day
from casino.office.reports.models import GameSettings, PlayerDay, PoolDay, SummedDay, TableDay
from casino.office.reports.spans import Span, bounds
from casino.office.reports.sums import (
    WHOLE,
    Place,
    PlayerFigure,
    PlayerSums,
    PoolFigure,
    PoolSums,
    TableFigure,
    TableSums,
)
from games.models import Hand
from wallets.values.days import ONE_DAY, day_of

_PLACE = ("on", "table_id", "profile", "game", "currency_id")


Counted = dict[tuple[date, datetime | None], DayCount]


class Figures:
    """All figures of a range, or of its beginning `until` an instant of its last day.

    With `stored_only` days that have no sums yet are left out. `over` gives the figures of another
    range: a day that is read from its hands is counted once for all of them.
    """

    def __init__(
        self,
        span: Span,
        *,
        stored_only: bool = False,
        until: datetime | None = None,
        counted: Counted | None = None,
    ) -> None:
        self.span, self.until = span, until
        self._stored_only = stored_only
        self._counted: Counted = {} if counted is None else counted

    def over(self, span: Span) -> "Figures":
        """Return the figures of other whole days."""
        return Figures(span, stored_only=self._stored_only, counted=self._counted)

    @property
    def bounds(self) -> tuple[datetime, datetime]:
        """From when to when it lasts, the end not included."""
        since, until = bounds(self.span)
        return since, until if self.until is None else self.until

    @cached_property
    def stored_days(self) -> frozenset[date]:
        found = SummedDay.objects.filter(day__range=self.span)
        if self.until is not None:
            found = found.filter(day__lt=self.span.last)
        return frozenset(found.values_list("day", flat=True))

    @cached_property
    def counted_days(self) -> list[DayCount]:
        """The days without stored sums, counted now."""
        if self._stored_only:
            return []
        return [self._count(day) for day in self._played_days() if day not in self.stored_days]

    def _count(self, day: date) -> DayCount:
        until = self.until if day == self.span.last else None
        if (day, until) not in self._counted:
            self._counted[day, until] = count_day(day, until)
        return self._counted[day, until]

    def tables(self, *, bets: bool = False) -> Iterator[TableFigure]:
        """The sums of whole hands by table, or those of each bet in them as well."""
        columns = tuple(one.name for one in fields(TableSums))
        only = {} if bets else {"bet": WHOLE}
        for place, bet, *values in self._rows(TableDay, ("bet", *columns), **only):
            read = [int(one) for one in values]
            yield TableFigure(place, bet, TableSums(*read))
        for day in self.counted_days:
            yield from (one for one in day.table_figures() if bets or not one.bet)

    def players(self) -> Iterator[PlayerFigure]:
        columns = tuple(one.name for one in fields(PlayerSums))
        for place, player, *values in self._rows(PlayerDay, ("player_id", *columns)):
            yield PlayerFigure(place, player, PlayerSums(*values))
        for day in self.counted_days:
            yield from day.player_figures()

    def pools(self) -> Iterator[PoolFigure]:
        columns = tuple(one.name for one in fields(PoolSums))
        for place, jackpot, *values in self._rows(PoolDay, ("jackpot_id", *columns)):
            yield PoolFigure(place, jackpot, PoolSums(*values))
        for day in self.counted_days:
            yield from day.pool_figures()

    def settings(self) -> dict[str, tuple[str, Any]]:
        """By profile: the game and its options."""
        rows = GameSettings.objects.values_list("profile", "game", "options")
        found = {profile: (game, options) for profile, game, options in rows}
        for day in self.counted_days:
            found |= day.settings
        return found

    def _rows(self, kind: Any, columns: tuple[str, ...], **only: object) -> Iterator[list[Any]]:
        rows = kind.objects.filter(on__range=self.span, **only).order_by("on", "pk")
        for row in rows.values_list(*_PLACE, *columns).iterator(chunk_size=5_000):
            if row[0] in self.stored_days:
                yield [Place(*row[: len(_PLACE)]), *row[len(_PLACE) :]]

    def _played_days(self) -> Iterator[date]:
        """The days of the range between the first hand and today."""
        first = Hand.objects.exclude(ended_at=None).order_by("ended_at").first()
        if first is None or first.ended_at is None:
            return
        day = max(self.span.first, day_of(first.ended_at))
        last = min(self.span.last, day_of(datetime.now(UTC)))
        while day <= last:
            yield day
            day += ONE_DAY
