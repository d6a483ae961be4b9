"""The menu of the back office: sections with the pages and lists that the viewer may open.

The sidebar and the overview show the same sections. A page or list that no section names stands in
the last one, so that none is lost.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from casino.alarms import taking
from casino.backoffice import pages
from casino.integrity import deciding
from casino.integrity.models import Suspicion
from casino.reports.registry import REPORTS
from wallets import approvals
from wallets.player import is_player

# Names of pages, and labels of models for their lists.
SECTIONS: Final[tuple[tuple[str | Promise, tuple[str, ...]], ...]] = (
    (_("Now"), ("floor", "alarms", "proposals")),
    (
        _("Players"),
        (
            "players.player",
            "integrity",
            "games_chat.chatline",
            "games_chat.silence",
            "axes.accessattempt",
        ),
    ),
    (
        pgettext_lazy("section", "Money"),
        (
            "desk",
            "desk-requests",
            "desk-receipts",
            "desk-tills",
            "wallets.account",
            "wallets.transaction",
            "wallets.entry",
            "wallets.jackpot",
            "wallets.currency",
            "limits",
        ),
    ),
    (_("Games"), ("games.table", "games.hand", "profiles", "games.seat", "games.move")),
    (
        _("Tournaments"),
        ("tournaments.tournament", "tournaments.schedule", "tournaments.template"),
    ),
    (_("Reports"), tuple(f"report_{name}" for name in REPORTS)),
    (
        _("Proofs"),
        (
            "journal",
            "events",
            "audits",
            "evidence",
            "games.day",
            "games.shoe",
            "games.chainentry",
            "games.sharedhand",
            "wallets.book",
            "wallets.closing",
        ),
    ),
)
HOUSE: Final = _("House")
# Models whose own names say little here.
NAMES: Final[Mapping[str, str | Promise]] = {
    "axes.accessattempt": _("Failed sign-ins"),
    "admin.logentry": _("Changes before the journal"),
}
# Names of symbols in the set that comes with the admin's theme.
SYMBOLS: Final[Mapping[str, str]] = {
    "players.player": "person",
    "axes.accessattempt": "lock_clock",
    "admin.logentry": "history",
    "games.table": "table_restaurant",
    "games.hand": "playing_cards",
    "games_chat.chatline": "chat",
    "games_chat.silence": "volume_off",
    "tournaments.tournament": "trophy",
    "tournaments.template": "description",
    "tournaments.schedule": "event_repeat",
    "wallets.account": "account_balance_wallet",
    "wallets.transaction": "receipt_long",
}


class Link(NamedTuple):
    """A page or a list in the menu, with the number of what waits there."""

    words: str
    symbol: str
    address: str
    waiting: int = 0


class Section(NamedTuple):
    words: str | Promise
    links: tuple[Link, ...]


def sections(request: HttpRequest) -> list[Section]:
    """Return the lists that the viewer may open; Django leaves out those without a permission."""
    found = _pages(request) | _lists(request)
    listed = []
    for words, names in SECTIONS:
        links = tuple(found.pop(name) for name in names if name in found)
        listed.append(Section(words, links))
    listed.append(Section(HOUSE, tuple(found.values())))
    return [section for section in listed if section.links]


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """The sections as the admin's theme wants them."""
    start = {"title": _("Overview"), "icon": "dashboard", "link": reverse_lazy("admin:index")}
    return [
        {"items": [start]},
        *(
            {
                "title": section.words,
                "separator": True,
                "items": [_item(link) for link in section.links],
            }
            for section in sections(request)
        ),
    ]


def _item(link: Link) -> dict[str, object]:
    item: dict[str, object] = {"title": link.words, "icon": link.symbol, "link": link.address}
    return item | {"badge": str(link.waiting)} if link.waiting else item


def _pages(request: HttpRequest) -> dict[str, Link]:
    waiting = {"proposals": _to_decide, "alarms": _untaken, "integrity": _undecided}
    return {
        page.name: Link(
            str(page.words),
            page.symbol,
            str(reverse_lazy(page.name)),
            waiting[page.name](request) if page.name in waiting else 0,
        )
        for page in pages.shown_to(request)
    }


def _lists(request: HttpRequest) -> dict[str, Link]:
    lists = {
        model["model"]._meta.label_lower: model
        for app in admin.site.get_app_list(request)
        for model in app["models"]
        if model["admin_url"]
    }
    return {
        label: Link(
            _title(NAMES.get(label, one["name"])), SYMBOLS.get(label, "list"), one["admin_url"]
        )
        for label, one in lists.items()
    }


def _title(name: object) -> str:
    """The plural of a model as a heading: "chat messages" becomes "Chat messages"."""
    words = str(name)
    return words[:1].upper() + words[1:]


def _to_decide(request: HttpRequest) -> int:
    assert is_player(request.user), "pages are shown to people"
    return approvals.waiting_for(request.user, timezone.now())


def _untaken(request: HttpRequest) -> int:
    """Return the number of open alarms that nobody has taken."""
    assert is_player(request.user), "pages are shown to people"
    visible = taking.visible_to(request.user)
    return visible.filter(cleared_at__isnull=True, taken_at__isnull=True).count()


def _undecided(request: HttpRequest) -> int:
    """Return the number of suspicions that wait for a decision."""
    assert is_player(request.user), "pages are shown to people"
    return deciding.visible_to(request.user).filter(state=Suspicion.State.OPEN).count()
