"""The format of a tournament's tables: who sits there, what is played for, and when.

Everything is answered from the event's row and from what it knows of the table, which are read once
for a table's row. Nothing here locks the event or moves players: an ended hand is a row, and
`progress` does what follows from it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _n

from games.live import sources
from games.models import Hand, Seat, Shoe, Table
from games.rules.contract import AnyGame
from games.rules.settlement import Settlement
from games.shoes import custody
from games.tables.formats import Heading, Posting
from tournaments.event import money
from tournaments.event.eliminations import note_ended
from tournaments.event.organiser import STREAM, may_deal, options_at, stage_of, tournament_id_of
from tournaments.models import Deal, EventTable, tournament_reference
from tournaments.overview.heading import heading
from tournaments.running import progress
from wallets.models import Account
from wallets.money.accounts import account
from wallets.money.references import Link
from wallets.values.errors import Refused
from wallets.values.player import Viewer


class TournamentTable:
    listed: ClassVar[bool] = False
    missed_turns: ClassVar[bool] = False
    plays_for_closed_pages: ClassVar[bool] = False
    set_by_operators: ClassVar[bool] = False

    def __init__(self, table: Table) -> None:
        self.table = table
        # Whether something follows from the hand that has just ended.
        self._follows = False

    @property
    def event(self) -> EventTable:
        """Return the event's row for this table, with the event."""
        cached = self.table.__dict__.get("_event")
        if cached is None:
            links = EventTable.objects.select_related("tournament")
            cached = self.table.__dict__["_event"] = links.get(table=self.table.pk)
        event: EventTable = cached
        return event

    def belongs_to(self) -> Link:
        return Link(
            reverse("tournament", args=[tournament_id_of(self.table.organiser)]),
            _("tournament hand"),
        )

    def heading(self, viewer: Viewer, now: datetime) -> Heading:
        return heading(self.event, self.table, viewer, now)

    def heading_version(self) -> int:
        return sources.key_of(STREAM, tournament_id_of(self.table.organiser))

    # Permissions of players.

    def may_watch(self, viewer: Viewer) -> bool:
        """Keep others from watching a deal that is still being played at some table."""
        if self.table.hand_id is None or not self._is_duplicate:
            return True
        return self.table.seats.filter(player=viewer.pk, left_at=None).exists()

    @property
    def _is_duplicate(self) -> bool:
        return stage_of(self.event.tournament).compares_deals

    def may_sit(self, _viewer: Viewer) -> Refused | None:
        return Refused("seated_by_tournament", _n("The tournament seats its players."))

    def may_leave(self, _seat: Seat) -> Refused | None:
        return Refused(
            "stays_in_tournament",
            _n("Your seat is yours until you are out; the house plays for you while you are away."),
        )

    def may_top_up(self, _seat: Seat) -> Refused | None:
        return Refused("no_top_up", _n("Chips of a tournament are not bought at the table."))

    def may_sit_out(self, _seat: Seat) -> Refused | None:
        return Refused("no_sitting_out", _n("You cannot sit out in a tournament."))

    def may_reverse(self, _hand: Hand) -> Refused | None:
        return Refused(
            "tournament_hand", _n("A tournament hand cannot be reversed: later seats depend on it.")
        )

    def history_open(self, hand: Hand) -> bool:
        """A hand that was voided ends before other tables have finished its deal."""
        deal = hand.shoe.deal
        return not deal or Deal.objects.filter(code=deal, complete_at__isnull=False).exists()

    # Money.

    def funds(self, seat: Seat) -> int:
        return seat.stack.balance

    def account(self, seat: Seat) -> int:
        return seat.stack_id

    def fill(self, seat: Seat, amount: int, posting: Posting) -> None:
        reason = money.BROUGHT if posting.reason == money.BROUGHT else money.SEATED
        self._move(seat, posting, amount, reason)

    def empty(self, seat: Seat, posting: Posting) -> None:
        amount = Account.objects.values_list("balance", flat=True).get(pk=seat.stack_id)
        if amount:
            self._move(seat, posting, -amount, money.UNSEATED)

    def _move(self, seat: Seat, posting: Posting, amount: int, reason: str) -> None:
        number = tournament_id_of(self.table.organiser)
        owner = money.entry_reference(number, seat.player_id)
        source = account(Account.Kind.ESCROW, owner, self.table.currency_id).pk
        book = tournament_reference(number)
        money.to_seat(book, posting.key, source, seat.stack_id, amount, reason)

    def is_short(self, _seat: Seat) -> bool:
        return False

    def is_broke(self, seat: Seat) -> bool:
        return seat.stack.balance == 0

    # Between two hands.

    def eviction(self, _seat: Seat, _seats: Sequence[Seat], _now: datetime) -> str | None:
        return None

    def wants_bots(self, _seats: Sequence[Seat], _now: datetime) -> int:
        return 0

    # The next hand.

    def spectator_came(self, now: datetime) -> None:
        pass

    def may_start(self, now: datetime) -> datetime | None:
        return may_deal(self.event, self.table, now)

    def options(self, _now: datetime) -> dict[str, object]:
        return options_at(self.event.tournament)

    def dealt_in(self, seats: Sequence[Seat], _now: datetime) -> list[Seat]:
        """Return all seats with chips; the house plays for absent players."""
        return [seat for seat in seats if seat.stack.balance > 0]

    def enough(self, game: AnyGame, ready: Sequence[Seat]) -> bool:
        if self._is_duplicate:
            return len(ready) == self.table.places
        return len(ready) in game.seats

    def next_shoe(self, game: AnyGame, now: datetime) -> Shoe | None:
        if self._is_duplicate:
            # The event lays its deals itself, on all tables at once.
            return None
        return custody.seal(self.table, game, now)

    # The end of a hand.

    def hand_ended(self, hand: Hand, settlement: Settlement | None) -> None:
        self._follows = note_ended(self.event, hand, settlement)

    def after_commit(self, hand: Hand, _seats: Sequence[Seat], now: datetime) -> None:
        if self._follows or hand.ended_at is None:
            progress.step(self.event.tournament_id, now)
