"""Talk at a table where the rules allow quick phrases only while a hand is live."""

from playwright.sync_api import expect

from tests.browser.house import sit
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


def test_what_is_said_shows_at_the_seat_beside_all_that_can_be_used(visitor: Visitor) -> None:
    alice = visitor("alice", viewport=DESK)
    sit(alice, "doudizhu")
    expect(alice.locator("#moves.mine")).to_be_visible()
    for phrase, words in (("flowers", "the flowers have all wilted"), ("laugh", "")):
        alice.click(f"#chat-phrases button[value={phrase}]")
        bubble = alice.locator(".bubble")
        expect(bubble).to_have_count(1)
        expect(bubble).to_contain_text(words)
        expect(bubble.locator("svg.emote")).to_have_count(0 if words else 1)
        covered = """bubble => {
          const a = bubble.getBoundingClientRect();
          return [...document.querySelectorAll("#moves, #board button, #my-cards")].filter(one => {
            const b = one.getBoundingClientRect();
            const beside = a.left >= b.right || b.left >= a.right;
            return b.width && !beside && a.top < b.bottom && b.top < a.bottom;
          }).length;
        }"""
        assert bubble.evaluate(covered) == 0
    # It goes by itself; the line stays, and a screen reader hears the emote in words.
    alice.locator(".bubble").evaluate("one => one.getAnimations()[0].finish()")
    expect(alice.locator(".bubble")).to_have_count(0)
    expect(alice.locator("#chat-lines .mine .hidden")).to_have_text("laughs")
