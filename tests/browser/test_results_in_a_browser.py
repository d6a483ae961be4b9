"""A result appears once its cards are open; a failure on the way costs nothing."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.driver import still
from tests.browser.house import open_my_seat
from tests.browser.play_round import (
    deal,
    ended,
    next_round,
    place,
    play_out,
    press_all_the_same,
    sit_down,
)
from tests.browser.visitors import Visitor, answered_otherwise, look_again
from tests.waiting import until

pytestmark = pytest.mark.release

OUTCOME = re.compile(r"You (won|lost)|Nothing won|\bwins\b|\blost\b|How it was settled")
# What the page says at the very moment when a round's end has come, before anything is painted.
WATCH = """() => {
  window.seen = null;
  document.addEventListener("htmx:afterSwap", () => {
    const text = (selector) => document.querySelector(selector).innerText;
    if (seen || !document.querySelector("#outcome")) return;
    const stack = text(".side.mine .stack-size");
    seen = { text: text("body"), stack, visit: text(".visit dd") };
  });
}"""

# The bets on boxes 1 and 3 out of the smallest buy-in, 100: they cannot be placed again.
STAKED = 2 * 25 + 1
ONLY_DOUBLE_IS_MISSING = """() =>
  /Box 1\\b/.test(document.querySelector("#deciding")?.innerText)
  && document.querySelector("#insurance-note") === null
  && [...document.querySelectorAll(".disabled-action button")]
    .some((one) => /Double/.test(one.innerText))"""


def stack_of(page: Page) -> float:
    return float(page.inner_text(".side.mine .stack-size").replace(",", ""))


def holds_back(page: Page, stack_before: str, visit_before: str) -> None:
    """The page did not give the result away: stack and visit were unchanged."""
    until(lambda: page.evaluate("seen !== null"))
    seen = page.evaluate("seen")
    assert not OUTCOME.search(seen["text"]), seen["text"]
    assert (seen["stack"].strip(), seen["visit"].strip()) == (stack_before, visit_before)


def test_a_dealer_draws_before_the_result_and_a_late_answer_turns_nothing_back(
    visitor: Visitor,
) -> None:
    page = visitor("bob")
    sit_down(page, "blackjack")
    place(page, "box-1", "box-3")
    before = page.inner_text(".side.mine .stack-size"), page.inner_text(".visit dd").strip()
    page.evaluate(WATCH)
    page.evaluate("document.getElementById('round').same = true")

    # The board comes first, and takes the form away that the answer belongs to.
    def late(route: Route) -> None:
        version = page.get_attribute("#shoe", "data-version")
        answer = route.fetch()
        until(lambda: page.get_attribute("#shoe", "data-version") != version)
        route.fulfill(response=answer)

    stop = answered_otherwise(page, "**/act/", late)
    deal(page)
    play_out(page)
    stop()
    holds_back(page, *before)
    assert page.evaluate("document.getElementById('round').same")


def until_nothing_can_be_added(page: Page) -> float:
    """Deals until box 1 is to decide, with most of the stack on it; what the stack was is told.

    Where box 1 has a blackjack, or insurance is offered, there is nothing to double: that is one
    deal in eight.
    """
    for _deal in range(60):
        sit_down(page, "blackjack")
        held = stack_of(page)
        page.click(".disc:has-text('25')")
        page.click("#spot-box-1")
        page.click("#spot-box-1")
        page.click(".disc >> nth=0")
        place(page, "box-3")
        deal(page)
        until(lambda: ended(page) or page.locator("#deciding").count())
        if page.evaluate(ONLY_DOUBLE_IS_MISSING):
            return held
        play_out(page)
        # With a new seat comes the smallest buy-in again.
        open_my_seat(page)
        page.click("#do-leave")
        expect(page.locator("#sit")).to_be_visible()
    raise AssertionError("box 1 never came to decide")


def test_stack_runs_out_and_connection_drops_during_a_round(
    visitor: Visitor, complaints: list[str]
) -> None:
    page = visitor("carol")
    held = until_nothing_can_be_added(page)

    # What cannot be paid is greyed and says why; pressing it changes nothing.
    expect(page.locator(".disabled-action button:has-text('Double')")).to_have_attribute(
        "aria-disabled", "true"
    )
    press_all_the_same(page.locator(".disabled-action button:has-text('Double')"))
    expect(page.locator(".why:popover-open")).to_contain_text("of your stack is free")
    assert page.locator("#box-1 .box-hand .card").count() == 2
    page.keyboard.press("Escape")

    # The line is lost with two boxes in play, and comes back to exactly how it stood.
    boxes, about = page.text_content(".boxes"), page.text_content("#deciding")
    still(page)
    page.context.set_offline(True)
    page.click(".act-stand button")
    expect(page.locator("#messages")).to_contain_text("may not have arrived")
    page.context.set_offline(False)
    look_again(page)
    page.reload()
    expect(page.locator("#deciding")).to_be_visible()
    assert (page.text_content(".boxes"), page.text_content("#deciding")) == (boxes, about)
    still(page)
    page.click(".act-stand button")
    expect(page.locator("#deciding:has-text('Box 1')")).to_have_count(0)
    play_out(page)
    next_round(page)
    assert abs(stack_of(page) - held) <= STAKED * 1.5
    complaints[:] = [
        complaint for complaint in complaints if not re.search("ERR_|htmx:|object", complaint)
    ]
