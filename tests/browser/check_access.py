"""Pages that everybody can use: what axe finds, how narrow a screen may be, and how large a target.

The rules are those of WCAG 2.2, levels A and AA. What a machine cannot judge (whether the words
make sense when heard, in which order one comes to things) is looked at by people.
"""

from importlib.resources import files
from typing import Final

import pytest
from playwright.sync_api import Page

from games.rules.catalogue import GAMES
from tests.browser.house import open_my_seat, play_by_itself, sit
from tests.browser.play_round import confirm, deal
from tests.browser.visitors import DESK, PHONE, Visitor
from tests.browser.width import too_wide
from tests.waiting import until

# A page of 1280 pixels at twice its size, and at four times.
ZOOMED: Final = {"width": 640, "height": 400}
NARROW: Final = {"width": 320, "height": 640}
AXE: Final = (files("axe_playwright_python") / "axe.min.js").read_text()
RULES: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# What lies under the bar at a phone's foot is scrolled from under it, which axe does not know.
FIND: Final = """async (rules) => {
  for (const bar of document.querySelectorAll(".foot-bar")) bar.style.position = "static";
  const found = await axe.run({ runOnly: rules, resultTypes: ["violations"] });
  for (const bar of document.querySelectorAll(".foot-bar")) bar.style.position = "";
  return found.violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.html.slice(0, 120)}`));
}"""
# A link within a sentence is as high as its line; a card of a fan is as wide as what shows of it,
# and a list of moves is long: for these axe asks for 24 pixels, for all else we ask for 44.
SMALL: Final = """() =>
  [...document.querySelectorAll("a[href], button, summary, select, input:not([type=hidden])")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => !one.closest(".hidden, .pick, .moves-list"))
  .filter((one) => getComputedStyle(one).display !== "inline")
  .map((one) => [one, (one.matches("[type=radio], [type=checkbox]") && one.closest("label"))])
  .map(([one, label]) => [one, label || one])
  .filter(([, place]) => Math.min(place.offsetHeight, place.offsetWidth) < 43.5)
  .map(([one]) => one.outerHTML.slice(0, 120))"""

