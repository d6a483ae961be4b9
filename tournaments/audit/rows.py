"""All rows of one event at one moment, read by a score of statements however large it is.

No query joins: a join would silently drop a row whose neighbour is missing.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import Q

from games.models import ChainEntry, Hand, HandSeat, Seat, Shoe
from games.tables.settle import posting_key
from tournaments.event.money import promotions_of
from tournaments.event.organiser import structure_of
from tournaments.mathematics.structure import Structure
from tournaments.models import (
    Arrangement,
    Bye,
    Deal,
    Draw,
    Elimination,
    Entry,
    EventShoe,
    EventTable,
    HandEnded,
    Payout,
    TableChange,
    Template,
    Ticket,
    Tournament,
)
from tournaments.running.control import CLOSE, PAUSE, RESUME
from wallets.models import Account, Transaction
from wallets.models import Entry as Leg
from wallets.models.staff_models import JournalEntry

# The entries of an event's shoe in the public chain.
OF_SHOE: Final = ("event_seal", "event_lock", "event_mix", "event_void")


class Found(NamedTuple):
    """Something that does not fit: a stable code, and a sentence."""

    code: str
    sentence: str


Findings = Iterator[Found]


class Posting(NamedTuple):
    """A posting of the ledger: amounts by account number."""

    key: UUID
    kind: str
    reference: str
    legs: dict[int, int]


class Pause(NamedTuple):
    """A pause by the journal; one that lasts has no end."""

    began: datetime
    ended: datetime | None


class Rows:
    """Everything that is stored about an event."""

    def __init__(self, number: int) -> None:
        """Read the rows; those that cannot be read are an exception where a check wants them."""
        self.event = event = Tournament.objects.get(pk=number)
        self.entries = {entry.pk: entry for entry in Entry.objects.filter(tournament=event.pk)}
        self.draws = list(Draw.objects.filter(tournament=event.pk).order_by("number"))
        self.shoe = EventShoe.objects.get(tournament=event.pk)
        for name, var in vars(type(self)).items():
            if isinstance(var, cached_property):
                with suppress(Exception):
                    getattr(self, name)

    @cached_property
    def structure(self) -> Structure:
        return structure_of(self.event)

    @cached_property
    def template(self) -> Template:
        return Template.objects.get(pk=self.event.template_id)

    @cached_property
    def pauses(self) -> list[Pause]:
        """The pauses that the journal has, the earliest first."""
        pauses: list[Pause] = []
        for verb, after in self._said(PAUSE, RESUME):
            at = datetime.fromisoformat(after["at"])
            if verb == PAUSE:
                pauses.append(Pause(at, None))
            else:
                pauses[-1] = pauses[-1]._replace(ended=at)
        return pauses

    @cached_property
    def closed_by_staff(self) -> bool:
        return bool(self._said(CLOSE))

    def _said(self, *verbs: str) -> list[tuple[str, dict[str, Any]]]:
        about = JournalEntry.objects.filter(subject=self.event.reference, verb__in=verbs)
        return list(about.order_by("position").values_list("verb", "after"))

    @cached_property
    def by_number(self) -> dict[int, Entry]:
        return {entry.number: entry for entry in self.entries.values()}

    @cached_property
    def by_player(self) -> dict[int, Entry]:
        return {entry.player_id: entry for entry in self.entries.values()}

    @cached_property
    def took_part(self) -> list[Entry]:
        """All entrants who did not unregister."""
        return [entry for entry in self.entries.values() if entry.state != Entry.State.WITHDRAWN]

    @cached_property
    def chain(self) -> dict[str, list[ChainEntry]]:
        """The public chain's entries about the shoe, by kind."""
        entries: dict[str, list[ChainEntry]] = defaultdict(list)
        of_event = ChainEntry.objects.filter(kind__in=OF_SHOE, body__tournament=self.event.pk)
        for entry in of_event.order_by("pk"):
            entries[entry.kind].append(entry)
        return entries

    @cached_property
    def tables(self) -> dict[int, EventTable]:
        rows = EventTable.objects.filter(tournament=self.event.pk).order_by("number")
        return {row.table_id: row for row in rows}

    @cached_property
    def seats(self) -> dict[int, Seat]:
        seats = Seat.objects.filter(table__in=self.tables).order_by("sat_down_at", "pk")
        return {seat.pk: seat for seat in seats}

    @cached_property
    def moves(self) -> list[TableChange]:
        return list(TableChange.objects.filter(tournament=self.event.pk).order_by("pk"))

    @cached_property
    def arrangements(self) -> list[Arrangement]:
        return list(Arrangement.objects.filter(tournament=self.event.pk).order_by("number"))

    @cached_property
    def eliminations(self) -> list[Elimination]:
        eliminations = Elimination.objects.filter(tournament=self.event.pk)
        return list(eliminations.order_by("sequence", "pk"))

    @cached_property
    def byes(self) -> list[Bye]:
        return list(Bye.objects.filter(tournament=self.event.pk).order_by("pk"))

    @cached_property
    def deals(self) -> list[Deal]:
        return list(Deal.objects.filter(tournament=self.event.pk).order_by("round", "number"))

    @cached_property
    def deal_of(self) -> dict[str, str]:
        """The deal of each shoe whose hands are over."""
        shoes = Shoe.objects.filter(pk__in={hand.shoe_id for hand in self.hands.values()})
        return dict(shoes.values_list("pk", "deal"))

    @cached_property
    def accounts(self) -> dict[int, Account]:
        """The accounts of the event, by number."""
        event = self.event
        return Account.objects.in_bulk(
            [
                event.prize_account_id,
                event.fee_account_id,
                event.guarantee_account_id,
                event.chip_account_id,
            ]
        )

    @cached_property
    def chips(self) -> dict[int, int]:
        """What the accounts of entries and of their seats hold, by number."""
        numbers = {entry.account_id for entry in self.entries.values()}
        numbers |= {seat.stack_id for seat in self.seats.values() if seat.left_at is None}
        accounts = Account.objects.filter(pk__in=numbers)
        return dict(accounts.values_list("pk", "balance"))

    def chips_of(self, entry: Entry) -> int:
        """A player's chips now, at the table and away from it."""
        seat = self.seats.get(entry.seat_id or 0)
        at_table = self.chips.get(seat.stack_id, 0) if seat else 0
        return self.chips.get(entry.account_id, 0) + at_table

    @cached_property
    def payouts(self) -> list[Payout]:
        return list(Payout.objects.filter(tournament=self.event.pk).order_by("place", "pk"))

    @cached_property
    def ended(self) -> list[HandEnded]:
        return list(HandEnded.objects.filter(tournament=self.event.pk).order_by("pk"))

    @cached_property
    def hands(self) -> dict[int, Hand]:
        """The hands of the event's tables that are over."""
        hands = Hand.objects.filter(table__in=self.tables).exclude(status=Hand.Status.LIVE)
        fields = ("table_id", "number", "options", "status", "started_at", "ended_at", "shoe_id")
        return {hand.pk: hand for hand in hands.only(*fields, "reversed_at").order_by("pk")}

    @cached_property
    def dealt(self) -> dict[int, list[HandSeat]]:
        """The seats dealt in at the paid hands, by hand."""
        seats: dict[int, list[HandSeat]] = defaultdict(list)
        paid = [hand.pk for hand in self.hands.values() if hand.status == Hand.Status.FINISHED]
        for row in HandSeat.objects.filter(table__in=self.tables).order_by("hand", "number"):
            seats[row.hand_id].append(row)
        return {hand: seats[hand] for hand in paid}

    @cached_property
    def postings(self) -> dict[UUID, Posting]:
        """The postings in the event's book, and those that name the event."""
        reference = self.event.reference
        transactions = Transaction.objects.filter(Q(book=reference) | Q(reference=reference))
        rows = {row.pk: row for row in transactions}
        legs: dict[int, dict[int, int]] = defaultdict(dict)
        for leg in Leg.objects.filter(transaction__in=transactions.values("pk")):
            legs[leg.transaction_id][leg.account_id] = leg.amount
        return {
            row.key: Posting(row.key, row.kind, row.reference, legs[number])
            for number, row in rows.items()
        }

    @cached_property
    def wallets(self) -> dict[str, int]:
        """The numbers of the players' wallets, by their owners."""
        owners = [f"player:{entry.player_id}" for entry in self.entries.values()]
        accounts = Account.objects.filter(
            kind=Account.Kind.PLAYER, owner__in=owners, currency=self.event.currency_id
        )
        return dict(accounts.values_list("owner", "pk"))

    @cached_property
    def promotions(self) -> int:
        return promotions_of(self.event)

    @cached_property
    def tickets(self) -> dict[int, Ticket]:
        """The tickets that were used for this event, by entry."""
        used = Ticket.objects.filter(entry__in=self.entries)
        return {ticket.entry_id: ticket for ticket in used if ticket.entry_id is not None}

    def key(self, what: str) -> UUID:
        return posting_key(f"{self.event.reference} {what}")

    def wallet(self, entry: Entry) -> int:
        return self.wallets[f"player:{entry.player_id}"]

    def name(self, entry_id: int) -> str:
        entry = self.entries.get(entry_id)
        return f"entry {entry.number}" if entry else f"an entry ({entry_id}) that is not there"
