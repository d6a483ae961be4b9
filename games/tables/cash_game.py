"""The format of a cash table: players come and go as they like, with money from their wallets."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import ClassVar

from django.utils.translation import gettext_noop as _n

from games.models import Hand, Seat, Shoe, Table
from games.rules.contract import AnyGame
from games.rules.settlement import Settlement
from games.shoes import custody
from games.tables import admission, seating
from games.tables.autoplay import has_left, is_absent
from games.tables.formats import Heading, Posting
from games.tables.hand_state import game_from
from wallets.models.holders import player_reference
from wallets.money import cashier
from wallets.money.accounts import holdings
from wallets.money.references import Link
from wallets.values.errors import Refused
from wallets.values.player import Viewer


class CashGame:
    listed: ClassVar[bool] = True
    missed_turns: ClassVar[bool] = True
    plays_for_closed_pages: ClassVar[bool] = True
    set_by_operators: ClassVar[bool] = True

    def __init__(self, table: Table) -> None:
        self.table = table

    def belongs_to(self) -> Link | None:
        return None

    def heading(self, viewer: Viewer, now: datetime) -> Heading | None:
        return None

    def heading_version(self) -> int | None:
        return None

    # Permissions of players.

    def may_watch(self, _viewer: Viewer) -> bool:
        return True

    def may_sit(self, viewer: Viewer) -> Refused | None:
        if self.table.status != Table.Status.OPEN:
            return Refused("table_closed", _n("This table is closed."))
        return None

    def may_leave(self, _seat: Seat) -> Refused | None:
        return None

    def may_top_up(self, _seat: Seat) -> Refused | None:
        return None

    def may_sit_out(self, _seat: Seat) -> Refused | None:
        return None

    def may_reverse(self, hand: Hand) -> Refused | None:
        return None

    def history_open(self, _hand: Hand) -> bool:
        return True

    # Money.

    def funds(self, seat: Seat) -> int:
        return seat.stack.balance

    def account(self, seat: Seat) -> int:
        return seat.stack_id

    def fill(self, seat: Seat, amount: int, posting: Posting) -> None:
        cashier.buy_in(
            player_reference(seat.player_id),
            seat.reference,
            self.table.currency,
            amount,
            book=self.table.reference,
            reference=seat.reference,
            **posting._asdict(),
        )

    def empty(self, seat: Seat, posting: Posting) -> None:
        if seat.stack.balance:
            cashier.cash_out(
                player_reference(seat.player_id),
                seat.reference,
                self.table.currency,
                seat.stack.balance,
                book=self.table.reference,
                reference=seat.reference,
                **posting._asdict(),
            )

    def is_short(self, seat: Seat) -> bool:
        return seat.stack.balance < self.table.stack_min

    def is_broke(self, seat: Seat) -> bool:
        """All of their money counts, so that they cannot choose to be broke by moving some away."""
        total = holdings(seat.player_id, self.table.currency).total
        return seat.left_at is None and total < self.table.stack_min

    # Between two hands.

    def eviction(self, seat: Seat, seats: Sequence[Seat], now: datetime) -> str | None:
        if seat.leaves:
            return ""
        if self.table.status != Table.Status.OPEN:
            return Seat.LeftWhy.CLOSED
        if seat.player.is_bot:
            return None if seat in self._bots_to_keep(seats, now) else ""
        kept = timedelta(seconds=self.table.idle_seconds)
        if seat.idle_since is None or (
            now - seat.idle_since <= kept and not self._is_in_the_way(seat, seats, now)
        ):
            return None
        is_gone = has_left(seat, now) or is_absent(self.table, seat, now)
        return Seat.LeftWhy.ABSENT if is_gone else Seat.LeftWhy.IDLE

    def _is_in_the_way(self, seat: Seat, seats: Sequence[Seat], now: datetime) -> bool:
        """Whether others cannot play because a player who has left keeps this seat."""
        if not has_left(seat, now):
            return False
        playing = self.dealt_in(seats, now)
        if not any(
            not (taken_seat.player.is_bot or has_left(taken_seat, now)) for taken_seat in playing
        ):
            return False
        bots = self.table.bots_max - sum(taken_seat.player.is_bot for taken_seat in seats)
        free = self.table.places - len(seats)
        least: int = game_from(self.table.game, self.table.options).seats[0]
        missing = least - len(playing)
        return min(bots, free) < missing <= min(bots, free + 1)

    def _bots_to_keep(self, seats: Sequence[Seat], now: datetime) -> list[Seat]:
        """The bots that can go on; if that is too many, those that came first."""
        bots = [seat for seat in seats if seat.player.is_bot and not self.is_short(seat)]
        bots.sort(key=lambda seat: (seat.sat_down_at, seat.number))
        return bots[: self.wants_bots(seats, now)]

    def wants_bots(self, seats: Sequence[Seat], now: datetime) -> int:
        """Return how many bots a table should have besides its people.

        One person finds as many as the table allows, and for each further person one bot leaves;
        but there are always enough to begin a game. Against the house players need no company: no
        bot is invited, and a seated bot disturbs no player.
        """
        table = self.table
        people = [
            seat
            for seat in seats
            if not seat.player.is_bot and self.eviction(seat, seats, now) is None
        ]
        if not people:
            return 0
        room = min(table.bots_max, table.places - len(people))
        least = game_from(table.game, table.options).seats[0]
        if least == 1:
            return min(room, sum(seat.player.is_bot for seat in seats))
        playing = len(self.dealt_in(people, now))
        return min(room, max(table.bots_max + 1 - max(1, playing), least - playing))

    # The next hand.

    def spectator_came(self, now: datetime) -> None:
        pass

    def may_start(self, now: datetime) -> datetime | None:
        return now

    def options(self, _now: datetime) -> dict[str, object]:
        options: dict[str, object] = self.table.options
        return options

    def dealt_in(self, seats: Sequence[Seat], now: datetime) -> list[Seat]:
        return [
            seat
            for seat in seats
            if not (seat.sits_out or seat.leaves or self.is_short(seat))
            and self._admits(seat, now) is None
        ]

    def _admits(self, seat: Seat, now: datetime) -> Refused | None:
        request = admission.Request(admission.Occasion.DEAL, seat.player, now, self.table)
        return admission.refusal(request)

    def enough(self, game: AnyGame, ready: Sequence[Seat]) -> bool:
        """Bots do not play for one another."""
        return len(ready) in game.seats and any(not seat.player.is_bot for seat in ready)

    def next_shoe(self, game: AnyGame, now: datetime) -> Shoe | None:
        return custody.seal(self.table, game, now)

    # The end of a hand.

    def hand_ended(self, hand: Hand, settlement: Settlement | None) -> None:
        """Do nothing: a cash table has no organiser that counts its hands."""

    def after_commit(self, hand: Hand, seats: Sequence[Seat], now: datetime) -> None:
        if any(seat.reserved_for_id for seat in seats):
            # In the pause already, so that they take part in mixing the next shoe.
            seating.seat_reserved(self.table.pk, now)
