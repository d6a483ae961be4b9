"""The template context of the floor for one reader: tables, hands an hour, and programs."""

import time
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypedDict

import redis
from django.core.cache import cache
from django.db import connection
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _

from casino.office.alarms import condition_checks
from casino.office.alarms.conditions import words_of
from casino.office.alarms.models import Alarm
from casino.office.floor import closing, listing
from casino.office.floor.actions import ACTIONS
from casino.office.floor.listing import Kept
from casino.office.models import HouseState
from casino.ops import health
from casino.ops.health import connections, drift_milliseconds
from games.live.announcing import LOBBY_STREAM, breaker, client
from games.live.sources import stream_path
from games.live.spectators import streams
from games.lobby.listing import Pool, pools
from games.models import Hand
from games.words.charts import Plot, added_up, over_slots
from games.words.naming import FAMILIES
from wallets.models.staff_models import Proposal
from wallets.staff import approvals, journal
from wallets.values.player import Player, player_of

HOURS: Final = 24
HOUR: Final = timedelta(hours=1)
KEPT_SECONDS: Final = 26 * 3600
NOW_SECONDS: Final = 60


def chart(now: datetime) -> SafeString:
    """Draw a bar for each hour; the last one is not over."""
    hands = hands_by_hour(now)
    plot = Plot(
        name="hours",
        title=gettext("Hands an hour"),
        slots={hour: f"{localtime(hour):%H:%M}" for hour in hands},
        write=lambda counts: [number_format(count, force_grouping=True) for count in counts],
        bars=[added_up(gettext("Hands"), hands)],
        unfinished=True,
    )
    return over_slots(plot)


def hands_by_hour(now: datetime) -> dict[datetime, int]:
    this_hour = now.replace(minute=0, second=0, microsecond=0)
    hours = [this_hour - back * HOUR for back in reversed(range(HOURS))]
    return {hour: _hands(hour, is_now=hour == this_hour) for hour in hours}


def _hands(hour: datetime, *, is_now: bool) -> int:
    key = f"floor-hands-of:{hour:%Y%m%d%H}"
    kept: int | None = cache.get(key)
    if kept is None:
        ended = Hand.objects.filter(ended_at__gte=hour, ended_at__lt=hour + HOUR)
        kept = ended.filter(status=Hand.Status.FINISHED).count()
        cache.set(key, kept, NOW_SECONDS if is_now else KEPT_SECONDS)
    return kept


# Where each kind of worker finds its tasks.
QUEUES: Final = {"worker": "celery", "simulations": "simulations"}
WORDS: Final[dict[str, str | Promise]] = {
    "worker": gettext_lazy("Workers"),
    "simulations": gettext_lazy("Simulations"),
    "beat": gettext_lazy("Schedule"),
    "sweeper": gettext_lazy("Sweepers"),
}


class Vital(NamedTuple):
    name: str
    ok: bool
    detail: str
    figure: str


class Vitals(NamedTuple):
    lines: list[Vital]
    # How far the clocks of database and machine are apart, in milliseconds.
    drift: int


def vitals(now: datetime) -> Vitals:
    waiting, redis_line = _redis()
    programs = [
        Vital(
            str(WORDS[name]),
            age is not None and age <= health.MISSED_AFTER_SECONDS,
            waiting.get(name, ""),
            "–" if age is None else gettext("{seconds} s ago").format(seconds=max(0, int(age))),
        )
        for name, age in health.ages(now).items()
    ]
    return Vitals([*programs, redis_line, _database()], abs(drift_milliseconds()))


def _redis() -> tuple[dict[str, str], Vital]:
    """Return how many tasks wait for each kind of worker, and how Redis answers."""
    began = time.monotonic()
    waiting: dict[str, str] = {}
    if breaker.may_try():
        try:
            for name, queue in QUEUES.items():
                length = int(client().llen(queue))
                waiting[name] = gettext("{count} tasks wait").format(count=length)
        except (redis.RedisError, OSError):
            breaker.failed()
    took = 1000 * (time.monotonic() - began)
    detail = gettext("{count} streams").format(count=streams())
    works = len(waiting) == len(QUEUES)
    line = Vital("Redis", works, detail, f"{took:.1f} ms" if works else "–")
    return waiting, line


