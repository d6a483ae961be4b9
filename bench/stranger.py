"""How long a stranger's path takes, in a browser: python -m bench.stranger

A demonstration opens as `make run` opens it, and a phone visits it: from the front page to a card
by one press on each tile; from sign-up by way of the welcome to the guided hand; and from the end
of a hand to the next decision. Seconds of the clock, so run it on a quiet machine.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

from tests.browser.house import launch
from tests.browser.play_round import deal, place
from tests.browser.visitors import PHONE
from tests.houses import open_house
from tests.houses.supervised import Supervised

# With the spot that is bet on.
HOUSE_TILES: Final = {"all-blackjack": "box-4", "all-poker": "box-1", "all-baccarat": "player"}
PASSWORD: Final = "a quiet walk by the sea"
WAIT_MILLISECONDS: Final = 90_000
MY_CARD: Final = "#my-cards .card:visible"
CARD: Final = "#felt .card:visible"
DECISION: Final = "#moves.mine"
OVER: Final = "#outcome.good, #outcome.bad, #lines"


def seconds(press: Callable[[], None], page: Page, reached: str) -> float:
    """From a press to when this is in sight."""
    begun = time.monotonic()
    press()
    page.wait_for_selector(reached)
    return time.monotonic() - begun


def visitor(browser: Browser, address: str) -> Page:
    page = browser.new_context(base_url=address, viewport=PHONE).new_page()
    page.set_default_timeout(WAIT_MILLISECONDS)
    return page


def press_tile(page: Page, tile: str, reached: str) -> float:
    page.goto("/")
    return seconds(page.locator(f"#play-{tile} button.go").click, page, reached)


def among_players(browser: Browser, address: str, tile: str) -> str:
    """One press on the front page, and the next decision after a hand."""
    page = visitor(browser, address)
    card = press_tile(page, tile, MY_CARD)
    then = next_decision(page)
    page.context.close()
    return f"{card:.1f} s to my cards; {then:.1f} s from the end of a hand to the next decision"


def against_the_house(browser: Browser, address: str, tile: str, spot: str) -> str:
    """One press on the front page, a bet and its deal, and again after the round."""
    page = visitor(browser, address)
    seat = press_tile(page, tile, DECISION)
    begun = time.monotonic()
    place(page, spot)
    deal(page)
    page.wait_for_selector(CARD)
    card = time.monotonic() - begun
    page.context.close()
    return f"{seat:.1f} s to the first bet, and {card:.1f} s from it to a card, presses included"


def signed_up(browser: Browser, address: str) -> tuple[float, float]:
    """From the form of sign-up to the welcome, and from there to a card."""
    page = visitor(browser, address)
    page.goto("/players/sign-up/")
    page.fill("[name=username]", "a_stranger")
    for field in ("password1", "password2"):
        page.fill(f"[name={field}]", PASSWORD)
    welcome = seconds(page.locator("main button.main").click, page, ".welcome button.main")
    card = seconds(page.locator(".welcome button.main").click, page, ".guided-head")
    return welcome, card


def next_decision(page: Page) -> float:
    """The house plays the hand; from its end until something is to be decided again."""
    page.evaluate("document.getElementById('do-auto-play')?.click()")
    page.wait_for_selector(OVER)
    begun = time.monotonic()
    page.evaluate("document.getElementById('do-auto-play')?.click()")
    for ready in ("#between button.main", "#after button.main"):
        with suppress(TooLate):
            page.locator(ready).first.click(timeout=500)
    page.wait_for_selector(DECISION)
    return time.monotonic() - begun


def main() -> None:
    with open_house(Supervised, migrated=False) as house, sync_playwright() as playwright:
        browser = launch(playwright)
        for tile in ("all-doudizhu", "all-thirteen"):
            print(f"{tile}: {among_players(browser, house.address, tile)}", flush=True)
        for tile, spot in HOUSE_TILES.items():
            print(f"{tile}: {against_the_house(browser, house.address, tile, spot)}", flush=True)
        welcome, card = signed_up(browser, house.address)
        print(
            f"sign-up: {welcome:.1f} s to the welcome, {card:.1f} s from there to the guided hand"
        )
        browser.close()


if __name__ == "__main__":
    main()
