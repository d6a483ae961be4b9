"""The chips to bet with, as the script of a table keeps them from round to round."""

from typing import Final

from games.models import Table
from tests.browser.printed_pages import Sheet
from tests.games.house import House
from tests.people import client_of

SPOT: Final = "#spot-player"
# What a round brings: its number, a rack whose first chip is chosen, and the rest of the stack.
NEXT_ROUND: Final = """(free) => {
  const bar = document.querySelector("#betting");
  bar.dataset.round = Number(bar.dataset.round) + 1;
  bar.querySelector("#rack input").checked = true;
  for (const one of bar.querySelectorAll("#rack input")) one.disabled = one.value > free;
  document.dispatchEvent(new Event("htmx:afterSwap", { bubbles: true }));
}"""
CHIPS: Final = "(all) => all.map(({ value, checked, disabled }) => [+value, checked, disabled])"


def test_the_chosen_chip_is_kept_and_unplaced_chips_are_named(house: House, sheet: Sheet) -> None:
    table = house.table("baccarat", options={"min": 1_000, "max": 100_000})
    house.sit(house.player("alice"), table, 1, 50_000)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    page = sheet.page
    sheet.faults(client_of(house.person("alice")).get(f"/tables/{table.pk}/").content, sizes=())
    # Half of the smallest bet, so it is not bet.
    page.click(SPOT)
    assert "10" in page.inner_text("#said-player")
    page.check("#rack input >> nth=1", force=True)
    page.evaluate(NEXT_ROUND, 50_000)
    said = page.inner_text("#not-bet")
    assert said == "The betting had closed: 5 was not bet and is yours."
    chips = page.eval_on_selector_all("#rack input", CHIPS)
    assert [chip[0] for chip in chips if chip[1]] == [2_500]
    # The stack has seven left.
    page.evaluate(NEXT_ROUND, 700)
    chips = page.eval_on_selector_all("#rack input", CHIPS)
    assert [chip[0] for chip in chips if not chip[2]] == [500]
    assert [chip[0] for chip in chips if chip[1]] == [500]
