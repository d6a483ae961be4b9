"""The button "Play as a guest": it creates a guest and seats them at a table of the game."""

from collections.abc import Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST

from casino.accounts import new_players
from casino.accounts.views import full
from games.lobby.seat_finder import tables_to_show
from games.lobby.seat_offers import offers_guests
from games.models import Table
from games.views.seat_finder import play_now
from games.words.naming import FAMILIES, GAME_NAMES
from wallets.models import Currency


@require_POST
def play_as_guest(request: HttpRequest) -> HttpResponseBase:
    """A seat at the game, stakes or table that the form names, as the quick seat gives it."""
    game = request.POST.get("game", "") or next(_games_to_play(), "")
    if not settings.GUESTS or game not in GAME_NAMES:
        raise Http404
    if offers_guests(request.user):
        if not new_players.welcome_from(request):
            return full(request)
        new_players.begin(request)
    return play_now(request, game)


def _games_to_play() -> Iterator[str]:
    """The games of the front page in its order, as far as guests can play them."""
    for_guests = tables_to_show().filter(
        currency__kind=Currency.Kind.PLAY, status=Table.Status.OPEN
    )
    played = set(for_guests.values_list("game", flat=True))
    return (game for family in FAMILIES for game in family.games if game in played)
