"""A result appears once its cards are open; a failure on the way costs nothing."""

import re

from playwright.sync_api import Page, Route, expect

from tests.browser.play_round import confirm, decide, ended, place, play_out, sit_down
from tests.browser.visitors import Visitor, look_again
from tests.waiting import until

OUTCOME = re.compile(r"You (won|lost)|Nothing won|\bwins\b|\blost\b|How it was settled")
# What the page says at the very moment when a round's end has come, before anything is painted.
WATCH = """() => {
  window.seen = null;
  document.addEventListener("htmx:afterSwap", () => {
    const text = (selector) => document.querySelector(selector).innerText;
    if (seen || !document.querySelector("#outcome")) return;
    seen = { text: text("body"), purse: text(".place-at.mine .purse"), visit: text(".visit dd") };
  });
}"""
# Tones are heard; cards are no tones.
LISTEN = """() => {
  window.tones = 0;
  const Tone = OscillatorNode;
  window.OscillatorNode = class extends Tone {
    constructor(...how) { super(...how); tones += 1; }
  };
}"""


def stack_of(page: Page) -> float:
    return float(page.inner_text(".place-at.mine .purse").replace(",", ""))


def holds_back(page: Page, stack_before: str, visit_before: str) -> None:
    """The page did not give the result away: stack and visit were unchanged."""
    until(lambda: page.evaluate("seen !== null"))
    seen = page.evaluate("seen")
    assert not OUTCOME.search(seen["text"]), seen["text"]
    assert (seen["purse"].strip(), seen["visit"].strip()) == (stack_before, visit_before)


def test_page_reveals_no_coup_before_its_cards(visitor: Visitor) -> None:
    page = visitor("alice")
    sit_down(page, "baccarat")
    before = page.inner_text(".place-at.mine .purse"), page.inner_text(".visit dd")
    title, maps = page.title(), page.inner_html("#roads")
    # What lies there and what is to be placed say what they would win.
    for _chip in range(3):
        page.click("#spot-banker")
    expect(page.locator("#spot-banker")).to_contain_text("up to 3")
    page.click("#spot-player_pair")
    expect(page.locator("#spot-player_pair")).to_contain_text("pays 11")
    confirm(page)
    expect(page.locator("#spot-player_pair")).to_contain_text("pays 11")
    page.evaluate(WATCH)
    page.evaluate(LISTEN)
    page.evaluate("document.documentElement.dataset.sounds = 'on'")
    page.click("#act-done button")
    holds_back(page, *before)

    # A tap beside the cards tells no more, and a win would not be heard yet.
    page.click("#round .plate >> nth=-1")
    now = page.evaluate(
        """() => {
          document.dispatchEvent(new CustomEvent("sound", { detail: "win" }));
          const { visibility } = getComputedStyle(document.querySelector("#outcome"));
          const revealing = document.documentElement.matches(".revealing");
          const maps = document.querySelector("#roads").innerHTML;
          return [revealing, visibility, tones, document.title, maps];
        }"""
    )
    # It ends by itself before the next round, however slow this machine is.
    assert now == [True, "hidden", 0, title, maps] or not now[0]
    page.evaluate("document.querySelector('#show button').click()")
    expect(page.locator("#outcome")).to_be_visible()
    until(lambda: page.evaluate("tones > 0"))
    # Half a chip more is 100.50, which contains the 100 of before.
    until(lambda: page.inner_text(".place-at.mine .purse") != before[0])


def test_a_dealer_draws_before_the_result_and_a_late_answer_turns_nothing_back(
    visitor: Visitor,
) -> None:
    page = visitor("bob")
    sit_down(page, "blackjack")
    before = page.inner_text(".place-at.mine .purse"), page.inner_text(".visit dd")
    place(page, "box-1", "box-3")
    page.evaluate(WATCH)
    page.evaluate("document.getElementById('round').same = true")

    # The board comes first, and takes the form away that the answer belongs to.
    def late(route: Route) -> None:
        version = page.get_attribute("#shoe", "data-version")
        answer = route.fetch()
        until(lambda: page.get_attribute("#shoe", "data-version") != version)
        route.fulfill(response=answer)

    page.route("**/act/", late)
    page.click("#act-done button")
    until(lambda: bool(page.locator("#deciding, #outcome").count()))
    play_out(page)
    page.unroute("**/act/")
    holds_back(page, *before)
    assert page.evaluate("document.getElementById('round').same")


def test_stack_runs_out_and_connection_drops_during_a_round(
    visitor: Visitor, complaints: list[str]
) -> None:
    page = visitor("carol")
    sit_down(page, "blackjack")
    for _round in range(5):
        held = stack_of(page)
        # All but a few, so that neither a double nor a split can be paid.
        page.click(".disc:has-text('25')")
        for _chip in range(int(held * 0.7 // 25)):
            page.click("#spot-box-1")
        page.click(".disc >> nth=0")
        place(page, "box-3")
        page.click("#act-done button")
        until(lambda: bool(page.locator("#deciding, #outcome").count()))
        if page.locator("#deciding:has-text('Box 1')").count():
            break
        play_out(page)
        expect(page.locator("#betting")).to_be_visible()

    # What cannot be paid is greyed and says why; pressing it changes nothing.
    expect(page.locator(".barred button:has-text('Double')")).to_have_attribute(
        "aria-disabled", "true"
    )
    page.locator(".barred button:has-text('Double')").click(force=True)
    expect(page.locator(".why:popover-open")).to_contain_text("purse")
    assert page.locator("#box-1 .box-hand .card").count() == 2
    page.keyboard.press("Escape")

    # The line is lost with two boxes in play, and comes back to exactly how it stood.
    boxes, about = page.inner_text(".boxes"), page.inner_text("#deciding")
    page.context.set_offline(True)
    page.click(".act-stand button")
    expect(page.locator("#messages")).to_contain_text("may not have arrived")
    page.context.set_offline(False)
    look_again(page)
    page.reload()
    expect(page.locator("#deciding")).to_be_visible()
    assert (page.inner_text(".boxes"), page.inner_text("#deciding")) == (boxes, about)
    page.click(".act-stand button")
    expect(page.locator("#deciding:has-text('Box 1')")).to_have_count(0)
    until(lambda: decide(page) or ended(page))
    expect(page.locator("#betting")).to_be_visible()
    staked = int(held * 0.7 // 25) * 25 + 1
    assert abs(stack_of(page) - held) <= staked * 1.5
    complaints[:] = [
        complaint for complaint in complaints if not re.search("ERR_|htmx:|object", complaint)
    ]
