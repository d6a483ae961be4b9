"""Talk at a table where the rules allow quick phrases only while a hand is live."""

from playwright.sync_api import expect

from tests.browser.play_round import confirm, deal, next_round, play_out, sit_down
from tests.browser.visitors import DESK, Visitor


def test_a_live_hand_hides_the_field_and_its_end_brings_it_back(visitor: Visitor) -> None:
    alice = visitor("alice", viewport=DESK)
    sit_down(alice, "casino_holdem")
    expect(alice.locator("#chat-quiet")).to_be_visible()
    expect(alice.locator("#chat-say")).to_be_hidden()
    alice.click("#chat-phrases button[value=luck]")
    expect(alice.locator("#chat-lines")).to_contain_text("Good luck!")
    alice.locator("[id^=spot-]").first.click()
    confirm(alice)
    deal(alice)
    expect(alice.locator("#deciding")).to_be_visible()
    play_out(alice)
    # Between two hands no cards can be given away.
    expect(alice.locator("#chat-quiet")).to_have_count(0)
    expect(alice.locator("#chat-say")).to_be_visible()
    alice.fill("#chat-text", "that was close")
    next_round(alice)
    expect(alice.locator("#chat-quiet")).to_have_count(1)
    expect(alice.locator("#chat-say")).to_be_hidden()
    expect(alice.locator("#chat-text")).to_have_value("that was close")
