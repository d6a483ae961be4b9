"""A session: one table in one part of a day, with its players. It is played a slice at a time.

Sessions that are open at the same time share no player, no account of their own and no book, so
that each slice can be played in another process. The slice contains all that such a process needs,
with its random numbers; the session returns the result.
"""

from datetime import datetime, timedelta
from random import Random
from typing import Final, NamedTuple

from casino.office.demonstration.seeding.money import MOMENT, AccountNumbers, Holdings, Money
from casino.office.demonstration.seeding.playing import LaidTable, PlayedTable
from casino.office.demonstration.seeding.rows import Gathered
from games.models import Seat
from wallets.staff import journal

HANDS_ALONE: Final = timedelta(minutes=5)


class Start(NamedTuple):
    """When a hand begins, and the number of its row."""

    at: datetime
    number: int


class Session:
    """One table between two hands, in one part of a day."""

    def __init__(
        self, laid: LaidTable, seats: list[Seat], holdings: Holdings, starts: list[datetime]
    ) -> None:
        self.laid, self.seats, self.holdings = laid, seats, holdings
        self.free_at = starts[0]
        # So slow are the moves that a hand is over before the next begins.
        self.apart = (starts[1] - starts[0] if len(starts) > 1 else HANDS_ALONE) / 200


class Slice(NamedTuple):
    """The hands of a session in some time, and what else is needed to play them."""

    session: Session
    starts: list[Start]
    accounts: AccountNumbers
    cashiers: list[journal.By]
    # This text alone determines all draws.
    seed: str
    # When the players arrive and when the table closes, if that is in this slice.
    arrive: datetime | None = None
    closes: datetime | None = None


class Made(NamedTuple):
    """A session after a slice, and the rows of the slice."""

    session: Session
    gathered: Gathered


def play(some: Slice) -> Made:
    """Play a slice."""
    return Made(some.session, _Playing(some).run())


class _Playing:
    def __init__(self, some: Slice) -> None:
        self._slice, self._session = some, some.session
        self._gathered = Gathered()
        chances = Random(some.seed)  # noqa: S311 # it repeats # nosec B311
        laid = some.session.laid
        holdings = some.session.holdings
        self._money = Money(
            laid.row, holdings, some.accounts, some.cashiers, self._gathered, chances
        )
        self._table = PlayedTable(laid, self._money, self._gathered, chances)

    def run(self) -> Gathered:
        session, some = self._session, self._slice
        row = session.laid.row
        if some.arrive is not None:
            for seat in session.seats:
                self._money.bring(seat, row.buy_in_min * 2, some.arrive, "sitting down")
        for start in some.starts:
            self._hand(start)
        if some.closes is not None:
            at = max(session.free_at, some.closes) + MOMENT
            for seat in session.seats:
                self._money.take_home(seat, at)
                seat.left_at = at
                self._gathered.add_row(seat)
        if session.laid.pool:
            session.laid.pool.handed_over = True
        return self._gathered

    def _hand(self, start: Start) -> None:
        session, row = self._session, self._session.laid.row
        at = max(start.at, session.free_at + MOMENT)
        low = max(row.stack_min, row.buy_in_min // 2)
        for seat in session.seats:
            if session.holdings.stacks[seat.pk] < low:
                self._money.bring(seat, row.buy_in_min, at, f"top-up {row.hands_dealt}")
        at += timedelta(seconds=1) * min(1, session.apart / timedelta(milliseconds=100))
        session.free_at = self._table.play(start.number, session.seats, at, session.apart)
