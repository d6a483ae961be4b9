"""Which promotions pay now, and what counts at a table."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q

from casino.community.promotions.models import PromotionVersion
from casino.community.promotions.rules.daily_tasks import DailyTasks
from casino.community.promotions.rules.declaration import Declaration
from games.rules.catalogue import GAMES
from wallets.values.days import day_of, in_house_zone

State = PromotionVersion.State
Running = Sequence[tuple[PromotionVersion, Declaration]]
# A page of a table may show for so long what has just ended.
KEPT: Final = timedelta(minutes=1)
NAMED: Final = 2


def current(now: datetime) -> list[tuple[PromotionVersion, Declaration]]:
    """The versions that pay now, the one that ends first before the others."""
    versions = PromotionVersion.objects.filter(
        Q(ended_at=None) | Q(ended_at__gt=now),
        state=State.PUBLISHED,
        published_from__lte=now,
        stopped_at=None,
    )
    published = [(version, version.declared) for version in versions.select_related("promotion")]
    running = [(version, terms) for version, terms in published if terms.starts <= now < terms.ends]
    return sorted(running, key=lambda row: (row[1].ends, row[0].pk))


class _Kept:
    """What this process has read last, so that a table's page asks nothing."""

    at: datetime | None = None
    running: Running = ()


def kept(now: datetime) -> Running:
    """What pays now, as it was read a moment ago."""
    if _Kept.at is None or not _Kept.at <= now < _Kept.at + KEPT:
        _Kept.running, _Kept.at = current(now), now
    return _Kept.running


def by_game(now: datetime, running: Running | None = None) -> Mapping[str, Mapping[str, str]]:
    """By currency and game: the titles of what can count there now."""
    day, hour = day_of(now), in_house_zone(now).hour
    titles: dict[str, dict[str, list[str]]] = {}
    for version, terms in running or kept(now):
        if isinstance(terms.kind, DailyTasks):
            continue
        of_currency = titles.setdefault(terms.currency, {})
        for game in GAMES:
            if terms.kind.is_open(game, day, hour):
                of_currency.setdefault(game, []).append(version.promotion.title)
    return {
        currency: {game: _few(names) for game, names in games.items()}
        for currency, games in titles.items()
    }


def _few(names: Sequence[str]) -> str:
    """Some names, and how many there are besides: the line stays quiet."""
    more = len(names) - NAMED
    return " · ".join(names[:NAMED]) + (f" · +{more}" if more > 0 else "")
