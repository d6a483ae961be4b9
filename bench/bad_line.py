"""For how many shoes every seat's own number counts where lines are bad.

    python -m bench.bad_line [HANDS [MILLISECONDS ...]]

Four people play Chinese poker by the house's own verbs, in simulated time, so an evening takes
less than a minute. A hand is a single decision of each, so few games are shorter. Each of them has
a line with the same round trip that loses one packet in ten: what is lost is sent again after a
round trip and 200 ms, then after twice that, as TCP does. Changes of the table are pushed,
the page fetches the board, and only then it sends its link of a shoe: with its player's act, or
between two hands by itself, and again when no answer has come in ten seconds.
"""

import logging
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from tests.houses import open_house

if TYPE_CHECKING:
    from games.boards.shoe_status import ShoeView
    from games.models import Seat
    from tests.games.house import House

ROUND_TRIPS: Final = (0, 200, 1_000, 2_000)
LOSS: Final = 0.1
HANDS: Final = 200
SEED: Final = 30
NAMES: Final = ("alice", "bob", "carol", "dave")
# Seconds: what TCP adds to a round trip before it sends again, and how long people think.
RESENT_AFTER: Final = 0.2
THOUGHT: Final = (6.0, 18.0)
# How long a page waits for an answer before it asks again, in seconds.
PATIENCE: Final = 10
# How often an idle page reports that it is open, in seconds.
SIGN_OF_LIFE: Final = 10


class NetworkPath:
    """The way of a packet in one direction."""

    def __init__(self, round_trip: float, chances: random.Random) -> None:
        self.round_trip, self.chances = round_trip, chances

    def seconds(self) -> float:
        took, again = self.round_trip / 2, self.round_trip + RESENT_AFTER
        while self.chances.random() < LOSS:
            took, again = took + again, 2 * again
        return took


class Evening:
    """A table, its players and their lines, in simulated time."""

    def __init__(self, house: "House", milliseconds: int) -> None:
        self.house = house
        self.chances = random.Random(f"{SEED} {milliseconds}")
        self.line = NetworkPath(milliseconds / 1_000, self.chances)
        self.table = house.table("chinese_poker", name=f"line of {milliseconds} ms")
        self.players = [house.player(f"{name} {milliseconds}") for name in NAMES]
        for number, player in enumerate(self.players, 1):
            house.sit(player, self.table, number)
        self.pages = [Page(self, player) for player in self.players]
        self._queue: list[tuple[datetime, int, Callable[[], None]]] = []
        self._numbers = count()
        self._version = -1
        self._due: datetime | None = None

    def after(self, seconds: float, work: Callable[[], None]) -> None:
        at = self.house.now + timedelta(seconds=seconds)
        heappush(self._queue, (at, next(self._numbers), work))

    def play(self, hands: int) -> None:
        """Let the evening go on until so many hands were dealt."""
        for page in self.pages:
            page.live()
        while self.table.hands_dealt < hands:
            self.tell()
            self.house.now, _number, work = heappop(self._queue)
            work()

    def tell(self) -> None:
        """Push what has changed, and have the clock look at the table when that is due."""
        self.table.refresh_from_db()
        if self.table.version != self._version:
            self._version = self.table.version
            for page in self.pages:
                self.after(self.line.seconds(), page.fetch)
        due = self.table.due_at
        if due is not None and due != self._due:
            self._due = due
            self.after(max(0.0, (due - self.house.now).total_seconds()), self._tick)

    def _tick(self) -> None:
        from games.tables import clock

        self._due = None
        clock.tick(self.table.pk, self.house.now)

    def shoes(self) -> Iterator[bool]:
        """For each hand after the first, whether every seat's own number counted."""
        from games.models import Hand, ShoeSeat

        for shoe in Hand.objects.filter(table=self.table, number__gt=1).values_list(
            "shoe", flat=True
        ):
            yield not ShoeSeat.objects.filter(shoe=shoe, by_house=True).exists()


