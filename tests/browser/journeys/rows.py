"""Thirteen cards and the rows that they go into."""

from typing import Final

from playwright.sync_api import Page

from tests.browser.journeys.house_table import sit_down

ROWS: Final = ("front", "middle", "back")
MATRIX: Final = ".matrix tr.mine:not([hidden] *, details:not([open]) *)"
SEND: Final = "#act-arrange .main:not([name])"
# Where the server's best arrangement would put each card.
BEST: Final = """async () => {
  const page = await (await fetch("?help=best_expected")).text();
  const answer = new DOMParser().parseFromString(page, "text/html");
  return Object.fromEntries(["front", "middle", "back"].map((row) =>
    [row, [...answer.querySelectorAll(`[data-slots=${row}] > .place`)].map((one) => one.id)]));
}"""


def sit_and_see_best(page: Page, game: str) -> dict[str, list[str]]:
    """Find a seat, and get the server's best rows for the first hand."""
    sit_down(page, game)
    best: dict[str, list[str]] = page.evaluate(BEST)
    return best


def rows(page: Page) -> tuple[int, ...]:
    """How many cards lie in each row."""
    return tuple(page.locator(f"[data-slots={row}] > .place").count() for row in ROWS)


def sees_the_end(page: Page) -> None:
    """The rows of all lie there, the result is said, and the matrix is a table with headers."""
    assert page.locator("#outcome").is_visible()
    mine = page.locator(MATRIX).first
    assert mine.locator("th").inner_text()
    assert page.locator(".rows-shown").count() == page.locator(".place-at:has(.plate)").count()
    even = mine.locator("td b").inner_text() == "0"
    assert ("othing" if even else "You ") in page.inner_text("#outcome")
