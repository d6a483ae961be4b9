"""Screenshots of every page and every game, from phone to wide desk, in English and Chinese.

    make screenshots [SHOTS=folder]

A house of its own is opened, with bots. A player looks at a table of each game and sits down; the
table is taken empty, when there is something to do, and when the hand has ended. Look at them
before a release: would you sit down here?
"""

import sys
from pathlib import Path
from typing import Final, NamedTuple

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

from games.rules.catalogue import GAMES
from tests.browser.house import launch, sign_in
from tests.houses import open_house
from tests.houses.browsers import ForBrowsers

PHONE: Final = ViewportSize(width=390, height=844)
SIZES: Final = {
    "phone": PHONE,
    "small-phone": ViewportSize(width=390, height=664),
    "phone-aside": ViewportSize(width=844, height=390),
    "tablet": ViewportSize(width=820, height=1180),
    "desk": ViewportSize(width=1440, height=900),
    "wide-desk": ViewportSize(width=1920, height=1080),
}
# Each language in a theme of its own: what is wrong with either is seen.
ROUNDS: Final = (("en", "dark"), ("zh-hans", "light"))
WAIT_MILLISECONDS: Final = 25_000
# Whose hands are looked at: a player for each language, so that none waits for another's seat.
PLAYERS: Final = {"en": "alice", "zh-hans": "bob"}
PUBLIC: Final = {
    "front": "/",
    "sign-in": "/players/sign-in/",
    "sign-up": "/players/sign-up/",
    "fairness": "/fairness/",
    "verify": "/verify/",
    "rules": "/rules/",
    "rules-doudizhu": "/rules/doudizhu/",
}
OWN: Final = {
    "lobby": "/lobby/",
    "history": "/history/",
    "profit": "/history/profit/",
    "wallet": "/wallet/",
    "profile": "/players/profile/",
    "private": "/private/",
}
# Motion is let come to its end; what waits for a squeeze has none.
MOTION_ENDED: Final = """Promise.all(document.getAnimations()
  .filter(({ playState }) => playState === "running")
  .map((one) => one.finished.catch(() => 0)))"""
SHOW: Final = "document.querySelector('#show button')?.click()"


class Camera(NamedTuple):
    """Takes a page as it stands, at every size, into a folder."""

    folder: Path
    language: str
    theme: str

    def take(self, page: Page, name: str) -> None:
        for size, viewport in SIZES.items():
            page.set_viewport_size(viewport)
            page.evaluate(MOTION_ENDED)
            page.screenshot(path=self.folder / f"{name}-{size}-{self.language}-{self.theme}.png")


def visit(page: Page, camera: Camera, pages: dict[str, str]) -> None:
    for name, address in pages.items():
        answer = page.goto(address)
        if answer is None or answer.status != 200:
            print(f"  {address}: {answer and answer.status}")
            continue
        camera.take(page, name)


def play(page: Page, camera: Camera, game: str) -> None:
    """A hand of a game: before it, when there is something to do, and when it has ended."""
    page.set_viewport_size(PHONE)
    page.goto(f"/play/{game}/")
    page.click("main button.main")
    page.wait_for_selector("#board")
    camera.take(page, f"{game}-0-empty")
    try:
        page.wait_for_selector("#moves.mine", timeout=WAIT_MILLISECONDS)
        camera.take(page, f"{game}-1-turn")
        page.evaluate("document.getElementById('do-auto-play').click()")
        page.wait_for_selector("#outcome.good, #outcome.bad, #lines", timeout=4 * WAIT_MILLISECONDS)
        page.evaluate(SHOW)
        camera.take(page, f"{game}-2-over")
    except TooLate:
        print(f"  {game}: nothing to do came")
    finally:
        page.evaluate("document.getElementById('do-leave')?.click()")
        page.wait_for_selector("#sit, #seat-left, .badge", timeout=WAIT_MILLISECONDS)


def hands(page: Page) -> dict[str, str]:
    """The pages of finished hands, one a game."""
    hands = {}
    for game in GAMES:
        page.goto(f"/history/?game={game}")
        link = page.locator(".statement a[href^='/history/']")
        if link.count():
            hands[f"{game}-3-hand"] = link.first.get_attribute("href") or ""
    return hands


def round_of(browser: Browser, address: str, camera: Camera) -> None:
    """Everything, in one language and theme."""
    context = browser.new_context(base_url=address)
    chosen = {"django_language": camera.language, "theme": camera.theme}
    for name, value in chosen.items():
        context.add_cookies([{"name": name, "value": value, "url": address}])
    page = context.new_page()
    page.set_default_timeout(WAIT_MILLISECONDS)
    visit(page, camera, PUBLIC)
    sign_in(page, PLAYERS[camera.language])
    for game in GAMES:
        print(f"  {game}", flush=True)
        play(page, camera, game)
    visit(page, camera, OWN | hands(page))
    context.close()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with open_house(ForBrowsers) as house, sync_playwright() as playwright:
        browser = launch(playwright)
        for language, theme in ROUNDS:
            print(language, theme, flush=True)
            round_of(browser, house.address, Camera(folder, language, theme))
        browser.close()
    print(f"{len(list(folder.glob('*.png')))} screenshots in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ".run/screenshots"))
