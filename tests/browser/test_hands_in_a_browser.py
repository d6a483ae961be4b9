"""Hands played to their end in a real browser, at the size of a phone."""

import pytest
from playwright.sync_api import expect

from tests.browser.house import go_on, open_my_seat, sit
from tests.browser.play_round import (
    confirm,
    deal,
    sit_down,
)
from tests.browser.visitors import Visitor, hand_on

pytestmark = pytest.mark.release


def test_typed_input_survives_another_players_move(visitor: Visitor) -> None:
    alice, bob = visitor("alice"), visitor("bob")
    sit_down(alice, "baccarat_commission")
    alice.click("#spot-tie")
    alice.click("#spot-tie")
    open_my_seat(alice)
    alice.fill("#top-up-amount", "12")
    before = alice.locator("#shoe").get_attribute("data-version")
    bob.goto(alice.url)
    bob.click("#sit .main")
    alice.wait_for_selector("#seats :text('bob')")
    assert alice.locator("#shoe").get_attribute("data-version") != before
    # He is seated by now, and looks on until the next round.
    expect(bob.locator("#seat-menu")).to_be_attached()
    assert alice.input_value("#top-up-amount") == "12"
    expect(alice.locator("#top-up-amount")).to_be_focused()
    expect(alice.locator("#do-leave")).to_be_visible()
    confirm(alice)
    expect(alice.locator("#spot-tie .pile:not(.pending)")).to_contain_text("2")
    deal(alice)
    expect(alice.locator("#outcome")).to_be_visible()


# Every part of the board that a renewal takes out of its place, even if it puts it back.
TAKEN_OUT = """() => {
  delete Element.prototype.moveBefore;
  window.takenOut = [];
  new MutationObserver((changes) => changes.forEach(({ removedNodes }) =>
    removedNodes.forEach((one) => one.id && window.takenOut.push(one.id)))
  ).observe(document.getElementById("board"), { childList: true, subtree: true });
}"""


def test_my_seat_menu_is_not_closed_by_updates(visitor: Visitor, complaints: list[str]) -> None:
    page = visitor("carol")
    sit(page, "thirteen_hongkong")
    page.wait_for_selector("#moves.mine")
    page.evaluate(TAKEN_OUT)
    page.click(".mine .seat-button")
    page.click("#do-auto-play")
    # Where the others have moved already, the house's move may be the last of the hand.
    page.wait_for_selector("#do-auto-play.main, #shoe[data-ended]", state="attached")
    page.fill("#top-up-amount", "1")
    # To the end of the hand, when lines come between the moves and the seat, and into the next.
    hand = hand_on(page)
    page.wait_for_selector("#lines")
    go_on(page)
    page.wait_for_selector(f"#shoe:not([data-hand='{hand}'])", state="attached")
    expect(page.locator("#seat-menu")).to_be_visible()
    assert page.input_value("#top-up-amount") == "1"
    expect(page.locator("#top-up-amount")).to_be_focused()
    assert not {"my-seat", "seat-menu", "top-up"} & set(page.evaluate("window.takenOut"))
    with page.expect_response("**/top-up/") as answer:
        page.click("#top-up > button")
    assert answer.value.ok, answer.value.text()
    page.click("#do-leave")
    expect(page.locator("#sit, .badge:text('leaves')").first).to_be_visible()
