"""Thirteen cards in a real browser: by mouse at a desk, by taps on a phone, and by keys alone."""

import re

from playwright.sync_api import Page, expect

from tests.browser import house
from tests.browser.errands import FRESH
from tests.browser.house import open_my_seat, tell
from tests.browser.visitors import DESK, Visitor
from tests.browser.width import too_wide

ROWS = ("front", "middle", "back")
# Where the server's best arrangement would put each card.
BEST = """async () => {
  const page = await (await fetch("?help=best_expected")).text();
  const answer = new DOMParser().parseFromString(page, "text/html");
  return Object.fromEntries(["front", "middle", "back"].map((row) =>
    [row, [...answer.querySelectorAll(`[data-slots=${row}] > .place`)].map((one) => one.id)]));
}"""
# Whether the buttons that confirm the rows and declare a natural are held back, once the cards are
# sorted. A hand with a natural is dealt too seldom, so its button is added, and taken away in the
# same step: the board may be fetched anew between two.
HELD_BACK = """() => {
  const rows = document.querySelector("#act-arrange .main");
  const natural = rows.cloneNode(true);
  Object.assign(natural, { name: "declare", value: "six_pairs", ariaDisabled: null });
  rows.after(natural);
  document.querySelector("[data-sort=suit]").click();
  const held = [rows, natural].map((one) => one.ariaDisabled === "true");
  natural.remove();
  return held;
}"""


# Whether cards in these rows are a foul, as the house says when they lie there.
IS_FOUL = """async (rows) => {
  const [{ value }] = document.getElementsByName("csrfmiddlewaretoken");
  const body = new URLSearchParams({ csrfmiddlewaretoken: value });
  for (const [row, cards] of Object.entries(rows))
    for (const card of cards)
      body.append(document.querySelector(`#${card} [value="${row}"]`).name, row);
  const address = document.getElementById("arrange").dataset.rows;
  return "foul" in (await (await fetch(address, { method: "POST", body })).json());
}"""
# Two rows of five are as strong as one another in less than one deal of a hundred.
DEALS_MAX = 10


def sit(page: Page, game: str) -> None:
    house.sit(page, game)
    page.wait_for_selector("#moves.mine")


def sit_with_different_rows(page: Page, game: str, address: str) -> dict[str, list[str]]:
    """Deals until the middle and the back row of the best arrangement are a foul when exchanged."""
    for _deal in range(DEALS_MAX):
        sit(page, game)
        page.wait_for_selector("#arrange")
        best: dict[str, list[str]] = page.evaluate(BEST)
        if page.evaluate(IS_FOUL, best | {"middle": best["back"], "back": best["middle"]}):
            return best
        tell(address, FRESH)
    raise AssertionError("no deal had two rows that differ")


def expect_rows(page: Page, front: int, middle: int, back: int) -> None:
    for row, count in zip(ROWS, (front, middle, back), strict=True):
        expect(page.locator(f"[data-slots={row}] > .place")).to_have_count(count)


def drag(page: Page, card: str, row: str) -> None:
    page.locator(f"#{card}").hover()
    page.mouse.down()
    place = page.locator(f"[data-slots={row}]").bounding_box()
    assert place
    page.mouse.move(place["x"] + place["width"] - 8, place["y"] + 20, steps=3)
    expect(page.locator(f"#row-{row}.over")).to_be_visible()
    page.mouse.up()


def expect_end(page: Page) -> None:
    """The rows of all lie there, the result is said, and the matrix is a table with headers."""
    expect(page.locator(".showdown .heads")).to_be_attached()
    # On the felt, or at a desk beside it.
    expect(page.locator(".matrix:visible").first).to_be_visible()
    page.keyboard.press("Escape")
    mine = page.locator(".matrix tr.mine").first
    expect(mine.locator("th")).not_to_be_empty()
    expect(page.locator(".rows-shown")).to_have_count(page.locator(".place-at:has(.plate)").count())
    expect(page.locator("#outcome")).to_contain_text("othing" if mine_is_even(page) else "You ")


def mine_is_even(page: Page) -> bool:
    return page.locator(".matrix tr.mine").first.locator("td b").inner_text() == "0"


def test_cards_are_dragged_at_a_desk(visitor: Visitor) -> None:
    page = visitor("alice", viewport=DESK)
    sit(page, "thirteen_taiwan")
    best = page.evaluate(BEST)
    for row in ("front", "middle"):
        for card in best[row]:
            drag(page, card, row)
    # But one row is open: the rest goes there. What lies in full rows is exchanged by dragging.
    expect_rows(page, 3, 5, 5)
    expect(page.locator("#head-back .rank")).not_to_be_empty()
    one, other = best["front"][0], best["back"][0]
    page.locator(f"#{one}").drag_to(page.locator(f"#{other}"))
    expect(page.locator(f"[data-slots=back] > #{one}")).to_be_visible()
    page.locator(f"#{other}").drag_to(page.locator(f"#{one}"))
    expect(page.locator(f"[data-slots=back] > #{other}")).to_be_visible()
    expect(page.locator("#foul")).to_be_empty()
    page.click("#act-arrange .main:not([name])")
    expect_end(page)


