"""Filling an empty house with a history: day by day, closed as it would have been."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import date, datetime, timedelta
from itertools import accumulate, pairwise
from random import Random
from typing import Final, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from casino.accounts.models import Player
from casino.office.demonstration.seeding import house
from casino.office.demonstration.seeding.players import AccountNumbers, Holdings
from casino.office.demonstration.seeding.playing import LaidTable
from casino.office.demonstration.seeding.rows import Gathered, Writer
from casino.office.demonstration.seeding.sessions import Session, Slice, Start, Workers
from games.models import Hand, Seat, Table, seat_reference
from games.records import closed_days
from games.rules.catalogue import GAMES
from games.rules.contract import most_seats
from games.shoes import anchors
from wallets.audit import chains
from wallets.models import Transaction
from wallets.models.holders import player_reference
from wallets.money.cashier import HOUSE as THE_HOUSE
from wallets.staff import journal
from wallets.values.days import ONE_DAY, start_of
from wallets.values.errors import Refused

# The parts of a gaming day, three hours each, and how much of its play falls into each.
PARTS: Final = (6, 9, 14, 20, 24, 18, 6, 3)
PART: Final = timedelta(hours=3)
# Monday to Sunday.
WEEK: Final = (9, 9, 10, 11, 16, 19, 14)
# Tables open a little after the beginning of a part, and are empty before its end.
EDGE: Final = timedelta(minutes=15)
# So many hands at most are played and written together: memory does not depend on the history.
SLICE_HANDS: Final = 2_000


class Part(NamedTuple):
    """A part of a day with the number of its hands."""

    start: datetime
    hands: int

    @property
    def opens(self) -> datetime:
        return self.start + EDGE

    @property
    def closes(self) -> datetime:
        return self.start + PART - EDGE


def portions(total: int, weights: Sequence[int]) -> list[int]:
    """Whole portions of a total by weight; they add up to the total."""
    whole = sum(weights)
    reached = [total * upto // whole for upto in accumulate(weights)]
    return [upto - before for before, upto in zip([0, *reached], reached, strict=False)]


def days(
    hands: int, count: int, last: date, *, grows: bool = False
) -> list[tuple[date, list[Part]]]:
    """The days up to the last one, each with its parts.

    In a house that grows, the last day has three times the hands of the first.
    """
    dates = [last - ONE_DAY * ago for ago in range(count - 1, -1, -1)]
    sizes = range(count, 3 * count, 2) if grows else [1] * count
    of_days = portions(
        hands, [WEEK[day.weekday()] * size for day, size in zip(dates, sizes, strict=True)]
    )
    days = []
    for day, of_day in zip(dates, of_days, strict=True):
        begins = start_of(day)
        parts = [
            Part(begins + PART * number, some)
            for number, some in enumerate(portions(of_day, PARTS))
        ]
        days.append((day, parts))
    return days


def day_slices(part: Part) -> list[tuple[datetime, datetime]]:
    """The beginnings and ends of the slices into which a part of a day is cut."""
    count = max(1, -(-part.hands // SLICE_HANDS))
    span = part.closes - part.opens
    inner = [part.opens + span * number / count for number in range(1, count)]
    edges = [part.start, *inner, part.start + PART]
    return list(pairwise(edges))


def hand_starts(part: Part, hands: int) -> list[datetime]:
    """Return when the hands of a table begin, evenly over a part of a day."""
    span = part.closes - part.opens
    return [part.opens + span * number / max(hands, 1) for number in range(hands)]


# How many sit at a table against the house.
COMPANY: Final = 3
PLAYERS_LEAST: Final = 4
# More hands a day at one table would have equal times.
HANDS_A_DAY_MAX: Final = 200_000
CLOSED_AFTER: Final = timedelta(minutes=15)
# No game of a demonstration has more than so many times the hands of another.
SHARE_MAX: Final = 4
# So many slices are kept in memory before any is written; a day of a demonstration has fewer.
KEPT_SLICES: Final = 8


class Stage(NamedTuple):
    """Rows that were made and not yet written: all that was posted and published before a time.

    At the end of a day also the tables as they are left.
    """

    gathered: list[Gathered]
    before: datetime | None = None
    tables: Sequence[Table] = ()
    day: date | None = None


class Order(NamedTuple):
    """The size of the history: numbers of hands, days and players.

    That of a `demonstration` grows from day to day, shows all games more evenly, and may end with a
    day that is not over.
    """

    hands: int
    days: int
    players: int
    seed: int
    last: date
    demonstration: bool = False


def require_empty() -> None:
    """Refuse a house that has a hand, a posting or a table."""
    if Hand.objects.exists():
        raise Refused("not_empty", _("This house holds hands; only an empty one can be filled."))
    if Transaction.objects.exists() or Table.objects.exists():
        raise Refused(
            "not_empty", _("This house holds tables or money; only an empty one can be filled.")
        )


class Filling:
    """The making of one history: the same order gives the same history, however many processes."""

    def __init__(
        self, order: Order, processes: int = 1, tables: dict[str, Table] | None = None
    ) -> None:
        """Play at these unused tables, or create tables."""
        self.order, self._processes = order, processes
        self._check(order)
        self._chances = Random(order.seed)  # noqa: S311 # it repeats # nosec B311
        planned = days(order.hands, order.days, order.last, grows=order.demonstration)
        # Of a day that is not over, the parts that are; other days are whole.
        now = timezone.now()
        shown = [(day, [part for part in parts if part.closes < now]) for day, parts in planned]
        self._days = [(day, parts) for day, parts in shown if parts]
        opening = self._days[0][1][0].start
        self._writer, begun = Writer(order.hands), Gathered()
        tables = tables or house.open_tables()
        pools = house.open_pools(tables, opening, self._writer, begun, self._chances)
        self._tables = [LaidTable(row, pools.get(game)) for game, row in tables.items()]
        self._cashiers = [journal.by(player) for player in house.hire()]
        self._joined = self._joining(opening)
        self._players = house.admit(order.players, self._joined)
        self._wallets: defaultdict[tuple[int, str], int] = defaultdict(int)
        self._welcomed: set[int] = set()
        # The rows to write next, and the open transaction of an incomplete day.
        self._made = [Stage([begun])]
        self._opening, self._has_begun = opening, False
        self._transaction, self._day_is_open = ExitStack(), False

    def _check(self, order: Order) -> None:
        for name, value, least in (
            ("--hands", order.hands, 1),
            ("--days", order.days, 1),
            ("--players", order.players, PLAYERS_LEAST),
            ("--processes", self._processes, 1),
        ):
            if value < least:
                raise Refused(
                    "too_few", _("{name} must be at least {least}."), name=name, least=least
                )
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
        with Workers(self._processes) as workers, self._transaction:
            for day, parts in self._days:
                for part in parts:
                    for hands in self._play(part, workers):
                        played += hands
                        progress(played)
                left = Gathered()
                tables = [table.rest(left) for table in self._tables]
                last = self._made.pop()
                before = None if day == self._days[-1][0] else last.before
                self._made.append(Stage([*last.gathered, left], before, tables, day))
                self._write()
        return played

    def _write(self) -> None:
        """Write what was made; a day is written whole, or not at all."""
        if not self._day_is_open:
            self._transaction.enter_context(transaction.atomic())
            self._day_is_open = True
            self._writer.take_up()
            if self.order.demonstration and not self._has_begun:
                house.welcome_people(self._writer.ledger, self._opening)
            self._has_begun = True
        for made in self._made:
            self._writer.write(made.gathered, made.before)
            if made.day is not None:
                self._writer.leave(made.tables)
                self._close(made.day)
                self._transaction.close()
                self._day_is_open = False
                anchors.write_waiting()
        self._made = []

    def _close(self, day: date) -> None:
        """Do the house's nightly work: close the day and the books, and make an anchor.

        It belongs to the transaction of the day: the open house never sees old hands without an
        anchor. A day that is not over is anchored up to its last hand.
        """
        now = timezone.now()
        at = start_of(day) + ONE_DAY + CLOSED_AFTER
        if at > now:
            anchors.store(now)
            return
        closed_days.close_day(day, at)
        chains.close_books(at)
        anchors.store(at, day)

    def _play(self, part: Part, workers: Workers) -> Iterator[int]:
        """Play a part of a day, a slice after the other; the hands of each slice.

        A day is played first and then written, because a writer holds up all others. If it
        is too long for that, slices are written while the workers play the next ones.
        """
        sessions, starts = self._sessions(part)
        slices = day_slices(part)
        for number, (begins, ends) in enumerate(slices):
            under_way = workers.play(
                [
                    Slice(
                        session,
                        [start for start in of_session if begins <= start.at < ends],
                        self._accounts(session),
                        self._cashiers,
                        f"{self.order.seed} {begins.isoformat()} {session.laid.row.game}",
                        arrive=part.start if number == 0 else None,
                        closes=part.closes if number == len(slices) - 1 else None,
                    )
                    for session, of_session in zip(sessions, starts, strict=True)
                ]
            )
            if len(self._made) > KEPT_SLICES:
                self._write()
            made = under_way.made()
            sessions = [result.session for result in made]
            self._made.append(Stage([result.gathered for result in made], ends))
            yield sum(begins <= start.at < ends for of_session in starts for start in of_session)
        for session in sessions:
            self._take_back(session)

    def _take_back(self, session: Session) -> None:
        """Know the table and its players as the session has left them."""
        row = session.laid.row
        place = next(at for at, table in enumerate(self._tables) if table.row.pk == row.pk)
        self._tables[place] = session.laid
        for player, held in session.holdings.wallets.items():
            self._wallets[player, row.currency_id] = held
        self._welcomed |= session.holdings.welcomed

    def _accounts(self, session: Session) -> AccountNumbers:
        """The accounts that a session moves in addition to its stacks and its pool."""
        row, game = session.laid.row, session.laid.game
        names = [("issue", THE_HOUSE), ("promotion", THE_HOUSE)]
        names += [("player", player_reference(seat.player_id)) for seat in session.seats]
        names += [("house", row.reference)] if game.against_house else []
        names += [("rake", row.reference)] if getattr(game, "rake_bp", 0) else []
        account, code = self._writer.ledger.account, row.currency_id
        return {(*name, code): account(*name, code).pk for name in names}

    def _sessions(self, part: Part) -> tuple[list[Session], list[list[Start]]]:
        """Return the tables of a part of a day with their players, each at one of them.

        Beside each stand its hands, which are numbered in the order of their times. The tables
        with the most hands come first, so that no worker begins with one at the end.
        """
        chosen = self._chosen(part)
        weights = [self._weight(laid.row.game) for laid, _people in chosen]
        shares = portions(part.hands, weights)
        sessions, times = [], []
        for (laid, people), hands in sorted(
            zip(chosen, shares, strict=True), key=lambda one: -one[1]
        ):
            if hands:
                times.append(hand_starts(part, hands))
                sessions.append(self._seated(laid, people, part, times[-1]))
        in_order = sorted((at, place) for place, some in enumerate(times) for at in some)
        starts: list[list[Start]] = [[] for _session in sessions]
        for at, place in in_order:
            starts[place].append(Start(at, self._writer.next_hand()))
        return sessions, starts

    def _weight(self, game: str) -> int:
        share = GAMES[game].share
        return min(share, SHARE_MAX) if self.order.demonstration else share

    def _chosen(self, part: Part) -> list[tuple[LaidTable, list[Player]]]:
        there = [
            player
            for player, joined in zip(self._players, self._joined, strict=True)
            if joined <= part.start
        ]
        self._chances.shuffle(there)
        tables = list(self._tables)
        self._chances.shuffle(tables)
        chosen: list[tuple[LaidTable, list[Player]]] = []
        for laid in tables:
            wanted = self._company(laid)
            if wanted and len(there) >= wanted:
                # The regulars of the table come last in the list, and are taken first.
                there.sort(key=lambda player: self._sits_at(player) == laid.row.pk)
                chosen.append((laid, [there.pop() for _seat in range(wanted)]))
        return chosen

    def _sits_at(self, player: Player) -> int:
        """The number of the table of which a player is a regular, so that boards have places."""
        tables = sorted(table.row.pk for table in self._tables)
        return tables[player.pk % len(tables)] if self.order.demonstration else 0

    def _company(self, laid: LaidTable) -> int:
        game = laid.game
        least, most = game.seats[0], most_seats(game)
        return most if least > 1 else self._chances.randint(1, min(COMPANY, most))

    def _seated(
        self, laid: LaidTable, people: list[Player], part: Part, times: list[datetime]
    ) -> Session:
        row, seats = laid.row, []
        for number, player in enumerate(people, 1):
            code = house.new_key(self._chances)
            stack = self._writer.ledger.account("stack", seat_reference(code), row.currency_id)
            seats.append(
                Seat(
                    pk=self._writer.next_seat(),
                    code=code,
                    table_id=row.pk,
                    number=number,
                    player_id=player.pk,
                    stack_id=stack.pk,
                    seen_at=part.opens,
                    sat_down_at=part.opens,
                )
            )
        wallets = {person.pk: self._wallets[person.pk, row.currency_id] for person in people}
        holdings = Holdings(wallets, {}, self._welcomed & wallets.keys())
        return Session(laid, seats, holdings, times)
