"""Shared by the browser tests: visitors, and the sizes of their screens."""

import re
from collections.abc import Callable
from math import inf
from typing import Final

from playwright.sync_api import Page, Route, ViewportSize

PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
PHONE_ASIDE: Final[ViewportSize] = {"width": 844, "height": 390}
# A phone whose browser keeps its bars, and the smallest, upright and on its side.
PHONE_WITH_BARS: Final = {"width": 390, "height": 664}
SMALL_PHONE: Final = {"width": 360, "height": 640}
SMALL_PHONE_ASIDE: Final = {"width": 667, "height": 375}
TABLET: Final = {"width": 820, "height": 1180}
DESK: Final[ViewportSize] = {"width": 1440, "height": 900}
# Other desks: a small laptop, narrower ones, and a large one.
LAPTOP: Final = {"width": 1366, "height": 768}
SMALL_DESK: Final = {"width": 1280, "height": 800}
WINDOW: Final = {"width": 1100, "height": 800}
LARGE_DESK: Final = {"width": 1920, "height": 1080}

# A visitor with a browser: `visitor()`, or `visitor("alice")` who is signed in.
Visitor = Callable[..., Page]


def hand_on(page: Page) -> str:
    """The hand that a table's page shows, or nothing between two hands."""
    return page.get_attribute("#shoe", "data-hand") or ""


def look_again(page: Page) -> None:
    """The browser says that the line is back; a table's page then fetches the table."""
    page.evaluate("window.dispatchEvent(new Event('online'))")


def without_stream(page: Page) -> None:
    """The table's stream ends at once and brings nothing, so the page fetches each board."""
    ends = "retry: 600000\n\n"
    page.route(
        "**/live/tables/**",
        lambda route: route.fulfill(body=ends, content_type="text/event-stream"),
    )


def answered_otherwise(
    page: Page,
    address: str | re.Pattern[str],
    answer: Callable[[Route], object],
    times: float = inf,
) -> Callable[[], None]:
    """Have the test answer so many requests, or all until the returned function is called.

    The route then stays and lets requests pass. As the driver takes the last route of a page away,
    it may lose a request that has just begun: the page would wait for it until its limit.
    """
    left = times

    def handle(route: Route) -> None:
        nonlocal left
        left -= 1
        if left >= 0:
            answer(route)
        else:
            route.fallback()

    def stop() -> None:
        nonlocal left
        left = 0

    page.route(address, handle)
    return stop
