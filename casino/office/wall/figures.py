"""What the wall screen shows: sums, names of tables' games and events, and no person.

Alarms are named by their title alone, since their sentences may name a player, and only those of
the room and of its machines.
"""

from datetime import datetime
from typing import Final, NamedTuple

from casino.office.alarms.conditions import CONDITIONS, OF_THE_HOUSE, OF_THE_ROOM
from casino.office.alarms.models import Alarm
from casino.office.floor import closing, listing
from casino.office.frame.overview import DAY_FIGURES, OfCurrency, day_figures, events_of_today
from casino.office.models import HouseState, WallLink
from games.lobby.listing import Pool, pools
from tournaments.models import Tournament

SHOWN: Final = 8


class ShownAlarm(NamedTuple):
    words: str
    since: datetime


class Wall(NamedTuple):
    at: datetime
    totals: listing.Totals
    with_money: bool
    # Today and the same hours a week before, by currency; amounts only where the link shows them.
    days: list[OfCurrency]
    events: list[Tournament]
    pools: list[Pool]
    alarms: list[ShownAlarm]
    house: HouseState


def wall_of(link: WallLink, now: datetime) -> Wall:
    return Wall(
        now,
        listing.totals(listing.rows(now)),
        link.with_money,
        [_visible(day, with_money=link.with_money) for day in day_figures(now).currencies],
        events_of_today(now),
        pools()[:SHOWN],
        _alarms(),
        closing.state(),
    )


def _visible(day: OfCurrency, *, with_money: bool) -> OfCurrency:
    units = [unit for _name, _words, unit in DAY_FIGURES]
    shown = [
        figure
        for figure, unit in zip(day.figures, units, strict=False)
        if with_money or unit == "count"
    ]
    return day._replace(figures=shown)


def _alarms() -> list[ShownAlarm]:
    """The titles of open alarms, the newest first."""
    words = {
        kind: condition.words
        for kind, condition in CONDITIONS.items()
        if condition.permission in (OF_THE_HOUSE, OF_THE_ROOM)
    }
    rows = Alarm.objects.filter(cleared_at=None, kind__in=words).order_by("-raised_at")
    return [ShownAlarm(str(words[alarm.kind]), alarm.raised_at) for alarm in rows[:SHOWN]]
