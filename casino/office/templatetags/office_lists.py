"""Template tags for lists of the back office: what an empty one says."""

from datetime import date, datetime
from typing import Any, Final

from django import template
from django.core.cache import cache
from django.utils import timezone
from django.utils.functional import Promise

from casino.office.reports.balances import first_day
from games.models import Hand
from wallets.values.days import day_of

register = template.Library()

KEPT_SECONDS: Final = 60


@register.inclusion_tag("backoffice/empty_list.html")
def empty_list(
    about: str | Promise,
    rows: int | None = None,
    looked: datetime | None = None,
    *,
    over_hands: bool = False,
) -> dict[str, object]:
    """Say what would be listed, over how much was looked, and when.

    `rows` is what a search or a filter went through. Where `over_hands` all hands of the house were
    looked through. `looked` is the time of the last look by a worker; a list from the database is
    read now.
    """
    now = timezone.now()
    context: dict[str, object] = {"about": about, "rows": rows, "looked": looked or now}
    if over_hands:
        hands, since = _played()
        context |= {"hands": hands, "since": since or day_of(now)}
    return context


@register.simple_tag
def rows_searched(shown: Any) -> int | None:
    """The rows of a list of the admin before its search and filters; None without any."""
    if not (shown.query or shown.has_active_filters):
        return None
    return int(shown.root_queryset.count())


def _played() -> tuple[int, date | None]:
    """The hands that have ended, and the day of the first posting."""
    kept: tuple[int, date | None] | None = cache.get("office-played")
    if kept is None:
        kept = Hand.objects.filter(ended_at__isnull=False).count(), first_day()
        cache.set("office-played", kept, KEPT_SECONDS)
    return kept
