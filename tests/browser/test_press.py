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
MOVES: Final = "document.getElementById('seat-button').getAnimations().length"
# The next board puts right what the page says of a button, and the house sends one as the page says
# that it knows none. It answers with what stands there once the board has come.
LOOK: Final = """(pointer) => new Promise((looked) => {
  const button = document.getElementById("seat-button");
  if (pointer) button.dispatchEvent(new PointerEvent(pointer, { bubbles: true }));
  button.title = "old";
  document.getElementById("known").value = 0;
  document.addEventListener("htmx:afterRequest", ({ detail }) =>
    detail.elt.id === "board" && setTimeout(() => looked(button.title)));
  htmx.trigger("#board", "renew");
})"""
UP: Final = """() => document.getElementById("seat-button")
  .dispatchEvent(new PointerEvent("pointerup", { bubbles: true }))"""
TITLE: Final = "document.getElementById('seat-button').title"
PRESS_MEANWHILE: Final = """(selector) => {
  document.body.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  document.querySelector(selector).click();
}"""


@pytest.fixture
def page(visitor: Visitor) -> Page:
    page = visitor("carol")
    sit(page, "chinese_poker")
    page.wait_for_selector("#arrange")
    return page


@pytest.fixture
def quick(page: Page) -> Page:
    """A page whose board comes at once, so that no pointer is down for long."""
    board = page.get_attribute("#board", "hx-get")
    assert board
    text = page.request.get(board, headers={"HX-Request": "true"}).text()
    page.route(f"**{board}**", lambda route: route.fulfill(body=text, content_type="text/html"))
    # It is not older than what the page shows.
    page.evaluate("document.getElementById('shoe').dataset.version = 0")
    return page


def test_a_button_does_not_move_under_the_pointer(page: Page) -> None:
    page.evaluate(COMES_FROM_THE_LEFT)
    where = page.locator("#seat-button").bounding_box()
    assert where
    page.mouse.click(where["x"] + where["width"] / 2, where["y"] + where["height"] / 2)
    expect(page.locator("#seat-menu")).to_be_visible()
    # Once the press is over, so are the motions.
    until(lambda: page.evaluate(MOVES) == 0)


def test_news_of_the_table_waits_until_the_pointer_is_up(quick: Page) -> None:
    assert quick.evaluate(LOOK, "pointerdown") == "old"
    quick.evaluate(UP)
    until(lambda: quick.evaluate(TITLE) != "old")
    assert quick.evaluate(LOOK, "") != "old"


def test_news_does_not_wait_for_a_pointer_that_is_never_heard_to_come_up(quick: Page) -> None:
    assert quick.evaluate(LOOK, "pointerdown") == "old"
    until(lambda: quick.evaluate(TITLE) != "old")


@pytest.mark.parametrize(
    ("button", "answered"),
    [
        ("#help-best_expected", "#arrange[data-fill]"),
        ("#do-auto-play", "#do-auto-play.main, #shoe[data-ended]"),
    ],
    ids=["what is read", "what is done"],
)
def test_an_answer_to_the_player_does_not_wait(page: Page, button: str, answered: str) -> None:
    page.evaluate(PRESS_MEANWHILE, button)
    page.wait_for_selector(answered, state="attached")
