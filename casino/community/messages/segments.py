"""To whom a message goes: one query that every segment begins from, and the filters of staff.

`reachable` leaves out everybody whom the house may not write to. No other query of this package
finds players, so no filter can bring one back.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NamedTuple

import msgspec
from django.conf import settings
from django.db.models import Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from django.utils.functional import Promise
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Device, Player
from casino.care.models import ErasureRequest, Exclusion, PlayerLimit
from casino.community.messages.models import OptOut
from casino.office.reports.models import PlayerDay
from games.rules.catalogue import GAMES
from tournaments.models import Entry, Tournament
from wallets.models import Currency
from wallets.values.days import day_of
from wallets.values.errors import Refused

# What a player plays, at which stakes and with which result, is read from the days before.
LOOKED_BACK: Final = timedelta(days=30)
DAYS_MAX: Final = 3_650
AMOUNT_MAX: Final = 10**12

# The models of other apps that have a row for each player who wants to see nothing of a kind.
HIDDEN: Final[list[tuple[str, Any]]] = []


class Levels(NamedTuple):
    """The levels of players, in a house that has them: their names, and who has reached one."""

    names: Callable[[], list[str | Promise]]
    reached: Callable[[int, datetime], QuerySet[Any]]


LEVELS: Final[list[Levels]] = []


class Segment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The filters; what is empty leaves nobody out."""

    games: tuple[str, ...] = ()
    # Days since the last visit.
    away_min: int | None = None
    away_max: int | None = None
    level_min: int | None = None
    # The average bet a hand, in minor units of the currency.
    currency: str = ""
    stakes_min: int | None = None
    stakes_max: int | None = None
    result: Literal["", "won", "lost"] = ""
    languages: tuple[str, ...] = ()
    # The number of an event that they entered.
    event: int | None = None


def reachable(kind: str, now: datetime) -> QuerySet[Player]:
    """The players to whom the house may write about this now.

    Neither bots, guests, staff, frozen and closed accounts, nor players who are excluded or take a
    break, limit their time, wait to be erased, or want nothing of this kind.
    """
    own = {"player": OuterRef("pk")}
    away = Exclusion.objects.filter(Q(until=None) | Q(until__gt=now), **own)
    limited = _limits_of_time().filter(**own)
    leaving = ErasureRequest.objects.filter(done_at=None, **own)
    players = Player.objects.filter(
        ~Exists(away),
        ~Exists(limited),
        ~Exists(leaving),
        ~Exists(OptOut.objects.filter(kind=kind, **own)),
        is_active=True,
        is_bot=False,
        is_guest=False,
        is_staff=False,
        is_superuser=False,
        closed_at=None,
        frozen_until=None,
    )
    for of_kind, hidden in HIDDEN:
        if of_kind == kind:
            players = players.filter(~Exists(hidden.objects.filter(**own)))
    return players


def _limits_of_time() -> QuerySet[PlayerLimit]:
    """The limits of time at tables that hold: the latest of each period, unless it has no value."""
    confirmed = PlayerLimit.objects.filter(
        kind=PlayerLimit.Kind.SESSION, confirmed_at__isnull=False
    )
    later = confirmed.filter(
        Q(confirmed_at__gt=OuterRef("confirmed_at"))
        | Q(confirmed_at=OuterRef("confirmed_at"), pk__gt=OuterRef("pk")),
        player=OuterRef("player"),
        period=OuterRef("period"),
    )
    return confirmed.filter(~Exists(later), value__isnull=False)


def players_of(segment: Segment, kind: str, now: datetime) -> QuerySet[Player]:
    """The players of a segment, whom the house may write to."""
    players = reachable(kind, now)
    played = PlayerDay.objects.filter(player=OuterRef("pk"), on__gte=day_of(now - LOOKED_BACK))
    if segment.games:
        played = played.filter(game__in=segment.games)
        players = players.filter(Exists(played))
    if segment.away_min is not None or segment.away_max is not None:
        players = _away(players, segment, now)
    if segment.level_min and LEVELS:
        reached = LEVELS[0].reached(segment.level_min, now)
        # Levels are of a currency: without one here, that of any counts.
        reached = reached.filter(currency=segment.currency) if segment.currency else reached
        players = players.filter(Exists(reached.filter(player=OuterRef("pk"))))
    if segment.currency:
        played = played.filter(currency=segment.currency)
        players = _by_play(players, segment, played)
    if segment.languages:
        # Players who have chosen none read English.
        chosen = [*segment.languages, *([""] if "en" in segment.languages else [])]
        players = players.filter(language__in=chosen)
    if segment.event is not None:
        entered = Entry.objects.filter(tournament=segment.event, player=OuterRef("pk"))
        players = players.filter(Exists(entered.exclude(state=Entry.State.WITHDRAWN)))
    return players


