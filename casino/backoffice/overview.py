"""The first page of the back office: the room at a glance, what waits for the reader, the menu."""

from django.http import HttpRequest
from django.utils import timezone

from casino.alarms import taking
from casino.backoffice import navigation
from casino.backoffice.floor import house_state, kept_rows, listing
from casino.backoffice.floor.floor_context import open_alarms, waiting
from wallets.player import player_of


def overview(request: HttpRequest, context: dict[str, object]) -> dict[str, object]:
    """Add to the context of the first page what this reader may see."""
    member, now = player_of(request), timezone.now()
    shown = {
        "sections": navigation.sections(request),
        "proposals": waiting(member, now),
        "may": {"take": member.has_perm(taking.TAKE)},
    }
    if member.has_perm(taking.SEE):
        shown["alarms"] = open_alarms(member)
    if member.has_perm(house_state.SEE):
        shown |= {"totals": listing.totals(kept_rows.rows(now)), "house": house_state.state()}
    return context | shown
