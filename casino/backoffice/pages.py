"""The pages of the back office beside the lists: each with the permission that opens it.

Addresses, menu and the page of roles are made from this list, so no page stands outside it.
"""

from collections.abc import Callable
from functools import wraps
from typing import Final, NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.backoffice.approval_pages import limits_page, proposal_page, proposals_page
from casino.backoffice.health_page import health_page
from casino.backoffice.journal_page import READ, journal_page
from casino.backoffice.profiles import pages as profiles
from casino.backoffice.roles_page import roles_page
from games.profiles.drafts import PERMISSION as PUBLISH
from wallets.player import is_player


class Page(NamedTuple):
    """A page of the back office; without a permission it is open to all who work here."""

    name: str
    address: str
    view: Callable[..., HttpResponseBase]
    words: str | Promise
    # Of the menu; without one the page is not in it.
    symbol: str = ""
    permission: str = ""


VIEW_PROFILES: Final = "games.view_profile"
PAGES: Final = (
    Page("proposals", "approvals/", proposals_page, _("Approvals"), "how_to_reg"),
    Page("proposal", "approvals/<int:number>/", proposal_page, _("One proposal")),
    Page("limits", "limits/", limits_page, _("Limits"), "speed", "wallets.view_account"),
    Page("profiles", "profiles/", profiles.profiles_page, _("Profiles"), "tune", VIEW_PROFILES),
    Page("profile-new", "profiles/new/", profiles.new_profile_page, _("New profile"), "", PUBLISH),
    Page(
        "profile",
        "profiles/<int:number>/",
        profiles.version_page,
        _("A version of a profile"),
        "",
        VIEW_PROFILES,
    ),
    Page(
        "profile-edit",
        "profiles/<int:number>/edit/",
        profiles.edit_page,
        _("A draft of a profile"),
        "",
        PUBLISH,
    ),
    Page(
        "profile-progress",
        "profiles/<int:number>/progress/",
        profiles.progress_part,
        _("How far a reckoning is"),
        "",
        VIEW_PROFILES,
    ),
    Page(
        "profile-compare",
        "profiles/<int:number>/compare/",
        profiles.compare_page,
        _("Compare versions"),
        "",
        VIEW_PROFILES,
    ),
    Page("journal", "journal/", journal_page, _("Journal"), "history_edu", READ),
    Page("health", "health/", health_page, _("Health"), "monitor_heart", "upkeep.read_health"),
    Page("roles", "roles/", roles_page, _("Roles"), "badge"),
)


def is_open_to(page: Page, may: Callable[[str], bool]) -> bool:
    return not page.permission or may(page.permission)


def shown_to(request: HttpRequest) -> list[Page]:
    """The pages in the menu of this reader."""
    if not is_player(request.user):
        return []
    return [page for page in PAGES if page.symbol and is_open_to(page, request.user.has_perm)]


def addresses() -> list[URLPattern]:
    return [
        path(f"admin/{page.address}", admin.site.admin_view(_closed(page)), name=page.name)
        for page in PAGES
    ]


def _closed(page: Page) -> Callable[..., HttpResponseBase]:
    """The view, for whoever has the permission."""

    @wraps(page.view)
    def answered(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
        if not is_open_to(page, request.user.has_perm):
            raise PermissionDenied
        return page.view(request, *args, **named)

    return answered
