"""The pages of the back office, each declared once, next to its view.

    @staff_page("journal", "journal/", _("Journal"), READ, menu=Menu(DEEDS, "history_edu", 10))
    @require_safe
    def journal_page(request): ...

The addresses, the menu, the search and the page of roles are made from what is declared here. An
app declares its pages in a module `office_pages`, or imports there the modules that declare them.
The lists of the admin say with an attribute `menu` where they stand.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

from django.contrib import admin
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from wallets.values.player import Viewer
from wallets.values.registry import Registry

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


@dataclass(frozen=True, eq=False)
class Heading:
    words: str | Promise


NOW: Final = Heading(_("Now"))
PLAYERS: Final = Heading(_("Players"))
MONEY: Final = Heading(pgettext_lazy("section", "Money"))
GAMES: Final = Heading(_("Games"))
EVENTS: Final = Heading(_("Events"))
REPORTS: Final = Heading(_("Reports"))
PROOFS: Final = Heading(_("Proofs"))
HOUSE: Final = Heading(_("House"))
# In the order of the work.
HEADINGS: Final = (NOW, PLAYERS, MONEY, GAMES, EVENTS, REPORTS, PROOFS, HOUSE)


@dataclass(frozen=True, eq=False)
class Tabs:
    """An entry of the menu with several pages and lists, which link to each other by tabs."""

    heading: Heading
    words: str | Promise
    symbol: str
    place: int
    # Whether the frame draws the tabs; some pages draw their own.
    drawn: bool = True


PEOPLE: Final = Tabs(PLAYERS, _("Players"), "person", 10)
DESK: Final = Tabs(MONEY, _("Cash desk"), "payments", 10, drawn=False)
TOURNAMENTS: Final = Tabs(EVENTS, _("Tournaments"), "trophy", 10)
ALL_REPORTS: Final = Tabs(REPORTS, _("Reports"), "bar_chart", 10, drawn=False)
DEEDS: Final = Tabs(PROOFS, _("Journal"), "history_edu", 10)
CHECKS: Final = Tabs(PROOFS, _("Audits"), "fact_check", 20)
APPROVALS: Final = Tabs(NOW, _("Approvals"), "how_to_reg", 30)
OPERATION: Final = Tabs(HOUSE, _("Health"), "monitor_heart", 10)
STAFF: Final = Tabs(HOUSE, _("Staff and roles"), "badge", 30)
# Pages that only experts open: lists of rows as they are stored. A page of its own finds among
# them.
RECORDS: Final = Tabs(HOUSE, _("Records"), "database", 40, drawn=False)


class Menu(NamedTuple):
    """The place of a page or a list in the menu; a list without one is one of the records."""

    under: Heading | Tabs = RECORDS
    # A name from the set of the admin's theme.
    symbol: str = "list"
    # The entries under a heading are in this order; entries without a place come last.
    place: int = 1_000
    # Of a list whose model's own name says little in the menu.
    words: str | Promise = ""
    # Of a list: what is in it, as an empty one tells its reader.
    about: str | Promise = ""
    # How many things wait there for the viewer.
    waiting: Callable[[Viewer], int] | None = None


RECORD: Final = Menu()


class Page(NamedTuple):
    """A page of the back office; without a permission it is open to all who work here."""

    name: str
    address: str
    view: Callable[..., HttpResponseBase]
    words: str | Promise
    # One of them is enough.
    permissions: tuple[str, ...] = ()
    # Without one the page is not in the menu.
    menu: Menu | None = None
    # Of a page that does something: the page on which that begins, its own or one where its object
    # is chosen. The search finds it as an action.
    begins: str = ""

    def is_open_to(self, may: Callable[[str], bool]) -> bool:
        return not self.permissions or any(map(may, self.permissions))


PAGES: Final = Registry[Page]("page of the back office")


def staff_page(
    name: str,
    address: str,
    words: str | Promise,
    *permissions: str,
    menu: Menu | None = None,
    begins: str = "",
) -> Callable[[View], View]:
    """Declare the decorated view as a page, at an address below that of the back office."""

    def declared(view: View) -> View:
        PAGES.add(name, Page(name, address, view, words, permissions, menu, begins))
        return view

    return declared


def menu_pages(may: Callable[[str], bool]) -> list[tuple[Page, Menu]]:
    """Return the pages of the menu that are open to a reader, and where they stand."""
    return [(page, page.menu) for page in PAGES.values() if page.menu and page.is_open_to(may)]


def office_page(
    request: HttpRequest, template: str, title: object, /, **context: object
) -> TemplateResponse:
    """Show a template of the back office in its frame, under a title."""
    frame = {**admin.site.each_context(request), "title": title}
    return TemplateResponse(request, f"backoffice/{template}", frame | context)
