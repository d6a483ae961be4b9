"""Pages as Chromium, Firefox and WebKit draw them, side by side for a person to look at.

    python -m tests.browser.engines.pictures FOLDER [PAGE...]

The front page, the lobby, a table of each family and two pages of the office, on a phone and at a
desk. A house of its own is opened; a table is shown as its player first sees it.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import sync_playwright

from tests import browsers
from tests.browser.driver import go, press, settled
from tests.browser.engines.firefox import firefox
from tests.browser.engines.webkit import webkit
from tests.browser.extra_addresses import FRESH
from tests.browser.house import launch, sign_in, tell
from tests.browser.journeys.house_table import sit_down
from tests.browser.visitors import DESK, PHONE
from tests.houses import open_house
from tests.houses.browsers import ForJourneys

GAMES: Final = ("doudizhu", "chinese_poker", "blackjack", "casino_holdem", "baccarat")
# Who looks at which page.
PAGES: Final = {
    "front": ("", "/"),
    "lobby": ("alice", "/lobby/"),
    **{game: ("alice", game) for game in GAMES},
    "office": ("operator", "/admin/"),
    "floor": ("operator", "/admin/floor/"),
}
SIZES: Final = {"phone": PHONE, "desk": DESK}


@contextmanager
def chromium() -> Iterator[Any]:
    with sync_playwright() as playwright, launch(playwright, browsers.bare_chromium()) as browser:
        yield browser


def show(page: Any, name: str) -> None:
    reader, place = PAGES[name]
    if reader:
        sign_in(page, reader)
    if place not in GAMES:
        go(page, place)
        return
    sit_down(page, place)
    if page.locator("#betting .spot").count():
        spot = page.locator("#betting .spot").first
        press(page, spot)
        press(page, "#act-done button")
    settled(page)


def main() -> None:
    folder, names = Path(sys.argv[1]), sys.argv[2:] or list(PAGES)
    folder.mkdir(parents=True, exist_ok=True)
    engines: dict[str, Callable[[], Any]] = {
        "chromium": chromium,
        "firefox": firefox,
        "webkit": webkit,
    }
    with ExitStack() as stack:
        house = stack.enter_context(open_house(ForJourneys))
        for engine, start in engines.items():
            with start() as browser:
                for name in names:
                    for size, viewport in SIZES.items():
                        tell(house.address, FRESH)
                        visit = browser.new_context(
                            base_url=house.address, viewport=viewport, reduced_motion="reduce"
                        )
                        page = visit.new_page()
                        show(page, name)
                        page.screenshot(path=folder / f"{name}-{size}-{engine}.png")
                        visit.close()


if __name__ == "__main__":
    main()
