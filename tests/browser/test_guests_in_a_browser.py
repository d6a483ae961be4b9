"""A guest who becomes a player, and a guided first hand, in a browser."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.play_round import deal, place, play_out, sit_down
from tests.browser.visitors import PHONE, Visitor
from tests.browser.width import too_wide

pytestmark = pytest.mark.release

PASSWORD = "a quiet walk by the sea"


def stack(page: Page) -> str:
    """The player's stack once the result is shown."""
    return page.locator(".side.mine .stack-size").inner_text().split()[-1]


def fits(page: Page) -> bool:
    return too_wide(page) <= 0


def test_a_guest_plays_signs_up_and_keeps_seat_stack_and_history(visitor: Visitor) -> None:
    page = visitor()
    # The page of the game has one button that seats a stranger.
    sit_down(page, "blackjack")
    table = page.url
    place(page, "box-2")
    deal(page)
    play_out(page)
    left = stack(page)
    page.click("#after .keep a")

    page.fill("[name=username]", "newly-named")
    for field in ("password1", "password2"):
        page.fill(f"[name={field}]", PASSWORD)
    page.click("main button.main")
    page.wait_for_url(table)
    expect(page.locator(".side.mine .who b")).to_have_text("newly-named")
    assert stack(page) == left
    assert page.locator("#after .keep").count() == 0
    page.goto("/history/")
    expect(page.locator("main")).to_contain_text("Blackjack")


# The names on plates that are cut short, or stand out of their plate.
CUT_NAMES = """() => [...document.querySelectorAll(".plate .who b")].filter((name) => {
  const words = document.createRange();
  words.selectNodeContents(name);
  const text = words.getBoundingClientRect();
  const plate = name.closest(".plate").getBoundingClientRect();
  const shown = Math.min(name.getBoundingClientRect().right + 1, plate.right);
  return text.right > shown || text.bottom > plate.bottom;
}).map((name) => name.textContent)"""


def test_a_guided_hand_is_played_to_its_end_on_a_phone_by_keys(visitor: Visitor) -> None:
    """No script is needed: boxes are ticked with the space bar, and Enter sends."""
    page = visitor(script=False, viewport=PHONE)
    page.goto("/learn/doudizhu/")
    page.locator("button.main").press("Enter")
    for step in range(2, 9):
        expect(page.locator(".guided-head")).to_contain_text(f"Step {step} of 9")
        assert fits(page)
        for height in (664, PHONE["height"]):
            page.set_viewport_size({"width": PHONE["width"], "height": height})
            assert page.evaluate(CUT_NAMES) == []
        for box in page.locator(".pick.advised input").all():
            box.press("Space")
        page.locator(".guided-hand button.main").press("Enter")
    expect(page.locator(".guided-head")).to_contain_text("Step 9 of 9")
    expect(page.locator("#guided-settled")).to_contain_text("You won 11.40")
    assert fits(page)
    page.click("main button.main")
    page.wait_for_url("**/tables/*/")
