"""A press counts, whatever moves or comes while the pointer is down."""

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.house import sit
from tests.browser.visitors import Visitor
from tests.waiting import until

# The dots at the plate of a seat come from the left, and take their time.
COMES_FROM_THE_LEFT: Final = """() => document.getElementById("seat-button").animate(
  [{ transform: "translateX(-60px)" }, { transform: "none" }], { duration: 600_000 })"""
# What is not as the server says is put right by the next board.
MARKED: Final = "() => document.getElementById('seat-button').title"
# The house sends no board to a page that says that it knows the table's version.
MARK: Final = """() => {
  document.getElementById("seat-button").title = "old";
  document.getElementById("known").value = 0;
}"""
# It says what stands there once the answer has come, and whatever it changes is changed.
LOOK: Final = """() => new Promise((looked) => {
  document.addEventListener("htmx:afterRequest", () => setTimeout(() =>
    looked(document.getElementById("seat-button").title)), { once: true });
  htmx.trigger("#board", "renew");
})"""


@pytest.fixture
def page(visitor: Visitor) -> Page:
    page = visitor("carol")
    sit(page, "thirteen_hongkong")
    page.wait_for_selector("#moves.mine")
    return page


def hold_down(page: Page, selector: str) -> None:
    where = page.locator(selector).bounding_box()
    assert where
    page.mouse.move(where["x"] + where["width"] / 2, where["y"] + where["height"] / 2)
    page.mouse.down()


def test_a_button_does_not_move_under_the_pointer(page: Page) -> None:
    page.evaluate(COMES_FROM_THE_LEFT)
    hold_down(page, "#seat-button")
    page.mouse.up()
    expect(page.locator("#seat-menu")).to_be_visible()
    # Once the press is over, so are the motions.
    until(lambda: page.evaluate("document.getElementById('seat-button').getAnimations()") == [])


def test_news_of_the_table_waits_until_the_pointer_is_up(page: Page) -> None:
    hold_down(page, "#seat-button")
    page.evaluate(MARK)
    assert page.evaluate(LOOK) == "old"
    page.mouse.up()
    until(lambda: page.evaluate(MARKED) != "old")
    expect(page.locator("#seat-menu")).to_be_visible()
    page.evaluate(MARK)
    assert page.evaluate(LOOK) != "old"


def test_news_does_not_wait_for_a_pointer_that_is_never_heard_to_come_up(page: Page) -> None:
    hold_down(page, "#seat-button")
    page.evaluate(MARK)
    assert page.evaluate(LOOK) == "old"
    until(lambda: page.evaluate(MARKED) != "old")
    page.mouse.up()


def test_an_answer_to_the_player_does_not_wait(page: Page) -> None:
    hold_down(page, "#seat-button")
    page.evaluate("document.getElementById('do-auto-play').click()")
    page.wait_for_selector("#do-auto-play.main, #shoe[data-ended]", state="attached")
    page.mouse.up()
