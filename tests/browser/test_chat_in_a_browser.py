"""Talk at a table where the rules allow quick phrases only while a hand is live."""

import pytest
from playwright.sync_api import expect

from tests.browser.house import sit
from tests.browser.visitors import DESK, Visitor

pytestmark = pytest.mark.release


def test_what_is_said_shows_at_the_seat_beside_all_that_can_be_used(visitor: Visitor) -> None:
    alice = visitor("alice", viewport=DESK)
    sit(alice, "doudizhu")
    expect(alice.locator("#moves.mine")).to_be_visible()
    # Phrases are folded until somebody speaks.
    alice.click("#chat-quick summary")
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
