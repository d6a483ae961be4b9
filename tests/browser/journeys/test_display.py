"""Display settings take effect at once and hold on the next page; sounds are as loud as chosen."""

from typing import Final

import pytest

from tests.browser.driver import go, press
from tests.browser.visitors import DESK, Visitor

LISTEN: Final = """() => {
  const { connect } = AudioNode.prototype;
  AudioNode.prototype.connect = function (to) {
    if (to instanceof AudioDestinationNode) window.master = this;
    return connect.apply(this, arguments);
  };
  window.heard = [];
  document.addEventListener("sound", ({ detail }) => heard.push(detail));
}"""
# A board with a jackpot comes again and again; the mark on it stays.
NEW_BOARD: Final = """() => {
  const board = document.getElementById("board");
  if (!board.querySelector("#made"))
    board.insertAdjacentHTML("beforeend", '<b id="made" data-moment="jackpot"></b>');
  htmx.trigger("#board", "htmx:afterSettle");
}"""
GROUNDS: Final = {"light": "rgb(243, 238, 226)", "dark": "rgb(11, 19, 16)"}
GROUND: Final = "getComputedStyle(document.body).backgroundColor"


@pytest.mark.engines
def test_the_look_is_chosen(visitor: Visitor) -> None:
    page = visitor(viewport=DESK, color_scheme="light")
    go(page, "/lobby/")
    go(page, page.locator("a[href^='/tables/']").first.get_attribute("href") or "")
    page.evaluate(LISTEN)
    # A new visitor meets the dark look; the device of the test asks for the light one.
    assert page.evaluate(GROUND) == GROUNDS["dark"]
    dark = page.get_by_role("button", name="Dark")
    assert dark.is_hidden()
    press(page, ".menu-button")
    for name, theme in (
        ("Light", "light"),
        ("Dark", "dark"),
        ("Device", "light"),
        ("Dark", "dark"),
    ):
        looks = page.get_by_role("form", name="Light or dark")
        press(page, looks.get_by_role("button", name=name))
        assert page.evaluate(GROUND) == GROUNDS[theme]
    for name in ("Four colours", "On"):
        press(page, page.get_by_role("button", name=name, exact=True))
    for name, gain in (("Low", 0.33), ("High", 1)):
        press(page, page.get_by_role("button", name=name, exact=True))
        assert page.evaluate("master.gain.value") == pytest.approx(gain, abs=0.01)
    page.evaluate("heard.length = 0")
    page.evaluate(NEW_BOARD)
    page.evaluate(NEW_BOARD)
    assert page.evaluate("heard.filter((one) => one === 'jackpot').length") == 1
    page.keyboard.press("Escape")
    assert dark.is_hidden()

    go(page, "/fairness/")
    chosen = page.evaluate("({ ...document.documentElement.dataset })")
    assert chosen["theme"] == "dark"
    assert (chosen["deck"], chosen["sounds"], chosen["volume"]) == ("four", "on", "3")
    assert page.evaluate(GROUND) == GROUNDS["dark"]
