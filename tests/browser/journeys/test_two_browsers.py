"""Two browsers at one table of Dou Dizhu: each sees the plays, and never the other's cards."""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Page, Response

from tests.browser.driver import go, press, settled
from tests.browser.house import go_on
from tests.browser.journeys.house_table import ended
from tests.browser.journeys.test_doudizhu import hand_of
from tests.browser.visitors import Visitor
from tests.games.markup import cards_in

OPEN: Final = ".middle [data-card]"
# What the stream says of the players who are offline.
SAYS_OFFLINE: Final = """seats => document.body.dispatchEvent(
  new CustomEvent("presence", { detail: seats, bubbles: true }))"""
# Keeps what the stream brings of the table.
KEEP_BROUGHT: Final = """() => {
  window.brought = [];
  addEventListener("parts", ({ detail }) => window.brought.push(detail));
}"""
CARDS: Final = "cards => cards.map((one) => one.dataset.card)"


class Traffic:
    """All that a browser gets of a table, but for files and rules, which show other cards."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._new: list[Response] = []
        page.on("response", self._note)
        page.evaluate(KEEP_BROUGHT)

    def _note(self, response: Response) -> None:
        self._new.append(response)

    def needless(self) -> list[str]:
        """What was asked for although the stream brings it."""
        return [response.url for response in self._new if response.url.endswith("/board/")]

    def since(self) -> Iterator[str]:
        new, self._new[:] = list(self._new), []
        for response in new:
            if response.status == 200 and not re.search("/(live|static|rules)/", response.url):
                yield response.text()
        brought: list[str] = self._page.evaluate("window.brought.splice(0)")
        assert brought
        yield from brought


def hidden_in(page: Page) -> set[str]:
    """The cards that only their holder has seen."""
    return set(hand_of(page)) - set(page.locator(OPEN).evaluate_all(CARDS))


def act(page: Page) -> None:
    """Call as high as one can, and play what the hint says."""
    if page.locator("#act-call").count():
        press(page, page.locator("#act-call button").last)
        return
    if page.locator("#only-pass").count() == 0:
        press(page, "#hint")
        if page.locator("#reading[data-pass]").count() == 0:
            press(page, "#act-play button")
            return
    press(page, "#act-pass button")


def sit_together(host: Page, guest: Page) -> None:
    """Sit down at a table that the host opens, where a bot makes the third."""
    go(host, "/private/")
    alike = host.locator("#like option").filter(has_text=re.compile(r"^\s*Dou Dizhu ")).first
    host.select_option("#like", alike.get_attribute("value"))
    host.check("[name=bots]")
    press(host, "main form button.main")
    link = host.input_value("#link")
    for seat, page in enumerate((host, guest), 2):
        go(page, link)
        press(page, "main form a.button")
        page.select_option("#sit-seat", str(seat))
        press(page, "#sit .main")
    go_on(host)
    for page in (host, guest):
        settled(page)


def who_is_offline_comes_with_the_stream(page: Page) -> None:
    mark = page.locator("#seat-3 .away")
    assert mark.is_hidden()
    page.evaluate(SAYS_OFFLINE, "1 3")
    assert mark.is_visible()
    assert page.locator("#seat-2 .away").is_hidden()
    page.evaluate(SAYS_OFFLINE, "")
    assert mark.is_hidden()


@pytest.mark.engines
def test_neither_browser_gets_the_others_cards(visitor: Visitor, house_address: str) -> None:
    alice, bob = visitor("alice"), visitor("bob")
    sit_together(alice, bob)
    who_is_offline_comes_with_the_stream(alice)
    traffic = {page: Traffic(page) for page in (alice, bob)}
    plays = 0
    while plays < 2 and not ended(alice):
        before = {page: hidden_in(page) for page in traffic}
        mover = next(page for page in traffic if page.locator("#moves.mine form").count())
        watcher = bob if mover is alice else alice
        act(mover)
        settled(watcher)
        if ended(alice):
            break
        for page, other in ((alice, bob), (bob, alice)):
            assert not traffic[page].needless()
            received = "".join(traffic[page].since()) + page.inner_html("#board")
            assert not cards_in(received) & before[other] & hidden_in(other)
        gone = before[mover] - set(hand_of(mover))
        plays += bool(gone)
    assert plays
