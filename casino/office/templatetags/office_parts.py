"""Template tags for parts of the back office: empty lists, the tour, and the history of a thing."""

from datetime import date, datetime
from typing import Any, Final

from django import template
from django.core.cache import cache
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise

from casino.office.frame import tour as of_office
from casino.office.frame.journal_page import READ, rows_of
from casino.office.reports.balances import first_day
from games.models import Hand
from wallets.models.staff_models import JournalEntry
from wallets.staff import approvals, journal
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


@register.inclusion_tag("backoffice/tour.html", takes_context=True)
def tour(context: Any) -> dict[str, object]:
    """The step of the tour that this page shows its reader, if any."""
    request = context["request"]
    return {
        "request": request,
        "csrf_token": context.get("csrf_token"),
        **of_office.shown_on(request),
    }


SHOWN: Final = 12


@register.inclusion_tag("backoffice/thing_history.html", takes_context=True)
def history(context: Any, subject: str, also: str = "", key: object = None) -> dict[str, object]:
    """Render the latest first, and nothing that the viewer may not read.

    Proposals about a thing may name it otherwise, as `also`, or have the key of what they made.
    """
    member = context["request"].user
    wanted = Q(subject=subject)
    if also:
        wanted |= Q(subject=also)
    if key:
        wanted |= Q(key=key)
    proposals = approvals.visible_to(member).filter(wanted).order_by("-pk")
    shown: dict[str, object] = {
        "proposals": [(proposal, journal.words_of(proposal.verb)) for proposal in proposals[:SHOWN]]
    }
    if member.has_perm(READ):
        entries = JournalEntry.objects.filter(subject=subject).order_by("-position")
        shown["acts"] = rows_of(list(entries[:SHOWN]))
        shown["journal"] = f"{reverse('journal')}?subject={subject}"
    return shown
