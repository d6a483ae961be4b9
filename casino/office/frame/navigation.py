"""The menu of the back office: headings with the entries that the viewer may open.

An entry is a page, a list, or several of them that link to each other by tabs. The lists of rows as
they are stored are one entry, `RECORDS`, so that the menu stays one of tasks.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse, reverse_lazy
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.office.frame import pages
from wallets.office.staff_pages import HEADINGS, RECORDS, Heading, Menu, Tabs, menu_of
from wallets.values.player import is_player


class Link(NamedTuple):
    """A page or a list that the viewer may open, with the number of what waits there."""

    menu: Menu
    words: str
    address: str
    waiting: int = 0
    # Of a list.
    model: type[Model] | None = None


class MenuEntry(NamedTuple):
    """An entry of the menu; it opens the first of its links, and the others are tabs there."""

    heading: Heading
    place: int
    words: str
    symbol: str
    links: tuple[Link, ...]
    # Whether the frame draws the tabs.
    has_tabs: bool

    @property
    def address(self) -> str:
        return self.links[0].address

    @property
    def waiting(self) -> int:
        return sum(link.waiting for link in self.links)


class Section(NamedTuple):
    words: str | Promise
    entries: tuple[MenuEntry, ...]


def sections(request: HttpRequest) -> list[Section]:
    """Return the menu of this viewer."""
    entries = sorted(_entries(links(request)), key=lambda one: one.place)
    found = [
        Section(heading.words, tuple(one for one in entries if one.heading is heading))
        for heading in HEADINGS
    ]
    return [section for section in found if section.entries]


def links(request: HttpRequest) -> list[Link]:
    """Return the pages and lists that the viewer may open, those of one entry in their order."""
    found = [*_pages(request), *_lists(request)]
    return sorted(found, key=lambda link: link.menu.place)


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """The sections as the admin's theme wants them, and the tabs of each entry."""
    start = {"title": _("Overview"), "icon": "dashboard", "link": reverse_lazy("admin:index")}
    found = sections(request)
    every = (link for one in found for entry in one.entries for link in entry.links)
    here = _opened(request.path, every)
    return [
        {"items": [start]},
        *(
            {
                "title": section.words,
                "separator": False,
                "items": [_item(entry, here) for entry in section.entries],
            }
            for section in found
        ),
    ]


def _opened(path: str, found: Iterable[Link]) -> Link | None:
    """The link whose page is open: the longest address that the path begins with."""
    begins = [link for link in found if path.startswith(link.address)]
    return max(begins, key=lambda link: len(link.address), default=None)


def _item(entry: MenuEntry, here: Link | None) -> dict[str, object]:
    item: dict[str, object] = {
        "title": entry.words,
        "icon": entry.symbol,
        "link": entry.address,
        "active": here in entry.links,
        # Of the house's own frame: the pages of the entry, and the one that is open.
        "links": entry.links,
        "here": here,
        "has_tabs": entry.has_tabs and here in entry.links and len(entry.links) > 1,
    }
    return item | {"badge": str(entry.waiting)} if entry.waiting else item


def _entries(found: list[Link]) -> Iterator[MenuEntry]:
    of_tabs: dict[Tabs, list[Link]] = {}
    for link in found:
        under = link.menu.under
        if isinstance(under, Tabs):
            of_tabs.setdefault(under, []).append(link)
        else:
            menu = link.menu
            yield MenuEntry(under, menu.place, link.words, menu.symbol, (link,), has_tabs=False)
    for tabs, linked in of_tabs.items():
        # The page of the records is open to all, and finds nothing for those who read none.
        if tabs is not RECORDS or len(linked) > 1:
            words = str(tabs.words)
            yield MenuEntry(
                tabs.heading, tabs.place, words, tabs.symbol, tuple(linked), has_tabs=tabs.drawn
            )


def _pages(request: HttpRequest) -> Iterator[Link]:
    for page in pages.shown_to(request):
        menu = page.menu
        assert menu is not None, "it is in the menu"
        assert is_player(request.user), "pages are shown to people"
        waiting = menu.waiting(request.user) if menu.waiting else 0
        yield Link(menu, str(page.words), reverse(page.name), waiting)


def _lists(request: HttpRequest) -> Iterator[Link]:
    """The lists that the viewer may open; Django leaves out those without a permission."""
    for app in admin.site.get_app_list(request):
        for one in app["models"]:
            if one["admin_url"]:
                menu = menu_of(admin.site.get_model_admin(one["model"]))
                words = _title(menu.words or one["name"])
                yield Link(menu, words, one["admin_url"], model=one["model"])


def _title(name: object) -> str:
    """The plural of a model as a heading: "chat messages" becomes "Chat messages"."""
    words = str(name)
    return words[:1].upper() + words[1:]
