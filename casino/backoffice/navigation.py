"""The sidebar of the back office: sections with the lists that the viewer may see."""

from typing import Any, Final

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from casino.alarms import taking
from casino.backoffice import pages
from casino.integrity import deciding
from casino.integrity.models import Suspicion
from wallets import approvals
from wallets.player import is_player

ORDER: Final = ("players", "games", "tournaments", "wallets")
# Names of symbols in the set that comes with the admin's theme.
SYMBOLS: Final = {
    "player": "person",
    "accessattempt": "lock_clock",
    "logentry": "history",
    "table": "table_restaurant",
    "hand": "playing_cards",
    "tournament": "trophy",
    "template": "description",
    "schedule": "event_repeat",
    "account": "account_balance_wallet",
    "transaction": "receipt_long",
}


def rooms(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the sections in order; Django leaves out what the viewer has no permission to see."""
    apps = {app["app_label"]: app for app in admin.site.get_app_list(request)}
    start = {"title": _("Overview"), "icon": "dashboard", "link": reverse_lazy("admin:index")}
    groups: list[dict[str, Any]] = [{"items": [start, *_of_staff(request)]}]
    for label in ORDER:
        if label in apps:
            app = apps.pop(label)
            groups.append({"title": app["name"], "separator": True, "items": _pages(app)})
    others = [page for app in apps.values() for page in _pages(app)]
    if others:
        groups.append({"title": _("House"), "separator": True, "items": others})
    return groups


def _of_staff(request: HttpRequest) -> list[dict[str, Any]]:
    """The pages beside the lists; approvals with the number of those that wait for the viewer."""
    items: list[dict[str, Any]] = []
    for page in pages.shown_to(request):
        item = {"title": page.words, "icon": page.symbol, "link": reverse_lazy(page.name)}
        if page.name == "proposals" and (waiting := _waiting_for(request)):
            item["badge"] = str(waiting)
        if page.name == "alarms" and (untaken := _untaken(request)):
            item["badge"] = str(untaken)
        if page.name == "integrity" and (undecided := _undecided(request)):
            item["badge"] = str(undecided)
        items.append(item)
    return items


def _waiting_for(request: HttpRequest) -> int:
    assert is_player(request.user), "pages are shown to people"
    return approvals.waiting_for(request.user, timezone.now())


def _untaken(request: HttpRequest) -> int:
    """How many alarms stand that nobody has taken."""
    assert is_player(request.user), "pages are shown to people"
    visible = taking.visible_to(request.user)
    return visible.filter(cleared_at__isnull=True, taken_at__isnull=True).count()


def _undecided(request: HttpRequest) -> int:
    """How many suspicions wait for a decision."""
    assert is_player(request.user), "pages are shown to people"
    return deciding.visible_to(request.user).filter(state=Suspicion.State.OPEN).count()


def _pages(app: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "title": model["name"],
            "icon": SYMBOLS.get(model["object_name"].lower(), "list"),
            "link": model["admin_url"],
        }
        for model in app["models"]
        if model["admin_url"]
    ]
