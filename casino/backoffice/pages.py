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

from casino.alarms.taking import SEE as SEE_ALARMS
from casino.backoffice.alarm_pages import alarm_page, alarms_page
from casino.backoffice.approval_pages import limits_page, proposal_page, proposals_page
from casino.backoffice.audit_pages import audit_page, audit_progress, audits_page
from casino.backoffice.floor.actions import ACTIONS
from casino.backoffice.floor.floor_page import find_page, floor_page, page_of, table_page
from casino.backoffice.floor.house_state import SEE as SEE_FLOOR
from casino.backoffice.hand_page import hand_page, hand_step
from casino.backoffice.health_page import health_page
from casino.backoffice.integrity_pages import integrity_page, suspicion_page
from casino.backoffice.journal_page import READ, journal_page
from casino.backoffice.profiles import pages as profiles
from casino.backoffice.roles_page import roles_page
from casino.backoffice.significant import events_page
from casino.desk.page_list import DESK_PAGES
from casino.evidence.pages import evidence_page
from casino.integrity.deciding import SEE as SEE_SUSPICIONS
from casino.maintenance.page import maintenance_page
from casino.maintenance.switch import PERMISSION as SWITCH
from casino.player_file.pages import PLAYER_PAGES
from casino.reports import behind_pages
from casino.reports.pages import pages as report_pages
from casino.reports.registry import REPORTS
from casino.reports.report import READ as READ_REPORTS
from games.profiles.drafts import PERMISSION as PUBLISH
from games.profiles.drafts import VIEW as VIEW_PROFILES
from games.records.record import AUDIT
from games.records.reversals import PERMISSION as REVERSE
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
    # Whoever has this one instead opens the page, too.
    or_permission: str = ""


# Of the reports in the menu.
SYMBOLS: Final = {
    "revenue": "bar_chart",
    "returns": "percent",
    "liability": "balance",
    "jackpots": "savings",
    "rake": "price_change",
    "players": "group",
    "desk": "storefront",
}

_FLOOR: Final = (
    Page("floor", "floor/", floor_page, _("Floor"), "grid_view", SEE_FLOOR),
    Page("floor-find", "floor/find/", find_page, _("Search on the floor"), "", SEE_FLOOR),
    Page("floor-table", "floor/tables/<int:number>/", table_page, _("One table"), "", SEE_FLOOR),
    *(
        Page(action.name, action.address, page_of(action), action.words, "", action.permission)
        for action in ACTIONS
    ),
)
_DESK: Final = tuple(Page(*one) for one in DESK_PAGES)
PAGES: Final = (
    *_FLOOR,
    *_DESK,
    *(Page(*one) for one in PLAYER_PAGES),
    Page("alarms", "alarms/", alarms_page, _("Alarms"), "notifications", SEE_ALARMS),
    Page("alarm", "alarms/<int:number>/", alarm_page, _("One alarm"), "", SEE_ALARMS),
    Page("integrity", "integrity/", integrity_page, _("Integrity"), "policy", SEE_SUSPICIONS),
    Page(
        "suspicion",
        "integrity/<int:number>/",
        suspicion_page,
        _("One suspicion"),
        "",
        SEE_SUSPICIONS,
    ),
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
    Page("events", "events/", events_page, _("Significant events"), "event_note", AUDIT),
    Page("audits", "audits/", audits_page, _("Audits"), "fact_check", AUDIT),
    Page("audit", "audits/<int:number>/", audit_page, _("Audit of hands"), "", AUDIT),
    Page(
        "audit-progress",
        "audits/<int:number>/progress/",
        audit_progress,
        _("How far the audit is"),
        "",
        AUDIT,
    ),
    Page("evidence", "evidence/", evidence_page, _("Evidence"), "folder_zip", AUDIT),
    Page("health", "health/", health_page, _("Health"), "monitor_heart", "upkeep.read_health"),
    Page("maintenance", "maintenance/", maintenance_page, _("Maintenance"), "construction", SWITCH),
    Page("office-hand", "hands/<str:code>/", hand_page, _("One hand"), "", REVERSE, AUDIT),
    Page(
        "office-hand-step",
        "hands/<str:code>/step/<int:number>/",
        hand_step,
        _("One step of a hand"),
        "",
        REVERSE,
        AUDIT,
    ),
    Page("roles", "roles/", roles_page, _("Roles"), "badge"),
    *(
        Page(
            f"report_{name}",
            f"reports/{name}/",
            view,
            REPORTS[name].title,
            SYMBOLS[name],
            READ_REPORTS,
        )
        for name, view in report_pages().items()
    ),
    *(
        Page(f"report_{name}", f"reports/{name}/", view, words, "", READ_REPORTS)
        for name, (view, words) in behind_pages.PAGES.items()
    ),
)


def is_open_to(page: Page, may: Callable[[str], bool]) -> bool:
    either = (one for one in (page.permission, page.or_permission) if one)
    return not page.permission or any(map(may, either))


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
