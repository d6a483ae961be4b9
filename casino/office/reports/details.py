"""The days, hands and people that make a figure, and the days on which people played.

A figure over several days opens those days, and a day opens its hands, so that no page is longer
than a day's play. Everything listed adds up to the figure that was opened.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Final, NamedTuple

from casino.office.reports import columns
from casino.office.reports.columns import By, Column
from casino.office.reports.counting import DayCount, played_hands
from casino.office.reports.entries import fee_facts, grant_facts
from casino.office.reports.facts import (
    HOUSE,
    Fact,
    Group,
    Only,
    Span,
    Sums,
    group_of,
    summed,
)
from casino.office.reports.figures import Figures
from casino.office.reports.models import PlayerDay, TableDay
from games.records.closed_days import stood_on, taken_back_on

# All who played, as the report of revenue counts them; other figures are of the report of players.
OF_PEOPLE, OF_BOTS = "played", "bots"
PEOPLE: Final = Only(people=True)
WEEK: Final = timedelta(days=7)
AWAY: Final = timedelta(days=30)


class HandLine(NamedTuple):
    """One hand, or its reversal, with what it adds to the figures."""

    hand: int
    code: str
    sums: Sums


def columns_of(only: Only) -> tuple[Column, ...]:
    """The figures that a page lists for these hands."""
    if only.jackpot:
        return columns.OF_POOLS
    if only.against == HOUSE:
        return (columns.COUNTED, columns.HANDLE, columns.KEPT)
    first_columns: tuple[Column, ...]
    common = (columns.HANDLE, columns.WON, columns.RAKE, *columns.GROSS)
    if only.kind is PlayerDay:
        first_columns = (columns.HANDS, *common, columns.PLAYERS_NET, columns.DAYS)
    else:
        hands = (columns.HANDS, columns.WITH_PEOPLE, columns.REVERSED)
        first_columns = (*hands, *common, columns.TO_POOLS)
    return (*first_columns, *((columns.FEES,) if only.fees else ()), columns.NET)


def days_behind(span: Span, only: Only) -> dict[date, Sums]:
    days = _by_day(Figures(span).facts(only.kind, "day", only))
    for of_day in days.values():
        of_day.days = int(of_day.hands > 0)
    for further in money_behind(span, only).values():
        for day, sums in further.items():
            days.setdefault(day, Sums()).add(sums)
    return dict(sorted(days.items()))


def _by_day(facts: Iterable[Fact]) -> dict[date, Sums]:
    return summed(facts, lambda fact: fact.place.on)


def hands_behind(day: date, only: Only) -> Iterator[HandLine]:
    """The hands of a day, and after them those of earlier days that were reversed on it."""
    named = {
        "table__currency": only.currency,
        "game": only.game,
        "table": only.table,
        "seats__player": only.player,
    }
    wanted = {column: value for column, value in named.items() if value}
    for hands, sign in ((stood_on(day), 1), (taken_back_on(day), -1)):
        for hand in played_hands(hands.filter(**wanted), day):
            counted, whole = DayCount(), Sums()
            counted.add(hand, sign)
            facts = list(counted.facts(only.kind, only))
            for fact in facts:
                whole.add(fact.sums)
            if facts:
                yield HandLine(hand.number, f"T{hand.place.table}-H{hand.number_at_table}", whole)


def money_behind(span: Span, only: Only) -> dict[str, dict[date, Sums]]:
    """The parts of a figure that are no hands, by day: fees of tournaments, and grants."""
    figures, facts = Figures(span), dict[str, Iterator[Fact]]()
    if only.fees:
        facts["fees"] = fee_facts(figures)
    if only.less_grants:
        facts["grants"] = grant_facts(figures)
    return {
        name: _by_day(
            fact for fact in of_name if only.fits(fact.place) and only.player in (0, fact.of)
        )
        for name, of_name in facts.items()
    }


class Activity:
    """The days on which each person played, from a month before the range on."""

    def __init__(self, figures: Figures) -> None:
        self.figures, self.span = figures, figures.span
        # By player: on which days, in any currency; and on which days in one.
        self._played: dict[int, set[date]] = defaultdict(set)
        self._played_in: dict[tuple[int, str], set[date]] = defaultdict(set)

    def grouped(self, by: By) -> tuple[dict[Group, Sums], dict[Group, set[int]]]:
        """The measures of people by group, and who they are."""
        figures, first = self.figures, self.span.first
        if by == "day":
            since = first - AWAY if first.toordinal() > AWAY.days else first
            figures = figures.over(Span(since, self.span.last))
        sums: dict[Group, Sums] = {}
        who: dict[Group, set[int]] = defaultdict(set)
        days: dict[Group, set[date]] = defaultdict(set)
        for place, player, mine in figures.facts(
            PlayerDay, "day" if by == "player" else by, PEOPLE
        ):
            group, is_in_range = group_of(place, by, player), place.on >= first
            if is_in_range:
                # A day with reversals alone has sums, but no players.
                sums.setdefault(group, Sums()).add(mine)
            if not mine.hands:
                continue
            self._played[player].add(place.on)
            self._played_in[player, place.currency].add(place.on)
            if is_in_range:
                who[group].add(player)
                days[group].add(place.on)
        if by != "player":
            # Hands with people, each counted once however many sat there.
            for place, _bet, whole in self.figures.facts(TableDay, by):
                if (group := group_of(place, by)) in sums:
                    sums[group].with_people += whole.with_people
        for group, of_group in sums.items():
            of_group.days = len(days[group])
        return sums, who

    def people(self, by: By, group: Group, who: set[int]) -> dict[str, set[int]]:
        """Return the players counted in each column of a group, given those who played."""
        if by == "day":
            return {"players": who, **self._of_day(group[0], group[1], who)}
        span, first_days = self.span, self.figures.first_days
        new = {player for player in who if span.first <= first_days[player] <= span.last}
        return {"players": who, "new": new}

    def _of_day(self, day: date, currency: str, who: set[int]) -> dict[str, set[int]]:
        first_days = self.figures.first_days
        new = {player for player in who if first_days[player] == day}
        cohort = {
            player
            for player, first in first_days.items()
            if first == day - WEEK and first in self._played_in.get((player, currency), ())
        }
        return {
            "new": new,
            "returning": who - new,
            "back": {player for player in who - new if self._was_away(player, day)},
            "cohort": cohort,
            "returned": {
                player
                for player in cohort
                if any(day - WEEK < day_played <= day for day_played in self._played[player])
            },
        }

    def _was_away(self, player: int, day: date) -> bool:
        """Whether the player had not played for thirty days."""
        return not any(day - AWAY < day_played < day for day_played in self._played[player])


def people_behind(span: Span, by: By, only: Only, figure: str) -> list[int]:
    """The numbers of the players whom a figure counts."""
    figures = Figures(span)
    if figure in (OF_PEOPLE, OF_BOTS):
        facts = figures.facts(PlayerDay, "game", only)
        played = {player for _place, player, mine in facts if mine.hands}
        of_the_house = figures.bots
        return sorted(played & of_the_house if figure == OF_BOTS else played - of_the_house)
    activity = Activity(figures)
    _sums, who = activity.grouped(by)
    of: object = {"game": only.game, "table": (only.table, only.game)}.get(by, span.first)
    group: Group = (of, only.currency)
    return sorted(activity.people(by, group, who.get(group, set())).get(figure, ()))
