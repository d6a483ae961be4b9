"""Cards are dragged into rows by mouse at a desk."""

import pytest
from playwright.sync_api import Page

from tests.browser.driver import press, settled
from tests.browser.journeys.rows import SEND, rows, sees_the_end, sit_and_see_best
from tests.browser.visitors import DESK, Visitor


def drag(page: Page, card: str, row: str) -> None:
    settled(page)
    page.locator(f"#{card}").hover()
    page.mouse.down()
    place = page.locator(f"[data-slots={row}]").bounding_box()
    assert place
    page.mouse.move(place["x"] + place["width"] - 8, place["y"] + 20, steps=3)
    assert page.locator(f"#row-{row}.over").is_visible()
    page.mouse.up()
    settled(page)


def exchange(page: Page, card: str, other: str) -> None:
    page.locator(f"#{card}").drag_to(page.locator(f"#{other}"))
    settled(page)


@pytest.mark.engines
def test_cards_are_dragged_into_rows(visitor: Visitor) -> None:
    page = visitor("alice", viewport=DESK)
    best = sit_and_see_best(page, "thirteen_taiwan")
    for row in ("front", "middle"):
        for card in best[row]:
            drag(page, card, row)
    # But one row is open: the rest goes there. Cards of full rows are exchanged by dragging.
    assert rows(page) == (3, 5, 5)
    assert page.inner_text("#head-back .rank")
    front_card, other = best["front"][0], best["back"][0]
    exchange(page, front_card, other)
    assert page.locator(f"[data-slots=back] > #{front_card}").is_visible()
    exchange(page, other, front_card)
    assert page.locator(f"[data-slots=back] > #{other}").is_visible()
    assert page.inner_text("#foul") == ""
    press(page, SEND)
    sees_the_end(page)
