"""The rows of many hands at once, for the audit: a dozen statements for some hundred hands.

No query joins: a join would silently drop a hand whose shoe or seat is missing.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import Max, Q

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
)
from games.records.reversals import KIND as REVERSAL
from games.records.reversals import reversal_key
from games.rules.settlement import PoolName
from games.tables.hand_digest import Rows
from games.tables.settle import Accounts, posting_key
from wallets.models import Account, Entry, Jackpot, Transaction

HAND: Final = "hand"


class Posting(NamedTuple):
    """The movement of the ledger for a hand, by the accounts' numbers."""

    key: UUID
    kind: str
    book: str
    reference: str
    reason: str
    legs: dict[int, int]


class Material(NamedTuple):
    """All stored rows of a finished hand except its shoe."""

    rows: Rows
    postings: list[Posting]
    # Its rows in the index of cards.
    held: list[HeldCards]

    @property
    def hand(self) -> Hand:
        return self.rows.hand


class Place(NamedTuple):
    """The place of a hand in its shoe."""

    code: str
    number: int
    first_card: int
    cards_dealt: int
    round_number: int
    live: bool


class ShoeMaterial(NamedTuple):
    """All stored rows of a shoe, with the places of its hands."""

    shoe: Shoe
    parts: list[ShoeSeat]
    entries: list[ChainEntry]
    places: list[Place]
    # The players of its first hand, by seat; None if no hand was played.
    players: dict[int, int] | None


class Known:
    """The common facts of many hands, read once in an audit."""

    def __init__(self) -> None:
        self.tables: dict[int, Table] = {}
        self.seats: dict[int, Seat] = {}
        self._accounts: dict[tuple[str, str, str], int] = {}
        self._pools: dict[int, int] = {}
        self.accounts = Accounts(self._account, self._pool)

    @cached_property
    def indexed(self) -> int:
        """The newest hand in the index of cards."""
        return HeldCards.objects.aggregate(last=Max("hand"))["last"] or 0

    def learn(self, hands: Iterable[Hand], seats: Iterable[HandSeat]) -> None:
        tables = {hand.table_id for hand in hands} - self.tables.keys()
        unread = {row.seat_id for row in seats} - self.seats.keys()
        if tables:
            self.tables |= Table.objects.in_bulk(tables)
        if unread:
            self.seats |= Seat.objects.in_bulk(unread)

    def _account(self, table: Table, kind: str) -> int:
        """Raise if there is no such account: an audit opens none."""
        names = (kind, table.reference, table.currency_id)
        if names not in self._accounts:
            kind, owner, currency = names
            found = Account.objects.get(kind=kind, owner=owner, currency_id=currency)
            self._accounts[names] = found.pk
        return self._accounts[names]

    def _pool(self, hand: Hand, name: PoolName) -> int:
        jackpot = hand.jackpots[name]
        if jackpot not in self._pools:
            self._pools[jackpot] = Jackpot.objects.get(pk=jackpot).pool_id
        return self._pools[jackpot]


def gather(hands: Sequence[Hand], known: Known) -> list[Material]:
    numbers = [hand.pk for hand in hands]
    moves: dict[int, list[Move]] = defaultdict(list)
    for move in Move.objects.filter(hand__in=numbers).order_by("hand_id", "number"):
        moves[move.hand_id].append(move)
    seats: dict[int, list[HandSeat]] = defaultdict(list)
    for row in HandSeat.objects.filter(hand__in=numbers).order_by("hand_id", "number"):
        seats[row.hand_id].append(row)
    known.learn(hands, (row for some in seats.values() for row in some))
    held: dict[int, list[HeldCards]] = defaultdict(list)
    for cards in HeldCards.objects.filter(hand__in=numbers).order_by("hand_id", "number"):
        held[cards.hand_id].append(cards)
    postings = _postings(hands)
    found = []
    for hand in hands:
        if hand.table_id in known.tables:
            hand.table = known.tables[hand.table_id]
        for row in seats[hand.pk]:
            if row.seat_id in known.seats:
                row.seat = known.seats[row.seat_id]
        rows = Rows(hand, moves[hand.pk], seats[hand.pk])
        found.append(Material(rows, postings[hand.reference], held[hand.pk]))
    return found


def _postings(hands: Sequence[Hand]) -> dict[str, list[Posting]]:
    """Postings by hand: those that name the hand, and those whose key derives from it."""
    keys = {posting_key(hand.reference): hand.reference for hand in hands}
    keys |= {reversal_key(hand): hand.reference for hand in hands}
    named = Q(reference__in=[hand.reference for hand in hands], kind__in=(HAND, REVERSAL))
    rows = Transaction.objects.filter(named | Q(key__in=keys)).order_by("pk")
    values = rows.values_list("pk", "key", "kind", "book_id", "reference", "reason")
    found: dict[str, list[Posting]] = defaultdict(list)
    by_number: dict[int, Posting] = {}
    for number, key, kind, book, named_by, reason in values:
        posting = Posting(key, kind, book, named_by, reason, {})
        by_number[number] = posting
        for reference in {posting.reference, keys.get(key, posting.reference)}:
            found[reference].append(posting)
    legs = Entry.objects.filter(transaction__in=by_number)
    for number, account, amount in legs.values_list("transaction_id", "account_id", "amount"):
        by_number[number].legs[account] = amount
    return found


def gather_shoes(codes: Iterable[str]) -> dict[str, ShoeMaterial]:
    """The rows of those shoes that exist."""
    shoes = Shoe.objects.prefetch_related("seats").in_bulk(set(codes))
    places: dict[str, list[Place]] = defaultdict(list)
    first: dict[str, int] = {}
    rows = Hand.objects.filter(shoe__in=shoes).order_by("shoe_id", "number")
    for row in rows.values_list(
        "pk",
        "shoe_id",
        "table_id",
        "number",
        "first_card",
        "cards_dealt",
        "round_number",
        "status",
    ):
        hand, shoe, table, number, first_card, dealt, round_number, status = row
        code, live = Hand(table_id=table, number=number).code, status == Hand.Status.LIVE
        places[shoe].append(Place(code, number, first_card, dealt, round_number, live))
        first.setdefault(shoe, hand)
    players: dict[int, dict[int, int]] = defaultdict(dict)
    seats = HandSeat.objects.filter(hand__in=first.values())
    for hand, number, player in seats.values_list("hand_id", "number", "player_id"):
        players[hand][number] = player
    # Entries are read last: a hand that ends during the read then has its entry, too.
    entries: dict[str, list[ChainEntry]] = defaultdict(list)
    for entry in ChainEntry.objects.filter(shoe__in=shoes).order_by("pk"):
        entries[entry.shoe].append(entry)
    return {
        code: ShoeMaterial(
            shoe,
            list(shoe.seats.all()),
            entries[code],
            places[code],
            players[first[code]] if code in first else None,
        )
        for code, shoe in shoes.items()
    }
