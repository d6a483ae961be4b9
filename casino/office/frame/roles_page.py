"""The page that says who may do what; all that it shows is read from what decides it."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from casino.accounts.appointing import ROLE_WORDS
from casino.office.frame import rights
from wallets.office.staff_pages import STAFF, Menu, office_page, staff_page


@staff_page("roles", "roles/", _("Roles"), menu=Menu(STAFF, "badge", 20))
@require_safe
def roles_page(request: HttpRequest) -> HttpResponse:
    return office_page(
        request,
        "roles.html",
        _("Roles"),
        roles=[(group, *ROLE_WORDS[group]) for group in rights.groups()],
        sections=rights.sections(),
    )
