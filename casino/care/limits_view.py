"""Limits as their player reads them."""

from datetime import datetime
from typing import NamedTuple

from django.db.models import prefetch_related_objects
from django.utils.translation import ngettext

from casino.accounts.models import Player
from casino.care import limit_sums, limits
from casino.care.models import PlayerLimit
from wallets.staff.permitted import money


class ShownLimit(NamedTuple):
    """A limit that holds, or one that waits for its second yes."""

    number: int
    kind: str
    period: str
    # Empty where the limit will be lifted.
    value: str
    used: str
    effective_from: datetime
    may_confirm: bool


def limits_that_hold(player: Player, now: datetime) -> list[ShownLimit]:
    held = limits.in_force(player.pk)
    prefetch_related_objects(held, "currency")
    used = limit_sums.used_by_limits(player.pk, held, now)
    return [_shown(one, now, used=used[one.pk]) for one in held]


def limits_that_wait(player: Player, now: datetime) -> list[ShownLimit]:
    return [_shown(one, now) for one in limits.waiting(player.pk)]


def _shown(limit: PlayerLimit, now: datetime, used: int | None = None) -> ShownLimit:
    return ShownLimit(
        number=limit.pk,
        kind=limit.get_kind_display(),
        period=limit.get_period_display(),
        value=_in_words(limit, limit.value),
        used=_in_words(limit, None if used is None else max(0, used)),
        effective_from=limit.effective_from,
        may_confirm=now >= limit.effective_from,
    )


def _in_words(limit: PlayerLimit, value: int | None) -> str:
    if value is None:
        return ""
    if limit.currency is not None:
        return money(value, limit.currency)
    return ngettext("{count} minute", "{count} minutes", value).format(count=value)
