"""Display settings take effect at once and hold on the next page."""

import pytest
from playwright.sync_api import expect

from tests.browser.visitors import DESK, Visitor
from tests.waiting import until

LISTEN = """
  const { connect } = AudioNode.prototype;
  AudioNode.prototype.connect = function (to) {
    if (to instanceof AudioDestinationNode) window.master = this;
    return connect.apply(this, arguments);
  };
  window.heard = [];
  document.addEventListener("sound", ({ detail }) => heard.push(detail));
"""
# The viewer's turn, with four seconds left, and a jackpot on the felt.
NEW_BOARD = """() => {
  const [board, shoe] = ["board", "shoe"].map((id) => document.getElementById(id));
  const ends = new Date(Date.parse(shoe.dataset.now) + 4000).toISOString();
  const made = '<b id="made" data-moment="jackpot"></b>';
  if (!board.querySelector("#made"))
    board.insertAdjacentHTML("beforeend", `${made}<i data-deadline="${ends}" data-words=""></i>`);
  shoe.dataset.turn = 1;
  htmx.trigger("#board", "htmx:afterSettle");
}"""


@pytest.mark.parametrize("script", [True, False])
def test_four_colours_and_sounds_are_chosen(visitor: Visitor, script: bool) -> None:
    page = visitor(script=script)
    page.goto("/")
    for name in ("Four colours", "On", "High"):
        chosen = page.get_by_role("button", name=name, exact=True)
        # Without a script the page is loaded again, and its menu is closed.
        if not chosen.is_visible():
            page.get_by_role("button", name="Menu").click()
        chosen.click()
        expect(page.locator("button[aria-pressed=true]", has_text=name)).to_have_count(1)
    page.goto("/fairness/")
    expect(page.locator("html")).to_have_attribute("data-deck", "four")
    expect(page.locator("html")).to_have_attribute("data-sounds", "on")
    expect(page.locator("html")).to_have_attribute("data-volume", "3")


def test_moments_and_the_last_seconds_are_heard_as_loud_as_one_wants(visitor: Visitor) -> None:
    page = visitor(viewport=DESK)
    page.add_init_script(LISTEN)
    page.goto("/lobby/")
    page.goto(page.locator("a[href^='/tables/']").first.get_attribute("href") or "")
    page.get_by_role("button", name="Look and sound").click()
    page.get_by_role("button", name="On", exact=True).click()
    for name, gain in (("Low", 0.33), ("High", 1)):
        page.get_by_role("button", name=name, exact=True).click()
        assert page.evaluate("master.gain.value") == pytest.approx(gain, abs=0.01)
    page.evaluate("heard.length = 0")
    # The board comes again and again; the mark on it stays.
    page.evaluate(NEW_BOARD)
    page.evaluate(NEW_BOARD)
    assert page.evaluate("heard.filter((one) => one === 'jackpot').length") == 1
    until(lambda: page.evaluate("heard.filter((one) => one === 'tick').length > 1"))


def test_a_desk_has_the_look_behind_a_button(visitor: Visitor) -> None:
    page = visitor(viewport=DESK)
    page.goto("/")
    dark = page.get_by_role("button", name="Dark")
    expect(dark).to_be_hidden()
    page.get_by_role("button", name="Look and sound").click()
    dark.click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(dark).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(dark).to_be_hidden()


@pytest.mark.parametrize("device", ["light", "dark"])
def test_a_choice_of_light_or_dark_holds_against_that_of_the_device(
    visitor: Visitor, device: str
) -> None:
    page = visitor(viewport=DESK, color_scheme=device)
    page.goto("/")
    grounds = {"light": "rgb(246, 245, 241)", "dark": "rgb(15, 23, 19)"}
    expect(page.locator("body")).to_have_css("background-color", grounds[device])
    page.get_by_role("button", name="Look and sound").click()
    for name, theme in (("Light", "light"), ("Dark", "dark"), ("Device", device)):
        page.get_by_role("button", name=name).click()
        expect(page.locator("body")).to_have_css("background-color", grounds[theme])
