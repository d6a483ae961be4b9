"""Rendered pages of a table, laid out by a browser, and the faults of their layout."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from threading import Thread
from typing import Final

from django.contrib.staticfiles import finders
from playwright.sync_api import Browser, Page

from casino.web.bundles import FOLDER
from casino.web.static_files import put_together
from tests.browser.visitors import (
    DESK,
    LAPTOP,
    LARGE_DESK,
    PHONE,
    PHONE_ASIDE,
    PHONE_WITH_BARS,
    SMALL_DESK,
    SMALL_PHONE,
    SMALL_PHONE_ASIDE,
    TABLET,
    WINDOW,
)

FAULTS: Final = (Path(__file__).parent / "layout_faults.js").read_text()
SMALL_ASIDE: Final = "small phone on its side"
SIZES: Final = {
    "phone": PHONE,
    "phone on its side": PHONE_ASIDE,
    "desk": DESK,
    "tablet": TABLET,
    "laptop": LAPTOP,
    "small desk": SMALL_DESK,
    "window": WINDOW,
    "large desk": LARGE_DESK,
    "phone with bars": PHONE_WITH_BARS,
    "small phone": SMALL_PHONE,
    SMALL_ASIDE: SMALL_PHONE_ASIDE,
}


class PrintedPage(ThreadingHTTPServer):
    """Serves one page and the files that it names; all its other requests get no news."""

    markup = b""


class Answer(BaseHTTPRequestHandler):
    server: PrintedPage

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        file = finders.find(path.removeprefix("/static/")) if path.startswith("/static/") else None
        body = _served(path, file) if file else self.server.markup if path == "/" else b""
        self.send_response(200 if body else 204)
        kind = guess_type(path)[0] if file else "text/html; charset=utf-8"
        self.send_header("Content-Type", kind or "application/octet-stream")
        if file:
            self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_given: object) -> None:
        """Say nothing of requests."""


def _served(path: str, file: str) -> bytes:
    """A file as a house serves it: the styles of a page are one file."""
    name = path.removeprefix("/static/")
    is_bundle = name.startswith(FOLDER) and name.endswith(".css")
    return put_together(name).encode() if is_bundle else Path(file).read_bytes()


class Sheet:
    """A page of a browser on which rendered pages are laid out."""

    def __init__(self, page: Page, server: PrintedPage) -> None:
        self.page, self.server = page, server

    def show(self, markup: bytes, pose: str = "") -> None:
        """Lay a rendered page out, in this pose."""
        self.server.markup = markup
        self.page.goto("/")
        if pose:
            self.page.evaluate(pose)

    def faults(self, markup: bytes, pose: str = "", sizes: Iterable[str] = SIZES) -> list[str]:
        """What overlaps, is cut or leaves a screen of one of these sizes.

        `pose` is a script that does to the page what a player would.
        """
        self.show(markup, pose)
        faults = []
        for size in sizes:
            self.page.set_viewport_size(SIZES[size])  # type: ignore[arg-type]
            faults += [f"{size}, {fault}" for fault in self.page.evaluate(FAULTS)]
        return faults


@contextmanager
def sheet_of(browser: Browser) -> Iterator[Sheet]:
    with PrintedPage(("localhost", 0), Answer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page(
            base_url=f"http://localhost:{server.server_port}", reduced_motion="reduce"
        )
        yield Sheet(page, server)
        page.close()
        server.shutdown()
