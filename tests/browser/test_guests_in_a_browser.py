"""A guided first hand in a browser without scripts."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visitors import PHONE, Visitor
from tests.browser.width import too_wide

pytestmark = pytest.mark.release


def fits(page: Page) -> bool:
    return too_wide(page) <= 0


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
