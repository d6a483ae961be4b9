"""A round of blackjack on a phone: chips on the felt, a bonus, decisions, and the next round."""

import pytest

from tests.browser.driver import press, still
from tests.browser.journeys.house_table import deal, next_round, placed, play_out, sit_down
from tests.browser.play_hand import minor
from tests.browser.traffic import opens_lightly
from tests.browser.visitors import Visitor
from tests.browser.width import too_wide

STACK = ".side.mine .stack-size"


@pytest.mark.engines
def test_a_round_of_blackjack(visitor: Visitor, engine: str) -> None:
    page = visitor("alice", phone=True)
    lightly = opens_lightly if engine == "chromium" else still
    page.goto("/wallet/")
    lightly(page)
    sit_down(page, "blackjack")
    lightly(page)
    before = minor(page.inner_text(STACK))
    # A bonus needs a bet; what lies on a spot is bet, until it is undone.
    press(page, "#spot-box-2-bonus")
    assert "needs a bet on the same box" in page.inner_text("#said-box-2-bonus")
    for spot in ("box-2", "box-4", "box-2-bonus"):
        press(page, f"#spot-{spot}")
    press(page, "[data-bet=undo]")
    assert page.locator("#spot-box-2-bonus .pile:not(.pending)").count() == 0
    press(page, "#spot-box-2-bonus")
    press(page, "[data-bet=double]")
    assert page.inner_text("#act-done small") == "6"
    assert [placed(page, spot) for spot in ("box-2", "box-4", "box-2-bonus")] == ["2", "2", "2"]
    deal(page)
    assert too_wide(page) <= 0
    play_out(page)
    assert page.locator("#outcome").is_visible()
    won = int(page.get_attribute("#shoe", "data-won") or 0)
    assert minor(page.inner_text(STACK)) == before + won

    next_round(page)
    press(page, "[data-bet=rebet]")
    assert page.inner_text("#act-done small") == "6"
