"""The players' page of withdrawals: ask the desk for money, and cancel it."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from casino.office.desk import requests
from casino.office.desk.pages.forms import RequestForm
from games.words.refusals import refused_in, sentence_of
from wallets.models.holders import wallets_of
from wallets.values.errors import Refused
from wallets.values.player import player_of

SHOWN = 30


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def withdrawals(request: HttpRequest) -> HttpResponse:
    """Show a player's requests for money, and the form for another."""
    player = player_of(request)
    wallets = wallets_of(player)
    sent = request.POST if request.method == "POST" else None
    form = RequestForm([wallet.currency_id for wallet in wallets], sent)
    if sent is not None and form.is_valid():
        values = form.cleaned_data
        with refused_in(form):
            requests.ask(
                player, values["in"], values["amount"], key=values["key"], now=timezone.now()
            )
            return redirect("withdrawals")
    return _shown(request, form)


@login_required
@require_POST
def cancel(request: HttpRequest, number: int) -> HttpResponse:
    player = player_of(request)
    try:
        requests.cancel(player, number, timezone.now())
    except Refused as refusal:
        form = RequestForm([wallet.currency_id for wallet in wallets_of(player)])
        return _shown(request, form, sentence_of(refusal))
    return redirect("withdrawals")


def _shown(request: HttpRequest, form: RequestForm, refused: str = "") -> HttpResponse:
    player = player_of(request)
    context = {
        "form": form,
        "wallets": wallets_of(player),
        "requests": requests.of_player(player)[:SHOWN],
        "refused": refused,
    }
    status = 409 if refused else 200
    return render(request, "wallets/withdrawals.html", context, status=status)
