"""A real browser, and a house that it visits: both are started once and used by all tests here."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests import chromium
from tests.browser.visits import Visitor
from tests.valkey import valkey
from tests.waiting import until

PHONE = {"width": 390, "height": 844}


def answers(address: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(address, timeout=5) as answer:
        return bool(answer.status == 200)
    return False


@pytest.fixture(scope="session")
def house_address(repository: Path) -> Iterator[str]:
    """A house of its own, with a database, a Redis, bots and demonstration players."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="house-"))
    environment = {name: told for name, told in os.environ.items() if name != "DATABASE_URL"}
    address = f"http://127.0.0.1:{port}"
    with valkey() as redis, (folder / "log").open("wb") as log:
        environment |= {
            "DATA_DIR": str(folder),
            "DEMO": "1",
            "SECRET_KEY": "a key for tests alone",
            "SEALING_KEYS": "dGVzdHMgYWxvbmUgdXNlIHRoaXMga2V5LCBub2JvZHk=",
            "REDIS_URL": redis.url,
        }
        command = [sys.executable, "-m", "tests.browser.serve", str(port)]
        process = subprocess.Popen(
            command, cwd=repository, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            until(lambda: process.poll() is not None or answers(f"{address}/health/"), 60)
            assert process.poll() is None, (folder / "log").read_text()
            yield address
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(10)
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    # Chromium refuses its sandbox to root.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.found(), args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What the browser's console has complained about: nothing."""
    found: list[str] = []
    yield found
    assert found == []


@pytest.fixture
def visitor(browser: Browser, house_address: str, complaints: list[str]) -> Iterator[Visitor]:
    """Somebody who comes with a browser of their own; signed in where a name is told."""
    contexts: list[BrowserContext] = []

    def come(name: str = "", *, script: bool = True, viewport: dict[str, int] = PHONE) -> Page:
        context = browser.new_context(
            base_url=house_address,
            viewport=viewport,  # type: ignore[arg-type]
            java_script_enabled=script,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on(
            "console",
            lambda told: (
                complaints.append(told.text) if told.type in ("error", "warning") else None
            ),
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        if name:
            page.goto("/players/sign-in/")
            page.fill("[name=username]", name)
            page.fill("[name=password]", f"demo-{name}")
            page.click("main button.main")
            page.wait_for_url("**/")
        return page

    yield come
    for context in contexts:
        context.close()
