"""A sit-and-go is played on a phone, with bots, to its prizes."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page

from tests.browser.driver import go, press, settled
from tests.browser.journeys.rows import SEND
from tests.browser.visitors import Visitor
from tests.waiting import until

OUT: Final = "#event-heading .out"


@pytest.fixture
def sweeps() -> bool:
    """The house draws seats, mixes and ends the event by itself."""
    return True


def plays_on(page: Page) -> bool:
    """Answer every decision, on each page that opens by itself, until the player is out."""
    settled(page)
    if page.locator(SEND).count():
        press(page, "#help-best_expected")
        press(page, SEND)
    return page.locator(OUT).count() > 0


def test_a_sit_and_go_is_played_to_its_prizes(visitor: Visitor) -> None:
    page = visitor("alice", phone=True)
    go(page, "/lobby/")
    press(page, page.get_by_role("link", name="Join: Chinese poker"))
    event = page.url
    press(page, page.get_by_role("button", name=re.compile("^Join for")))
    # The seats are drawn, and the page goes to the table by itself.
    page.wait_for_url("**/tables/*/")
    until(lambda: plays_on(page))
    said = page.inner_text(OUT)
    assert re.search("You have won|place [1-4] of 4", said)
    press(page, page.locator("#event-heading").get_by_role("link", name="To the tournament"))
    assert page.url == event
    # Bots play on without her.
    own = page.inner_text("#my-part")
    place = re.search(r"place (\d)", own)
    # What it brought her net of its cost: less than nothing without a prize.
    net = re.search(r"([+−])[\d,.]+ PLAY", own)
    assert net
    if place is None or int(place[1]) > 2:
        assert net[1] == ("+" if place is None else "−")
    go(page, f"{event}shoe/")
    press(page, page.get_by_role("button", name="Check it yourself"))
    assert "right" in page.inner_text("#proof-said")
    assert page.locator("[data-step=seal].holds").count() == 1
    go(page, "/tournaments/mine/")
    assert "Pagoda sit-and-go" in page.inner_text("main")
