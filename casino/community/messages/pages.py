"""What players see of messages: the inbox, their choices, and the way out of a mail in one press.

The way out needs no sign-in. Mail programs press its button themselves (RFC 8058): they post
`List-Unsubscribe=One-Click` to the same address, without a cookie. Following the link alone changes
nothing, because some programs follow every link.
"""

from datetime import datetime
from typing import Final

from django.conf import settings
from django.contrib import messages as notes
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from casino.accounts.models import Player
from casino.community.messages import letters, wishes
from casino.community.messages.models import Kind, Recipient
from casino.community.messages.office.drafts import pages
from games.models.prepared import Query
from games.words.refusals import sentence_of
from wallets.values.errors import Refused

SHOWN: Final = 50
# The frame of every page asks whether there is one.
UNREAD: Final = Query(
    lambda player: Recipient.objects.filter(player=player, is_held_out=False, opened_at=None)
)


def received(player: Player, now: datetime) -> QuerySet[Recipient]:
    """What the player has got and may see now, the newest first."""
    rows = Recipient.objects.filter(player=player, is_held_out=False)
    rows = rows.exclude(message__kind__in=wishes.unseen(player, now))
    return rows.select_related("message").order_by("-at", "-pk")


def _reader(request: HttpRequest) -> Player:
    if not wishes.is_open_to(request.user):
        raise Http404
    assert isinstance(request.user, Player), "it is open to players alone"
    return request.user


@never_cache
@login_required
@require_safe
def inbox_page(request: HttpRequest) -> HttpResponse:
    player = _reader(request)
    wanted = wishes.wanted(player)
    context = {
        "rows": received(player, timezone.now())[:SHOWN],
        "kinds": [(kind.value, kind.label, kind.value in wanted) for kind in Kind],
        "sends_mail": settings.ACCOUNT_EMAILS and bool(letters.house_address()),
        "by_mail": wishes.wants_mail(player),
    }
    return render(request, "messages/inbox.html", context)


@never_cache
@login_required
@require_safe
def read_page(request: HttpRequest, number: int) -> HttpResponse:
    """One message; from now on it counts as read."""
    player, now = _reader(request), timezone.now()
    recipient = received(player, now).filter(message=number).first()
    if recipient is None:
        raise Http404
    if recipient.opened_at is None:
        Recipient.objects.filter(pk=recipient.pk, opened_at=None).update(opened_at=now)
    message = recipient.message
    page = message.page if message.page in pages() else ""
    context = {
        "recipient": recipient,
        "message_read": message,
        "page": reverse(page) if page else "",
        "page_words": pages().get(page, ""),
    }
    return render(request, "messages/read.html", context)


@login_required
@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Store which kinds the player wants, and whether by mail."""
    player, kinds = _reader(request), set(request.POST.getlist("kind"))
    try:
        wishes.choose(player, kinds, by_mail="by_mail" in request.POST)
    except Refused as refusal:
        notes.error(request, sentence_of(refusal))
    else:
        notes.success(request, _("Your choice is stored."))
    return redirect("inbox")


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, code: str) -> HttpResponse:
    """Ask, and after the press of the button send nothing more of a kind."""
    is_done, status = request.method == "POST", 200
    context: dict[str, object] = {"is_done": is_done}
    try:
        player, kind = letters.read_leave_token(code)
        if is_done:
            wishes.leave(player, kind)
        context["kind"] = Kind(kind).label
    except Refused as refusal:
        context["refusal"], status = sentence_of(refusal), 404
    return render(request, "messages/way_out.html", context, status=status)
