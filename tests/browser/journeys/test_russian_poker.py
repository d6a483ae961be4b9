"""A round of Russian poker on a phone: a blind box, an exchange, and an action that is disabled."""

import pytest
from playwright.sync_api import Page

from tests.browser.driver import press
from tests.browser.journeys.house_table import deal, placed, play_out, sit_down
from tests.browser.visitors import PHONE, Visitor
from tests.browser.width import too_wide


def fits(page: Page) -> None:
    """All that a decision needs is on the screen without scrolling."""
    assert too_wide(page) <= 0
    for part in ("#dealer-cards", ".box.mine", "#deciding", ".forms > .act"):
        box = page.locator(part).first.bounding_box()
        assert box
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= PHONE["height"], part


@pytest.mark.engines
def test_a_round_of_russian_poker(visitor: Visitor) -> None:
    page = visitor("carol", phone=True)
    sit_down(page, "russian_poker")
    # The second box is blind: a tap is enough, and its price counts the bet that comes with it.
    for spot in ("box-1", "box-1", "box-3", "box-1-bonus"):
        press(page, f"#spot-{spot}")
    assert page.inner_text("#act-done small") == "9"
    assert "Total bet 9: open box 3, played blind 6" in page.inner_text("#betting-said")
    assert placed(page, "box-3") == "2"
    press(page, "#spot-box-1")
    assert "same ante" in page.inner_text("#said-box-1")
    deal(page)
    fits(page)
    assert page.locator("#box-3 [data-card]").count() == 0
    for at in range(2):
        press(page, page.locator(".act-exchange .pick").nth(at))
    press(page, ".act-exchange .buttons button")
    assert "2 cards exchanged" in page.inner_text("#box-1")
    # A pointer reaches an action that is disabled, and learns why; the driver would wait for it.
    disabled = page.locator(".disabled-action", has_text="Buy a card").get_by_role("button")
    disabled.click(force=True)
    assert "has exchanged or bought already" in page.inner_text(".why:popover-open")
    page.keyboard.press("Escape")
    play_out(page)
    assert page.locator("#outcome").is_visible()
