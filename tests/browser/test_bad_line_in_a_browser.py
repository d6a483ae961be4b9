"""A browser on a bad line takes part in mixing shoes, and takes part again after a tunnel.

These tests are about the page's scripts: the house waits for them, and a hand lasts until the page
has its receipt. How many shoes are mixed in the time that a real house gives is measured by
`bench/bad_line.py`.
"""

from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser.house import go_on, go_on_at
from tests.browser.play_round import BETTING, deal, ended, place, play_out, sit_down
from tests.browser.slow_line import a_line
from tests.browser.visitors import Visitor, look_again
from tests.waiting import until

pytestmark = pytest.mark.release

# Seconds of a round trip, and the share of what is lost.
ROUND_TRIP: Final = 2.0
LOSS: Final = 0.1
ROUNDS: Final = 3
RECEIPTS: Final = """() => Object.keys(localStorage).filter((key) => key.startsWith("note "))
  .map((key) => JSON.parse(localStorage.getItem(key)).note)
  .filter((note) => note.receipt && !note.receipt.statement.late).map((note) => note.shoe)"""
# What the browser logs about unanswered requests.
LOST: Final = ("net::ERR_", "htmx:", "object Event", "TimeoutError", "AbortError")


def dealt(page: Page) -> str:
    """The shoe of the hand that a table's page shows."""
    return page.get_attribute("#shoe", "data-dealt") or ""


def next_shoe(page: Page) -> str:
    """The shoe of the next hand, once the page helps to mix it."""
    code = page.get_attribute("#shoe", "data-shoe") or ""
    return code if code != dealt(page) else ""


def play_round(page: Page) -> str:
    """Play a round to its end, and say from which shoe."""
    shoe = dealt(page)
    place(page, "box-1")
    deal(page)
    play_out(page)
    return shoe


def who_mixed(page: Page, house: str, shoe: str, seat: int) -> str:
    address = urljoin(house, f"/fairness/shoes/{shoe}.json")
    shown: dict[str, Any] = page.request.get(address).json()
    return str(next(row["who"] for row in shown["seats"] if row["seat"] == seat))


def test_a_line_of_two_seconds_that_loses_one_packet_in_ten(
    visitor: Visitor, house_address: str, complaints: list[str]
) -> None:
    with a_line(house_address) as line:
        page = visitor("carol", address=line.address, service_workers="block")
        sit_down(page, "russian_poker")
        play_round(page)
        line.worsen(ROUND_TRIP, LOSS)
        shoes: list[str] = []
        for _ in range(ROUNDS):
            go_on_at(urljoin(house_address, urlsplit(page.url).path))
            expect(page.locator(BETTING)).to_be_visible()
            # From the second shoe on the house knows the line, and locks while the hand is played.
            until(lambda: not shoes or next_shoe(page) in page.evaluate(RECEIPTS))
            shoes.append(play_round(page))
        seat = int(page.get_attribute("#shoe", "data-seat") or 0)
        mixed = [who_mixed(page, house_address, shoe, seat) for shoe in shoes]
        assert mixed == ["player"] * ROUNDS
        until(lambda: set(shoes) <= set(page.evaluate(RECEIPTS)))
        page.close()
    complaints[:] = [
        complaint for complaint in complaints if not any(word in complaint for word in LOST)
    ]


def test_after_a_tunnel_the_browser_takes_part_again_by_itself(
    visitor: Visitor, house_address: str, complaints: list[str]
) -> None:
    with a_line(house_address) as line:
        page = visitor("dave", address=line.address, service_workers="block")
        sit_down(page, "russian_poker")
        play_round(page)
        line.cut()
        go_on_at(urljoin(house_address, urlsplit(page.url).path))
        line.mend()
        look_again(page)

        def takes_part() -> bool:
            if page.locator(BETTING).count():
                play_round(page)
            if ended(page):
                go_on(page)
            return dealt(page) in page.evaluate(RECEIPTS)

        until(takes_part)
        assert page.locator("#mixed-by-house").count() == 0
        page.close()
    complaints[:] = [
        complaint for complaint in complaints if not any(word in complaint for word in LOST)
    ]


def test_an_answer_that_is_late_holds_up_no_link(visitor: Visitor) -> None:
    """The house has the start of the chain already."""
    page = visitor("bob", service_workers="block")
    held: list[tuple[Route, APIResponse]] = []

    def hold_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append((route, route.fetch()))

    page.route("**/tables/*/mix/", hold_first)
    sit_down(page, "russian_poker")
    until(lambda: page.evaluate("true") and held)
    play_round(page)
    go_on(page)
    expect(page.locator(BETTING)).to_be_visible()
    until(lambda: page.evaluate(RECEIPTS))
    route, answer = held[0]
    route.fulfill(response=answer)
