"""The pages of the chat at a table: its lines, writing one, and muting a player."""

from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from games.chat import chat_verbs
from games.chat.chat_verbs import EMOTE_BUTTONS, phrases_of
from games.chat.models import LINE_MAX
from games.models import Table
from games.rules.catalogue import game_type
from games.views.table import table_of
from games.web.pages import Refusal, refusal_of
from wallets.values.errors import Refused
from wallets.values.player import Viewer


@require_safe
def chat(request: HttpRequest, table_id: int) -> HttpResponse:
    return _shown(request, table_of(request, table_id))


def _shown(request: HttpRequest, table: Table, refusal: Refusal | None = None) -> HttpResponse:
    viewer: Viewer = request.user
    signed_in = viewer.is_authenticated
    lines = chat_verbs.lines_at(table.pk, viewer)
    context = {
        "table": table,
        "lines": lines,
        "speakers": sorted({(line.name, line.player) for line in lines if not line.mine}),
        "phrases": phrases_of(table.game),
        "emotes": EMOTE_BUTTONS,
        "muted": chat_verbs.muted_by(viewer) if signed_in else [],
        "speaks": signed_in and table.seats.filter(player=viewer.pk, left_at__isnull=True).exists(),
        # Whether a live hand at this table allows only quick phrases.
        "turns_quiet": game_type(table.game).phrases_only,
        "phrases_only": chat_verbs.phrases_only(table.pk),
        "why_phrases": chat_verbs.PHRASES_ONLY,
        "line_max": LINE_MAX,
        "typed": request.POST.get("text", "") if refusal else "",
        "refusal": refusal,
    }
    part = bool(HtmxDetails(request))
    template = "games/chat/chat.html" if part else "games/chat/page.html"
    return render(request, template, context, status=refusal.status if refusal else 200)


def _say(request: HttpRequest, table: Table) -> None:
    text, phrase = request.POST.get("text", ""), request.POST.get("phrase", "")
    chat_verbs.say(request.user, table.pk, text, timezone.now(), phrase=phrase)


def _mute(request: HttpRequest, table: Table) -> None:
    chat_verbs.mute(request.user, request.POST.get("name", ""))


def _unmute(request: HttpRequest, table: Table) -> None:
    chat_verbs.unmute(request.user, request.POST.get("name", ""))


VERBS: dict[str, Callable[[HttpRequest, Table], None]] = {
    "say": _say,
    "mute": _mute,
    "unmute": _unmute,
}


@require_POST
@login_required
def verb(request: HttpRequest, table_id: int, name: str) -> HttpResponseBase:
    """Run a verb and show the chat afterwards, with its refusal if there is one."""
    table = table_of(request, table_id)
    try:
        VERBS[name](request, table)
    except Refused as error:
        return _shown(request, table, refusal_of(error, "chat", table.currency))
    if not HtmxDetails(request):
        return redirect("chat", table_id)
    return _shown(request, table)
