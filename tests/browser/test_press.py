"""A press counts, even if the page changes while the pointer is down."""

from typing import Final

import pytest
from playwright.sync_api import Page

from tests.browser.house import sit
from tests.browser.visitors import Visitor
from tests.waiting import until

pytestmark = pytest.mark.release

# The next board puts right what the page says of a button. It answers with the state of the page
# once the board has arrived.
LOOK: Final = """(pointer) => new Promise((looked) => {
  const button = document.querySelector(".mine .seat-button");
  if (pointer) button.dispatchEvent(new PointerEvent(pointer, { bubbles: true }));
  button.title = "old";
  document.addEventListener("htmx:afterRequest", ({ detail }) =>
    detail.elt.id === "board" && setTimeout(() => looked(button.title)));
  htmx.trigger("#board", "renew");
})"""
TITLE: Final = "document.querySelector('.mine .seat-button').title"
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
