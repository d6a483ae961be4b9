"""The page that says who may do what; all that it shows is read from what decides it."""

from typing import Final

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from casino.backoffice import rights
from casino.players import staff

# A role in words, and what it is for.
WORDS: Final[dict[str, tuple[str | Promise, str | Promise]]] = {
    staff.FLOOR: (
        _("Floor"),
        _("Open and close tables, take stuck hands back, keep the chat."),
    ),
    staff.CASHIERS: (_("Cashiers"), _("See wallets, pay money in and out.")),
    staff.MANAGERS: (_("Managers"), _("Run the house, approve, and read the journal.")),
    staff.AUDITORS: (_("Auditors"), _("See everything, and change nothing.")),
    staff.TECHNICIANS: (_("Technicians"), _("Keep it running; see neither money nor cards.")),
}


@require_safe
def roles_page(request: HttpRequest) -> HttpResponse:
    context = {
        **admin.site.each_context(request),
        "title": _("Roles"),
        "roles": [(group, *WORDS[group]) for group in rights.groups()],
        "sections": rights.sections(),
    }
    return TemplateResponse(request, "backoffice/roles.html", context)
