"""The rows of a made-up history: gathered where hands are played, and written by one writer.

Tables are played in several processes (`workers.py`), and what they gather is ready for the
database. The writer gives numbers and places in the order of time: it posts, links the public
chain, and keeps the journal.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeVar

from games.models import (
    ChainEntry,
    Hand,
    HandSeat,
    HeldCards,
    Move,
    Seat,
    Shoe,
    ShoeSeat,
    Table,
    shoe_of,
)
from games.rules.shoe import CHAIN_START, canonical, chain_on_hash, from_hex
from games.shoes import chain
from games.shoes.chain import published_form
from games.tables.lock import LIVE_FIELDS
from wallets.models import Trigger
from wallets.money.backdating import BackdatedLedger, Numbers, Prepared, prepared
from wallets.money.ledger import Movement
from wallets.of_record import bulk
from wallets.staff import journal

# The columns that differ from hand to hand; all others have their defaults.
COLUMNS: Final[Mapping[type[Any], tuple[str, ...]]] = {
    Seat: (
        *("id", "code", "table_id", "number", "player_id", "stack_id", "seen_at", "sat_down_at"),
        "left_at",
    ),
    Shoe: (
        *("code", "table_id", "decks", "jokers", "secret", "seal", "key", "x_0", "lock", "mix"),
        *("status", "cards_dealt", "rounds_played", "sealed_at", "locked_at"),
    ),
    ShoeSeat: ("shoe_id", "number", "player_id", "by_house", "commit", "reveal"),
    Hand: (
        *("id", "table_id", "number", "game", "rules_version", "options", "stakes", "context"),
        *("sealed_context", "shoe_id", "first_card", "cards_dealt", "round_number", "status"),
        *("started_at", "ended_at", "settlement", "draws", "rake", "bank", "jackpots", "posting"),
    ),
    HandSeat: (
        *("hand_id", "number", "seat_id", "player_id", "starting_stack", "net", "rake", "game"),
        *("table_id", "currency_id", "status", "ended_at"),
    ),
    Move: ("hand_id", "number", "seat", "action", "sealed_action", "turn", "by", "at"),
    HeldCards: ("hand_id", "number", "seat", "key", "tokens"),
}
_ENTRY: Final = ("kind", "body", "made_at", "shoe")
_PLACE: Final = ("id", "position", "head")


class Posting(NamedTuple):
    """A posting at its time; actions of staff are in the journal, too."""

    at: datetime
    posting: Prepared
    line: journal.NewEntry | None = None


class Published(NamedTuple):
    """An entry of the public chain, not yet linked: its hash, and its row without a place."""

    at: datetime
    digest: bytes
    row: bulk.CopiedRow


_Timed = TypeVar("_Timed", Posting, Published)


class Gathered:
    """The rows of a table in one period, ready for the writer."""

    def __init__(self) -> None:
        self.sheets: defaultdict[str, list[bulk.CopiedRow]] = defaultdict(list)
        self.postings: list[Posting] = []
        self.entries: list[Published] = []
        self.triggers: list[Trigger] = []
        # Shoes and triggers that were stored before and have changed.
        self.shoes: list[Shoe] = []
        self.fallen: list[Trigger] = []

    def add(self, kind: type[Any], values: Iterable[object]) -> None:
        label = kind._meta.label
        self.sheets[label].append(bulk.columns(label, COLUMNS[kind]).row(values))

    def add_row(self, row: object) -> None:
        kind = type(row)
        self.add(kind, [getattr(row, name) for name in COLUMNS[kind]])

    def publish(self, kind: str, body: dict[str, Any], at: datetime) -> None:
        """Add an entry to the public chain."""
        digest = sha256(canonical(published_form(kind, at, body))).digest()
        columns = bulk.columns(ChainEntry._meta.label, _ENTRY, _PLACE)
        row = columns.row((kind, body, at, shoe_of(body)))
        self.entries.append(Published(at, digest, row))

    def post(self, at: datetime, movement: Movement, line: journal.NewEntry | None = None) -> None:
        self.postings.append(Posting(at, prepared(movement), line))


class Writer:
    """The one who writes, in the order of time; later rows wait."""

    def __init__(self, hands: int) -> None:
        """Write so many hands, whose numbers follow one another."""
        self.ledger = BackdatedLedger()
        self._postings: list[Posting] = []
        self._entries: list[Published] = []
        self._hand_numbers, self._seat_numbers = Numbers(Hand, at_once=hands), Numbers(Seat)
        self._entry_numbers = Numbers(ChainEntry)
        self._position, self._head = 0, CHAIN_START

    def take_up(self) -> None:
        """Go on from ledger and chain as they are, in the transaction that writes."""
        self.ledger.take_up()
        while chain.link():
            pass
        position, head = chain.end()
        self._position, self._head = position + 1, from_hex(head)

    def next_hand(self) -> int:
        return next(self._hand_numbers)

    def next_seat(self) -> int:
        return next(self._seat_numbers)

    def write(self, gathered: Iterable[Gathered], before: datetime | None = None) -> None:
        """Write rows, and all postings and published entries before a time."""
        self.ledger.open_accounts()
        gathered = list(gathered)
        for kind, columns in COLUMNS.items():
            label = kind._meta.label
            rows = [row for batch in gathered for row in batch.sheets.get(label, ())]
            bulk.columns(label, columns).insert(rows)
        for batch in gathered:
            for shoe in batch.shoes:
                shoe.save()
            # One trigger of a jackpot is closed at a time.
            for trigger in batch.fallen:
                opened = {"opened": trigger.opened, "opened_at": trigger.opened_at}
                Trigger.objects.filter(
                    jackpot=trigger.jackpot_id, number=trigger.number, opened_at=None
                ).update(**opened, reference=trigger.reference)
            Trigger.objects.bulk_create(batch.triggers)
            self._postings += batch.postings
            self._entries += batch.entries
        self._post(before)
        self._link(before)

    def leave(self, tables: Iterable[Table]) -> None:
        """Write the tables as they are left at the end of a day."""
        # One after the other: all in one statement takes the ORM ten times as long.
        for table in tables:
            table.save(update_fields=[*LIVE_FIELDS, "status"])

    def _post(self, before: datetime | None) -> None:
        due, self._postings = _until(before, self._postings)
        for at, posting, _line in due:
            self.ledger.add(at, posting)
        self.ledger.write()
        lines = [posting.line for posting in due if posting.line]
        if lines:
            with journal.coming_from("command line: seed"):
                journal.write_all(lines)

    def _link(self, before: datetime | None) -> None:
        """Number the entries of the public chain by their time, and link them."""
        due, self._entries = _until(before, self._entries)
        columns, rows = bulk.columns(ChainEntry._meta.label, _ENTRY, _PLACE), []
        for _at, digest, row in due:
            self._head = chain_on_hash(self._head, digest)
            place = next(self._entry_numbers), self._position, self._head.hex()
            rows.append(columns.before(place, row))
            self._position += 1
        columns.insert(rows)


def _until(before: datetime | None, found: list[_Timed]) -> tuple[list[_Timed], list[_Timed]]:
    """The rows before a time, sorted by time, and the later ones."""
    found.sort(key=lambda posting: posting.at)
    if before is None:
        return found, []
    later = next((place for place, posting in enumerate(found) if posting.at >= before), len(found))
    return found[:later], found[later:]
