"""The page that says who may do what; all that it shows is read from what decides it."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from casino.accounts import staff
from casino.office.frame import rights
from wallets.office.staff_pages import HOUSE, Menu, office_page, staff_page

# A role in words, and what it is for.
WORDS: Final[dict[str, tuple[str | Promise, str | Promise]]] = {
    staff.FLOOR: (
        _("Floor"),
        _("Open and close tables, void stuck hands, moderate the chat."),
    ),
    staff.CASHIERS: (_("Cashiers"), _("See wallets, pay money in and out.")),
    staff.MANAGERS: (_("Managers"), _("Run the house, approve, and read the journal.")),
    staff.AUDITORS: (_("Auditors"), _("See everything, and change nothing.")),
    staff.TECHNICIANS: (_("Technicians"), _("Keep it running; see neither money nor cards.")),
}


@staff_page("roles", "roles/", _("Roles"), menu=Menu(HOUSE, "badge", 30))
@require_safe
def roles_page(request: HttpRequest) -> HttpResponse:
    return office_page(
        request,
        "roles.html",
        _("Roles"),
        roles=[(group, *WORDS[group]) for group in rights.groups()],
        sections=rights.sections(),
    )
