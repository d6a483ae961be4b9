"""How a test drives a page: it presses, and waits until the house has answered and the page has settled.

The page says by itself when it has settled, by an attribute of its root (`static/casino/settled.js`). At
a table the house first does all that it does before people are to act, and says which version
that is; the page has settled when it shows that one.
"""

import re
from typing import Any, Final

from playwright.sync_api import Error, Locator, Page

from tests.browser.errands import REST
from tests.browser.house import house_of, tell
from tests.waiting import until

SETTLED: Final = """(version) => {
  const { settled } = document.documentElement.dataset;
  return settled !== undefined && Number(settled) >= version;
}"""
LOOK_MILLISECONDS: Final = 20
TABLE: Final = re.compile(r"/tables/(\d+)/(?:\?.*)?$")
# A finger's click is an event of its own, which comes after the finger is up.
CLICK: Final = """() => ({ comes: new Promise((done) =>
  addEventListener("click", () => done(), { once: true, capture: true })) })"""
CLICKED: Final = "({ comes }) => comes"


def still(page: Page, version: int = 0) -> None:
    """Wait until the page has settled, whatever else is due at its table."""
    page.wait_for_function(SETTLED, arg=version, polling=LOOK_MILLISECONDS)


def settled(page: Page) -> None:
    """Wait until the page has settled, and shows its table where people are to act there."""
    still(page)

    def shows_it() -> bool:
        table = TABLE.search(page.url)
        if table is None:
            still(page)
            return True
        rest: dict[str, Any] = tell(house_of(page), f"{REST}?table={table[1]}")
        still(page, rest["version"])
        # Where the house waits for browsers, this one may have done its part by now.
        return not rest["waits"]

    until(shows_it)


def go(page: Page, address: str) -> None:
    """Load a page by its address."""
    page.goto(address)
    settled(page)


def press(page: Page, what: str | Locator, key: str = "") -> None:
    """Press it with a pointer, a finger or a key, and wait until the house has answered."""
    settled(page)
    target = page.locator(what) if isinstance(what, str) else what
    if key:
        target.press(key)
    elif page.evaluate("navigator.maxTouchPoints"):
        tap(target)
    else:
        target.click()
    settled(page)


def tap(target: Locator) -> None:
    """Tap with a finger, and wait for the click."""
    click = target.page.evaluate_handle(CLICK)
    target.tap()
    try:
        click.evaluate(CLICKED)
    except Error as gone:
        # The click has led to another page.
        assert re.search("context was destroyed|navigat|closed", str(gone)), gone
