"""A house in a process of its own, and the browser that visits it."""

import os
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

from playwright.sync_api import Page

from tests import chromium
from tests.valkey import valkey
from tests.waiting import until

REPOSITORY: Final = Path(__file__).resolve().parents[2]
# Chromium refuses its sandbox to root.
CHROMIUM: Final[dict[str, Any]] = {
    "executable_path": chromium.found(),
    "args": ["--no-sandbox"] if os.geteuid() == 0 else [],
}


def answers(address: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(address, timeout=5) as answer:
        return bool(answer.status == 200)
    return False


@contextmanager
def a_house() -> Iterator[str]:
    """The address of a house with a database of its own, a Redis, bots and demo players."""
    folder = Path(tempfile.mkdtemp(prefix="house-"))
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
            "REDIS_URL": redis.url,
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.serve", str(listening.fileno())],
            cwd=REPOSITORY,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            pass_fds=[listening.fileno()],
        )
        try:
            until(lambda: process.poll() is not None or answers(f"{address}/health/"))
            assert process.poll() is None, (folder / "log").read_text()
            yield address
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()
    shutil.rmtree(folder)


def open_my_seat(page: Page) -> None:
    """Open the seat's menu: behind a button on a phone, always open on a wide screen."""
    page.wait_for_selector("#seat-menu", state="attached")
    button = page.locator("#seat-button")
    if button.is_visible() and not page.locator("#do-leave").is_visible():
        button.click()


def sign_in(page: Page, name: str) -> None:
    """Sign in as one of the demonstration players."""
    page.goto("/players/sign-in/")
    page.fill("[name=username]", name)
    page.fill("[name=password]", f"demo-{name}")
    page.click("main button.main")
    page.wait_for_url(lambda address: "sign-in" not in address)
