"""A round of casino hold'em on a phone, with talk that is quiet while the hand is live."""

import pytest

from tests.browser.driver import press
from tests.browser.journeys.house_table import (
    deal,
    next_round,
    open_panel,
    place,
    play_out,
    sit_down,
)
from tests.browser.visitors import Visitor
from tests.browser.width import too_wide


@pytest.mark.engines
def test_a_round_of_casino_holdem(visitor: Visitor) -> None:
    page = visitor("alice", phone=True)
    sit_down(page, "casino_holdem")
    open_panel(page, "chat")
    assert page.locator("#chat-quiet").is_visible()
    assert page.locator("#chat-say").is_hidden()
    # They are open if a player has talked before.
    if page.locator("#chat-phrases").is_hidden():
        press(page, "#chat-quick summary")
    press(page, "#chat-phrases button[value=luck]")
    assert "Good luck!" in page.inner_text("#chat-lines")
    press(page, "#panel-chat h2 button")
    place(page, "box-1")
    deal(page)
    assert page.locator("#deciding").is_visible()
    assert too_wide(page) <= 0
    play_out(page)
    assert page.locator("#outcome").is_visible()

    # Between two hands no cards can be given away. What was typed is kept for the next pause.
    open_panel(page, "chat")
    assert page.locator("#chat-quiet").count() == 0
    page.fill("#chat-text", "that was close")
    next_round(page)
    assert page.locator("#chat-quiet").count() == 1
    assert page.locator("#chat-say").is_hidden()
    assert page.input_value("#chat-text") == "that was close"
