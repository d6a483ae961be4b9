"""The site as an app: its manifest, its service worker, and the page that is shown offline.

The worker keeps the offline page and the files of it, under the hash of their contents. None of
these answers knows its reader, so nothing that a browser keeps says anything about a player.
"""

import json
from hashlib import sha256
from typing import Final

from django.apps import apps
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from casino.office.house import files
from casino.web.static_files import put_together, source
from wallets.values import house, palette

ICON_SIZES: Final = (192, 512)
# The files of the offline page.
STYLE: Final = "pages/frame.css"
WORKER: Final = "casino/service_worker.js"
# A browser asks whether there is a newer one each time.
FRESH: Final = "no-cache"
VERSION_LENGTH: Final = 16


@require_safe
def manifest(_request: HttpRequest) -> JsonResponse:
    """Serve the web app manifest: name, look and start page."""
    drawn = {"src": files.drawn_address(), "sizes": "any", "type": "image/svg+xml"}
    icons = [
        {"src": files.icon_address(size), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in ICON_SIZES
    ]
    # The ground of the dark look, on which the icon is drawn.
    _light, dark, _felt = palette.themes(house.current().palette)
    data = {
        "id": "/",
        "name": house.house_name(),
        "short_name": house.house_name(),
        "lang": get_language(),
        "start_url": reverse("lobby"),
        "scope": "/",
        "display": "standalone",
        "background_color": dark["ground"],
        "theme_color": dark["ground"],
        # A launcher may cut the icon to any shape: what is drawn stays within its middle.
        "icons": [{**icon, "purpose": "any maskable"} for icon in (drawn, *icons)],
    }
    answer = JsonResponse(data, content_type="application/manifest+json")
    answer["Cache-Control"] = FRESH
    return answer


@require_safe
def offline(_request: HttpRequest) -> HttpResponse:
    """The page for when there is no connection; it is the same for all visitors."""
    answer = HttpResponse(offline_page())
    answer["Cache-Control"] = FRESH
    return answer


@require_safe
def service_worker(_request: HttpRequest) -> HttpResponse:
    """The worker, served from the root, because it answers for the pages below its own address."""
    own = [files.sheet_address(), files.mark_address()]
    shell = [reverse("offline"), static(STYLE), files.icon_address(), *filter(None, own)]
    values = {"SHELL": shell, "VERSION": _version(), "PUSH": _address_of_push()}
    names = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in values.items())
    answer = HttpResponse(names + source(WORKER), content_type="text/javascript")
    answer["Cache-Control"] = FRESH
    return answer


def _address_of_push() -> str:
    """Where a browser subscribes; empty in a house without notifications."""
    return reverse("push") if apps.is_installed("casino.community.push") else ""


def offline_page() -> str:
    """In the house's own language above the others, as it knows no reader."""
    with override(house.current().offered[0]):
        return render_to_string("returning/offline.html")


def _version() -> str:
    """A hash over all that the worker keeps: another page or file is another version."""
    kept = (offline_page(), put_together(STYLE), source(files.STATIC_MARK), house.current().key)
    digests = b"".join(sha256(text.encode()).digest() for text in kept)
    return sha256(digests).hexdigest()[:VERSION_LENGTH]