def _database() -> Vital:
    began = time.monotonic()
    counted = connections()
    if counted is None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    took = 1000 * (time.monotonic() - began)
    detail = (
        gettext("{used} of {most} in use").format(used=counted[0], most=counted[1])
        if counted
        else ""
    )
    return Vital(gettext("Database"), True, detail, f"{took:.1f} ms")


PROPOSALS_SHOWN: Final = 5
ALARMS_SHOWN: Final = 6
# All readers of a process share one measurement of the programs for this long.
VITALS_SECONDS: Final = 2


class ShownAlarm(TypedDict):
    alarm: Alarm
    words: tuple[str, str]
    # The number of the table that it is about, or 0.
    table: int


class Waiting(TypedDict):
    proposal: Proposal
    words: str


class FloorContext(TypedDict):
    title: str | Promise
    now: datetime
    view: listing.View
    tables: list[Kept]
    all: int
    families: list[tuple[str, str | Promise, int]]
    totals: listing.Totals
    vitals: Vitals
    pools: list[Pool]
    chart: SafeString
    alarms: list[ShownAlarm]
    house: HouseState
    proposals: list[Waiting]
    may: dict[str, bool]
    streams: list[str]


def floor_context(request: HttpRequest) -> FloorContext:
    member, now = player_of(request), timezone.now()
    view, every = listing.view_of(request.GET), listing.look(now)
    families: dict[str, int] = {}
    for kept in every:
        families[kept.row.family] = families.get(kept.row.family, 0) + 1
    return {
        "title": _("Floor"),
        "now": now,
        "view": view,
        "tables": view.choose(every),
        "all": len(every),
        "families": [
            (family.key, family.name, families[family.key])
            for family in FAMILIES
            if family.key in families
        ],
        "totals": listing.totals([kept.row for kept in every]),
        "vitals": _shared_vitals(now),
        "pools": pools(),
        "chart": chart(now),
        "alarms": open_alarms(member),
        "house": closing.state(),
        "proposals": waiting(member, now),
        "may": allowed(member),
        "streams": [LOBBY_STREAM, stream_path(closing.STREAM, closing.ROW)],
    }


def _shared_vitals(now: datetime) -> Vitals:
    key = f"floor-vitals:{get_language()}"
    kept: Vitals | None = cache.get(key)
    if kept is None:
        kept = vitals(now)
        cache.set(key, kept, VITALS_SECONDS)
    return kept


def open_alarms(member: Player) -> list[ShownAlarm]:
    """Return the open alarms that the reader may see, those not taken first."""
    alarms = condition_checks.visible_to(member).filter(cleared_at__isnull=True)
    first = alarms.order_by(F("taken_at").asc(nulls_first=True), "-raised_at")
    return [
        {"alarm": alarm, "words": words_of(alarm), "table": table_of(alarm.subject)}
        for alarm in first[:ALARMS_SHOWN]
    ]


def table_of(subject: str) -> int:
    """The number of the table that an alarm is about; 0 if it is about something else."""
    kind, _colon, number = subject.partition(":")
    return int(number) if kind == "table" and number.isdecimal() else 0


def waiting(member: Player, now: datetime) -> list[Waiting]:
    """The proposals that the member can decide."""
    others = approvals.waiting(now).exclude(maker=journal.by(member).reference)
    some = list(others.order_by("-pk")[: approvals.COUNTED])
    mine = approvals.decidable(member, some)
    shown: list[Waiting] = [
        {"proposal": proposal, "words": journal.words_of(proposal.verb)}
        for proposal in some
        if proposal.pk in mine
    ]
    return shown[:PROPOSALS_SHOWN]


def allowed(member: Player) -> dict[str, bool]:
    """Return which actions to offer, by their names in templates; the verbs check again."""
    may = {action.name.replace("-", "_"): member.has_perm(action.permission) for action in ACTIONS}
    return may | {
        "take": member.has_perm(condition_checks.TAKE),
        "void": member.has_perm("games.void_live_hand"),
    }