def test_cards_are_tapped_on_a_phone(
    visitor: Visitor, complaints: list[str], house_address: str
) -> None:
    page = visitor("bob")
    best = sit_with_different_rows(page, "chinese_poker", house_address)
    # All that is needed for arranging is there without scrolling.
    for part in ("#seats", "#head-front", "#act-arrange .main:not([name])"):
        box = page.locator(part).bounding_box()
        assert box
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 844
    assert too_wide(page) <= 0

    for card in best["front"]:
        page.click(f"#{card} .pick")
    page.click("#head-front")
    expect_rows(page, 3, 0, 0)
    # A row takes no more than there is room for.
    page.click(f"#{best['middle'][0]} .pick")
    page.click("#head-front")
    expect_rows(page, 3, 0, 0)
    expect(page.locator("#rows-said")).to_have_text("That row is full.")
    # A card of the hand and one in a row change places; one that is tapped alone goes back.
    page.click(f"#{best['front'][0]} .pick")
    expect(page.locator(f"[data-slots=front] > #{best['middle'][0]}")).to_be_visible()
    page.click(f"#{best['middle'][0]} .pick")
    expect_rows(page, 2, 0, 0)
    expect(page.locator("#act-arrange .main:not([name])")).to_be_disabled()
    expect(page.locator("#why-arrange")).to_have_text("Cards still to place: 11")
    page.click("[data-clear]")
    expect_rows(page, 0, 0, 0)
    sort_and_declare(page)
    # A suggestion says what it makes, and the rows are called so.
    makes = page.locator("#help-best_expected small").inner_text().split(" · ")
    page.click("#help-best_expected")
    for row, made in zip(ROWS, makes, strict=True):
        # Where two suggestions make the same kinds of rows, their ranks stand behind them.
        kind = re.sub(r"( (10|[2-9JQKA]))+$", "", made)
        expect(page.locator(f"#head-{row} .rank")).to_have_text(kind)
    # The stronger row in the middle is a foul: that is asked about before it is sent.
    page.click("[data-clear]")
    for row, stronger in (("middle", "back"), ("back", "middle")):
        for card in best[stronger]:
            page.click(f"#{card} .pick")
        page.click(f"#head-{row}")
    expect_rows(page, 3, 5, 5)
    expect(page.locator("#foul")).not_to_be_empty()
    page.click("#act-arrange .main:not([name])")
    expect(page.locator("#refused[data-code=would_foul]")).to_be_visible()
    page.click("#refused button")
    expect_end(page)
    expect(page.locator(".place-at.mine .marks .bad").first).to_be_visible()
    # Nobody who comes later has to wait for one who has gone.
    open_my_seat(page)
    page.click("#do-leave")
    expect(page.locator("#do-leave")).to_have_count(0)
    assert too_wide(page) <= 0


def sort_and_declare(page: Page) -> None:
    first = page.locator(".in-hand .place").first.get_attribute("id")
    # A natural needs no rows.
    assert page.evaluate(HELD_BACK) == [True, False]
    expect(page.locator("[data-sort=suit]")).to_have_attribute("aria-pressed", "true")
    page.click("text=By rank")
    assert page.locator(".in-hand .place").first.get_attribute("id") == first


def test_keys_alone_are_enough(visitor: Visitor) -> None:
    page = visitor("carol")
    sit(page, "chinese_poker")
    page.wait_for_selector("#arrange")
    best = page.evaluate(BEST)
    keys = {"front": "1", "middle": "m", "back": "b"}
    for row in ROWS:
        for card in best[row] if row != "back" else ():
            page.focus(f"#{card} .lifted")
            page.keyboard.press(keys[row])
    expect_rows(page, 3, 5, 5)
    # The table is shown anew, and the cards stay where they were put.
    page.evaluate(
        "address => htmx.ajax('GET', address, {target: '#board', swap: 'morph:innerHTML'})",
        page.locator("#board").get_attribute("hx-get"),
    )
    expect_rows(page, 3, 5, 5)
    # Back into the hand, and with the arrows to it, and into the row again.
    page.focus(f"#{best['middle'][0]} .lifted")
    page.keyboard.press("Backspace")
    expect_rows(page, 3, 4, 5)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator(f"#{best['middle'][0]} .lifted")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#act-arrange .main:not([name])")).to_be_disabled()
    page.keyboard.press("2")
    expect_rows(page, 3, 5, 5)
    expect(page.locator("#rows-said")).to_contain_text("Middle 5 / 5")
    page.keyboard.press("Enter")
    expect_end(page)
