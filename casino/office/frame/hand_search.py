"""The search over the hands of all players: by code, player, table, cards, result and amount."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.records.record import AUDIT
from games.records.reversals import PERMISSION
from games.views.history import staff_context
from wallets.office.staff_pages import GAMES, Menu, office_page, staff_page


@staff_page(
    "office-hands",
    "hands/",
    _("Find a hand"),
    AUDIT,
    PERMISSION,
    menu=Menu(GAMES, "search", 19, about=_("A hand is found here once it has ended.")),
)
@require_safe
def hand_search(request: HttpRequest) -> HttpResponse:
    return office_page(request, "hands.html", _("Find a hand"), **staff_context(request))
