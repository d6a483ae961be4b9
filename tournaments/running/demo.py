"""A sit-and-go of every game that people play against one another, always open, for play money.

Where a demonstration lives (`DEMO_LIFE`), there is an event each evening too, which bots enter, and
a short cup every quarter of an hour, whose free seats bots take once a person has entered.
"""

from datetime import datetime, time, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from msgspec import convert, to_builtins
from msgspec.structs import replace

from games.models import Hand
from games.rules.catalogue import GAMES
from games.rules.declaration import SitAndGo
from games.rules.declaration import marked_as as _p
from games.tables.demo import CURRENCY
from tournaments.mathematics.presets import preset
from tournaments.mathematics.series_points import SeriesRules
from tournaments.mathematics.structure import Structure
from tournaments.models import Entry, Schedule, Series, SeriesEvent, Template, Tournament
from tournaments.running import announcing, entries, series
from wallets.money.cashier import HOUSE
from wallets.of_record.verbs import under
from wallets.values.days import in_house_zone

# A person who has waited so long finds the other seats taken by bots.
BOTS_AFTER_SECONDS: Final = 4
PAUSE_SECONDS: Final = 3
STAKE: Final = 10_000
CHIPS: Final = 2_000
# Of the prize pool, in basis points; of three stakes, a third would not pay the fee as well.
SECOND: Final = 3_300
SECOND_OF_THREE: Final = 3_800

EVENING: Final = _p("a tournament", "Evening cup")
STARTS: Final = time(20)
QUICK: Final = _p("a tournament", "Quick cup")
QUICK_TABLES: Final = 2
QUARTER: Final = timedelta(minutes=15)
SEATS: Final = 32
# So many bots enter together, and further ones one by one until so many are there.
ENTERED_AT_ONCE: Final = 7
ENTERED_MOST: Final = 15
# A series over the evenings, and one over the first sit-and-gos, which soon has a history.
LEAGUE: Final = _p("a tournament", "Evening league")
OPENING: Final = _p("a tournament", "Opening series")
# Bots play sit-and-gos by themselves until so many have been played: lists and boards show results.
PLAYED_FIRST: Final = 6
LEAGUES: Final = {
    LEAGUE: SeriesRules(events=28, best=10, finalists=8),
    OPENING: SeriesRules(events=PLAYED_FIRST, best=4, finalists=1),
}
# An evening that begins sooner than this is the next one.
NOTICE: Final = timedelta(minutes=10)


EVENTS: Final = {key: game.sit_and_go for key, game in GAMES.items() if game.sit_and_go}


def seed(now: datetime) -> int:
    """Make the templates and schedules that are missing, and announce what they say."""
    made = sum(_schedule(game, now) for game in EVENTS)
    if settings.DEMO_LIFE:
        made += _schedule_evening(now) + _schedule_quick(now)
    announcing.run(now)
    enter_evening(now, ENTERED_AT_ONCE)
    return made


def _schedule(game: str, now: datetime) -> bool:
    event = EVENTS[game]
    if Template.objects.filter(name=event.name).exists():
        return False
    template = announcing.store_template(structure_of(game), HOUSE, now)
    Schedule.objects.create(
        template=template,
        kind=Schedule.Kind.ALWAYS_OPEN,
        bots_after_seconds=BOTS_AFTER_SECONDS,
    )
    return True


def _schedule_evening(now: datetime) -> bool:
    """Announce an event for each evening, a day ahead."""
    if Template.objects.filter(name=EVENING).exists():
        return False
    structure = replace(preset("freezeout", EVENING, CURRENCY, 100), field_max=SEATS)
    template = announcing.store_template(structure, HOUSE, now)
    today = in_house_zone(now).replace(hour=STARTS.hour, minute=0, second=0, microsecond=0)
    Schedule.objects.create(
        template=template,
        kind=Schedule.Kind.RECURRING,
        next_at=today if today > now + NOTICE else today + timedelta(days=1),
        weekdays=2**announcing.DAYS_OF_A_WEEK - 1,
        house_time=STARTS,
    )
    return True


