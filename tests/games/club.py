"""A second format for tests: a club's table, where three hands are played and then it closes.

It stands where tournaments will stand: above the games, and they know nothing of it. Its chips come
from an account of the club and go back there, its stakes rise with each hand, and it holds the next
hand back when it likes. The row of the club is a book of the ledger.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar
from uuid import uuid4

from django.db import connection, transaction

from casino.accounts.models import Player
from games.models import Hand, Seat, Shoe, Table
from games.rules.contract import AnyGame
from games.rules.settlement import Settlement
from games.shoes import custody
from games.tables import buy_in, formats
from games.tables.formats import Posting
from games.tables.lock import lock_table, lock_tables, seats_at, set_status, store_table
from tests.games.house import House
from wallets.models import Account, Book, Currency
from wallets.money.accounts import account
from wallets.money.ledger import Leg, post
from wallets.values.errors import Refused

HANDS = 3
CHIPS = 10_000
# What the club has left for those who come later.
LEFT = 500
CODE = "club_only"
CLUB = "club:7"


class Club:
    """The club's settings for a test, and the events that it received."""

    def __init__(self) -> None:
        # When the next hand may start: "now" leaves the time alone.
        self.start: datetime | str | None = "now"
        self.closed_to: set[str] = set()
        self.history = True
        self.dictates = False
        self.fails = False
        self.ended: list[tuple[str, bool, bool]] = []
        self.followed: list[str] = []


CLUBS: dict[str, Club] = {}


def refusal(*_: Any) -> Refused:
    return Refused(CODE, "The club decides that.")


class ClubTable:
    """Three hands, then closed."""

    listed: ClassVar[bool] = False
    missed_turns: ClassVar[bool] = False
    plays_for_closed_pages: ClassVar[bool] = False
    set_by_operators: ClassVar[bool] = False

    may_sit = may_leave = may_top_up = may_sit_out = may_reverse = staticmethod(refusal)

    def __init__(self, table: Table) -> None:
        self.table = table
        self.club = CLUBS[table.organiser]

    def belongs_to(self) -> None:
        return None

    def heading(self, _user: Any, _now: datetime) -> None:
        return None

    def heading_version(self) -> None:
        return None

    def may_watch(self, user: Any) -> bool:
        return user.username not in self.club.closed_to

    def history_open(self, _hand: Hand) -> bool:
        return self.club.history

    def funds(self, seat: Seat) -> int:
        return seat.stack.balance

    def account(self, seat: Seat) -> int:
        return seat.stack_id

    @property
    def bank(self) -> Account:
        return account("escrow", self.table.organiser, self.table.currency)

    def fill(self, seat: Seat, amount: int, posting: Posting) -> None:
        legs = [Leg(self.bank.pk, -amount), Leg(seat.stack_id, amount)]
        post(
            posting.key,
            "chips_in",
            legs,
            book=self.table.organiser,
            actor=posting.actor,
            reason=posting.reason,
        )

    def empty(self, seat: Seat, posting: Posting) -> None:
        amount = Account.objects.get(pk=seat.stack_id).balance
        if amount:
            legs = [Leg(seat.stack_id, -amount), Leg(self.bank.pk, amount)]
            post(
                posting.key,
                "chips_out",
                legs,
                book=self.table.organiser,
                actor=posting.actor,
                reason=posting.reason,
            )

    def is_broke(self, seat: Seat) -> bool:
        return seat.stack.balance == 0

    def is_short(self, _seat: Seat) -> bool:
        return False

    def eviction(self, _seat: Seat, _seats: Sequence[Seat], _now: datetime) -> str | None:
        return None

    def wants_bots(self, _seats: Sequence[Seat], _now: datetime) -> int:
        return 0

    def spectator_came(self, _now: datetime) -> None:
        pass

    def may_start(self, now: datetime) -> datetime | None:
        return now if isinstance(self.club.start, str) else self.club.start

    def options(self, _now: datetime) -> dict[str, Any]:
        return {"tournament": True, "point": 10 * (self.table.hands_dealt + 1)}

    def dealt_in(self, seats: Sequence[Seat], _now: datetime) -> list[Seat]:
        return [seat for seat in seats if seat.stack.balance]

    def enough(self, game: AnyGame, ready: Sequence[Seat]) -> bool:
        return len(ready) in game.seats and self.table.hands_dealt < HANDS

    def next_shoe(self, game: AnyGame, now: datetime) -> Shoe | None:
        shoe = custody.seal(self.table, game, now)
        if self.club.dictates:
            # All who play at any table of the club have mixed it; here those of this one.
            custody.lock(shoe, seats_at(self.table), now)
            custody.mix(shoe, now)
        return shoe

    def hand_ended(self, hand: Hand, settlement: Settlement | None) -> None:
        Book.objects.create(name=f"{self.table.organiser} {hand.code}")
        paid = (
            settlement is not None and Hand.objects.filter(pk=hand.pk, status="finished").exists()
        )
        self.club.ended.append((hand.code, paid, connection.in_atomic_block))

    def after_commit(self, hand: Hand, _seats: Sequence[Seat], now: datetime) -> None:
        assert not connection.in_atomic_block
        self.club.followed.append(hand.code)
        if self.club.fails:
            raise RuntimeError("the club is on fire")
        if self.table.hands_dealt == HANDS:
            close(self.table.organiser, now)


def close(organiser: str, now: datetime) -> None:
    """The club's row first, then its tables, then the accounts."""
    with transaction.atomic():
        Book.objects.select_for_update().get(name=organiser)
        tables = Table.objects.filter(organiser=organiser).values_list("pk", flat=True)
        for table in lock_tables(tables):
            for seat in seats_at(table):
                buy_in.vacate(table, seat, now)
            set_status(table, Table.Status.CLOSED)
            table.due_at = None
            store_table(table)


def open_club(house: House, *names: str, game: str = "chinese_poker", **fields: Any) -> Table:
    """A table of the club with these people at it, who brought no money."""
    formats.FORMATS.add("club", ClubTable)
    CLUBS[CLUB] = Club()
    chips, _ = Currency.objects.get_or_create(
        code="CHIP", defaults={"name": "chips", "kind": Currency.Kind.CHIPS}
    )
    Book.objects.get_or_create(name=CLUB)
    table = house.table(game, organiser=CLUB, currency=chips, name="Club", **fields)
    issue, bank = account("issue", CLUB, chips), account("escrow", CLUB, chips)
    amount = CHIPS * len(names) + LEFT
    post(
        uuid4(),
        "issue",
        [Leg(issue.pk, -amount), Leg(bank.pk, amount)],
        book=CLUB,
        actor="test",
        reason="chips",
    )
    for number, name in enumerate(names, 1):
        player = Player.objects.filter(username=name).first()
        enter(house, table, player or house.player(name, money=0), number)
    return table


def enter(house: House, table: Table, player: Player, number: int, chips: int = CHIPS) -> Seat:
    """The club seats a player; players cannot do so themselves."""
    with transaction.atomic():
        locked = lock_table(table.pk)
        seat = buy_in.take_seat(locked, player, number, chips, house.now)
        store_table(locked)
        return seat


def club() -> Club:
    return CLUBS[CLUB]
