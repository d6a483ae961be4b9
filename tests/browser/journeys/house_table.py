"""Rounds against the house: bets, decisions, and their end."""

from typing import Final

from playwright.sync_api import Page

from tests.browser.driver import press, settled
from tests.browser.house import go_on

BETTING: Final = "#betting[action$='/act/']"
# What a player who wants to see the end chooses, in this order.
TO_THE_END: Final = ("stand", "call", "bet", "accept", "pick", "fold", "follow")


def sit_down(page: Page, game: str) -> None:
    """Find a seat."""
    page.goto(f"/play/{game}/")
    press(page, "main button.main")


def open_panel(page: Page, name: str) -> None:
    """Open a panel from the menu of a phone's bar."""
    if not page.locator("#tools").is_visible():
        press(page, ".tools-button")
    press(page, f"#tools [popovertarget=panel-{name}]")


def stack_of(page: Page) -> str:
    return page.inner_text(".side.mine .stack-size").split()[-1]


def placed(page: Page, spot: str) -> str:
    """The chips that lie on a spot."""
    return page.inner_text(f"#spot-{spot} .pile:not(.pending) b")


def place(page: Page, *spots: str) -> None:
    """Put a chip on each spot, which bets it."""
    for spot in spots:
        press(page, f"#spot-{spot}")
    assert page.locator(".spot.changing").count() == 0


def deal(page: Page) -> None:
    """Be done with this round's bets."""
    press(page, "#act-done button")
    assert page.locator(BETTING).count() == 0


def ended(page: Page) -> bool:
    return page.locator("#shoe[data-ended]").count() > 0


def version_of(page: Page) -> str | None:
    return page.get_attribute("#shoe", "data-version")


def decide(page: Page) -> None:
    """Make the decision that leads to the end of the round; a phone shows one box at a time."""
    for name in ("#insurance [value=none]", *(f".act-{name} button" for name in TO_THE_END)):
        buttons = page.locator(name)
        offered = [at for at in range(buttons.count()) if buttons.nth(at).is_visible()]
        if offered:
            before = version_of(page)
            press(page, buttons.nth(offered[-1]))
            assert version_of(page) != before, f"the house has not heard of a press on {name}"
            return
    raise AssertionError("there is nothing to decide")


# Where each action of the decision is, whichever box it is about.
PLACES: Final = """(all) => all.map((one) => {
  const { left, top, width } = one.getBoundingClientRect();
  return [one.dataset.place.split("-")[0], Math.round(left), Math.round(top), Math.round(width)];
})"""


def play_out(page: Page) -> None:
    """Play to the end of the round, whose result then stays on the page.

    From one decision to the next of its kind no action moves.
    """
    before: list[list[object]] = []
    while not ended(page):
        places = page.eval_on_selector_all(".forms > [data-place]", PLACES)
        if [place[0] for place in places] == [place[0] for place in before]:
            assert places == before, (before, places)
        before = places
        decide(page)


def next_round(page: Page) -> None:
    """The result has been looked at."""
    go_on(page)
    settled(page)
    assert page.locator(BETTING).is_visible()
