"""The page after sign-up: what is in the wallet, and one press to the first hand."""

from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.lobby.tiles import Tile, tiles
from games.words.families import GUIDED, games_of
from wallets.models.holders import held_by, player_reference
from wallets.values.player import is_player

# What a newcomer wants to know of each group, the easiest first.
IN_A_SENTENCE: Final[dict[str, str | Promise]] = {
    "all-blackjack": _("Closest to 21 wins. Two minutes to learn."),
    "all-doudizhu": _("One landlord against two farmers."),
    "all-thirteen": _("Make three rows and compare them with three others."),
    "all-poker": _("Your two cards, five on the board, one decision."),
    "all-baccarat": _("Choose a side and watch the cards. Nothing to decide."),
}
# The piles of chips of the picture: how many of which value.
PILES: Final = ((25, 4), (100, 6), (500, 9), (1000, 6), (5, 3))


class FirstGame(NamedTuple):
    """A game whose first hand is guided, with the picture of its group."""

    key: str
    tile: Tile
    words: str | Promise


@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What the form sends is the game of the first hand."""
    if not is_player(request.user):
        return redirect("lobby")
    game = request.GET.get("game", "")
    if game in GUIDED:
        return redirect("learn", game)
    wallet = held_by(player_reference(request.user.pk)).order_by("-balance").first()
    context = {
        "wallet": wallet,
        "games": _games(),
        "piles": [(value, range(count)) for value, count in PILES],
    }
    return render(request, "games/welcome.html", context)


def _games() -> list[FirstGame]:
    shown = {tile.key: tile for tile in tiles((), "")}
    return [
        FirstGame(guided[0], shown[key], words)
        for key, words in IN_A_SENTENCE.items()
        if key in shown and (guided := [game for game in games_of(key) if game in GUIDED])
    ]
