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
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from casino.web.static_files import put_together, source

# The ground of the dark look, on which the icon is drawn.
GROUND: Final = "#0b1310"
ICONS: Final = (("casino/icon-192.png", "192x192"), ("casino/icon-512.png", "512x512"))
# The files of the offline page.
STYLE: Final = "pages/frame.css"
ICON: Final = "casino/mark.svg"
WORKER: Final = "casino/service_worker.js"
# A browser asks whether there is a newer one each time.
FRESH: Final = "no-cache"
VERSION_LENGTH: Final = 16


@require_safe
def manifest(_request: HttpRequest) -> JsonResponse:
    """Serve the web app manifest: name, look and start page."""
    drawn = {"src": static("casino/icon.svg"), "sizes": "any", "type": "image/svg+xml"}
    icons = [{"src": static(name), "sizes": size, "type": "image/png"} for name, size in ICONS]
    data = {
        "id": "/",
        "name": _("Card room"),
        "short_name": _("Card room"),
        "lang": get_language(),
        "start_url": reverse("lobby"),
        "scope": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
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
    shell = [reverse("offline"), static(STYLE), static(ICON)]
    values = {"SHELL": shell, "VERSION": _version(), "PUSH": _address_of_push()}
    names = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in values.items())
    answer = HttpResponse(names + source(WORKER), content_type="text/javascript")
    answer["Cache-Control"] = FRESH
    return answer


def _address_of_push() -> str:
    """Where a browser subscribes; empty in a house without notifications."""
    return reverse("push") if apps.is_installed("casino.community.push") else ""


def offline_page() -> str:
    return render_to_string("returning/offline.html")


def _version() -> str:
    """A hash over all that the worker keeps: another page or file is another version."""
    kept = (offline_page(), put_together(STYLE), source(ICON))
    digests = b"".join(sha256(one.encode()).digest() for one in kept)
    return sha256(digests).hexdigest()[:VERSION_LENGTH]
