"""A guest plays, signs up, and keeps seat, stack and history."""

from playwright.sync_api import Page

from tests.browser.driver import go, press
from tests.browser.journeys.rounds import deal, place, play_out, sit_down, stack_of
from tests.browser.visitors import Visitor

PASSWORD = "a quiet walk by the sea"


def sign_up(page: Page, name: str) -> None:
    page.fill("[name=username]", name)
    for field in ("password1", "password2"):
        page.fill(f"[name={field}]", PASSWORD)
    press(page, "main button.main")


def test_a_guest_becomes_a_player(visitor: Visitor) -> None:
    page = visitor(phone=True)
    # The page of the game has one button that seats a stranger.
    sit_down(page, "blackjack")
    table = page.url
    place(page, "box-2")
    deal(page)
    play_out(page)
    left = stack_of(page)
    press(page, "#after .keep a")
    name = f"new-{table.rstrip('/').rpartition('/')[2]}-{page.evaluate('Date.now() % 1e9')}"
    sign_up(page, name)
    assert page.url == table
    assert page.inner_text(".place-at.mine .who b") == name
    assert stack_of(page) == left
    assert page.locator("#after .keep").count() == 0
    go(page, "/history/")
    assert "Blackjack" in page.inner_text("main")
