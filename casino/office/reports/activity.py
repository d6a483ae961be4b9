"""The days on which players played, and whom a figure of the report of players counts."""

from collections import defaultdict
from datetime import date, timedelta
from typing import Final

from django.db.models import Min

from casino.office.reports.columns import By
from casino.office.reports.figures import Figures
from casino.office.reports.grouping import Group, group_of
from casino.office.reports.models import PlayerDay
from casino.office.reports.people import bots
from casino.office.reports.spans import Span
from casino.office.reports.sums import PlayerSums
from games.models import Hand, HandSeat
from wallets.models import Currency
from wallets.values.days import day_of, end_of

WEEK: Final = timedelta(days=7)
AWAY: Final = timedelta(days=30)


class Activity:
    """The days on which each player played, from a month before the range on."""

    def __init__(self, figures: Figures) -> None:
        self.span = span = figures.span
        self._bots = bots()
        since = span.first - AWAY if span.first.toordinal() > AWAY.days else span.first
        self._figures = figures.over(Span(since, span.last))
        # By player: on which days, in any currency; and on which days in one.
        self._played: dict[int, set[date]] = defaultdict(set)
        self._played_in: dict[tuple[int, str], set[date]] = defaultdict(set)
        self.hands: dict[Group, int] = {}
        self.first_days = first_days()

    def grouped(
        self, by: By
    ) -> tuple[dict[Group, PlayerSums], dict[Group, set[int]], dict[Group, set[date]]]:
        sums: dict[Group, PlayerSums] = {}
        who: dict[Group, set[int]] = defaultdict(set)
        days: dict[Group, set[date]] = defaultdict(set)
        for place, player, mine in self._figures.players():
            if player in self._bots:
                continue
            group, is_in_range = group_of(place, by, player), place.on >= self.span.first
            if is_in_range:
                # A day with reversals alone has sums, but no players.
                sums.setdefault(group, PlayerSums()).add(mine)
            if not mine.hands:
                continue
            self._played[player].add(place.on)
            self._played_in[player, place.currency].add(place.on)
            if is_in_range:
                who[group].add(player)
                days[group].add(place.on)
        self.hands = self._hands(by, sums)
        return sums, who, days

    def _hands(self, by: By, sums: dict[Group, PlayerSums]) -> dict[Group, int]:
        """Hands with people, each counted once however many sat there."""
        if by == "player":
            return {group: of_player.hands for group, of_player in sums.items()}
        found: dict[Group, int] = defaultdict(int)
        for place, _bet, whole in self._figures.tables():
            found[group_of(place, by)] += whole.with_people if place.on >= self.span.first else 0
        return found

    def people(self, by: By, group: Group, who: set[int]) -> dict[str, set[int]]:
        """Return the players counted in each column of a group, given those who played."""
        span = self.span
        new = {one for one in who if span.first <= self.first_days[one] <= span.last}
        found = {"players": who, "new": new}
        return found | self._of_day(group[0], group[1], who) if by == "day" else found

    def _of_day(self, day: date, currency: str, who: set[int]) -> dict[str, set[int]]:
        new = {one for one in who if self.first_days[one] == day}
        cohort = {
            player
            for player, first in self.first_days.items()
            if first == day - WEEK and first in self._played_in.get((player, currency), ())
        }
        return {
            "new": new,
            "returning": who - new,
            "back": {one for one in who - new if self._was_away(one, day)},
            "cohort": cohort,
            "returned": {
                player
                for player in cohort
                if any(day - WEEK < one <= day for one in self._played[player])
            },
        }

    def _was_away(self, player: int, day: date) -> bool:
        """Whether the player had not played for thirty days."""
        return not any(day - AWAY < one < day for one in self._played[player])


def first_days() -> dict[int, date]:
    """On which day each player first played for money, or for play money."""
    stored = PlayerDay.objects.filter(hands__gt=0).values("player_id").annotate(first=Min("on"))
    found = {row["player_id"]: row["first"] for row in stored.order_by()}
    last = PlayerDay.objects.order_by("-on").values_list("on", flat=True).first()
    rows = HandSeat.objects.filter(status=Hand.Status.FINISHED, ended_at__isnull=False)
    rows = rows.exclude(currency__kind=Currency.Kind.CHIPS)
    if last is not None:
        # Closed days without sums of their own are older than the last one, and are completed.
        rows = rows.filter(ended_at__gte=end_of(last))
    for row in rows.values("player_id").annotate(first=Min("ended_at")).order_by():
        day = day_of(row["first"])
        found.setdefault(row["player_id"], day)
    return found
