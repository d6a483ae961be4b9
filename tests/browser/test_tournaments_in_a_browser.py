"""Tournaments in real browsers: entered, played by people to the end, and won by one of them."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.extra_addresses import ANNOUNCE, BEGIN
from tests.browser.house import tell
from tests.browser.journeys.rows import SEND
from tests.browser.visitors import DESK, PHONE, Visitor
from tests.browser.width import too_wide
from tests.waiting import until

pytestmark = pytest.mark.release

# Two tables of two: the loser of a hand is out, and the winners meet.
CUP: dict[str, Any] = {
    "name": "Lantern cup",
    "kind": "freeze_out",
    "game": "chinese_poker",
    "field_min": 4,
    "field_max": 4,
    "table_size": 2,
    "stake": 1_000,
    "fee": 100,
    "payouts": {"by": "percentage", "shares": [{"share": 7_000}, {"share": 3_000}]},
    "starting_chips": 100,
    "levels": [{"point": 100}],
    "pause_seconds": 2,
}
# These get no entries: their pages are looked at.
KNOCK_OUT: dict[str, Any] = CUP | {
    "name": "Weekend knock-out",
    "kind": "knock_out",
    "game": "doudizhu",
    "field_min": 7,
    "field_max": 12,
    "table_size": 3,
    "levels": [{"point": 10, "seconds": 60}, {"point": 400}],
    "starting_chips": 1_000,
    "knock_out": {"line_points": 9, "until": 6},
    "rounds": {"manner": "swiss", "count": 1, "hands": 1, "point": 10, "chips": 2_000},
}
DUPLICATE: dict[str, Any] = CUP | {
    "name": "Evening duplicate",
    "kind": "duplicate",
    "field_min": 4,
    "field_max": 8,
    "levels": [{"point": 10}],
    "starting_chips": 1_000,
    "duplicate": {"rounds": 2, "deals": 2},
}
# What a page says in its title, and what is to be heard, wherever the browser goes.
NOTES = """
const noted = (kind, what) =>
  sessionStorage.setItem(kind, `${sessionStorage.getItem(kind) ?? ""}${what}\n`);
new MutationObserver(() => noted("titles", document.title))
  .observe(document, { subtree: true, childList: true, characterData: true });
document.addEventListener("sound", ({ detail }) => noted("sounds", JSON.stringify(detail)));
"""
# What the heading says to a player who is out.
OVER = "#event-heading .out"


def announce(address: str, structure: dict[str, Any]) -> None:
    tell(address, f"{ANNOUNCE}?{urlencode({'structure': json.dumps(structure)})}")


def enter(page: Page, name: str) -> None:
    page.goto("/tournaments/")
    page.get_by_role("link", name=re.compile(name)).first.click()
    page.get_by_role("button", name=re.compile("^Join for")).click()
    expect(page.locator("#my-part")).to_contain_text("You are in.")


def noted(page: Page, kind: str) -> str:
    return page.evaluate("(kind) => sessionStorage.getItem(kind) ?? ''", kind)


def send_best(page: Page) -> None:
    """Let the house put the cards into rows, and send them."""
    page.click("#help-best_expected")
    page.click(SEND)
    expect(page.locator(SEND)).to_have_count(0)


def play_until(pages: Sequence[Page], over: Callable[[], bool]) -> None:
    """Each page answers every decision, at each table that it opens by itself."""

    def done() -> bool:
        for page in pages:
            if page.locator(SEND).count():
                send_best(page)
        return over()

    until(done)


def is_out(page: Page) -> bool:
    return page.locator(OVER).count() > 0


def test_a_knock_out_and_a_duplicate_say_how_they_are_decided(
    visitor: Visitor, house_address: str
) -> None:
    """Visitors read their terms, and check what is published of a shoe so far."""
    stranger = visitor("", viewport=PHONE)
    says = {
        "Weekend knock-out": (KNOCK_OUT, "until 6 are left"),
        "Evening duplicate": (DUPLICATE, "every table plays the same deals"),
    }
    for name, (structure, term) in says.items():
        announce(house_address, structure)
        stranger.goto("/tournaments/")
        stranger.get_by_role("link", name=re.compile(name)).first.click()
        expect(stranger.locator("#terms")).to_contain_text(term)
        assert too_wide(stranger) <= 0
        stranger.locator("#event-shoe").get_by_role("link").click()
        stranger.get_by_role("button", name="Check it yourself").click()
        expect(stranger.locator("#proof-said")).to_contain_text("published so far is right")
        expect(stranger.locator("[data-step=seal]")).to_have_class("holds")


def test_two_tables_become_one_and_a_winner(visitor: Visitor, house_address: str) -> None:
    """Four people; the winner at the broken table is taken to the other one."""
    announce(house_address, CUP)
    sizes = {"alice": DESK, "bob": PHONE, "carol": DESK, "dave": PHONE}
    people = [visitor(name, viewport=size) for name, size in sizes.items()]
    for page in people:
        page.add_init_script(NOTES)
        enter(page, CUP["name"])
    tell(house_address, f"{BEGIN}?{urlencode({'name': CUP['name']})}")
    for page in people:
        page.wait_for_url("**/tables/*/")
        assert "To table" in noted(page, "titles")
        assert '"turn"' in noted(page, "sounds")
    first = {page: page.url for page in people}
    assert len(set(first.values())) == 2
    play_until(people, lambda: all(is_out(page) for page in people))

    said = {page: page.locator(OVER).inner_text() for page in people}
    places = [re.search(r"place (\d) of 4", words) for words in said.values()]
    assert sorted(int(place[1]) for place in places if place) == [2, 3, 4]
    assert [text for text in said.values() if "You have won" in text] != []
    # Prizes of 28 and 12, less the entry of 11.
    results = re.findall(r"([+−]\d+) PLAY", " ".join(said.values()))
    assert {"+17", "+1"} <= set(results)
    # One table was broken, and one player moved: the page went along, and said so.
    (moved,) = [page for page in people if page.url != first[page]]
    assert moved.url in first.values()
    assert "You move to table" in noted(moved, "titles")
    for page in people:
        assert ("You move to table" in noted(page, "titles")) is (page is moved)
        page.get_by_role("link", name="To the tournament").click()
        expect(page.locator("#hero")).to_contain_text("finished", ignore_case=True)
