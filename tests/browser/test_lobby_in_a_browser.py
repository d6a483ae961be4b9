"""The lobby in a real browser: it updates by itself and keeps what the visitor has chosen."""

import pytest
from playwright.sync_api import expect

from tests.browser.house import open_my_seat
from tests.browser.visitors import DESK, Visitor

pytestmark = pytest.mark.release


def test_a_place_is_kept_until_the_hand_is_over(visitor: Visitor) -> None:
    """Bots play the only table of a game: two clicks lead there, and one is seated by itself."""
    carol, dave = visitor("carol"), visitor("dave", viewport=DESK)
    carol.goto("/play/doudizhu/")
    carol.get_by_role("button", name="Play now").click()
    # While she is to act, the hand does not end.
    carol.wait_for_selector("#moves.mine")
    dave.goto("/")
    dave.get_by_role("button", name="Play Dou Dizhu").click()
    seat = dave.locator("#my-seat")
    expect(seat.get_by_role("status")).to_contain_text("your seat is ready in a moment")
    expect(dave.locator("#running")).to_contain_text("Landlord's yard")
    open_my_seat(carol)
    carol.click("#do-auto-play")
    expect(seat.locator("#seat-menu")).to_be_attached()
    for page in (carol, dave):
        page.goto(page.url)
        open_my_seat(page)
        page.get_by_role("button", name="Leave the table").click()
