"""A real browser, and a house that it visits: both are started once and used by all tests here."""

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    ViewportSize,
    expect,
    sync_playwright,
)

from tests import browsers
from tests.browser.extra_addresses import FRESH
from tests.browser.house import launch, sign_in, tell
from tests.browser.visitors import PHONE, Visitor
from tests.houses import open_house
from tests.houses.browsers import ForJourneys
from tests.waiting import PATIENCE_SECONDS

PATIENCE_MILLISECONDS: Final = 1000 * PATIENCE_SECONDS
# The room's ordinary answer where another player, or the clock, was quicker.
TOO_LATE: Final = re.compile(r"\b409\b")

expect.set_options(timeout=PATIENCE_MILLISECONDS)


# What the driver says where a test wants no worker of the app.
BLOCKED = "Service Worker registration blocked by Playwright"


@pytest.fixture(scope="session")
def house_address() -> Iterator[str]:
    with open_house(ForJourneys) as house:
        yield house.address


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    with launch(playwright, browsers.bare_chromium()) as browser:
        yield browser


@pytest.fixture
def opened(browser: Browser) -> Browser:
    """The browser of this test's visitors."""
    return browser


@pytest.fixture(scope="session", autouse=True)
def database_beside_a_loop() -> Iterator[None]:
    """The browser keeps an event loop in this thread, beside which Django would refuse to work."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """The complaints of the browser's console; a test expects none."""
    complaints: list[str] = []
    yield complaints
    assert complaints == []


@pytest.fixture(scope="session")
def sessions() -> dict[str, list[Any]]:
    """The cookies of those who have signed in to this house: they do so once."""
    return {}


@pytest.fixture
def sweeps() -> bool:
    """Whether the house goes on by itself; at journeys the driver asks it to."""
    return True


@pytest.fixture
def visitor(
    opened: Browser,
    house_address: str,
    complaints: list[str],
    sessions: dict[str, list[Any]],
    sweeps: bool,
) -> Iterator[Visitor]:
    """A visitor with a browser of their own, signed in if a name is given."""
    tell(house_address, f"{FRESH}?sweeps=yes" if sweeps else FRESH)
    contexts: list[BrowserContext] = []

    def note(message: ConsoleMessage) -> None:
        if BLOCKED in message.text:
            return
        if message.type in ("error", "warning") and not TOO_LATE.search(message.text):
            complaints.append(message.text)

    def come(
        name: str = "",
        *,
        script: bool = True,
        viewport: ViewportSize = PHONE,
        language: str = "en",
        address: str = house_address,
        **options: Any,
    ) -> Page:
        context = opened.new_context(
            base_url=address,
            viewport=viewport,
            java_script_enabled=script,
            **options,
        )
        contexts.append(context)
        if language != "en":
            chosen = {"name": "django_language", "value": language, "url": address}
            context.add_cookies([chosen])  # type: ignore[list-item]
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MILLISECONDS)
        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(error.stack or str(error)))
        if name in sessions:
            context.add_cookies(sessions[name])
        elif name:
            sign_in(page, name)
            kept = [cooky for cooky in context.cookies() if cooky["name"] == "sessionid"]
            assert kept
            sessions[name] = kept
        return page

    yield come
    for context in contexts:
        context.close()
