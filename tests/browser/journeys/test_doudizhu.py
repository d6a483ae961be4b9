"""A hand of Dou Dizhu on a phone: cards are chosen by swipe, and a play is made once."""

from typing import Final

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.driver import press, settled
from tests.browser.house import go_on
from tests.browser.journeys.house_table import ended, sit_down
from tests.browser.visitors import PHONE, Visitor
from tests.browser.width import too_wide

SIDEWAYS: Final = {"width": 844, "height": 390}
# More than any hand takes until the hint is a play.
STEPS_MAX: Final = 200
CARDS: Final = "#my-cards .pick input"
VALUES: Final = "picks => picks.map((pick) => pick.value)"
IN_SIGHT: Final = "#act-play button, #hint, #my-cards .pick, #reading, .middle"
HIDDEN: Final = """(parts) => [...document.querySelectorAll(parts)].filter((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
}).length"""
# The panel as the last hand has left it, and a new board.
SHOW_LAST_HAND: Final = """() => {
  document.getElementById("worth-copy").innerHTML = "<dl><dt>last hand</dt></dl>";
  document.getElementById("worth-none").hidden = true;
  document.dispatchEvent(new CustomEvent("table"));
}"""
# As many cards are out as the other seats hold.
COUNTED: Final = """() => {
  const [out, held] = ["#counter-copy dd", ".side:not(.mine) .holds b"].map((numbers) =>
    [...document.querySelectorAll(numbers)].reduce((sum, one) => sum + Number(one.textContent), 0));
  return out === held && 0 < held;
}"""


def hand_of(page: Page, state: str = "") -> list[str]:
    cards: list[str] = page.locator(f"{CARDS}{state}").evaluate_all(VALUES)
    return cards


def wait_for_a_play(page: Page) -> None:
    """Play on to a turn in which the hint is a play, with the highest call and passes before."""
    sit_down(page, "doudizhu")
    for _step in range(STEPS_MAX):
        if page.locator("#reading[data-playable]").count():
            return
        if ended(page):
            go_on(page)
            settled(page)
        elif page.locator("#act-call").count():
            the_panel_shows_this_hand_alone(page)
            press(page, page.locator("#act-call button").last)
        elif page.locator("#only-pass").count() or page.locator("#reading[data-pass]").count():
            press(page, "#act-pass button")
        else:
            press(page, "#hint")
    raise AssertionError("no hint is a play")


def the_panel_shows_this_hand_alone(page: Page) -> None:
    """While a hand is called it is worth nothing yet, even after a hand that was worth more."""
    page.evaluate(SHOW_LAST_HAND)
    assert page.locator("#worth-copy > *").count() == 0
    assert page.locator("#worth-none:not([hidden])").count() == 1


def hint_a_play(page: Page) -> None:
    press(page, "#hint")
    if page.locator("#reading[data-pass]").count():
        press(page, "#hint")
    assert page.locator("#reading[data-playable]").count()


def index_of(card: Locator) -> tuple[float, float]:
    """Where a finger meets a card, as another may lie over the rest."""
    box = card.bounding_box()
    assert box
    return box["x"] + 10, box["y"] + 20


def choose_by_swipe(page: Page) -> None:
    """A swipe takes each card once, a tap one more; a tap beside puts all back."""
    hand, picks = hand_of(page), page.locator("#my-cards .pick")
    page.mouse.move(*index_of(picks.nth(1)))
    page.mouse.down()
    for at in (2, 3, 4, 3, 2):
        page.mouse.move(*index_of(picks.nth(at)), steps=4)
    page.mouse.up()
    settled(page)
    assert hand_of(page, ":checked") == hand[1:5]
    page.mouse.click(*index_of(picks.nth(2)))
    settled(page)
    assert hand_of(page, ":checked") == [hand[1], hand[3], hand[4]]
    press(page, "#reading")
    assert hand_of(page, ":checked") == []
    assert page.get_attribute("#act-play button", "aria-disabled") == "true"


@pytest.mark.engines
def test_a_hand_of_doudizhu(visitor: Visitor) -> None:
    page = visitor("dave", moves=True)
    wait_for_a_play(page)
    press(page, "#reading")
    for size in (SIDEWAYS, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        settled(page)
        assert page.evaluate(HIDDEN, IN_SIGHT) == 0
        assert too_wide(page) <= 0
    choose_by_swipe(page)

    # A double click plays once.
    before = hand_of(page)
    hint_a_play(page)
    played = hand_of(page, ":checked")
    page.locator("#act-play button").dblclick()
    settled(page)
    assert hand_of(page) == [card for card in before if card not in played]
    # The card counter is one tap away, and counts what the newest board shows.
    press(page, "#my-cards [popovertarget=panel-counter]")
    assert page.locator("#counter-copy dt").count() == 15
    assert page.evaluate(COUNTED)
    page.keyboard.press("Escape")

    # Loaded again: the same hand.
    hand = hand_of(page)
    page.reload()
    settled(page)
    assert hand_of(page) == hand
