"""Rounds of baccarat in a real browser: chips, side bets, cards that are turned, road maps."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.house import hold
from tests.browser.play_round import (
    sit_down,
)
from tests.browser.visitors import DESK, Visitor
from tests.browser.width import too_wide

pytestmark = pytest.mark.release


def fits(page: Page) -> None:
    assert too_wide(page) <= 0


def test_a_late_bet_is_refused_with_a_reason_and_moves_no_chips(
    visitor: Visitor, complaints: list[str]
) -> None:
    page = visitor("carol", viewport=DESK)
    sit_down(page, "baccarat_commission")
    expect(page.locator("#roads")).to_be_visible()
    fits(page)
    # A bet comes after the end of the betting: another window has ended it, and this page has not
    # heard of that yet.
    page.wait_for_selector("#spot-banker[data-room]")
    # Of the next round it hears nothing, either.
    hold(page)
    page.route("**/board/*", lambda route: route.abort())
    stack = page.inner_text(".place-at.mine .stack-size")
    page.click("#spot-banker")
    page.evaluate(
        """async () => {
          const form = document.getElementById("act-done");
          const body = new URLSearchParams(new FormData(form));
          await fetch(form.action, { method: "POST", body });
        }"""
    )
    page.focus("[data-bet=place]")
    page.keyboard.press("Enter")
    # The round was over without a bet, and with it the form: the page says so, and no chip moves.
    # Where the felt still shows an earlier round, it says so beside the spot.
    reason = page.get_by_role("alert").filter(has_text="There is no such hand at this table.")
    expect(reason).to_be_visible()
    expect(page.locator(".betting.pending")).to_have_count(0)
    expect(page.locator(".place-at.mine .stack-size")).to_have_text(stack)
    page.unroute("**/board/*")
    complaints.clear()
