"""Whole hands in three ways: by mouse at a desk, by taps on a phone, and by keys alone.

Three people sit at one table of a game, each with a browser and a way of their own. Nothing here
knows words: parts are found by their ids, so that a hand is played alike in every language.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Final

from playwright.sync_api import Locator, Page, expect

from tests.browser.driver import still
from tests.browser.house import go_on
from tests.browser.visitors import DESK, PHONE, Visitor
from tests.waiting import PATIENCE_SECONDS, until

# The state of a table for its viewer. A result that is still being shown is none yet.
STANDS: Final = """() => {
  const one = (selector) => document.querySelector(selector);
  const [outcome, { hand, won }] = [one("#outcome"), one("#shoe").dataset];
  const isSeen = (part) => part?.checkVisibility({ visibilityProperty: true }) === true;
  return {
    hand,
    ended: one("#shoe").dataset.ended === hand,
    mine: one("#moves.mine") !== null,
    covered: isSeen(one("#show button")),
    over: won !== "" && isSeen(outcome),
    won: Number(won),
    said: outcome?.innerText,
    stack: one(".mine .stack-size .tells, .mine .stack-size:not(:has(.tells))")?.innerText,
    seat: one(".side.mine .place-at")?.id.slice(5),
  };
}"""
# Which of these parts are not wholly on the screen as the page begins, when all have landed.
OUT_OF_SIGHT: Final = """(parts) => void scrollTo(0, 0) ||
  void document.getAnimations().forEach((one) => one.id === "glide" && one.finish()) || [
  ...[...document.querySelectorAll(parts)].filter((one) => {
    if (!one.checkVisibility()) return false;
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
  }).map((one) => one.id || one.className || one.outerHTML),
  ...(document.documentElement.scrollWidth > innerWidth ? ["the page is too wide"] : []),
]"""


class Way:
    """By mouse at a desk."""

    by_keys = False
    size = DESK
    options: ClassVar[dict[str, Any]] = {}

    def press(self, what: Locator) -> None:
        what.click()


class Taps(Way):
    """On a phone."""

    size = PHONE
    options: ClassVar = {"has_touch": True}

    def press(self, what: Locator) -> None:
        what.tap()


class Keys(Way):
    """Move the focus to the target by keyboard from where it is, then press."""

    by_keys = True
    options: ClassVar = {"reduced_motion": "reduce"}
    STEPS_MAX = 150
    HERE = "one => one === document.activeElement"

    def reach(self, what: Locator) -> None:
        keyboard = what.page.keyboard
        if what.evaluate(self.HERE):
            return
        # Backwards if it is before the focus.
        before = "one => !!(one.compareDocumentPosition(document.activeElement) & 4)"
        key = "Shift+Tab" if what.evaluate(before) else "Tab"
        for _ in range(self.STEPS_MAX):
            keyboard.press(key)
            if what.evaluate(self.HERE):
                return
        raise AssertionError(f"no key leads to {what}")

    def press(self, what: Locator) -> None:
        expect(what).to_be_visible()
        if what.evaluate("one => one.type === 'radio'"):
            self.choose(what)
            return
        self.reach(what)
        ticks = what.evaluate("one => one.type === 'checkbox'")
        what.page.keyboard.press("Space" if ticks else "Enter")

    def choose(self, radio: Locator) -> None:
        """Within a group, one element has the focus and the arrow keys move it."""
        name = radio.get_attribute("name")
        self.reach(radio.page.locator(f"[name={name}]:checked"))
        for _ in range(20):
            if radio.is_checked():
                return
            radio.page.keyboard.press("ArrowRight")
        raise AssertionError("no arrow leads there")


PEOPLE: Final = ("alice", "bob", "carol", "dave")


class Player:
    """A player at the table, and the results of their hands."""

    def __init__(self, page: Page, way: Way) -> None:
        self.page, self.way = page, way
        # The stack when a hand began, and the result of each hand.
        self.stacks_before: dict[str, int] = {}
        self.results: dict[str, int] = {}

    def at(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def has(self, selector: str) -> bool:
        return self.at(selector).count() > 0

    def press(self, selector: str, which: int = 0) -> None:
        # A decision takes no press before it has been there for a moment.
        still(self.page)
        self.way.press(self.at(selector).nth(which))

    def in_sight(self, *parts: str) -> None:
        """Every control of the game is on the screen without scrolling."""
        missing = self.page.evaluate(OUT_OF_SIGHT, list(parts))
        assert not missing, f"{type(self.way).__name__}: {missing}"

    @property
    def version(self) -> int:
        return int(self.at("#shoe").get_attribute("data-version") or 0)

    def sit_down(self, seat: int, version: int = 0) -> None:
        """Take a free seat or a bot's, once the page shows the present table.

        The form is about other seats while others sit down.
        """
        until(lambda: self.version >= version)
        self.at("#sit-seat").select_option(str(seat))
        self.press("#sit .main")
        expect(self.at(f"#seat-{seat}.mine")).to_be_attached()

    def sit_out(self) -> None:
        """From the next hand on."""
        if not self.at("#do-sit").is_visible():
            self.press(".mine .seat-button")
        self.press("#do-sit")
        expect(self.at("#do-sit.main")).to_have_count(1)
        if self.at("#seat-menu:popover-open").count():
            self.press("#seat-menu .head button")

    def look_at_result(self, stands: dict[str, Any]) -> None:
        """The result matches the lines on the table and in the record, and the stack."""
        hand, won = stands["hand"], stands["won"]
        assert minor(stands["said"]) == abs(won)
        assert minor(stands["stack"]) - self.stacks_before[hand] == won
        settlement = self.page.request.get(f"/history/{hand}/record/").json()["settlement"]
        lines, seat = settlement["lines"], stands["seat"]
        gets = sum(line["amount"] for line in lines if str(line["target"]) == seat)
        pays = sum(line["amount"] for line in lines if str(line["source"]) == seat)
        assert gets - pays == won
        self.press("#lines summary")
        # What the house moves to its pools concerns no seat.
        seats = [
            line for line in lines if any(line[end].isdecimal() for end in ("source", "target"))
        ]
        expect(self.at("#lines[open] li")).to_have_count(len(seats))
        assert minor(self.at("#lines .sum .number").inner_text()) == abs(won)
        expect(self.at("#lines li").first).to_be_visible()
        self.results[hand] = won


def minor(text: str) -> int:
    """An amount of play money as a page writes it."""
    match = re.search(r"\d[\d,]*(?:\.(\d\d))?", text)
    if match is None:
        return 0
    digits = match[0].replace(",", "")
    return int(digits.replace(".", "")) if match[1] else 100 * int(digits)


def come(visitor: Visitor, language: str, *ways: Way, host: int) -> list[Player]:
    """One player for each way; a different one opens the table each time."""
    names = PEOPLE[host % 4 :] + PEOPLE[: host % 4]
    return [
        Player(visitor(name, viewport=way.size, language=language, **way.options), way)
        for name, way in zip(names, ways, strict=False)
    ]


@contextmanager
def a_table(players: Sequence[Player], name: str) -> Iterator[None]:
    """A table of their own, which only bots come to besides: they make room for the others."""
    first, *others = players
    first.page.goto("/private/")
    like = first.at("#like option").filter(has_text=re.compile(rf"^\s*{re.escape(name)} ")).first
    first.page.select_option("#like", like.get_attribute("value"))
    first.page.check("[name=bots]")
    first.page.click("main form button.main")
    link = first.page.input_value("#link")
    opened = first.page.url
    try:
        for player in players:
            player.page.goto(link)
            player.page.click("main form a.button")
            player.page.wait_for_url("**/tables/*/")
        # A bot keeps the first seat. All have come when the table waits for its first hand.
        first.sit_down(len(players) + 1)
        expect(first.at("#shoe[data-due]:not([data-due=''])")).to_be_attached()
        version = first.version
        for seat, player in enumerate(others, 2):
            player.sit_down(seat, version)
            version = player.version
        go_on(first.page)
        yield
    finally:
        first.page.goto(opened)
        first.page.click("[formaction$='/close/']")
        expect(first.at("[formaction$='/close/']")).to_have_count(0)


def play(players: Sequence[Player], move: Callable[[Player], None], hands: int) -> None:
    """Until everybody has played so many hands to their end."""

    def done() -> bool:
        has_looked = []
        for player in players:
            stands = player.page.evaluate(STANDS)
            due = stands["hand"] in player.stacks_before.keys() - player.results.keys()
            if stands["covered"]:
                # Cards that the player does not turn open by themselves, without a press.
                player.page.evaluate("document.querySelector('#show button')?.click()")
            elif stands["over"] and due:
                player.look_at_result(stands)
            elif stands["mine"]:
                player.stacks_before.setdefault(stands["hand"], minor(stands["stack"]))
                move(player)
            has_looked.append(stands["ended"] and not due)
        if all(len(player.results) >= hands for player in players):
            return True
        if all(has_looked):
            go_on(players[0].page)
        return False

    until(done, PATIENCE_SECONDS * hands)
