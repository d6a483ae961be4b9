"""Pages of evenings: opening one, those of a player, the rematch, and the picture of the scores.

The page of an evening is that of its private table (`games/views/private.py`).
"""

from collections.abc import Mapping
from typing import Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from casino.community.evenings import hosting
from casino.community.evenings.hosting import CODE
from casino.community.evenings.models import Evening
from games.boards import drawing
from games.lobby.filters import game_choices
from games.models import HandSeat
from games.profiles.options import Option, show, words_of_choice, write
from games.rules.catalogue import game_type
from games.views.private import SPEED_NAMES, invitation_address
from games.views.table import table_of
from games.web.pages import Choices, Refusal, choice, refusal_of
from games.words.naming import GAME_NAMES
from wallets.models import Currency
from wallets.office.whole_units import NumberField
from wallets.values.errors import Refused
from wallets.values.player import player_of

SHOWN_MAX: Final = 20


class TermsForm(forms.Form):
    """The terms of an evening of one game, with a field for each of its options."""

    hands = NumberField(
        label=_l("Number of hands"), min_value=hosting.HANDS[0], max_value=hosting.HANDS[-1]
    )
    stake = NumberField(
        label=_l("Stake in points"), min_value=hosting.STAKES[0], max_value=hosting.STAKES[-1]
    )
    speed = choice(_l("Speed"), list(SPEED_NAMES.items()))

    def __init__(self, game: str, sent: Mapping[str, object]) -> None:
        usual = {"hands": hosting.HANDS_USUAL, "stake": 1, "speed": "usual"}
        super().__init__(initial=usual | dict(sent), auto_id="%s")
        seats = game_type(game).seats
        if len(seats) > 1:
            people = [(str(number), str(number)) for number in seats]
            self.fields["places"] = choice(_l("Number of players"), people)
            self.initial.setdefault("places", str(seats[-1]))
        for option in hosting.options_to_choose(game):
            self.fields[option.name] = _field(option)
            self.initial.setdefault(option.name, write(option, option.default, Currency()))


def _field(option: Option) -> forms.Field:
    if option.kind == "number":
        return NumberField(
            label=option.label, min_value=option.least, max_value=option.most, required=False
        )
    if option.kind == "switch":
        lines = [(word, show(option, word == "on", Currency())) for word in ("on", "")]
    else:
        lines = [(str(value), words_of_choice(option, value)) for value in option.choices]
    return forms.ChoiceField(label=option.label, choices=lines, required=False, widget=Choices)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def mine(request: HttpRequest) -> HttpResponseBase:
    """A form for the next evening, and the evenings in which the player has taken part."""
    if request.method != "POST":
        return _shown(request, request.GET.dict())
    try:
        wanted = hosting.read_terms(request.POST.dict())
        evening = hosting.open_evening(player_of(request), wanted, timezone.now())
    except Refused as error:
        return _shown(request, request.POST.dict(), refusal_of(error, "open"))
    return redirect("private-table", evening.table_id)


def _shown(
    request: HttpRequest, sent: dict[str, str], refusal: Refusal | None = None
) -> HttpResponse:
    game = sent.get("game", hosting.PLAYED[0])
    if game not in hosting.PLAYED:
        raise Http404
    games = [key for _family, pairs in game_choices() for key, _name in pairs]
    context = {
        "game": game,
        "games": [(key, GAME_NAMES[key]) for key in games if key in hosting.PLAYED],
        "form": TermsForm(game, sent),
        "evenings": [
            (evening, invitation_address(evening.table)) for evening in _evenings_of(request)
        ],
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return render(request, "evenings/mine.html", context, status=status)


def _evenings_of(request: HttpRequest) -> list[Evening]:
    played = HandSeat.objects.filter(player=request.user.pk, currency=CODE).values("table")
    evenings = Evening.objects.filter(Q(table__opened_by=request.user.pk) | Q(table__in=played))
    return list(evenings.select_related("table").order_by("-pk")[:SHOWN_MAX])


@require_POST
@login_required
def begin(request: HttpRequest, table_id: int) -> HttpResponseBase:
    """Begin with those who are there; a refusal appears on the page of evenings."""
    try:
        hosting.begin_now(player_of(request), table_id, timezone.now())
    except Refused as error:
        return _shown(request, {}, refusal_of(error, "open"))
    return redirect("table", table_id)


@require_POST
@login_required
def rematch(request: HttpRequest, table_id: int) -> HttpResponseBase:
    """Go on with another evening; a refusal appears on the page of evenings."""
    try:
        evening = hosting.rematch(player_of(request), table_id, timezone.now())
    except Refused as error:
        return _shown(request, {}, refusal_of(error, "open"))
    return redirect(invitation_address(evening.table))


@require_safe
def final_picture(request: HttpRequest, table_id: int) -> HttpResponse:
    table = table_of(request, table_id)
    if not Evening.objects.filter(table=table).exists():
        raise Http404
    drawn = hosting.picture(hosting.scoreboard(table.pk), table.currency)
    response = HttpResponse(drawing.png(drawn), content_type="image/png")
    response["X-Robots-Tag"] = "noindex"
    return response