def _schedule_quick(now: datetime) -> bool:
    """Announce a cup for each quarter of an hour, so that one begins soon at any time."""
    if not EVENTS or Template.objects.filter(name=QUICK).exists():
        return False
    game, event = next(iter(EVENTS.items()))
    structure = replace(
        structure_of(game),
        name=QUICK,
        kind="freeze_out",
        field_min=2,
        field_max=QUICK_TABLES * event.seats,
    )
    begun = now.replace(minute=now.minute // 15 * 15, second=0, microsecond=0)
    Schedule.objects.create(
        template=announcing.store_template(structure, HOUSE, now),
        kind=Schedule.Kind.RECURRING,
        next_at=begun + QUARTER,
        every_seconds=QUARTER.seconds,
        ahead_seconds=QUARTER.seconds,
        bots_after_seconds=BOTS_AFTER_SECONDS,
    )
    return True


def enter_evening(now: datetime, bots: int = 1) -> None:
    """Let some bots enter the event of the next evening, up to a part of its field."""
    waiting = Tournament.objects.filter(name=EVENING, state=Tournament.State.ANNOUNCED)
    event = waiting.filter(starts_at__gt=now).order_by("starts_at").first()
    if event is None or not settings.DEMO_LIFE:
        return
    room = max(0, min(bots, ENTERED_MOST - event.entrants))
    there = Entry.objects.filter(tournament=event)
    players: Any = get_user_model().objects
    _join(LEAGUE, event, now)
    idle = players.filter(is_bot=True, is_active=True).exclude(pk__in=there.values("player"))
    for bot in idle.order_by("?")[:room]:
        entries.register(bot, event.pk, now)


def play_first(now: datetime) -> None:
    """Let bots fill the sit-and-go that has waited longest, in a house with few results.

    A made-up history comes before the first hand.
    """
    events = Tournament.objects.filter(name__in=[event.name for event in EVENTS.values()])
    begun = events.exclude(state=Tournament.State.ANNOUNCED).count()
    waiting = events.filter(state=Tournament.State.ANNOUNCED).order_by("pk").first()
    if waiting is None or begun >= PLAYED_FIRST or not settings.DEMO_LIFE:
        return
    if Hand.objects.exists():
        _join(OPENING, waiting, now)
        announcing.fill(waiting, now)


@under("setup:demo")
def _join(name: str, event: Tournament, now: datetime) -> None:
    """Let an event count in a series of the demonstration, which begins with its first event."""
    rules: Any = to_builtins(LEAGUES[name])
    defaults = {"rules": rules, "began_at": now}
    league, _new = Series.objects.get_or_create(name=name, defaults=defaults)
    joined = SeriesEvent.objects.filter(tournament=event.pk).exists()
    if league.ended_at is None and not joined and league.events.count() < LEAGUES[name].events:
        with transaction.atomic():
            series.add(series.locked(league.pk), event)


def structure_of(game: str) -> Structure:
    """The sit-and-go of a game: two places are paid, and the second more than the entry cost."""
    event = EVENTS[game]
    second = SECOND_OF_THREE if event.seats == 3 else SECOND
    *levels, last = [_level(event, point) for point in event.points]
    fields: dict[str, object] = {
        "name": event.name,
        "kind": "sit_and_go",
        "game": game,
        "field_min": event.seats,
        "field_max": event.seats,
        "table_size": event.seats,
        "stake": STAKE,
        "fee": STAKE // 10,
        "payouts": {"by": "percentage", "shares": [{"share": 10_000 - second}, {"share": second}]},
        "starting_chips": CHIPS,
        "levels": [*({**level, "hands": 5} for level in levels), last],
        "decision_seconds": event.decision_seconds,
        "pause_seconds": PAUSE_SECONDS,
    }
    return convert(fields, Structure)


def _level(event: SitAndGo, point: int) -> dict[str, int]:
    return {"bet_min": point, "bet_max": 3 * point} if event.banked else {"point": point}
