"""The template context of the floor for one reader."""

from datetime import datetime
from typing import Final, TypedDict

from django.core.cache import cache
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from casino.office.alarms import acknowledging
from casino.office.alarms.messages import words_of
from casino.office.alarms.models import Alarm
from casino.office.floor import house_state, listing, row_cache
from casino.office.floor.actions import ACTIONS
from casino.office.floor.chart import chart
from casino.office.floor.program_health import Vitals, vitals
from casino.office.floor.row_cache import Kept
from casino.office.models import HouseState
from games.live.announcing import LOBBY_STREAM
from games.live.sources import stream_path
from games.lobby.listing import Pool, pools
from games.words.families import FAMILIES
from wallets.models.staff_models import Proposal
from wallets.staff import approvals, journal
from wallets.values.player import Player, player_of

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
    view, every = listing.view_of(request.GET), row_cache.look(now)
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
            (one.key, one.name, families[one.key]) for one in FAMILIES if one.key in families
        ],
        "totals": listing.totals([kept.row for kept in every]),
        "vitals": _shared_vitals(now),
        "pools": pools(),
        "chart": chart(now),
        "alarms": open_alarms(member),
        "house": house_state.state(),
        "proposals": waiting(member, now),
        "may": allowed(member),
        "streams": [LOBBY_STREAM, stream_path(house_state.STREAM, house_state.ROW)],
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
    found = acknowledging.visible_to(member).filter(cleared_at__isnull=True)
    first = found.order_by(F("taken_at").asc(nulls_first=True), "-raised_at")
    return [
        {"alarm": one, "words": words_of(one), "table": table_of(one.subject)}
        for one in first[:ALARMS_SHOWN]
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
        {"proposal": one, "words": journal.words_of(one.verb)} for one in some if one.pk in mine
    ]
    return shown[:PROPOSALS_SHOWN]


def allowed(member: Player) -> dict[str, bool]:
    """Return which actions to offer, by their names in templates; the verbs check again."""
    may = {action.name.replace("-", "_"): member.has_perm(action.permission) for action in ACTIONS}
    return may | {
        "take": member.has_perm(acknowledging.TAKE),
        "void": member.has_perm("games.void_live_hand"),
    }
