"""A finished hand is stepped through by keys, asked about, and shared."""

import pytest

from tests.browser.driver import go, press, settled
from tests.browser.journeys.house_table import deal, place, sit_down
from tests.browser.visitors import DESK, Visitor, hand_on


@pytest.mark.engines
def test_a_hand_is_stepped_through_and_shared(visitor: Visitor) -> None:
    page = visitor("bob", viewport=DESK)
    sit_down(page, "baccarat")
    place(page, "banker")
    deal(page)
    address = f"/history/{hand_on(page)}/"
    go(page, address)
    assert page.locator("#coup").is_visible()
    for key, says, step in (("Home", "The hand begins.", 0), ("ArrowRight", "bob bets", 1)):
        page.keyboard.press(key)
        settled(page)
        assert says in page.inner_text("#step-text")
        assert page.url.endswith(f"{address}?step={step}")
        assert page.locator("#coup").count() == 0
    press(page, page.get_by_role("slider"), "End")
    assert page.locator("#coup").is_visible()
    press(page, page.get_by_role("link", name="One step back"))
    assert page.locator("#coup").count() == 0

    # What the coach tells is looked at in the same page, and the focus is there too.
    press(page, page.get_by_role("link", name="Ask the coach"))
    assert page.locator(".coach-summary:focus").count() == 1
    press(page, page.get_by_role("link", name="Show Move 1"))
    assert "bob bets" in page.inner_text("#step-text")
    assert page.locator("#replay:focus").count() == 1

    press(page, page.get_by_role("button", name="Create a link"))
    link = page.input_value("#shared-address")
    reader = visitor(phone=True)
    go(reader, link)
    assert reader.locator("#coup").is_visible()
    assert reader.get_by_text("bob").count() == 0
