"""The shortest way to a seat: a page that says what it will do, and sitting down there at once.

A stranger who asks for a seat signs up first, and gets it when they come back. The request was a
POST with a valid token; its address is kept in the session, which lasts through the sign-in. The
first visit of that address then does what was asked for, once.
"""

from datetime import datetime
from typing import Final

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _n
from django.views.decorators.http import require_http_methods

from games.lobby.listing import table_stakes
from games.lobby.seat_finder import find_or_open, find_seat, tables_to_show
from games.lobby.seat_offers import LAST_GAME
from games.models import Seat, Table
from games.tables.formats import listed_tables
from games.tables.play_money import refilled_since
from games.web.pages import Refusal, refusal_of
from games.words.naming import GAME_NAMES, GUIDED, game_name
from wallets.models import Currency
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused
from wallets.values.player import player_of

YEAR_SECONDS: Final = 365 * 24 * 3600


@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HttpRequest, game: str) -> HttpResponseBase:
    """The best seat at a game, for the chosen stakes or at the chosen table."""
    if game not in GAME_NAMES:
        raise Http404
    if request.method == "POST" and not request.user.is_authenticated:
        return sign_up_first(request, _address_of_choice(request, game))
    tables = list(tables_to_show().filter(game=game))
    try:
        chosen = _chosen(request, tables)
        if wants_seat(request):
            # A player who chose a table wants a seat there and nowhere else.
            find = find_seat if _said(request, "table") else find_or_open
            now = timezone.now()
            seat = find(player_of(request), chosen, now)
            _tell_of_refill(request, seat, now)
            answer = redirect("table", seat.table_id)
            answer.set_cookie(LAST_GAME, game, YEAR_SECONDS, samesite="Lax", httponly=True)
            return answer
    except Refused as error:
        refusal = refusal_of(at_one_table(error) if _said(request, "table") else error, "play")
        return _offered(request, game, tables, refusal)
    return _offered(request, game, tables)


def _tell_of_refill(request: HttpRequest, seat: Seat, asked_at: datetime) -> None:
    """Say that the house has filled up the wallet, where the seat brought that."""
    currency = seat.table.currency
    if currency.kind != Currency.Kind.PLAY or seat.sat_down_at < asked_at:
        return
    refill = refilled_since(player_of(request), currency, asked_at)
    if refill:
        amount = f"{show_amount(refill, currency)} {currency.unit}"
        sentence = gettext("The house has filled up your wallet: +%(amount)s.")
        messages.success(request, sentence % {"amount": amount})


def _address_of_choice(request: HttpRequest, game: str) -> str:
    chosen = {name: _said(request, name) for name in ("table", "stakes")}
    query = {name: said for name, said in chosen.items() if said}
    return reverse("play-now", args=[game], query=query or None)


def _chosen(request: HttpRequest, tables: list[Table]) -> list[Table]:
    table_id, stakes = (_said(request, name) for name in ("table", "stakes"))
    if table_id:
        chosen = [table for table in tables if str(table.pk) == table_id]
        if not chosen:
            raise _missing(table_id)
        if chosen[0].status != Table.Status.OPEN:
            raise Refused("table_closing", _n("This table is closing; choose another one."))
        return chosen
    return [table for table in tables if not stakes or _stakes_key(table) == stakes]


def at_one_table(error: Refused) -> Refused:
    """The refusal for a full table, worded for the one table that was asked for."""
    if error.code == "no_seat":
        return Refused("table_full", _n("Every seat at this table is taken; choose another one."))
    return error


def _said(request: HttpRequest, name: str) -> str:
    return request.POST.get(name, "") or request.GET.get(name, "")


def _missing(table_id: str) -> Exception:
    """Say that a table that existed a moment ago is closed; say nothing about any other."""
    shown = Table.objects.filter(listed_tables(), private=False, status=Table.Status.CLOSED)
    if table_id.isdecimal() and len(table_id) <= 18 and shown.filter(pk=int(table_id)).exists():
        return Refused("table_closed", _n("This table has closed; choose another one."))
    return Http404()


def _stakes_key(table: Table) -> str:
    """The stakes, as an address names them."""
    return f"{table.currency_id}-{table.buy_in_min}"


def _offered(
    request: HttpRequest, game: str, tables: list[Table], refusal: Refusal | None = None
) -> HttpResponse:
    table_id = _said(request, "table")
    here = next((table for table in tables if str(table.pk) == table_id), None)
    offers: dict[str, dict[str, object]] = {}
    for table in tables:
        if table.status == Table.Status.OPEN:
            offers.setdefault(_stakes_key(table), _offer(table))
    context = {
        "game": game,
        "game_name": game_name(game),
        "guided": game in GUIDED,
        "table": here,
        "offer": _offer(here) if here else None,
        "offers": list(offers.values()),
        "chosen": _said(request, "stakes"),
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return render(request, "games/play_now.html", context, status=status)


def _offer(table: Table) -> dict[str, object]:
    return {
        "key": _stakes_key(table),
        "stakes": table_stakes(table),
        "buy_in": show_amount(table.buy_in_min, table.currency),
        "currency": table.currency.unit,
    }


REQUESTED: Final = "requested-seat"


def sign_up_first(request: HttpRequest, address: str) -> HttpResponseBase:
    request.session[REQUESTED] = address
    return redirect_to_login(address, reverse("sign-up"))


def wants_seat(request: HttpRequest) -> bool:
    """Whether the reader asks for the seat now, or has asked before signing in."""
    if request.method == "POST":
        return True
    is_back = request.method == "GET" and request.user.is_authenticated
    if not is_back or request.session.get(REQUESTED) != request.get_full_path():
        return False
    del request.session[REQUESTED]
    return True
