"""The floor of the back office is live: a table is closed in mid-hand, and empties."""

from typing import Final

import pytest
from playwright.sync_api import Page

from tests.browser.driver import go, holds, press
from tests.browser.journeys.house_table import deal, decide, place, sit_down
from tests.browser.visitors import DESK, Visitor

# A page of the office has no version that one could wait for.
CLOSED: Final = "(table) => document.querySelector(`#table-${table}.closed`)"
# What the cards of tables cut off, and at which widths of a window.
CUT: Final = """() => [...document.querySelectorAll(".floor .gm")]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""
WIDTHS: Final = (390, 820, 1100, 1440)


def nothing_is_cut(page: Page) -> None:
    """The stakes of every table can be read."""
    for language in ("en", "zh-hans"):
        page.context.add_cookies([{"name": "django_language", "value": language, "url": page.url}])
        page.reload()
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(CUT) == [], (language, width)
    page.context.clear_cookies(name="django_language")
    page.set_viewport_size(DESK)


@pytest.mark.engines
def test_a_table_closed_in_mid_hand_empties(visitor: Visitor) -> None:
    alice, operator = visitor("alice", phone=True), visitor("operator", viewport=DESK)
    sit_down(alice, "casino_holdem")
    place(alice, "box-1")
    deal(alice)
    table = alice.url.rstrip("/").rpartition("/")[2]
    go(operator, "/admin/floor/")
    nothing_is_cut(operator)
    card = operator.locator(f"#table-{table}")
    press(operator, card)
    assert "alice" in operator.inner_text(".one-table")
    press(operator, operator.get_by_role("link", name="Close after this hand…"))
    assert "player stands up" in operator.inner_text(".effects")
    operator.fill("[name=reason]", "the light is broken")
    press(operator, "#content form button[type=submit]")
    assert operator.get_by_text("The table closes.").count() == 1

    go(operator, "/admin/floor/")
    assert operator.locator(f"#table-{table}.closing").count() == 1
    decide(alice)
    # The operator does not touch the page: the stream brings it.
    holds(operator, CLOSED, table)
    go(alice, "/wallet/")
    assert alice.locator("main").is_visible()
