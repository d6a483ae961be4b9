"""The format of a resident table: a cash table where bots play on while no person sits there.

Bots hold as many seats as the table names, leave one free for a person where the game allows it,
and give seats up as people come. They rest between two hands, longer without spectators, so that
an idle house takes little of a processor. A person who sits down or begins to watch ends the rest.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from games.live import spectators
from games.models import Hand, Seat, Table
from games.rules.catalogue import GAMES
from games.rules.contract import AnyGame
from games.tables.cash_game import CashGame
from games.tables.formats import Posting
from games.tables.lock import lock_table, store_table
from games.tables.replay import game_from

# The kind of organiser of these tables; their games declare how many bots keep them.
KIND: Final = "residents"
REST_WATCHED: Final = timedelta(seconds=8)
REST_ALONE: Final = timedelta(seconds=90)


class ResidentTable(CashGame):
    """One table of residents."""

    def fill(self, seat: Seat, amount: int, posting: Posting) -> None:
        super().fill(seat, amount, posting)
        if not seat.player.is_bot and self._rests(seat.seen_at):
            self.table.due_at = self._soon(seat.seen_at)

    def spectator_came(self, now: datetime) -> None:
        """Let them see the next hand at once; from then on the bots rest as where people watch."""
        if not self._rests(now):
            return
        with transaction.atomic():
            self.table = lock_table(self.table.pk)
            if self._rests(now):
                self.table.due_at = self._soon(now)
                store_table(self.table)

    def _soon(self, now: datetime) -> datetime:
        """The end of a pause as at any table: time to commit to the next shoe."""
        return now + timedelta(seconds=self.table.pause_seconds)

    def _rests(self, now: datetime) -> bool:
        """Whether the next hand begins later than after such a pause."""
        due = self.table.due_at
        return self.table.phase == Table.Phase.PAUSE and due is not None and due > self._soon(now)

    def wants_bots(self, seats: Sequence[Seat], now: datetime) -> int:
        people = sum(
            not seat.player.is_bot and self.eviction(seat, seats, now) is None for seat in seats
        )
        least = game_from(self.table.game, self.table.options).seats[0]
        residents = GAMES[self.table.game].residents
        company = min(residents.bots if residents else 0, self.table.places - 1 - people)
        return max(company, least - people, 0)

    def enough(self, game: AnyGame, ready: Sequence[Seat]) -> bool:
        return len(ready) in game.seats

    def may_start(self, now: datetime) -> datetime:
        """Begin at once for a person; bots among themselves rest after each hand."""
        people = Seat.objects.filter(table=self.table, left_at=None, player__is_bot=False)
        if people.exists():
            return now
        ended = Hand.objects.filter(table=self.table).order_by("-number").values_list("ended_at")
        last = ended.values_list("ended_at", flat=True).first()
        watched = spectators.are_at(self.table.pk)
        return last + (REST_WATCHED if watched else REST_ALONE) if last else now
