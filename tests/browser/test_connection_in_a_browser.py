"""A page in the background, or cut off from the house, and what it says about that."""

import pytest
from playwright.sync_api import expect

from tests.browser.house import sit
from tests.browser.play_round import sit_down
from tests.browser.visitors import DESK, Visitor

pytestmark = pytest.mark.release


def test_a_phone_counts_what_was_said_unseen(visitor: Visitor) -> None:
    bob, carol = visitor("bob"), visitor("carol", viewport=DESK)
    sit_down(bob, "baccarat")
    sit(carol, "baccarat")
    expect(carol).to_have_url(bob.url)
    news = bob.locator("#chat-news")
    expect(news).to_be_hidden()
    # What was said before one came is not new.
    expect(bob.locator("#chat-lines")).to_be_attached()
    for count in (1, 2):
        carol.fill("#chat-text", f"line {count}")
        carol.press("#chat-text", "Enter")
        expect(news).to_have_text(str(count))
    bob.click("[popovertarget=panel-chat]")
    expect(bob.locator("#chat-lines")).to_contain_text("line 2")
    expect(news).to_be_hidden()
