"""When the result of a house game appears: after the last card, and after the wheel."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

pytestmark = pytest.mark.release

MOTION = Path(__file__).parents[2] / "static" / "games" / "motion.css"
WHEEL = '<div class="wheel-spun" id="wheel"><svg><g class="spins"></g></svg></div>'


@pytest.mark.parametrize("game", ["blackjack", "russian_poker", "casino_holdem"])
def test_result_is_hidden_until_the_wheel_stops(browser: Browser, game: str) -> None:
    page = browser.new_page()
    for cards in range(1, 7):
        page.set_content(
            f"<style>{MOTION.read_text()}</style><div class='board'><div class='{game}'>"
            f"<p id='dealer-cards'>{'<i class=card></i>' * cards}</p>{WHEEL}</div></div>"
        )
        waits = "getComputedStyle(document.querySelector('.board')).getPropertyValue"
        assert page.evaluate(f"{waits}('--shown-after')") == "1800ms", cards
    page.close()
