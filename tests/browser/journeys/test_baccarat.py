"""A coup of baccarat on a phone: its cards are pulled, and nothing tells the result before."""

import re
from typing import Final

from playwright.sync_api import Page

from tests.browser.driver import press, settled
from tests.browser.journeys.house_table import (
    BETTING,
    deal,
    open_panel,
    placed,
    sit_down,
    stack_of,
)
from tests.browser.visitors import Visitor
from tests.browser.width import too_wide

OUTCOME: Final = re.compile(r"You (won|lost)|Nothing won|\bwins\b|\blost\b|How it was settled")
# What the page says at the very moment when the coup has come, before anything is painted.
WATCH: Final = """() => document.addEventListener("htmx:afterSwap", () => {
  const { dataset } = document.documentElement;
  if (document.querySelector("#outcome")) dataset.seen ??= document.body.innerText;
})"""
TONES: Final = """() => {
  const Tone = OscillatorNode;
  globalThis.tones = 0;
  OscillatorNode = class extends Tone {
    constructor(...how) { super(...how); tones += 1; }
  };
}"""


def rounds_on_the_road(page: Page) -> int:
    return page.locator("#roads .bead-plate g").count()


def pull(page: Page) -> None:
    """Pull a card from under its cover, from its lower edge upwards."""
    card = page.locator("#coup .player .slot.next")
    box = card.bounding_box()
    assert box
    x, y = box["x"] + 20, box["y"] + box["height"] - 5
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - box["height"], steps=6)
    page.mouse.up()
    settled(page)


def test_a_coup_of_baccarat(visitor: Visitor) -> None:
    page = visitor("dave", phone=True, moves=True)
    sit_down(page, "baccarat")
    played = rounds_on_the_road(page)
    press(page, ".disc:nth-of-type(2)")
    for spot in ("player", "banker_pair", "player_pair"):
        press(page, f"#spot-{spot}")
    # A phone has no room for it, and says it to those who hear the page.
    assert "pays 55" in (page.text_content("#spot-player_pair") or "")
    press(page, "[data-bet=undo]")
    assert (placed(page, "player"), placed(page, "banker_pair")) == ("5", "5")
    assert page.locator("#spot-player_pair .pile:not(.pending)").count() == 0
    before = stack_of(page), page.inner_text(".visit dd").strip()
    page.evaluate(WATCH)
    page.evaluate(TONES)
    page.evaluate("document.documentElement.dataset.sounds = 'on'")
    deal(page)

    # The other side is turned by itself; the player's own cards wait to be pulled.
    said = page.evaluate("document.documentElement.dataset.seen")
    assert said
    assert not OUTCOME.search(said)
    assert page.locator("#coup .banker .slot.down").count() <= 1
    covered = page.locator("#coup .player .slot.down").count()
    assert covered >= 2
    assert (stack_of(page), page.inner_text(".visit dd").strip()) == before
    assert page.locator("#result .tells").is_hidden()
    assert rounds_on_the_road(page) == played
    page.evaluate("document.dispatchEvent(new CustomEvent('sound', { detail: 'win' }))")
    assert page.evaluate("tones") == 0
    pull(page)
    assert page.locator("#coup .player .slot.down").count() == covered - 1
    press(page, "#show button")
    assert re.search("Player wins|Banker wins|Tie", page.inner_text("#result"))
    assert page.locator("#outcome").is_visible()
    assert too_wide(page) <= 0

    # The maps are one tap away, and hold the round.
    open_panel(page, "roads")
    assert rounds_on_the_road(page) == played + 1
    assert page.locator(BETTING).count() == 0
    assert too_wide(page) <= 0
