"""A house in a process of its own, and the browser that visits it."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin

from playwright.sync_api import Page

from tests import chromium
from tests.browser.errands import GO_ON, HOLD
from tests.valkey import valkey
from tests.waiting import PATIENCE_SECONDS, until

REPOSITORY: Final = Path(__file__).resolve().parents[2]
# Chromium refuses its sandbox to root.
CHROMIUM: Final[dict[str, Any]] = {
    "executable_path": chromium.found(),
    "args": ["--in-process-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])],
}


def answers(address: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(address, timeout=5) as answer:
        return bool(answer.status == 200)
    return False


@contextmanager
def a_house(*, results_stand: bool = False, migrated: Path | None = None) -> Iterator[str]:
    """The address of a house with a database of its own, a Redis, bots and demo players.

    In one where results stand no table goes on after a hand before `go_on` says so.
    """
    folder = Path(tempfile.mkdtemp(prefix="house-"))
    if migrated:
        shutil.copy(migrated, folder / "house.sqlite3")
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    # The house is handed a socket that listens: a port that was free a moment ago may be taken.
    with (
        socket.create_server(("127.0.0.1", 0), backlog=1024) as listening,
        valkey() as redis,
        (folder / "log").open("wb") as log,
    ):
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        environment |= {
            "DATA_DIR": str(folder),
            "DEMO": "1",
            "SECRET_KEY": "a key for tests alone",
            "SEALING_KEYS": "dGVzdHMgYWxvbmUgdXNlIHRoaXMga2V5LCBub2JvZHk=",
            "SIGNING_KEYS": "dGVzdHMgYWxvbmUgc2lnbiB3aXRoIHRoaXMga2V5ISE=",
            "PUSH_KEY": "dGVzdHMgYWxvbmUgc2lnbiB3aXRoIHRoaXMga2V5ISE=",
            "PUSH_CONTACT": "house@club.example",
            "REDIS_URL": redis.url,
        }
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.browser.serve", str(listening.fileno())),
                *(["--results-stand"] if results_stand else []),
            ],
            cwd=REPOSITORY,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            pass_fds=[listening.fileno()],
        )
        try:
            # It makes a database first, and may do that beside others.
            until(
                lambda: process.poll() is not None or answers(f"{address}/health/"),
                3 * PATIENCE_SECONDS,
            )
            assert process.poll() is None, (folder / "log").read_text()
            yield address
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()
    shutil.rmtree(folder)


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
    button = page.locator("#seat-button")
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
