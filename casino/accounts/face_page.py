"""The page on which players choose their face."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from casino.accounts.forms import FaceForm
from casino.accounts.models import Player
from wallets.values.player import player_of


@login_required
@require_http_methods(["GET", "POST"])
def face_page(request: HttpRequest) -> HttpResponse:
    player = player_of(request)
    form = FaceForm(
        request.POST if request.method == "POST" else None, initial={"face": player.face}
    )
    if request.method == "POST" and form.is_valid():
        choose(player.pk, form.cleaned_data["face"])
        messages.success(request, _("Your face is changed."))
        return redirect("profile")
    status = 422 if form.is_bound else 200
    return render(request, "players/face.html", {"form": form}, status=status)


def choose(player_id: int, face: int) -> None:
    """Show a player with another face; one statement, so nothing else is overwritten."""
    Player.objects.filter(pk=player_id).update(face=face)
