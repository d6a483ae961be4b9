"""States that no drawing shows, in its look: as much as a table holds, and what goes wrong.

Each is taken on the smallest phone; what a small desk holds least is taken there as well.
"""

from typing import Final

import pytest
from playwright.sync_api import Page, ViewportSize

from games.models import Table
from games.rules.cards import parse_cards
from games.tables.hand_state import game_of
from tests.compared.house_tables import ME, bet, close, decide
from tests.compared.scenes import DESK, LOW_PHONE, Scene
from tests.games.dealing_first import deal_first
from tests.games.house import House
from tests.repeating import repeat_draws

SMALL_PHONE: Final = ViewportSize(width=360, height=640)
SMALL_DESK: Final = ViewportSize(width=1280, height=800)
MILLION: Final = 100_000_000
# The longest names there are.
LONG_NAMES: Final = ("Bartholomew_Alex", "Wilhelmina_Grace", "Maximilian_Jones")
SEVEN: Final = tuple(
    {"do": "bet", "box": box, "amount": 2_500, "bonus": 500} for box in range(1, 8)
)
# The first cards of all seven boxes and the dealer, a pair of eights on the fourth; what is drawn.
CROWDED: Final = "2c9hTs8s3hTd7c9d 8h4cTh8d9c5d6s 8c8d8h2d3s2h4s3d2s5h"
# One box and the dealer; then eights until nothing can be split, and low cards.
ONE_BOX: Final = "8s6d8h 8d8c8s2d3s2h4s3d2s"
SHORT: Final = "Tc9d6hKhTs"


def seated(
    house: House, patch: pytest.MonkeyPatch, cards: str, names: tuple[str, ...], money: int = 50_000
) -> Table:
    """A table of blackjack whose first cards are these, while bets are placed."""
    repeat_draws(patch, "drawn")
    deal_first(patch, parse_cards(cards.replace(" ", "")))
    options = {"max": 10 * MILLION, "max_payout": 100 * MILLION}
    table = house.table(
        "blackjack",
        name="Lotus",
        options=options,
        buy_in_max=20 * MILLION,
        pause_seconds=6,
    )
    for number, name in enumerate(names, 1):
        house.sit(house.player(name, 2 * money), table, number, money)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    return table


def seven_boxes(house: House, patch: pytest.MonkeyPatch) -> str:
    table = seated(house, patch, CROWDED, (ME,))
    bet(house, table, [(ME, placed) for placed in SEVEN])
    return f"/tables/{table.pk}/"


def seven_decided(house: House, patch: pytest.MonkeyPatch) -> str:
    table = seated(house, patch, CROWDED, (ME,))
    bet(house, table, [(ME, placed) for placed in SEVEN])
    close(house, table, [(ME, {})])
    return f"/tables/{table.pk}/"


def four_split(house: House, patch: pytest.MonkeyPatch) -> str:
    table = seated(house, patch, ONE_BOX, (ME,))
    bet(house, table, [(ME, {"do": "bet", "box": 4, "amount": 2_500})])
    close(house, table, [(ME, {})])
    split_all(house, table)
    return f"/tables/{table.pk}/"


def four_split_in_a_crowd(house: House, patch: pytest.MonkeyPatch) -> str:
    """My pair between six boxes of two others, who have decided."""
    table = seated(house, patch, CROWDED, (ME, "Mei", "Wen"))
    placed = [("Mei" if number < 3 else "Wen", SEVEN[number]) for number in range(7) if number != 3]
    bet(house, table, [*placed, (ME, SEVEN[3])])
    close(house, table, [(ME, {}), ("Mei", {}), ("Wen", {})])
    while "1" not in table.turns:
        decide(house, table, "stand")
        table.refresh_from_db()
    split_all(house, table)
    return f"/tables/{table.pk}/"


def split_all(house: House, table: Table) -> None:
    """Split as long as there is a pair."""
    while "split" in offered(house, table):
        decide(house, table, "split")


def offered(house: House, table: Table) -> set[str]:
    table.refresh_from_db()
    hand, state = house.state(table)
    number = house.seat(table, ME).number
    return {choice.do for choice in game_of(hand).choices(state, number)}


def short_of_money(house: House, patch: pytest.MonkeyPatch) -> str:
    """A round is lost, and the stack does not pay the same bet again."""
    table = seated(house, patch, SHORT, (ME,), money=10_000)
    bet(house, table, [(ME, {"do": "bet", "box": 4, "amount": 7_500})])
    close(house, table, [(ME, {})])
    house.until(table, lambda table: table.hand_id is None)
    return f"/tables/{table.pk}/"


