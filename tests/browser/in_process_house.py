"""A browser at a house in the process of the test, which makes its hands itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from playwright.sync_api import Browser, Page

from tests.games.house import House
from tests.people import client_of
from tests.waiting import PATIENCE_SECONDS


@contextmanager
def page_at(browser: Browser, address: str, complaints: list[str], viewport: Any) -> Iterator[Page]:
    context = browser.new_context(base_url=address, viewport=viewport)
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE_SECONDS)
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
    yield page
    context.close()


def sign_in(page: Page, house: House, name: str) -> None:
    client = client_of(house.person(name))
    page.context.add_cookies(
        [
            {
                "name": settings.SESSION_COOKIE_NAME,
                "value": client.cookies[settings.SESSION_COOKIE_NAME].value,
                "domain": "localhost",
                "path": "/",
            }
        ]
    )
