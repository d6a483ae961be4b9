"""A press counts, even if the page changes while the pointer is down."""

from typing import Final

from playwright.sync_api import Page

from tests.browser.driver import press, settled, still
from tests.browser.house import house_of
from tests.browser.journeys.house_table import deal, place, sit_down
from tests.browser.visitors import DESK, Visitor

# The dots at the plate of a seat come from the left, and take their time.
COMES_FROM_THE_LEFT: Final = """() => document.querySelector(".mine .seat-button").animate(
  [{ transform: "translateX(-60px)" }, { transform: "none" }], { duration: 600_000 })"""
MOVES: Final = "document.querySelector('.mine .seat-button').getAnimations().length"
# What is pressed just as a board brings a decision, before its forms have their handlers: the
# form, and its key. A plain form would load the page anew.
PRESS_EARLY: Final = """(form) => {
  window.stays = true;
  document.addEventListener("htmx:afterSwap", function early() {
    const fold = document.querySelector(form);
    if (!fold) return;
    document.removeEventListener("htmx:afterSwap", early);
    window.early = true;
    fold.requestSubmit(fold.querySelector("button"));
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "f", bubbles: true }));
  });
}"""
# The board brings another decision; what the page sends from then on is counted.
ANOTHER_DECISION: Final = """() => {
  window.sent = 0;
  document.addEventListener("htmx:beforeRequest", ({ detail }) =>
    (window.sent += detail.requestConfig.verb === "post"));
  document.getElementById("shoe").dataset.decision = "another";
  document.dispatchEvent(new CustomEvent("htmx:afterSwap", { detail: {} }));
}"""
# When the stream brings what is new of the table.
BROUGHT: Final = """() => ({ comes: new Promise((done) =>
  addEventListener("parts", () => done(), { once: true })) })"""
FOLD: Final = "#act-fold-1"
SEATED: Final = "#seats :text('bob')"


def point_at(page: Page, what: str) -> None:
    box = page.locator(what).bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_press_counts_while_the_board_moves(visitor: Visitor) -> None:
    page, other = visitor("carol", viewport=DESK, moves=True), visitor("bob")
    page.clock.install()
    sit_down(page, "blackjack")
    page.evaluate(COMES_FROM_THE_LEFT)
    point_at(page, ".mine .seat-button")
    page.mouse.down()
    page.mouse.up()
    still(page)
    assert page.locator("#seat-menu").is_visible()
    # Once the press is over, so are the motions.
    assert page.evaluate(MOVES) == 0
    page.keyboard.press("Escape")

    # News that comes while the pointer is down waits until it is up. The clock stops during it,
    # because news does not wait for long.
    settled(page)
    shown = page.get_attribute("#shoe", "data-version")
    point_at(page, "#spot-box-1")
    page.clock.pause_at(page.evaluate("Date.now() + 1000") / 1000)
    news = page.evaluate_handle(BROUGHT)
    page.mouse.down()
    other.goto(page.url)
    press(other, "#sit .main")
    news.evaluate("({ comes }) => comes")
    assert page.get_attribute("html", "data-settled") is None
    assert page.get_attribute("#shoe", "data-version") == shown
    page.mouse.up()
    page.clock.resume()
    settled(page)
    assert page.locator(SEATED).count() == 1
    # And the press has counted.
    assert page.locator("#spot-box-1 .pile:not(.pending)").is_visible()
    assert house_of(page) == house_of(other)


def test_a_press_reaches_no_decision_that_its_player_has_not_seen(visitor: Visitor) -> None:
    page = visitor("carol", viewport=DESK)
    page.clock.install()
    sit_down(page, "casino_holdem")
    place(page, "box-1")
    page.evaluate(PRESS_EARLY, FOLD)
    deal(page)
    assert page.evaluate("[window.early, window.stays]") == [True, True]
    assert page.locator(FOLD).count() == 1

    # The page's clock stands, so another decision has been there for no time at all; then for less
    # than a moment; and then for a moment.
    page.clock.pause_at(page.evaluate("Date.now() + 1000") / 1000)
    page.evaluate(ANOTHER_DECISION)
    for milliseconds, sent in ((0, 0), (199, 0), (1, 1)):
        page.clock.run_for(milliseconds)
        if not sent:
            point_at(page, f"{FOLD} button")
            page.mouse.down()
            page.mouse.up()
        page.keyboard.press("f")
        assert page.evaluate("window.sent") == sent
    page.clock.resume()
    settled(page)
    assert page.locator(FOLD).count() == 0
    assert page.evaluate("window.stays")