def _away(players: QuerySet[Player], segment: Segment, now: datetime) -> QuerySet[Player]:
    devices = Device.objects.filter(player=OuterRef("pk")).order_by("-seen_at")
    last_seen = Subquery(devices.values("seen_at")[:1])
    players = players.annotate(seen=Coalesce(last_seen, F("last_login"), F("date_joined")))
    if segment.away_min is not None:
        players = players.filter(seen__lte=now - timedelta(days=segment.away_min))
    if segment.away_max is not None:
        players = players.filter(seen__gt=now - timedelta(days=segment.away_max + 1))
    return players


def _by_play(
    players: QuerySet[Player], segment: Segment, played: QuerySet[PlayerDay]
) -> QuerySet[Player]:
    """By what a player bet and won in a currency in the last weeks."""
    by_player = played.order_by().values("player")

    def sum_of(column: str) -> Coalesce:
        summed = by_player.annotate(sum=Sum(column)).values("sum")
        return Coalesce(Subquery(summed, output_field=IntegerField()), Value(0))

    players = players.annotate(
        hands_played=sum_of("hands"), handle=sum_of("handle"), net=sum_of("net")
    ).filter(hands_played__gt=0)
    if segment.stakes_min is not None:
        players = players.filter(handle__gte=F("hands_played") * segment.stakes_min)
    if segment.stakes_max is not None:
        players = players.filter(handle__lte=F("hands_played") * segment.stakes_max)
    if segment.result == "won":
        players = players.filter(net__gt=0)
    elif segment.result == "lost":
        players = players.filter(net__lt=0)
    return players


def read(stored: object) -> Segment:
    """A stored segment, or one that a page sends; refused if it is none."""
    try:
        return msgspec.convert(stored, Segment)
    except msgspec.ValidationError as problem:
        raise Refused(
            "segment_unreadable", _n("This is not a segment: {problem}"), problem=str(problem)
        ) from problem


def stored(segment: Segment) -> dict[str, Any]:
    return dict(msgspec.to_builtins(segment))


def require_sound(segment: Segment) -> None:
    """Refuse filters that contradict themselves, or name what the house does not have."""
    _require_ranges(segment)
    if segment.event is not None and not Tournament.objects.filter(pk=segment.event).exists():
        raise Refused("segment_event", _n("There is no such tournament."))
    if not set(segment.games) <= GAMES.keys():
        raise Refused("segment_game", _n("The house does not deal one of these games."))
    if not set(segment.languages) <= dict(settings.LANGUAGES).keys():
        raise Refused("segment_language", _n("The house does not speak one of these languages."))
    asks = (segment.stakes_min, segment.stakes_max, segment.result or None)
    if segment.currency or any(each is not None for each in asks):
        currencies = Currency.objects.exclude(kind=Currency.Kind.CHIPS)
        if not currencies.filter(pk=segment.currency).exists():
            raise Refused("segment_currency", _n("Stakes and results need a currency."))
    if segment.level_min is not None and not (
        LEVELS and 0 <= segment.level_min < len(LEVELS[0].names())
    ):
        raise Refused("segment_level", _n("The house has no such level."))


def _require_ranges(segment: Segment) -> None:
    ranges = (
        (segment.away_min, segment.away_max, DAYS_MAX),
        (segment.stakes_min, segment.stakes_max, AMOUNT_MAX),
    )
    for least, most, highest in ranges:
        for bound in (least, most):
            if bound is not None and not 0 <= bound <= highest:
                raise Refused("segment_bounds", _n("A bound of the segment is out of range."))
        if least is not None and most is not None and least > most:
            raise Refused("segment_range", _n("A range of the segment ends before its start."))
