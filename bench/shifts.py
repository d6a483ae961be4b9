"""How far pages move under one's eyes: layout shifts while they load and while hands are played.

    python -m bench.shifts [GAME ...]

A house of its own is opened with bots, and Chromium visits it at the size of a phone and of a desk.
Pages are loaded as on a first visit. At each table a player sits down and
lets the house play two hands; nothing is touched during them, so every move of the page is
an unwanted one. A figure is the sum of the browser's layout shift scores, those within half a
second of a click left out; next to it is the element that moved most.
"""

import sys
from collections import Counter
from contextlib import suppress
from typing import Any, Final

from playwright.sync_api import Page, ViewportSize, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

from games.rules.catalogue import GAMES
from tests.browser.house import launch, sign_in
from tests.houses import open_house
from tests.houses.browsers import ForBrowsers

# Each size has a visitor of its own, so that nothing is left of the one before.
SIZES: Final = {
    "alice": ViewportSize(width=390, height=844),
    "bob": ViewportSize(width=1440, height=900),
}
PAGES: Final = ("/", "/lobby/", "/wallet/", "/history/", "/rules/", "/rules/doudizhu/", "/private/")
HANDS: Final = 2
# What is aimed at for a page that loads, and for two hands.
LOAD_MAX: Final = 0.02
PLAY_MAX: Final = 0.1
HAND_MILLISECONDS_MAX: Final = 120_000
# Collected before the page's own scripts run; a part that has gone since has no name.
WATCH: Final = """
window.shifts = [];
const named = (node) => node?.closest?.("[id]")?.id || node?.className || node?.nodeName || "gone";
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    if (hadRecentInput) continue;
    const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
    const way = ({ previousRect, currentRect }) => `${box(previousRect)} to ${box(currentRect)}`;
    const moved = sources.map((source) => `${named(source.node)} (${way(source)})`);
    window.shifts.push({ value, moved });
  }
}).observe({ type: "layout-shift", buffered: true });
"""
TAKE: Final = "window.shifts.splice(0)"


def report(name: str, shifts: list[dict[str, Any]]) -> float:
    """One line: the sum, and the parts that moved in the largest of the shifts."""
    total = float(sum(shift["value"] for shift in shifts))
    parts: Counter[str] = Counter()
    for shift in shifts:
        for part in shift["moved"][:2]:
            parts[part] += round(shift["value"] * 10_000)
    worst = "; ".join(f"{part} {value / 10_000:.3f}" for part, value in parts.most_common(3))
    print(f"{name:44} {total:6.3f}  {worst}", flush=True)
    return total


def load(page: Page, address: str, size: ViewportSize) -> float:
    page.goto(address)
    # What a page fetches by itself has arrived and is shown.
    page.wait_for_load_state("load")
    page.wait_for_timeout(1_500)
    return report(f"load {size['width']} {address}", page.evaluate(TAKE))


def play(page: Page, game: str, size: ViewportSize) -> float:
    """Two hands that the house plays for a player who only looks on."""
    page.goto(f"/play/{game}/")
    page.click("main button.main")
    page.wait_for_selector("#board")
    page.wait_for_timeout(1_500)
    report(f"load {size['width']} table of {game}", page.evaluate(TAKE))
    hands = set()
    for _ in range(HAND_MILLISECONDS_MAX // 250):
        # Auto-play ends with each hand.
        page.evaluate("document.querySelector('#do-auto-play:not(.main)')?.click()")
        # Against the house there is no hand without a bet.
        if page.locator("#betting [data-bet=clear]:disabled").is_visible():
            # The clock may close the betting between the two.
            with suppress(TooLate):
                page.locator(".spot:not(.closed)").first.click(timeout=2_000)
        hands.add(page.get_attribute("#shoe", "data-hand"))
        if len(hands - {""}) > HANDS:
            break
        page.wait_for_timeout(250)
    name = f"play {size['width']} {game}, {len(hands - {''}) - 1} hands"
    shifted = report(name, page.evaluate(TAKE))
    page.evaluate("document.getElementById('do-leave').click()")
    page.wait_for_selector("#sit, .badge")
    return shifted


def main(games: list[str]) -> int:
    worst = worst_play = 0.0
    with open_house(ForBrowsers) as house, sync_playwright() as playwright:
        browser = launch(playwright)
        for name, size in SIZES.items():
            context = browser.new_context(base_url=house.address, viewport=size)
            context.add_init_script(WATCH)
            page = context.new_page()
            sign_in(page, name)
            for path in PAGES:
                worst = max(worst, load(page, path, size))
            for game in games:
                worst_play = max(worst_play, play(page, game, size))
            context.close()
        browser.close()
    print(f"worst page load {worst:.3f}, aimed at {LOAD_MAX}")
    print(f"worst {HANDS} hands {worst_play:.3f}, aimed at {PLAY_MAX}")
    return int(worst > LOAD_MAX or worst_play > PLAY_MAX)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(GAMES)))
