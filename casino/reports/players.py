"""Active players: how many, how many new, how many back after a while, and the newcomers later.

By day, a cohort is everybody who first played on the day a week before; `returned` says how many of
them have played since, up to that day. Bots are not counted: they are the house's.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, date, timedelta
from typing import Final

from django.contrib.auth import get_user_model
from django.db.models import Min
from django.utils.translation import gettext_lazy as _

from casino.reports.figures import Figures
from casino.reports.grouping import Group, described, group_of, key_columns
from casino.reports.models import PlayerDay
from casino.reports.report import By, Column, Row
from casino.reports.revenue import HANDLE, hands_column
from casino.reports.spans import Span
from casino.reports.sums import PlayerSums
from games.models import Hand, HandSeat
from wallets.models import Currency

WEEK: Final = timedelta(days=7)
AWAY: Final = timedelta(days=30)


class Players:
    name = "players"
    title = _("Players")
    allowed: tuple[By, ...] = ("day", "game", "table", "player")

    def columns(self, by: By) -> list[Column]:
        found = [*key_columns(by), hands_column(by), HANDLE]
        if by == "player":
            return [
                *found,
                Column("net", _("Won by the player"), "money", "flow", "hands"),
                Column("days", _("Days played"), "count", "distinct", "hands"),
                Column("since", _("First played"), "day"),
            ]
        found += [
            Column("players", _("Players"), "count", "distinct", "people"),
            Column("new", _("For the first time"), "count", "distinct", "people"),
        ]
        if by != "day":
            return found
        return [
            *found,
            Column("returning", _("Played before"), "count", "distinct", "people"),
            Column("back", _("Back after 30 days"), "count", "distinct", "people"),
            Column("cohort", _("First played a week before"), "count", "distinct", "people"),
            Column("returned", _("Of these, have played since"), "count", "distinct", "people"),
        ]

    def rows(self, span: Span, by: By) -> Iterator[Row]:
        activity = Activity(span)
        sums, who, days = activity.grouped(by)
        row_of = described(sums, by)
        for group in sorted(sums, key=str):
            row = row_of(group) | {"hands": activity.hands[group], "handle": sums[group].handle}
            if by == "player":
                first = activity.first_days.get(group[0])
                row |= {"net": sums[group].net, "days": len(days[group]), "since": first}
            else:
                found = activity.people(by, group, who[group])
                row |= {name: len(some) for name, some in found.items()}
            row["_open"] = _opened(by)
            yield row


def _opened(by: By) -> dict[str, dict[str, str]]:
    """Hands are those of everybody; the handle is what people bet, and not the house's bots."""
    every = ("players", "new", "returning", "back", "cohort", "returned")
    return {"handle": {"people": "1"}} | {name: {"by": by} for name in every}


class Activity:
    """The days on which each player played, from a month before the range on."""

    def __init__(self, span: Span) -> None:
        self.span = span
        self._bots = set(get_user_model().objects.filter(is_bot=True).values_list("pk", flat=True))
        since = span.first - AWAY if span.first.toordinal() > AWAY.days else span.first
        self._figures = Figures(Span(since, span.last))
        # By player: on which days, in any currency; and on which days in one.
        self._played: dict[int, set[date]] = defaultdict(set)
        self._played_in: dict[tuple[int, str], set[date]] = defaultdict(set)
        self.hands: dict[Group, int] = {}
        self.first_days = first_days()

    def grouped(
        self, by: By
    ) -> tuple[dict[Group, PlayerSums], dict[Group, set[int]], dict[Group, set[date]]]:
        """Sums, players and days of each group in the range."""
        sums: dict[Group, PlayerSums] = {}
        who: dict[Group, set[int]] = defaultdict(set)
        days: dict[Group, set[date]] = defaultdict(set)
        for place, player, mine in self._figures.players():
            if player in self._bots:
                continue
            group, is_in_range = group_of(place, by, player), place.on >= self.span.first
            if is_in_range:
                # A day on which hands were only reversed has sums, and nobody has played on it.
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
        """Hands, each counted once however many sat there."""
        if by == "player":
            return {group: of_player.hands for group, of_player in sums.items()}
        found: dict[Group, int] = defaultdict(int)
        for place, _bet, whole in self._figures.tables():
            found[group_of(place, by)] += whole.hands if place.on >= self.span.first else 0
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
        rows = rows.filter(ended_at__date__gt=last)
    for row in rows.values("player_id").annotate(first=Min("ended_at")).order_by():
        day = row["first"].astimezone(UTC).date()
        found.setdefault(row["player_id"], day)
    return found
