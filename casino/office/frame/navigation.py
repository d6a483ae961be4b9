"""The pages that apps declare, the menu made from them, and the page of stored records.

An entry is a page, a list, or several of them that link to each other by tabs. The lists of rows as
they are stored are one entry, `RECORDS`, so that the menu stays one of tasks.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, wraps
from typing import Any, Final, NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse, reverse_lazy
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from wallets.office.lists import key_in
from wallets.office.staff_pages import (
    HEADINGS,
    PAGES,
    RECORD,
    RECORDS,
    Heading,
    Menu,
    Page,
    Tabs,
    menu_pages,
    office_page,
    staff_page,
)
from wallets.values.player import is_player

# The module of an app that declares its pages.
MODULE: Final = "office_pages"


@cache
def pages() -> tuple[Page, ...]:
    """Every page that an app declares.

    The first request imports the views; workers and commands never do.
    """
    autodiscover_modules(MODULE)
    return tuple(PAGES.values())


def addresses() -> list[URLPattern]:
    return [
        path(f"admin/{page.address}", admin.site.admin_view(_closed(page)), name=page.name)
        for page in pages()
    ]


def _closed(page: Page) -> Callable[..., HttpResponseBase]:
    """The view, for readers with one of the permissions."""

    @wraps(page.view)
    def answered(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
        if not page.is_open_to(request.user.has_perm):
            raise PermissionDenied
        return page.view(request, *args, **named)

    return answered


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
    entries = sorted(_entries(links(request)), key=lambda entry: entry.place)
    sections = [
        Section(heading.words, tuple(entry for entry in entries if entry.heading is heading))
        for heading in HEADINGS
    ]
    return [section for section in sections if section.entries]


def links(request: HttpRequest) -> list[Link]:
    """Return the pages and lists that the viewer may open, those of one entry in their order."""
    links = [*_pages(request), *_lists(request)]
    return sorted(links, key=lambda link: link.menu.place)


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """The sections as the admin's theme wants them, and the tabs of each entry."""
    start = {"title": _("Overview"), "icon": "dashboard", "link": reverse_lazy("admin:index")}
    shown_sections = sections(request)
    every = (
        link for section in shown_sections for entry in section.entries for link in entry.links
    )
    here = _opened(request.path, every)
    return [
        {"items": [start]},
        *(
            {
                "title": section.words,
                "separator": False,
                "items": [_item(entry, here) for entry in section.entries],
            }
            for section in shown_sections
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
    pages()
    reader = request.user
    for page, menu in menu_pages(reader.has_perm) if is_player(reader) else ():
        waiting = menu.waiting(reader) if menu.waiting else 0
        yield Link(menu, str(page.words), reverse(page.name), waiting)


def _lists(request: HttpRequest) -> Iterator[Link]:
    """The lists that the viewer may open; Django leaves out those without a permission."""
    for app in admin.site.get_app_list(request):
        for model in app["models"]:
            if model["admin_url"]:
                menu = menu_of(admin.site.get_model_admin(model["model"]))
                words = _title(menu.words or model["name"])
                yield Link(menu, words, model["admin_url"], model=model["model"])


def menu_of(model_admin: Any) -> Menu:
    """Return a list's place in the menu; a list without one is one of the records."""
    menu: Menu = getattr(model_admin, "menu", RECORD)
    return menu


def _title(name: object) -> str:
    """The plural of a model as a heading: "chat messages" becomes "Chat messages"."""
    words = str(name)
    return words[:1].upper() + words[1:]


class Record(NamedTuple):
    """A list; the page of its row with the number that is typed; the list searched for the text."""

    link: Link
    row: str = ""
    search: str = ""


@staff_page("records", "records/", _("Records"), menu=Menu(RECORDS, "database", 0))
@require_safe
def records_page(request: HttpRequest) -> HttpResponse:
    typed = request.GET.get("q", "").replace("\0", "").strip()[:100]
    records = list(_records(request, typed))
    return office_page(request, "records.html", _("Records"), typed=typed, records=records)


def _records(request: HttpRequest, typed: str) -> Iterator[Record]:
    for link in links(request):
        if link.menu.under is RECORDS and link.model is not None:
            yield Record(link, _row(request, link, typed), _search(request, link, typed))


def _row(request: HttpRequest, link: Link, typed: str) -> str:
    """The address of the row with the number that is typed, if the list has it."""
    number, shown = key_in(typed), _shown(link)
    meta = shown.opts
    if meta.pk.get_internal_type() not in ("AutoField", "BigAutoField") or not number:
        return ""
    if not shown.get_queryset(request).filter(pk=number).exists():
        return ""
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[number])


def _search(request: HttpRequest, link: Link, typed: str) -> str:
    if not typed or not _shown(link).get_search_fields(request):
        return ""
    return f"{link.address}?{urlencode({'q': typed})}"


def _shown(link: Link) -> Any:
    assert link.model is not None, "it is a list"
    return admin.site.get_model_admin(link.model)
