"""A phone in a tunnel for a whole minute, while another player goes on at its table.

The house consists of real processes here, with their own clocks: a minute is a minute.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser

from tests.attack.attackers import Program, until
from tests.attack.evening import BETS, BUY_IN
from tests.browser.house import sign_in
from tests.browser.slow_line import a_line
from tests.browser.visitors import PHONE
from tests.houses import open_house
from tests.houses.supervised import Supervised

pytestmark = pytest.mark.release

GAME: Final = "casino_holdem"
MINUTE: Final = 60
BOB, CAROL = 3, 4
# How many shoes are looked at before the tunnel and after it.
SHOES: Final = 4
# Carol watches without a bet, and her seat is kept for her.
QUICK: Final = """
    UPDATE games_table SET pause_seconds = 3, betting_seconds = 5, idle_seconds = 3600
    WHERE id = ?"""
# Of each hand of a table, whether the house mixed for carol's seat.
MIXED: Final = """
    SELECT part.by_house FROM games_hand AS hand
    JOIN games_shoeseat AS part ON part.shoe_id = hand.shoe_id
    WHERE hand.table_id = ? AND part.number = ? ORDER BY hand.number"""
VOIDED: Final = "SELECT count(*) FROM games_shoe WHERE table_id = ? AND status = 'void'"


class Evening:
    """Bob plays by a program, on a good line; carol's phone is open at the same table."""

    def __init__(self, house: Supervised) -> None:
        self.house = house
        address = house.address.rstrip("/")
        ((self.table,),) = house.sql("SELECT min(id) FROM games_table WHERE game = ?", GAME)
        house.sql(QUICK, self.table)
        self.bob, carol = Program(address), Program(address)
        for seat, name, who in ((BOB, "bob", self.bob), (CAROL, "carol", carol)):
            assert who.sign_in(name, f"demo-{name}").status == 201
            form = {"seat": seat, "amount": BUY_IN}
            assert who.post(f"tables/{self.table}/sit/", form).status == 200

    def play_until(self, reached: Callable[[], bool]) -> None:
        """Let bob bet in each round, and the house play his hands."""

        def step() -> bool:
            board = self.bob.at(self.table)
            if board["turn"] is not None:
                self._go_on(board)
            return reached()

        until(step)

    def _go_on(self, board: dict[str, Any]) -> None:
        if any(choice["do"] == "ante" for choice in board["choices"]):
            if self.bob.act(self.table, {**BETS[GAME], "box": 1}).status == 200:
                self.bob.act(self.table, {"do": "done"})
        elif not board["mine"]["trustee"]:
            self.bob.post(f"tables/{self.table}/trustee/")

    def by_house(self) -> list[bool]:
        """For each hand that was dealt, whether the house mixed for carol."""
        return [bool(flag) for (flag,) in self.house.sql(MIXED, self.table, CAROL)]

    def voided(self) -> int:
        ((number,),) = self.house.sql(VOIDED, self.table)
        return int(number)


@pytest.fixture(scope="module")
def evening() -> Iterator[Evening]:
    with open_house(Supervised, demo=True) as house:
        yield Evening(house)


def test_a_minute_in_a_tunnel_costs_the_shoes_of_that_minute_alone(
    browser: Browser, evening: Evening
) -> None:
    with a_line(evening.house.address) as line:
        context = browser.new_context(
            base_url=line.address, viewport=PHONE, service_workers="block"
        )
        page = context.new_page()
        sign_in(page, "carol")
        page.goto(f"/tables/{evening.table}/")
        evening.play_until(lambda: evening.by_house()[-SHOES:] == [False] * SHOES)
        voided = evening.voided()

        line.cut()
        begun = time.monotonic()
        evening.play_until(lambda: time.monotonic() - begun > MINUTE)
        line.mend()

        dealt = len(evening.by_house())
        evening.play_until(lambda: len(evening.by_house()) >= dealt + 2 + SHOES)
        # The next shoe may have been sealed in the tunnel; the one after it waits for the phone.
        assert evening.by_house()[dealt + 2 :] == [False] * SHOES
        # A commit from before the tunnel is a reveal that does not arrive, once.
        assert evening.voided() - voided <= 1
        assert page.locator("#mixed-by-house").count() == 0
        context.close()
