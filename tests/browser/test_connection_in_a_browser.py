"""A page in the background, or cut off from the house, and what it says about that."""

from playwright.sync_api import expect

from tests.browser.house import sit
from tests.browser.play_round import sit_down
from tests.browser.visitors import DESK, Visitor, look_again


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


def test_lost_connection_is_shown_until_it_returns(visitor: Visitor, complaints: list[str]) -> None:
    page = visitor("bob", viewport=DESK)
    sit_down(page, "baccarat")
    messages = page.locator("#messages")
    page.context.set_offline(True)
    look_again(page)
    expect(messages).to_contain_text("Connection lost, trying again")
    page.context.set_offline(False)
    expect(messages).to_be_empty()

    page.context.set_offline(True)
    page.fill("#chat-text", "is anybody there")
    page.press("#chat-text", "Enter")
    expect(messages).to_contain_text("Connection lost. Your last action may not have arrived")
    look_again(page)
    expect(messages).to_contain_text("may not have arrived")
    page.context.set_offline(False)
    expect(messages).to_contain_text("The connection is back.")
    page.press("#chat-text", "Enter")
    expect(messages).to_be_empty()
    expect(page.locator("#chat-lines")).to_contain_text("is anybody there")
    # The browser itself notes each line that is cut.
    cut = ("ERR_INTERNET", "ERR_FAILED", "htmx:", "object Event")
    assert [
        complaint for complaint in complaints if not any(word in complaint for word in cut)
    ] == []
    complaints.clear()
