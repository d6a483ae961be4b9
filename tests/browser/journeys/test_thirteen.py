"""A hand of thirteen cards on a phone: by taps, with a foul that the page asks about."""

from typing import Final

import pytest

from tests.browser.driver import press
from tests.browser.extra_addresses import FRESH
from tests.browser.house import tell
from tests.browser.journeys.rows import ROWS, SEND, rows, sees_the_end, sit_and_see_best
from tests.browser.visitors import PHONE, Visitor
from tests.browser.width import too_wide

# Whether cards in these rows are a foul, as the house says when they lie there.
IS_FOUL: Final = """async (rows) => {
  const [{ value }] = document.getElementsByName("csrfmiddlewaretoken");
  const body = new URLSearchParams({ csrfmiddlewaretoken: value });
  for (const [row, cards] of Object.entries(rows))
    for (const card of cards)
      body.append(document.querySelector(`#${card} [value="${row}"]`).name, row);
  const address = document.getElementById("arrange").dataset.rows;
  return "foul" in (await (await fetch(address, { method: "POST", body })).json());
}"""


@pytest.mark.engines
def test_a_hand_of_thirteen_cards(visitor: Visitor, house_address: str) -> None:
    page = visitor("bob", phone=True)
    best = sit_and_see_best(page, "chinese_poker")
    # Two rows of five are as strong as one another in less than one deal of a hundred.
    while not page.evaluate(IS_FOUL, best | {"middle": best["back"], "back": best["middle"]}):
        tell(house_address, FRESH)
        best = sit_and_see_best(page, "chinese_poker")
    for part in ("#seats", "#head-front", SEND):
        box = page.locator(part).bounding_box()
        assert box
        assert 0 <= box["y"] <= PHONE["height"] - box["height"], part
    assert too_wide(page) <= 0

    for card in best["front"]:
        press(page, f"#{card} .pick")
    press(page, "#head-front")
    assert rows(page) == (3, 0, 0)
    # A row takes no more than there is room for.
    press(page, f"#{best['middle'][0]} .pick")
    press(page, "#head-front")
    assert page.inner_text("#rows-said") == "That row is full."
    # A card of the hand and one in a row change places; one that is tapped alone goes back.
    press(page, f"#{best['front'][0]} .pick")
    assert page.locator(f"[data-slots=front] > #{best['middle'][0]}").is_visible()
    press(page, f"#{best['middle'][0]} .pick")
    assert rows(page) == (2, 0, 0)
    assert page.inner_text("#why-arrange") == "Cards still to place: 11"
    assert page.locator(SEND).get_attribute("aria-disabled") == "true"
    # A suggestion says what it makes, and the rows are called so.
    press(page, "#help-best_expected")
    assert rows(page) == (3, 5, 5)
    makes = page.locator("#help-best_expected small").inner_text().split(" · ")
    for row, made in zip(ROWS, makes, strict=True):
        # "high card K" and "K high", "pair 9" and "pair of nines".
        called = page.inner_text(f"#head-{row} .rank")
        assert set(called.lower().replace(",", "").split()) & set(made.lower().split()), (
            called,
            made,
        )
    # The stronger row in the middle is a foul: that is asked about before it is sent.
    press(page, "[data-clear]")
    for row, stronger in (("middle", "back"), ("back", "middle")):
        for card in best[stronger]:
            press(page, f"#{card} .pick")
        press(page, f"#head-{row}")
    assert rows(page) == (3, 5, 5)
    assert page.inner_text("#foul")
    press(page, SEND)
    assert page.locator("#refused[data-code=would_foul]").is_visible()
    press(page, "#refused button")
    sees_the_end(page)
    assert page.locator(".side.mine .marks .bad").first.is_visible()
    assert too_wide(page) <= 0
