"""Filling an empty house with a history: day by day, closed as it would have been."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from random import Random
from typing import Final, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from casino.players.models import Player
from casino.reports.seeding import house, plan
from casino.reports.seeding.money import MOMENT, Money
from casino.reports.seeding.playing import PlayedTable
from casino.reports.seeding.rows import Rows
from casino.reports.spans import start_of
from games.models import Hand, Seat, Table, seat_reference
from games.records import closed_days
from games.rules.contract import most_seats
from games.shoes import anchors
from wallets import closings
from wallets.errors import Refused
from wallets.models import Transaction

# How many sit at a table against the house.
COMPANY: Final = 3
PLAYERS_LEAST: Final = 4
# More hands a day at one table would have equal times.
HANDS_A_DAY_MAX: Final = 200_000
CLOSED_AFTER: Final = timedelta(minutes=15)


class Order(NamedTuple):
    """The size of the history: numbers of hands, days and players."""

    hands: int
    days: int
    players: int
    seed: int
    last: date


class Session:
    """One table in one part of a day, with its players."""

    def __init__(self, table: PlayedTable, seats: list[Seat], starts: list[datetime]) -> None:
        self.table, self.seats, self.starts = table, seats, starts
        self.free_at = starts[0]

    @property
    def apart(self) -> timedelta:
        """So slow are the moves that a hand is over before the next begins."""
        apart = self.starts[1] - self.starts[0] if len(self.starts) > 1 else timedelta(minutes=5)
        return apart / 200


def require_empty() -> None:
    """Refuse a house in which something has been played or paid, or a table stands."""
    if Hand.objects.exists():
        raise Refused("not_empty", _("This house holds hands; only an empty one can be filled."))
    if Transaction.objects.exists() or Table.objects.exists():
        raise Refused(
            "not_empty", _("This house holds tables or money; only an empty one can be filled.")
        )


class Filling:
    """The making of one history: the same order gives the same history."""

    def __init__(self, order: Order) -> None:
        self._check(order)
        require_empty()
        self.order, self._chances = order, Random(order.seed)  # noqa: S311 # it repeats # nosec B311
        self._days = plan.days(order.hands, order.days, order.last)
        opening = self._days[0][1][0].start
        self._rows = Rows()
        tables = house.open_tables()
        pools = house.open_pools(tables, opening, self._rows, self._chances)
        self._tables = [
            PlayedTable(row, pools.get(game), self._rows, self._chances)
            for game, row in tables.items()
        ]
        self._money = Money(self._rows, house.hire(), self._chances)
        self._joined = self._joining(opening)
        self._players = house.admit(order.players, self._joined)

    def _check(self, order: Order) -> None:
        for name, value, least in (
            ("--hands", order.hands, 1),
            ("--days", order.days, 1),
            ("--players", order.players, PLAYERS_LEAST),
        ):
            if value < least:
                raise Refused("too_few", _("{name} is {least} at least."), name=name, least=least)
        if order.hands > order.days * HANDS_A_DAY_MAX:
            raise Refused(
                "too_many",
                _("At most {most} hands fit into a day."),
                most=HANDS_A_DAY_MAX,
            )

    def _joining(self, opening: datetime) -> list[datetime]:
        """A third of the players are there at once, the others join in the first two thirds."""
        count, span = self.order.players, timedelta(days=self.order.days) * 2 / 3
        early = max(PLAYERS_LEAST, count // 3)
        later = [opening + span * number / max(count - early, 1) for number in range(count - early)]
        return [opening] * early + later

    def run(self, progress: Callable[[int], object] = lambda hands: None) -> int:
        """Make and close every day; how many hands were played."""
        played = 0
        for day, parts in self._days:
            for part in parts:
                played += self._play(part)
            for table in self._tables:
                table.rest()
            self._rows.write()
            self._rows.tables.clear()
            self._close(day)
            progress(played)
        return played

    def _close(self, day: date) -> None:
        """Do the house's nightly work: close the day and the books, and make an anchor."""
        begins = start_of(day)
        at = min(begins + plan.ONE_DAY + CLOSED_AFTER, timezone.now())
        closed_days.close_day(day, at)
        closings.close(at)
        anchors.anchor(at, day)

    def _play(self, part: plan.Part) -> int:
        sessions = self._sessions(part)
        hands = sorted(
            (start, number) for number, one in enumerate(sessions) for start in one.starts
        )
        for start, number in hands:
            self._hand(sessions[number], start)
        for session in sessions:
            at = max(session.free_at, part.closes) + MOMENT
            for seat in session.seats:
                self._money.take_home(session.table.row, seat, at)
                seat.left_at = at
        return len(hands)

    def _hand(self, session: Session, start: datetime) -> None:
        table, row = session.table, session.table.row
        at = max(start, session.free_at + MOMENT)
        low = max(row.stack_min, row.buy_in_min // 2)
        for seat in session.seats:
            if self._money.stacks[seat.pk] < low:
                occasion = f"top-up {row.hands_dealt}"
                self._money.bring(row, seat, row.buy_in_min, at, occasion)
        at += timedelta(seconds=1) * min(1, session.apart / timedelta(milliseconds=100))
        session.free_at = table.play(session.seats, self._money, at, session.apart)

    def _sessions(self, part: plan.Part) -> list[Session]:
        """Return the tables of a part of a day with their players, each at one of them."""
        there = [
            player
            for player, joined in zip(self._players, self._joined, strict=True)
            if joined <= part.start
        ]
        self._chances.shuffle(there)
        tables = list(self._tables)
        self._chances.shuffle(tables)
        chosen: list[tuple[PlayedTable, list[Player]]] = []
        for table in tables:
            wanted = self._company(table)
            if wanted and len(there) >= wanted:
                chosen.append((table, [there.pop() for _seat in range(wanted)]))
        weights = [plan.GAMES[table.row.game] for table, _people in chosen]
        shares = plan.portions(part.hands, weights)
        return [
            Session(table, self._seated(table, people, part), plan.starts(part, hands))
            for (table, people), hands in zip(chosen, shares, strict=True)
            if hands
        ]

    def _company(self, table: PlayedTable) -> int:
        least = table.game.seats[0]
        most = most_seats(table.game)
        return most if least > 1 else self._chances.randint(1, min(COMPANY, most))

    def _seated(self, table: PlayedTable, people: list[Player], part: plan.Part) -> list[Seat]:
        row, seats = table.row, []
        for number, player in enumerate(people, 1):
            code = house.new_key(self._chances)
            stack = self._rows.ledger.account("stack", seat_reference(code), row.currency_id)
            seat = Seat(
                pk=self._rows.next_seat(),
                code=code,
                table=row,
                number=number,
                player=player,
                stack_id=stack.pk,
                seen_at=part.opens,
                sat_down_at=part.opens,
            )
            self._money.bring(row, seat, row.buy_in_min * 2, part.start, "sitting down")
            seats.append(seat)
        self._rows.seats += seats
        return seats
