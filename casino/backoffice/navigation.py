"""The sidebar of the back office: the rooms of the house, each with what one may see of it."""

from typing import Any, Final

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

ORDER: Final = ("players", "games", "wallets")
# Names in the set of symbols that comes with the admin's theme.
SYMBOLS: Final = {
    "player": "person",
    "accessattempt": "lock_clock",
    "logentry": "history",
    "table": "table_restaurant",
    "hand": "playing_cards",
    "account": "account_balance_wallet",
    "transaction": "receipt_long",
}


def rooms(request: HttpRequest) -> list[dict[str, Any]]:
    """Rooms in the order of the house; Django leaves out what the viewer has no right to see."""
    apps = {app["app_label"]: app for app in admin.site.get_app_list(request)}
    start = {"title": _("Overview"), "icon": "dashboard", "link": reverse_lazy("admin:index")}
    groups: list[dict[str, Any]] = [{"items": [start]}]
    for label in ORDER:
        if label in apps:
            app = apps.pop(label)
            groups.append({"title": app["name"], "separator": True, "items": _pages(app)})
    others = [page for app in apps.values() for page in _pages(app)]
    if others:
        groups.append({"title": _("House"), "separator": True, "items": others})
    return groups


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