# The spacing that readers may set for themselves, by WCAG 1.4.12.
SPACED: Final = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
    word-spacing: 0.16em !important } p { margin-bottom: 2em !important }`);
  document.adoptedStyleSheets = [sheet];
}"""
# Words that a box of a fixed size cuts off. Names may end in an ellipsis.
# What the bar's button has no room for, it opens: the panel below it holds it all.
CUT: Final = """() =>
  [...document.querySelectorAll("main *, .bar *")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.textContent.trim())
  .filter((one) => !one.closest(".hidden, [aria-hidden=true], svg, .card, .running-button"))
  .filter((one) => ["hidden", "clip"].includes(getComputedStyle(one).overflowY))
  .filter((one) => getComputedStyle(one).textOverflow !== "ellipsis")
  .filter((one) => getComputedStyle(one).position !== "absolute")
  .filter((one) => one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.outerHTML.slice(0, 120))"""
MOVING: Final = """document.getAnimations()
  .filter((one) => one.playState === "running")
  .map((one) => one.animationName || one.transitionProperty)"""
# What has to be in sight while one has to move: cards, actions and the clock.
OUT_OF_SIGHT: Final = """() =>
  [...document.querySelectorAll("#moves button, #moves input, #clock, .my-cards .card, .spot")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => !one.closest("[popover], .helps, .hidden"))
  .filter((one) => {
    const { top, bottom, left, right } = one.getBoundingClientRect();
    return top < 0 || left < 0 || bottom > innerHeight + 1 || right > innerWidth + 1;
  })
  .map((one) => one.outerHTML.slice(0, 120))"""
TOO_HIGH: Final = "document.scrollingElement.scrollHeight - innerHeight"

PUBLIC: Final = (
    "/",
    "/players/sign-in/",
    "/players/sign-up/",
    "/rules/",
    "/rules/blackjack/",
    "/learn/chinese_poker/",
    "/learn/doudizhu/?p=call3",
    "/learn/blackjack/?p=bet&p=split",
    "/learn/russian_poker/?p=ante",
    "/learn/baccarat/?p=banker&p=ok&p=ok",
    "/play/doudizhu/",
    "/fairness/",
    "/verify/",
)
OWN: Final = (
    "/",
    "/welcome/",
    "/lobby/",
    "/lobby/baccarat/",
    "/tournaments/",
    "/players/returning/",
    "/players/friends/",
    "/evenings/",
    "/wallet/",
    "/history/",
    "/history/profit/",
    "/players/profile/",
    "/players/limits/",
    "/players/exclusion/",
    "/players/statement/",
    "/players/data/",
    "/private/",
)
# One game of each family; the theme changes from one to the next.
FAMILIES: Final = (
    "thirteen_taiwan",
    "doudizhu",
    "blackjack",
    "russian_poker",
    "casino_holdem",
    "baccarat",
)


def show(page: Page, theme: str) -> None:
    """The page in another theme, as if it had been chosen."""
    page.evaluate("(theme) => { document.documentElement.dataset.theme = theme }", theme)


def hinders(page: Page) -> list[str]:
    """The accessibility faults of the present page."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    return [f"{page.url} {fault}" for fault in page.evaluate(FIND, RULES)]


def hinders_anywhere(page: Page, theme: str) -> list[str]:
    """The same on a phone, on a desk in the other theme, and where hardly anything fits."""
    show(page, theme)
    faults = hinders(page)
    faults += [f"{page.url} too small: {element}" for element in page.evaluate(SMALL)]
    faults += [f"{page.url} moves: {element}" for element in page.evaluate(MOVING)]
    for size in (ZOOMED, NARROW):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        if too_wide(page) > 0:
            faults.append(f"{page.url} scrolls sideways at {size['width']}")
    faults += spaced(page)
    page.set_viewport_size(DESK)
    show(page, "light" if theme == "dark" else "dark")
    faults += hinders(page)
    page.set_viewport_size(PHONE)
    return faults


def spaced(page: Page) -> list[str]:
    """What is lost on a phone where letters, words and lines stand further apart."""
    page.set_viewport_size(PHONE)
    page.evaluate(SPACED)
    faults = [f"{page.url} cut by spacing: {element}" for element in page.evaluate(CUT)]
    if too_wide(page) > 0:
        faults.append(f"{page.url} scrolls sideways when spaced")
    page.evaluate("document.adoptedStyleSheets = []")
    return faults


def test_pages_can_be_used_by_everybody(visitor: Visitor) -> None:
    stranger, player = visitor(), visitor("dave")
    faults = []
    for page, addresses in ((stranger, PUBLIC), (player, OWN)):
        page.emulate_media(reduced_motion="reduce")
        for number, address in enumerate(addresses):
            page.goto(address)
            faults += hinders_anywhere(page, ("dark", "light")[number % 2])
    assert faults == []


@pytest.mark.parametrize("game", GAMES)
def test_nothing_scrolls_on_a_phone_during_ones_turn(visitor: Visitor, game: str) -> None:
    page = visitor("carol")
    page.emulate_media(reduced_motion="reduce")
    sit(page, game)
    page.wait_for_selector("#moves.mine")
    assert page.evaluate(TOO_HIGH) <= 0
    assert page.evaluate(OUT_OF_SIGHT) == []
    # On a smaller one, and on its side, the actions stay in sight.
    for width, height in ((360, 740), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(OUT_OF_SIGHT) == []
        assert too_wide(page) <= 0
    page.locator("#do-leave").dispatch_event("click")


@pytest.mark.parametrize("game", FAMILIES)
def test_tables_can_be_used_by_everybody(visitor: Visitor, game: str) -> None:
    page = visitor("dave")
    # Colours on their way from one theme to the other are no colours of either.
    page.emulate_media(reduced_motion="reduce")
    sit(page, game)
    page.wait_for_selector("#moves.mine")
    theme = ("dark", "light")[FAMILIES.index(game) % 2]
    faults = hinders_anywhere(page, theme)
    if page.locator("#betting").count():
        page.locator(".spot:not(.closed)").first.click()
        confirm(page)
        deal(page)
    open_my_seat(page)
    # A tie moves no money, and has no lines; but it has a result. A deal without a call has none.
    over = page.locator("#board:has(#shoe[data-ended]) #outcome.tells")
    until(lambda: play_by_itself(page) or over.is_visible())
    faults += hinders(page)
    page.locator("#do-leave").dispatch_event("click")
    # What is left behind: the hand, and its page for those with whom it is shared.
    if game == FAMILIES[0]:
        page.goto("/history/")
        page.locator(".statement a[href^='/history/']").first.click()
        page.wait_for_url("**/history/*/")
        faults += hinders_anywhere(page, theme)
        page.get_by_role("button", name="Create a link").click()
        page.get_by_role("link", name="View").click()
        page.wait_for_url("**/shared/*/")
        faults += hinders_anywhere(page, theme)
    assert faults == []
