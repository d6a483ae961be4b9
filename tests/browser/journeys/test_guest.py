"""A guest plays from the front page in their own language, and keeps it all by signing up."""

from secrets import token_hex

import pytest

from tests.browser.driver import go, press
from tests.browser.journeys.house_table import deal, place, play_out, sit_down, stack_of
from tests.browser.visitors import Visitor
from tests.browser.width import too_wide

PASSWORD = "a quiet walk by the sea"


@pytest.mark.release
@pytest.mark.engines
def test_a_guest_signs_up_and_keeps_seat_stack_and_history(
    visitor: Visitor, complaints: list[str]
) -> None:
    page = visitor(phone=True, language="zh-hans")
    go(page, "/")
    assert page.evaluate("document.documentElement.lang").lower() == "zh-hans"
    assert too_wide(page) <= 0
    page.context.clear_cookies(name="django_language")
    # The page of the game has one button that seats a stranger.
    sit_down(page, "blackjack")
    assert page.evaluate("document.documentElement.lang") == "en"
    table = page.url
    place(page, "box-2")
    deal(page)
    play_out(page)
    left = stack_of(page)
    press(page, "#after .keep a")

    name = f"named-{token_hex(4)}"
    page.fill("[name=username]", name)
    # Two passwords that differ are refused, and the page says so beside them.
    page.fill("[name=password1]", PASSWORD)
    page.fill("[name=password2]", "another walk")
    press(page, "main button.main")
    assert page.locator("main form [name=password2]").is_visible()
    # Chromium notes each refusal.
    assert all("422" in complaint for complaint in complaints)
    complaints.clear()
    for field in ("password1", "password2"):
        page.fill(f"[name={field}]", PASSWORD)
    press(page, "main button.main")
    assert page.url == table
    assert page.inner_text(".side.mine .who b") == name
    assert stack_of(page) == left
    assert page.locator("#after .keep").count() == 0
    go(page, "/history/")
    assert "Blackjack" in page.inner_text("main")