def a_million(house: House, patch: pytest.MonkeyPatch) -> str:
    """Stacks and bets of millions, while bets are placed."""
    table = seated(house, patch, CROWDED, (ME, "Mei"), money=15 * MILLION)
    for number in (2, 4, 6):
        house.act(table, ME, {"do": "bet", "box": number, "amount": MILLION})
    house.act(table, "Mei", {"do": "bet", "box": 1, "amount": 9 * MILLION})
    return f"/tables/{table.pk}/"


def a_million_won(house: House, patch: pytest.MonkeyPatch) -> str:
    a_million(house, patch)
    table = Table.objects.get(name="Lotus")
    close(house, table, [(ME, {}), ("Mei", {})])
    house.until(table, lambda table: table.hand_id is None)
    return f"/tables/{table.pk}/"


def long_names(house: House, patch: pytest.MonkeyPatch) -> str:
    return f"/tables/{among(house, patch, 'doudizhu', LONG_NAMES).pk}/"


def long_names_at_thirteen(house: House, patch: pytest.MonkeyPatch) -> str:
    return f"/tables/{among(house, patch, 'chinese_poker', LONG_NAMES).pk}/"


def sitting_out(house: House, patch: pytest.MonkeyPatch) -> str:
    table = among(house, patch, "doudizhu", LONG_NAMES)
    house.change(table, LONG_NAMES[0], sits_out=True)
    hand = table.hand_id
    house.until(table, lambda table: table.hand_id != hand)
    return f"/tables/{table.pk}/"


def among(house: House, patch: pytest.MonkeyPatch, game: str, names: tuple[str, ...]) -> Table:
    """A hand among these players, the first of whom has to decide; each has a million."""
    repeat_draws(patch, "drawn")
    table = house.table(game, name="Lotus", buy_in_max=2 * MILLION, options={"point": 1_000_000})
    for number, name in enumerate(names, 1):
        house.sit(house.player(name, 3 * MILLION), table, number, MILLION)
    house.until(table, lambda table: "1" in table.turns)
    return table


def without_a_line(page: Page) -> None:
    """A move is pressed, and does not arrive."""
    page.context.set_offline(offline=True)
    page.locator("#moves button.main:visible, #moves .at-hit button").first.click()
    page.wait_for_selector("#messages .message")


SCENES: Final[tuple[Scene, ...]] = (
    Scene(
        "stress-seven-boxes-bet",
        seven_boxes,
        ME,
        size=SMALL_PHONE,
        differs="seven bets with a bonus each on 360 pixels; the print gives way",
    ),
    Scene(
        "stress-seven-boxes-decision",
        seven_decided,
        ME,
        size=SMALL_PHONE,
        differs="the first of seven boxes moves, large in the middle",
    ),
    Scene(
        "stress-four-hands",
        four_split,
        ME,
        size=SMALL_PHONE,
        differs="four hands of one box on 360 pixels, two by two below the frame",
    ),
    Scene(
        "stress-four-hands-664",
        four_split_in_a_crowd,
        ME,
        size=LOW_PHONE,
        differs="the same between six boxes of others, in a browser with its bars",
    ),
    Scene(
        "stress-four-hands-desk",
        four_split_in_a_crowd,
        ME,
        size=SMALL_DESK,
        differs="the same on a desk of 1280 pixels, where the dealer gives way",
    ),
    Scene(
        "stress-short-of-money",
        short_of_money,
        ME,
        size=SMALL_PHONE,
        differs="the button says what the last bet needs and what there is, and offers a top-up",
    ),
    Scene(
        "stress-million-bet",
        a_million,
        ME,
        size=SMALL_PHONE,
        differs="bets and stacks of millions; the purse without its face leaves room in the bar",
    ),
    Scene(
        "stress-million-result",
        a_million_won,
        ME,
        size=SMALL_PHONE,
        differs="sums of millions on their boxes, within the screen",
    ),
    Scene(
        "stress-million-result-desk",
        a_million_won,
        ME,
        size=DESK,
        differs="the same on a desk",
    ),
    Scene(
        "stress-long-names-doudizhu",
        long_names,
        LONG_NAMES[0],
        size=SMALL_PHONE,
        differs="names of sixteen signs end in dots in plates, and are whole with what was played",
    ),
    Scene(
        "stress-long-names-thirteen",
        long_names_at_thirteen,
        LONG_NAMES[0],
        size=SMALL_PHONE,
        differs="nothing of a name is needed before the showdown",
    ),
    Scene(
        "stress-sitting-out",
        sitting_out,
        LONG_NAMES[0],
        size=SMALL_PHONE,
        differs="the result of a hand stays while its player sits out, with one button to sit in",
    ),
    Scene(
        "stress-lost-line",
        seven_decided,
        ME,
        size=SMALL_PHONE,
        pose=without_a_line,
        differs="what a lost line means for the last press, over the dealer and not over the hand",
    ),
)
