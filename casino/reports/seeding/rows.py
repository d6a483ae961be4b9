"""The rows of a part of a made-up history, gathered in memory and written together."""

from datetime import datetime
from itertools import count
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from games.models import ChainEntry, Hand, HandSeat, HeldCards, Move, Seat, Shoe, ShoeSeat, Table
from games.rules.shoe import CHAIN_START, chain_on
from games.shoes.chain import published_entry
from games.tables.lock import LIVE_FIELDS
from wallets import bulk, journal
from wallets.backdating import BackdatedLedger, numbered_on
from wallets.ledger import Leg
from wallets.models import Trigger


class Posting(NamedTuple):
    """A posting at its time; what staff did stands in the journal, too."""

    at: datetime
    key: UUID
    kind: str
    legs: list[Leg]
    book: str
    actor: str
    reason: str
    reference: str = ""
    line: journal.Line | None = None


class Rows:
    """Rows of played hands that are not written yet."""

    def __init__(self) -> None:
        self.ledger = BackdatedLedger()
        self.postings: list[Posting] = []
        self.entries: list[ChainEntry] = []
        self.shoes: list[Shoe] = []
        self.parts: list[ShoeSeat] = []
        self.seats: list[Seat] = []
        self.hands: list[Hand] = []
        self.results: list[HandSeat] = []
        self.moves: list[Move] = []
        self.held: list[HeldCards] = []
        self.triggers: list[Trigger] = []
        self.tables: list[Table] = []
        # Shoes and triggers that were stored before and have changed.
        self.changed: list[Any] = []
        self._hand_numbers, self._seat_numbers = count(1), count(_after(Seat))
        self._entry_numbers = count(1)
        self._position, self._head = 0, CHAIN_START

    def next_hand(self) -> int:
        return next(self._hand_numbers)

    def next_seat(self) -> int:
        return next(self._seat_numbers)

    @transaction.atomic
    def write(self) -> None:
        """Write everything in the order of its time, and forget it."""
        self.ledger.open_accounts()
        gathered: tuple[list[Any], ...] = (
            *(self.seats, self.shoes, self.parts),
            *(self.hands, self.results, self.moves, self.held),
        )
        for rows in gathered:
            bulk.insert(rows)
            rows.clear()
        for row in self.changed:
            row.save()
        Trigger.objects.bulk_create(self.triggers)
        Table.objects.bulk_update(self.tables, LIVE_FIELDS)
        self._post()
        self._link()
        numbered_on(Hand, Seat, ChainEntry)
        self.changed.clear()
        self.triggers.clear()

    def _post(self) -> None:
        self.postings.sort(key=lambda one: one.at)
        for at, key, kind, legs, book, actor, reason, reference, _line in self.postings:
            words = {"book": book, "actor": actor, "reason": reason, "reference": reference}
            self.ledger.post(at, key, kind, legs, **words)
        self.ledger.write()
        with journal.coming_from("command line: seed"):
            journal.write_all(one.line for one in self.postings if one.line)
        self.postings.clear()

    def _link(self) -> None:
        """Number the entries of the public chain by their time, and link them."""
        self.entries.sort(key=lambda one: one.made_at)
        for row in self.entries:
            row.pk = next(self._entry_numbers)
            self._head = chain_on(self._head, published_entry(row))
            row.position, row.head = self._position, self._head.hex()
            self._position += 1
        bulk.insert(self.entries)
        self.entries.clear()


def _after(kind: Any) -> int:
    last: int | None = kind.objects.aggregate(last=Max("pk"))["last"]
    return (last or 0) + 1