class Page:
    """A player's page: it fetches boards, takes part in shoes as its script does, and acts."""

    def __init__(self, evening: Evening, player: Any) -> None:
        self.evening, self.player = evening, player
        self.sent: set[object] = set()
        self.answered: set[object] = set()
        self.chain: list[bytes] = []
        self.link = ""
        self._fetches = False

    def live(self) -> None:
        """Report that the page is open, again and again, even while its player is idle."""
        self.fetch()
        self.evening.after(SIGN_OF_LIFE, self.live)

    def send(self, seconds: float, work: Callable[[], None]) -> None:
        """Send something to the house after this time; it arrives by the line."""
        self.evening.after(seconds + self.evening.line.seconds(), work)

    def fetch(self) -> None:
        if not self._fetches:
            self._fetches = True
            self.send(0, self._board)

    def _board(self) -> None:
        """The house answers with the board of this moment."""
        from games.boards.shoe_status import next_shoe_view, shoe_view
        from games.boards.table_view import table_for
        from games.tables.lock import seat_of, seats_at
        from games.tables.presence import seen

        self._fetches = False
        table = table_for(self.player, self.evening.table.pk)
        seen([(table.pk, self.player.pk)], self.evening.house.now)
        seat = seat_of(self.player, seats_at(table))
        assert seat is not None
        shoe = next_shoe_view(table, seat) or shoe_view(table, seat)
        hand, turn = table.hand_id, table.turns.get(str(seat.number))
        self.evening.after(self.evening.line.seconds(), lambda: self._read(seat, shoe, hand, turn))

    def _read(
        self, seat: "Seat", shoe: "ShoeView | None", hand: int | None, turn: int | None
    ) -> None:
        """The page reads the board: it takes part in the shoe, and its player thinks of a move."""
        if shoe is not None:
            self._mix(shoe, seat.number, live=hand is not None)
        if hand is not None and turn is not None and (hand, turn) not in self.sent:
            self.sent.add((hand, turn))
            thought = self.evening.chances.uniform(*THOUGHT)
            self.evening.after(thought, lambda: self._press(seat.number, hand, turn))

    def _press(self, number: int, hand: int, turn: int) -> None:
        """The act carries the link that the page has at this moment."""
        link = self.link
        self.send(0, lambda: self._act(number, hand, turn, link))

    def _mix(self, shoe: "ShoeView", number: int, *, live: bool) -> None:
        """Start a chain, or give the link that is due."""
        from games.rules.links import chain_of
        from games.rules.shoe import ShoeProtocol

        self.link = ""
        if shoe.wants_start and ("start", shoe.code) not in self.sent:
            self.sent.add(("start", shoe.code))
            secret = self.evening.chances.randbytes(32)
            self.chain = chain_of(ShoeProtocol(shoe.code), number, secret)
            self._ask(f"start {self.chain[0].hex()}")
        own = bytes.fromhex(shoe.commits.get(number, ""))
        if shoe.wants_link and own in self.chain[:-1]:
            link = f"{shoe.code} {self.chain[self.chain.index(own) + 1].hex()}"
            if live:
                self.link = link
            elif link not in self.sent:
                self.sent.add(link)
                self._ask(link)

    def _ask(self, text: str) -> None:
        """Send a tip or a link, until the house has answered."""
        if text in self.answered:
            return
        self.send(0, lambda: self._take(text))
        self.evening.after(PATIENCE, lambda: self._ask(text))

    def _take(self, text: str) -> None:
        """The house takes it, or says that it is too late."""
        from games.tables import device_links
        from wallets.values.errors import Refused

        with suppress(Refused):
            device_links.take(self.player, self.evening.table.pk, text, self.evening.house.now)
        self.evening.after(self.evening.line.seconds(), lambda: self.answered.add(text))

    def _act(self, number: int, hand: int, turn: int, link: str) -> None:
        from msgspec import to_builtins

        from games.tables import hand_verbs
        from games.tables.carried import Carried
        from games.tables.decisions import Decision
        from games.tables.hand_state import game_of

        house, table = self.evening.house, self.evening.table
        table.refresh_from_db()
        if table.hand_id != hand or table.turns.get(str(number)) != turn:
            return
        row, state = house.state(table)
        action = game_of(row).fallback(state, number)
        sent = (self.player, table.pk, Decision(hand, turn), [to_builtins(action)], house.now)
        hand_verbs.act_all(*sent, Carried(link))


def main() -> None:
    given = [int(word) for word in sys.argv[1:]]
    hands, round_trips = given[0] if given else HANDS, given[1:] or ROUND_TRIPS
    # No browser is subscribed to updates, which is logged: this simulation updates the pages.
    logging.disable(logging.WARNING)
    with open_house():
        from games.models import Shoe
        from tests.games.house import House

        house = House()
        print(f"{hands} hands a line, one packet in {1 / LOSS:.0f} lost")
        for milliseconds in round_trips:
            evening = Evening(house, milliseconds)
            evening.play(hands)
            counted = list(evening.shoes())
            voids = Shoe.objects.filter(table=evening.table, status=Shoe.Status.VOID).count()
            share = sum(counted) / len(counted)
            print(
                f"round trip of {milliseconds:>5,} ms: every number counted in {share:.1%} of "
                f"{len(counted)} shoes, {voids} shoes voided",
                flush=True,
            )


if __name__ == "__main__":
    main()
