"""Private tables: opening one, the page its link leads to, and what its opener does with it."""

from collections.abc import Callable
from typing import Any, Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_POST

from games.lobby import private_tables
from games.lobby.filters import game_choices
from games.lobby.listing import table_stakes
from games.lobby.seat_finder import find_seat
from games.models import Table
from games.tables.formats import format_of
from games.tables.lock import seat_of, seats_at
from games.views.seat_finder import at_one_table, sign_up_first, wants_seat
from games.views.table import INVITATION, invitation_kept, table_of
from games.web.pages import Refusal, choice, qr_code, refusal_of, set_choices
from games.words.naming import game_name
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused
from wallets.values.player import player_of

SPEED_NAMES: Final = {
    "usual": _l("as at the house's tables"),
    "quick": _l("half the time to think"),
    "slow": _l("twice the time to think"),
}


class OpenForm(forms.Form):
    """The lists of the form for a private table; the tables to copy are grouped by family."""

    like = choice(_l("Game and stakes"))
    speed = choice(_l("Speed"), list(SPEED_NAMES.items()))

    def __init__(self, sent: dict[str, Any]) -> None:
        super().__init__(initial=sent, auto_id="%s")
        set_choices(self, like=_models_by_family())


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """The tables that a player has opened, and a form to open another."""
    refusal = None
    if request.method == "POST":
        like, speed = (request.POST.get(name, "") for name in ("like", "speed"))
        try:
            table = private_tables.open_table(
                player_of(request),
                _number(like),
                speed,
                bool(request.POST.get("bots")),
                timezone.now(),
            )
        except Refused as error:
            refusal = refusal_of(error, "open")
        else:
            return redirect("private-table", table.pk)
    context = {
        "tables": [_model(table) for table in private_tables.opened_by(player_of(request))],
        "form": OpenForm(request.POST.dict()),
        "most": private_tables.OPEN_MAX,
        "sent": request.POST,
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return render(request, "games/private.html", context, status=status)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) <= 18 else 0


def _models_by_family() -> list[tuple[Any, list[tuple[int, str]]]]:
    """The tables that can be copied, in words, by family."""
    models = private_tables.models_to_copy()
    grouped = []
    for name, games in game_choices():
        keys = {key for key, _name in games}
        lines = [(table.pk, _in_words(table)) for table in models if table.game in keys]
        if lines:
            grouped.append((name, lines))
    return grouped


def _in_words(table: Table) -> str:
    amount = show_amount(table.buy_in_min, table.currency)
    buy_in = _("from %(amount)s %(currency)s") % {"amount": amount, "currency": table.currency.unit}
    return f"{game_name(table.game)} · {table_stakes(table)} · {buy_in}"


def _model(table: Table) -> dict[str, object]:
    return {
        "table": table,
        "game_name": game_name(table.game),
        "stakes": table_stakes(table),
        "buy_in": show_amount(table.buy_in_min, table.currency),
    }


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, table_id: int) -> HttpResponseBase:
    """The invitation page: who invites to which table, and a button that takes a seat.

    The player who opened the table finds the link here.
    """
    table = _invited_to(request, table_id)
    if request.method == "POST" and not request.user.is_authenticated:
        return sign_up_first(request, invitation_address(table))
    if not wants_seat(request):
        return _shown(request, table)
    try:
        find_seat(player_of(request), [table], timezone.now(), invitation_kept(request, table_id))
    except Refused as error:
        return _shown(request, table, refusal_of(at_one_table(error), "sit"))
    return redirect("table", table_id)


def _shown(request: HttpRequest, table: Table, refusal: Refusal | None = None) -> HttpResponse:
    seats = seats_at(table)
    link = request.build_absolute_uri(invitation_address(table))
    context = _model(table) | {
        "heading": format_of(table).heading(request.user, timezone.now()),
        "seats": seats,
        "is_mine": request.user.is_authenticated and table.opened_by_id == request.user.pk,
        "sits": seat_of(request.user, seats) is not None,
        "link": link,
        "code": qr_code(link),
        "is_open": table.status == Table.Status.OPEN,
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return render(request, "games/private_table.html", context, status=status)


def _invited_to(request: HttpRequest, table_id: int) -> Table:
    """The private table, if the reader may see it."""
    table = table_of(request, table_id)
    if not table.private:
        raise Http404
    return table


def invitation_address(table: Table) -> str:
    """The link that brings its reader to a private table."""
    return f"{reverse('private-table', args=[table.pk])}?{INVITATION}={table.invitation}"


@require_POST
@login_required
def close(request: HttpRequest, table_id: int) -> HttpResponseBase:
    return _done(
        request,
        table_id,
        lambda: private_tables.close_table(player_of(request), table_id, timezone.now()),
    )


@require_POST
@login_required
def new_link(request: HttpRequest, table_id: int) -> HttpResponseBase:
    return _done(
        request, table_id, lambda: private_tables.invite_anew(player_of(request), table_id)
    )


def _done(request: HttpRequest, table_id: int, verb: Callable[[], Table]) -> HttpResponseBase:
    """Perform an action on one's own table; a refusal appears on its page."""
    _invited_to(request, table_id)
    try:
        verb()
    except Refused as error:
        return _shown(request, _invited_to(request, table_id), refusal_of(error, "own"))
    return redirect("private-table", table_id)
