"""The back office's theme: our colours, its sidebar, and its words, which are in our catalogue.

Words that Django's admin has, too, are translated by Django. Nothing imports this module: gettext
reads it like any other.
"""

from typing import Final

from django.templatetags.static import static
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from casino.office.shades import SHADES
from wallets.values.house import house_name

UNFOLD: Final[dict[str, object]] = {
    "SITE_TITLE": lambda _request: house_name(),
    "SITE_HEADER": lambda _request: house_name(),
    "SITE_SUBHEADER": _("Back office"),
    "SITE_SYMBOL": "playing_cards",
    "SITE_ICON": "casino.office.house.files.office_mark",
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": "casino.office.house.files.office_icon"}
    ],
    "STYLES": [
        lambda _request: static("casino/tokens.css"),
        lambda _request: static("backoffice/rows.css"),
        lambda _request: static("backoffice/parts.css"),
    ],
    "SHOW_LANGUAGES": True,
    "LANGUAGES": {"navigation": "casino.office.house.files.office_languages"},
    "DASHBOARD_CALLBACK": "casino.office.frame.overview.overview",
    "BORDER_RADIUS": "6px",
    # The theme writes its own form of each colour here.
    "COLORS": {name: dict(colours) for name, colours in SHADES.items()},
    "ACCOUNT": {"navigation": "casino.office.frame.tour.account_links"},
    "SIDEBAR": {
        "show_search": True,
        # The search is a window that Ctrl-K opens, too.
        "command_search": True,
        "navigation": "casino.office.frame.navigation.sidebar",
    },
}


_n("After you've created a user, you’ll be able to edit more user options.")
_n("All applications")
_n("Apply Filters")
_n("Choose file to upload")
_n("Click to cancel")
_n("Click to download")
_n("Date")
_n("Expand row")
_n("Find anything")
_n("False")
_n("Forgotten your password or username?")
_n("General")
_n("Go back")
_n("Image preview")
_n("Loading more results...")
_n("More actions")
_n("No data")
_n("No recent searches")
_n("No results found")
_n("No results matching your query")
_n("Player, table, hand, receipt or page")
_n("Previous")
_n("Recent searches")
_n("Record picture")
_n("Reset filters")
_n("Return to site")
_n("Run")
_n("Select action")
_n("Select action to run")
_n("Select all rows")
_n("Select currency")
_n("Select record")
_n("Select value")
_n("Submit")
_n("System")
_n("This item will be deleted.")
_n("Toggle password visibility")
_n("True")
_n("Type to search")
_n("Welcome")
_n("Welcome back to")
_n("You have been successfully logged out from the administration")
