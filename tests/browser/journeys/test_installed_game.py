"""A game from a package, played on a phone: a raise, the rounds of betting, and the showdown."""

import os
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from tests.browser.driver import go, press, settled
from tests.browser.house import go_on
from tests.browser.journeys.house_table import ended, sit_down, version_of
from tests.browser.play_hand import minor
from tests.browser.visitors import PHONE, Visitor, hand_on
from tests.browser.width import too_wide
from tests.houses import open_house
from tests.houses.browsers import ForJourneys
from tests.houses.surroundings import REPOSITORY
from tests.toys.installing import install_holdem

GAME: Final = "texas_holdem"
# More than the rounds of a few hands take.
STEPS_MAX: Final = 60
BOARD: Final = "#community [data-card]"
DECISION: Final = "#community, #my-cards, .forms > [data-place]"
OUT_OF_SIGHT: Final = """(parts) => [...document.querySelectorAll(parts)].filter((part) => {
  const { left, top, right, bottom } = part.getBoundingClientRect();
  return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
}).map((part) => part.id || part.className)"""


@pytest.fixture(scope="module")
def house_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    site = install_holdem(tmp_path_factory.mktemp("package"))
    path = os.pathsep.join([str(REPOSITORY), str(site)])
    with open_house(ForJourneys, variables={"PYTHONPATH": path}) as house:
        yield house.address


@pytest.fixture(scope="module")
def sessions() -> dict[str, list[Any]]:
    return {}


def act(page: Page, do: str) -> None:
    before = version_of(page)
    press(page, f".act-{do} .buttons button")
    assert version_of(page) != before, f"the house has not heard of a press on {do}"


def raise_once(page: Page) -> None:
    """Raise by a chip, in the first hand in which the others leave a decision."""
    sit_down(page, GAME)
    for _step in range(STEPS_MAX):
        if ended(page):
            go_on(page)
            settled(page)
        elif page.locator(".act-raise").count():
            assert page.evaluate(OUT_OF_SIGHT, DECISION) == []
            assert too_wide(page) <= 0
            press(page, page.locator(".act-raise .chip").first)
            act(page, "raise")
            return
        else:
            go_along(page)
    raise AssertionError("no hand had a raise")


def go_along(page: Page) -> None:
    act(page, "check" if page.locator(".act-check").count() else "call")


@pytest.mark.release
@pytest.mark.engines
def test_a_hand_of_holdem(visitor: Visitor) -> None:
    page = visitor("alice", phone=True, viewport=PHONE)
    raise_once(page)
    for _step in range(STEPS_MAX):
        if ended(page):
            break
        assert page.locator(BOARD).count() in (0, 3, 4, 5)
        go_along(page)
    assert page.locator("#outcome").is_visible()
    won = int(page.get_attribute("#shoe", "data-won") or 0)
    assert minor(page.inner_text("#outcome")) == abs(won)
    assert too_wide(page) <= 0

    # The hand is kept, stepped through and proved like those of the house's own games.
    go(page, f"/history/{hand_on(page)}/")
    assert page.locator("#replay").is_visible()
    page.keyboard.press("Home")
    settled(page)
    assert "The hand begins." in page.inner_text("#step-text")
    assert page.inner_text("#proof-said").startswith("✓")
    assert too_wide(page) <= 0
