"""What a test in a browser says to its house (`tests/houses/browsers.py`) and does on its pages."""

import json
import os
import re
import urllib.request
from functools import partial
from typing import Any, Final
from urllib.parse import urljoin

from playwright.sync_api import Browser, Error, Page, Playwright

from tests import browsers
from tests.browser.extra_addresses import GO_ON, HOLD

# Chromium refuses its sandbox to root. Its graphics stay a process of their own: as a thread they
# read the environment while the main thread changes it, which now and then crashed a start.
ARGUMENTS: Final = ["--no-sandbox"] if os.geteuid() == 0 else []


def launch(playwright: Playwright, executable: str | None = None) -> Browser:
    """Start Chromium, and start it again where it crashed before it opened a page."""
    start = partial(
        playwright.chromium.launch,
        executable_path=executable or browsers.chromium(),
        args=ARGUMENTS,
    )
    try:
        return start()
    except Error as crash:
        print(f"Chromium crashed as it started, and is started again: {crash}")
        return start()


def tell(address: str, what: str) -> Any:
    """Ask the tests' house for what only tests ask for."""
    with urllib.request.urlopen(address.rstrip("/") + what, data=b"") as answer:
        return json.load(answer)


def hold(page: Page) -> None:
    """No table begins a hand from here on before `go_on` says so."""
    tell(house_of(page), HOLD)


def go_on(page: Page) -> None:
    """Let the hand begin that comes after the one whose result a table's page shows.

    Where it shows none, that is the hand after the one that the table plays, or has played last.
    """
    go_on_at(page.url, page.get_attribute("#shoe", "data-ended") or "0")


def go_on_at(address: str, hand: str = "0") -> None:
    """The same, from another page, by the address of the table's."""
    table = re.search(r"/tables/(\d+)/", address)
    assert table, address
    tell(urljoin(address, "/"), f"{GO_ON}?table={table[1]}&hand={hand}")


def house_of(page: Page) -> str:
    return urljoin(page.url, "/")


def sit(page: Page, game: str) -> None:
    """Find a seat at a game, and wait for the table's page."""
    page.goto(f"/play/{game}/")
    page.click("main button.main")
    page.wait_for_url("**/tables/*/")


def open_my_seat(page: Page) -> None:
    """Open the seat's menu: behind the dots at one's plate, on every screen."""
    page.wait_for_selector("#seat-menu", state="attached")
    button = page.locator(".mine .seat-button")
    if button.is_visible() and not page.locator("#do-leave").is_visible():
        button.click()


def play_by_itself(page: Page) -> None:
    """Let the house play, which it does until the hand is over: said again, it goes on with it."""
    switch = "document.querySelector('#board:not(.htmx-settling) #do-auto-play:not(.main)')"
    page.evaluate(f"{switch}?.click()")


def sign_in(page: Page, name: str) -> None:
    """Sign in as one of the demonstration players."""
    page.goto("/players/sign-in/")
    page.fill("[name=username]", name)
    page.fill("[name=password]", f"demo-{name}")
    page.click("main button.main")
    page.wait_for_url(lambda address: "sign-in" not in address)
