"""The appearance of the admin: our colours, and a sidebar of sections."""

from typing import Final

from django.templatetags.static import static
from django.utils.translation import gettext_lazy as _

UNFOLD: Final[dict[str, object]] = {
    "SITE_TITLE": _("Card room"),
    "SITE_HEADER": _("Card room"),
    "SITE_SUBHEADER": _("Back office"),
    "SITE_SYMBOL": "playing_cards",
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda _request: static("casino/mark.svg")}
    ],
    "STYLES": [
        lambda _request: static("casino/tokens.css"),
        lambda _request: static("backoffice/rows.css"),
    ],
    "SHOW_LANGUAGES": True,
    "DASHBOARD_CALLBACK": "casino.office.frame.overview.overview",
    "BORDER_RADIUS": "6px",
    "COLORS": {
        # The ground, felt and text of the pages, and the accent from which they derive their gold.
        "base": {
            "50": "#f3eee2",
            "100": "#eceee9",
            "200": "#d3d8d2",
            "300": "#c3ccc6",
            "400": "#a9b8ae",
            "500": "#6f7d75",
            "600": "#56635b",
            "700": "#3a4b42",
            "800": "#2e4037",
            "900": "#17211c",
            "950": "#0b1310",
        },
        "primary": {
            "50": "#fdf8ec",
            "100": "#f9edcd",
            "200": "#f2dc9f",
            "300": "#eacb7c",
            "400": "#e0b458",
            "500": "#c1902f",
            "600": "#8a5a00",
            "700": "#744b00",
            "800": "#5c3c00",
            "900": "#472f04",
            "950": "#291a00",
        },
    },
    "ACCOUNT": {"navigation": "casino.office.frame.tour.account_links"},
    "SIDEBAR": {
        "show_search": True,
        # The search is a window that Ctrl-K opens, too.
        "command_search": True,
        "navigation": "casino.office.frame.navigation.sidebar",
    },
}
