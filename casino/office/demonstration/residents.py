"""The residents of a demonstration: bots at tables of their own, while no person sits there.

Bots hold as many seats as the table names, leave one free for a person where the game allows it,
and give seats up as people come. They rest between two hands, longer without spectators, so that
an idle house takes little of a processor. A person who sits down or begins to watch ends the rest.

Each start of a demonstration calls `begin`, which makes what is missing. Where the settings turn
life off (`DEMO_LIFE=0`), it closes the residents' tables.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from games.live import spectators
from games.models import Day, Hand, Seat, Table
from games.rules.catalogue import GAMES
from games.rules.contract import AnyGame
from games.rules.declaration import marked_as as _p
from games.tables import formats
from games.tables.cash_game import CashGame
from games.tables.formats import Posting
from games.tables.hand_state import game_from
from games.tables.lock import lock_table, set_status, store_table

# The kind of organiser of these tables; their games declare how many bots keep them.
KIND: Final = "residents"
REST_WATCHED: Final = timedelta(seconds=8)
REST_ALONE: Final = timedelta(seconds=90)


class ResidentTable(CashGame):
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


# Bots in addition to those of `games/tables/demo.py`, each with its face.
RESIDENTS: Final = {
    _p("a bot", "Ah Kwan"): 2, _p("a bot", "Aunt Rosa"): 7, _p("a bot", "Big Chen"): 9,
    _p("a bot", "Captain Sy"): 11, _p("a bot", "Fatty Lam"): 16, _p("a bot", "Granny Yu"): 19,
    _p("a bot", "Little Tang"): 23, _p("a bot", "Madam Gao"): 27, _p("a bot", "Nene"): 30,
    _p("a bot", "Professor Liu"): 32, _p("a bot", "Second Uncle"): 24,
    _p("a bot", "Sister Hua"): 37, _p("a bot", "Tommy"): 10,
    _p("a bot", "Uncle Boy"): 43, _p("a bot", "Yellow Hat"): 47,
}  # fmt: skip


# The fields that a residents' table copies from the demonstration's table of its game.
SETTINGS: Final = (
    *("game", "options", "currency", "places", "buy_in_min", "buy_in_max", "stack_min"),
    *("decision_seconds", "pause_seconds"),
)


def begin() -> int:
    """Make what is missing, or close what lives where the settings turn it off; say how much."""
    now = timezone.now()
    if not settings.DEMO_LIFE:
        return _close(now)
    players: Any = get_user_model()
    missing = [name for name in RESIDENTS if not players.name_is_taken(name)]
    for name in missing:
        players.objects.create_bot(name, RESIDENTS[name])
    # A history ends before anything is played at its tables.
    return len(missing) if history_is_due() else len(missing) + open_tables(now)


def history_is_due() -> bool:
    """Whether nothing has ever been played in this house."""
    return not Hand.objects.exists() and not Day.objects.exists()


def open_tables(now: datetime) -> int:
    """Open the residents' table of each game that declares one; return how many were closed."""
    return sum(_open(game, now) for game in GAMES if GAMES[game].residents)


@transaction.atomic
def _open(game: str, now: datetime) -> bool:
    """Open a table, and let the clock seat the bots."""
    game_table = table_of(game)
    if game_table is not None and game_table.status == Table.Status.OPEN:
        return False
    if game_table is None:
        game_table = made(game)
        game_table.jackpots.set(Table.objects.get(name=GAMES[game].table).jackpots.all())
    table = lock_table(game_table.pk)
    set_status(table, Table.Status.OPEN)
    table.due_at = now
    store_table(table)
    return True


def table_of(game: str) -> Table | None:
    residents = GAMES[game].residents
    return Table.objects.filter(name=residents.table).first() if residents else None


def made(game: str) -> Table:
    """A closed table like that of the demonstration, for the residents of a game."""
    residents, model = GAMES[game].residents, Table.objects.get(name=GAMES[game].table)
    assert residents is not None
    fields = {field: getattr(model, field) for field in SETTINGS}
    fields |= {"name": residents.table, "organiser": f"{KIND}:{game}"}
    return Table.objects.create(**fields, status=Table.Status.CLOSED)


def _close(now: datetime) -> int:
    """Let the residents play to the end of their hands and stand up."""
    living = Table.objects.filter(formats.tables_of(KIND), status=Table.Status.OPEN)
    numbers = list(living.values_list("pk", flat=True))
    for number in numbers:
        with transaction.atomic():
            table = lock_table(number)
            set_status(table, Table.Status.CLOSING)
            table.due_at = table.due_at or now
            store_table(table)
    return len(numbers)
