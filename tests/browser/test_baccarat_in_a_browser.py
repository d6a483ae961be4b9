"""Rounds of baccarat in a real browser: chips, side bets, cards that are turned, road maps."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.house import hold
from tests.browser.play_round import (
    BETTING,
    confirm,
    deal,
    next_round,
    sit_down,
)
from tests.browser.visitors import DESK, Visitor
from tests.browser.width import too_wide

LIES_STILL = """(card) => Promise.all(
  card.getAnimations({ subtree: true })
    .filter((motion) => motion.playState === "running")
    .map((motion) => motion.finished.catch(() => null)),
)"""


def fits(page: Page) -> None:
    assert too_wide(page) <= 0


def placed(page: Page, *spots: str) -> None:
    """Everything that is laid out lies within the table."""
    for spot in spots:
        expect(page.locator(f"#spot-{spot} .pile:not(.pending)")).to_be_visible()
    expect(page.locator(".betting.pending")).to_have_count(0)


def pull(page: Page, card: Locator) -> None:
    """A card is pulled from under its cover, from its lower edge upwards, once it lies still."""
    card.evaluate(LIES_STILL)
    box = card.bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + box["height"] - 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 20, box["y"] - 10, steps=6)
    page.mouse.up()
    expect(card).not_to_have_class(re.compile("down"))


def shoe_of(page: Page) -> str | None:
    return page.get_attribute("#shoe", "data-shoe")


def rounds_on_the_road(page: Page) -> int:
    return page.locator("#roads .bead-plate g").count()


def again(page: Page, played: int) -> None:
    """The last round's bets, doubled; so many rounds of the shoe have been played."""
    page.click("[data-bet=rebet]")
    page.click("[data-bet=double]")
    confirm(page)
    placed(page, "player", "banker_pair")
    expect(page.locator("#spot-player .pile:not(.pending)")).to_contain_text("10")
    expect(page.locator("#spot-banker_pair .pile:not(.pending)")).to_contain_text("10")
    deal(page)
    page.wait_for_selector("#coup")
    page.click("#show button")
    expect(page.locator("#roads .bead-plate g")).to_have_count(played + 1)
    expect(page.locator("#result")).to_be_visible()
    page.goto(f"{page.url}shoes/")
    expect(page.locator(".shoe-past >> nth=0").locator(".bead-plate g")).to_have_count(played + 1)
    page.click("main summary:has-text('Proofs of')")
    fits(page)
    page.click("main .proofs a >> nth=0")
    expect(page.locator("h2:has-text('Proof')")).to_be_visible()


def test_rounds_with_side_bets_at_the_size_of_a_phone(visitor: Visitor) -> None:
    page = visitor("dave")
    sit_down(page, "baccarat")
    fits(page)
    # A shoe may have begun with the round; what is loaded now is its map.
    page.reload()
    expect(page.locator(BETTING)).to_be_visible()
    played, shoe = rounds_on_the_road(page), shoe_of(page)

    # Chips that are laid out can be taken back one by one; placed, they lie on the table.
    page.click(".disc:nth-of-type(2)")
    page.click("#spot-player")
    page.click("#spot-banker_pair")
    page.click("#spot-player_pair")
    expect(page.locator("#pending-player_pair")).to_be_visible()
    page.click("[data-bet=undo]")
    confirm(page)
    placed(page, "player", "banker_pair")
    expect(page.locator("#spot-player .pile:not(.pending)")).to_contain_text("5")
    expect(page.locator("#spot-banker_pair .pile:not(.pending)")).to_contain_text("5")
    expect(page.locator("#spot-player_pair .pile:not(.pending)")).to_have_count(0)
    deal(page)

    # The other side is turned by itself, one's own cards are pulled; until then nothing tells.
    page.wait_for_selector("#coup .banker .slot:not(.down)")
    fits(page)
    expect(page.locator("#result .tells")).to_be_hidden()
    assert rounds_on_the_road(page) == played
    pull(page, page.locator("#coup .player .slot").first)
    page.click("#show button")
    expect(page.locator("#result")).to_be_visible()
    expect(page.locator("#result")).to_have_text(re.compile(r"(Player wins|Banker wins|Tie)"))
    expect(page.locator("#outcome")).to_be_visible()
    fits(page)

    # The maps stand one tap away and hold the round.
    page.click(".tools button:has-text('Roads')")
    expect(page.locator("#roads .bead-plate g")).to_have_count(played + 1)
    expect(page.locator("#roads .big-road")).to_be_visible()
    fits(page)
    page.click("#panel-roads h2 button")

    # The same once more, doubled. The last round of a shoe is seldom the first one of a test.
    next_round(page)
    again(page, played + 1 if shoe == shoe_of(page) else 0)


def test_a_late_bet_is_refused_with_a_reason_and_moves_no_chips(
    visitor: Visitor, complaints: list[str]
) -> None:
    page = visitor("carol", viewport=DESK)
    sit_down(page, "baccarat_commission")
    expect(page.locator("#roads")).to_be_visible()
    fits(page)
    # A bet comes after the end of the betting: another window has ended it, and this page has not
    # heard of that yet.
    page.wait_for_selector("#spot-banker[data-room]")
    # Of the next round it hears nothing, either.
    hold(page)
    page.route("**/board/*", lambda route: route.abort())
    stack = page.inner_text(".place-at.mine .stack-size")
    page.click("#spot-banker")
    page.evaluate(
        """async () => {
          const form = document.getElementById("act-done");
          const body = new URLSearchParams(new FormData(form));
          await fetch(form.action, { method: "POST", body });
        }"""
    )
    page.focus("[data-bet=place]")
    page.keyboard.press("Enter")
    # The round was over without a bet, and with it the form: the page says so, and no chip moves.
    # Where the felt still shows an earlier round, it says so beside the spot.
    reason = page.get_by_role("alert").filter(has_text="There is no such hand at this table.")
    expect(reason).to_be_visible()
    expect(page.locator(".betting.pending")).to_have_count(0)
    expect(page.locator(".place-at.mine .stack-size")).to_have_text(stack)
    page.unroute("**/board/*")
    complaints.clear()


def test_keys_bet_and_do_nothing_while_one_types(visitor: Visitor) -> None:
    page = visitor("bob", viewport=DESK)
    sit_down(page, "baccarat")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_contain_text("No more bets")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_hidden()
    page.click("#chat-text")
    page.keyboard.type("1b?")
    expect(page.locator("#keys")).to_be_hidden()
    expect(page.locator(".betting.pending")).to_have_count(0)
    page.locator("#chat-text").blur()
    page.keyboard.press("+")
    page.keyboard.press("2")
    expect(page.locator("#pending-banker")).to_contain_text("5")
    page.keyboard.press("b")
    placed(page, "banker")
    page.keyboard.press("n")
    # The clock of the squeeze runs while the own cards are covered.
    expect(page.locator("#squeeze")).to_be_visible()
    page.click("#show button")
    expect(page.locator("#squeeze")).to_be_hidden()
    expect(page.locator(".strip li").last).to_be_visible()
