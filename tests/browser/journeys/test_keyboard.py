"""Keys alone are enough, and the focus never falls to the top of the page."""

from playwright.sync_api import Page

from tests.browser.driver import press, settled
from tests.browser.house import go_on
from tests.browser.journeys.house_table import BETTING, placed, sit_down
from tests.browser.journeys.rows import rows, sees_the_end, sit_and_see_best
from tests.browser.visitors import DESK, Visitor


def key(page: Page, name: str) -> None:
    page.keyboard.press(name)
    settled(page)


def has_focus(page: Page, what: str) -> bool:
    return page.locator(what).and_(page.locator(":focus")).count() > 0


def arrange_by_keys(page: Page) -> None:
    best = sit_and_see_best(page, "chinese_poker")
    for row, letter in (("front", "1"), ("middle", "m")):
        for card in best[row]:
            press(page, f"#{card} .lifted", letter)
    assert rows(page) == (3, 5, 5)
    # Back into the hand, and with the arrows to it, and into the row again.
    press(page, f"#{best['middle'][0]} .lifted", "Backspace")
    assert rows(page) == (3, 4, 5)
    key(page, "ArrowDown")
    key(page, "ArrowDown")
    assert has_focus(page, f"#{best['middle'][0]} .lifted")
    key(page, "2")
    assert rows(page) == (3, 5, 5)
    assert "Middle 5 / 5" in page.inner_text("#rows-said")
    key(page, "Enter")
    sees_the_end(page)
    # The next hand's first action is where the keys are.
    go_on(page)
    settled(page)
    assert has_focus(page, "#moves :is(a, button, input)")


def bet_by_keys(page: Page) -> None:
    # The cards of a coup are covered at first, unless one wants no motion.
    page.emulate_media(reduced_motion="no-preference")
    sit_down(page, "baccarat")
    key(page, "?")
    assert "Deal" in page.inner_text("#keys")
    key(page, "?")
    # Keys do nothing while the player types.
    page.locator("#chat-text").press_sequentially("1b?")
    settled(page)
    assert page.locator("#keys").is_hidden()
    assert page.locator(".spot.bet").count() == 0
    page.locator("#chat-text").blur()
    key(page, "+")
    key(page, "2")
    assert placed(page, "banker") == "5"
    # What cannot be pressed any more hands the focus on.
    press(page, "[data-bet=clear]", "Enter")
    assert has_focus(page, "#moves :is(button, input):enabled")
    key(page, "2")
    key(page, "2")
    press(page, "[data-bet=undo]", "Enter")
    assert placed(page, "banker") == "5"
    assert has_focus(page, "#moves button:enabled")
    key(page, "n")
    assert page.locator(BETTING).count() == 0
    press(page, "#show button", "Enter")
    assert page.locator("#outcome").is_visible()
    go_on(page)
    settled(page)
    assert has_focus(page, "#moves :is(a, button, input)")


def test_keys_alone_are_enough(visitor: Visitor) -> None:
    page = visitor("carol", viewport=DESK)
    arrange_by_keys(page)
    bet_by_keys(page)
