"""The proof of a hand is checked in the browser, by WebCrypto and what the house has published."""

import json
from typing import Final

import pytest

from tests.browser.driver import go, settled
from tests.browser.journeys.house_table import deal, next_round, place, play_out, sit_down
from tests.browser.visitors import Visitor, hand_on
from tests.browser.width import too_wide


@pytest.mark.engines
def test_a_hand_is_proved_and_a_change_of_it_noticed(
    visitor: Visitor, complaints: list[str]
) -> None:
    page = visitor("alice", phone=True)
    sit_down(page, "casino_holdem")
    # The first shoe may be locked before the browser has begun to take part.
    for number in range(2):
        if number:
            next_round(page)
        place(page, "box-1")
        deal(page)
        play_out(page)
    hand = hand_on(page)
    go(page, f"/history/{hand}/")
    assert page.inner_text("#proof-said").startswith("✓")
    assert page.locator("[data-step=seal].holds").is_visible()
    assert page.locator("[data-step=lock].holds").is_visible()
    assert page.locator(".deal .proved").count() >= 3
    # The note that this browser kept says the same.
    assert "✓" in page.inner_text("#evidence")
    assert too_wide(page) <= 0

    record = page.evaluate(FETCH, f"/history/{hand}/record/")
    go(page, "/verify/")
    field = page.get_by_label("Or paste it")
    for altered, step in ALTERATIONS:
        field.fill(json.dumps(record | {"shoe": record["shoe"] | altered}))
        settled(page)
        name = page.inner_text(f"[data-step={step}] b")
        said = page.inner_text("#proof-said")
        assert said == f"✗ This record is wrong. First failed step: {name}."
    field.fill(json.dumps(record))
    settled(page)
    assert page.inner_text("#proof-said").startswith("✓")
    # The house has not linked the hand into its public chain, and says so.
    assert all("404" in complaint for complaint in complaints)
    complaints.clear()


FETCH: Final = "async (address) => (await fetch(address)).json()"
OTHER: Final = "0" * 64
ALTERATIONS: Final = (({"seal": OTHER}, "seal"), ({"lock": OTHER}, "lock"), ({"mix": OTHER}, "mix"))
