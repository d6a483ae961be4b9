"""How a test drives a page: it presses, and waits until the house has answered.

The page says by an attribute of its root when it has settled (`static/casino/settled.js`). At a
table the house first does all that it does before people are to act, and says which version that
is; the page has settled when it shows that version.
"""

import re
from contextlib import suppress
from itertools import cycle
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Error, Locator, Page
from playwright.sync_api import TimeoutError as TooLate

from tests.browser.extra_addresses import REST
from tests.browser.house import house_of, tell
from tests.waiting import until

# A page that has gone to another one shows no version of this table.
SETTLED: Final = """([path, version]) => {
  // A document that has just begun has no root.
  const settled = document.documentElement?.dataset.settled;
  const isHere = !path || location.pathname === path;
  return settled !== undefined && (!isHere || Number(settled) >= version);
}"""
# What keeps a page from settling.
UNSETTLED: Final = """() => {
  const named = (part) => part?.id || part?.className || part?.tagName;
  const running = document.getAnimations().filter(({ playState }) => playState === "running");
  return JSON.stringify({
    address: location.href,
    loads: document.readyState,
    ...document.documentElement.dataset,
    shows: document.getElementById("shoe")?.dataset.version,
    asks: [...document.querySelectorAll(".htmx-request, .htmx-settling")].map(named),
    moves: running.map(({ animationName, id, effect }) =>
      `${animationName ?? id} of ${named(effect.target)}`),
  });
}"""
LOOK_MILLISECONDS: Final = 20
NEWS_MILLISECONDS: Final = 100
TABLE: Final = re.compile(r"/tables/(\d+)/")
# A finger's click is an event of its own, which comes after the finger is up.
CLICK: Final = """() => ({ comes: new Promise((done) =>
  addEventListener("click", () => done(), { once: true, capture: true })) })"""
CLICKED: Final = "({ comes }) => comes"
# Where on what it presses a finger taps, as shares of the width.
SIDES: Final = cycle((0.3, 0.7))


def holds(page: Page, condition: str, arg: object = None, **limit: float) -> None:
    """Wait until a script's condition holds on the page.

    It looks by a clock: the frames by which the browser's driver would look may not come.
    """
    page.wait_for_function(condition, arg=arg, polling=LOOK_MILLISECONDS, **limit)


def still(page: Page, path: str = "", version: int = 0) -> None:
    """Wait until the page has settled, even if more is due at its table."""
    try:
        holds(page, SETTLED, [path, version])
    except TooLate:
        raise AssertionError(unsettled(page, f"version {version} of {path}")) from None


def unsettled(page: Page, awaited: str) -> str:
    return f"the page has not settled with {awaited or 'what it shows'}: {page.evaluate(UNSETTLED)}"


def advance(page: Page) -> bool:
    """Let the house do what is due at the page's table, and wait until the page shows that.

    The answer is whether people are to act; otherwise the house waits for browsers that mix.
    """
    still(page)
    path = urlsplit(page.url).path
    table = TABLE.fullmatch(path)
    if table is None:
        return True
    rest: dict[str, Any] = tell(house_of(page), f"{REST}?table={table[1]}")
    still(page, path, rest["version"])
    if rest["waits"]:
        # News of what this browser, or another, has done by then.
        with suppress(TooLate):
            news = [path, rest["version"] + 1]
            holds(page, SETTLED, news, timeout=NEWS_MILLISECONDS)
    return not rest["waits"] and urlsplit(page.url).path == path


def settled(page: Page) -> None:
    """Wait until the page has settled, and shows its table where people are to act there."""
    until(lambda: advance(page), otherwise=lambda: unsettled(page, "a move for people to make"))


def go(page: Page, address: str) -> None:
    """Load a page by its address."""
    page.goto(address)
    settled(page)


def press(page: Page, what: str | Locator, key: str = "", *, at_rest: bool = True) -> None:
    """Press it with a pointer, a finger or a key, and wait until the house has answered.

    Where the table will not come to rest, as its browser withholds something, the page settles all
    the same.
    """
    wait = settled if at_rest else still
    wait(page)
    target = page.locator(what) if isinstance(what, str) else what
    if key:
        target.press(key)
    elif page.evaluate("navigator.maxTouchPoints"):
        tap(target)
    else:
        target.click()
    wait(page)


def tap(target: Locator) -> None:
    """Tap with a finger, and wait for the click.

    Two quick taps in one place are a double tap, whose second part a table does not take.
    """
    click = target.page.evaluate_handle(CLICK)
    target.scroll_into_view_if_needed()
    if box := target.bounding_box():
        target.tap(position={"x": box["width"] * next(SIDES), "y": box["height"] / 2})
    else:
        target.tap()
    # The click may have led to another page by now.
    with suppress(Error):
        click.evaluate(CLICKED)
