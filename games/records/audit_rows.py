"""The rows of many hands at once, for the audit, and proving a shoe for all its hands.

No query joins: a join would silently drop a hand whose shoe or seat is missing.

The secret of a shoe gives the seal, the seats' commits the lock, and their reveals the mix. The row
holds each of these, and the public chain held it before its effect could be known. So a secret that
is replaced later never fits the seal in the chain.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple, TypeVar
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
from games.rules.cards import composition
from games.rules.settlement import PoolName
from games.rules.shoe import Sealed, ShoeProtocol
from games.rules.verifying import Finding, deal_findings, false_labels, mixing_findings
from games.shoes import custody, deals
from games.tables.hand_digest import Rows
from games.tables.settle import Accounts, posting_key
from wallets.models import Account, Entry, Jackpot, Transaction

T = TypeVar("T")


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    left = iter(items)
    while some := list(islice(left, size)):
        yield some


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
            account = Account.objects.get(kind=kind, owner=owner, currency_id=currency)
            self._accounts[names] = account.pk
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
    materials = []
    for hand in hands:
        if hand.table_id in known.tables:
            hand.table = known.tables[hand.table_id]
        for row in seats[hand.pk]:
            if row.seat_id in known.seats:
                row.seat = known.seats[row.seat_id]
        rows = Rows(hand, moves[hand.pk], seats[hand.pk])
        materials.append(Material(rows, postings[hand.reference], held[hand.pk]))
    return materials


def _postings(hands: Sequence[Hand]) -> dict[str, list[Posting]]:
    """Postings by hand: those that name the hand, and those whose key derives from it."""
    keys = {posting_key(hand.reference): hand.reference for hand in hands}
    keys |= {reversal_key(hand): hand.reference for hand in hands}
    named = Q(reference__in=[hand.reference for hand in hands], kind__in=(HAND, REVERSAL))
    rows = Transaction.objects.filter(named | Q(key__in=keys)).order_by("pk")
    values = rows.values_list("pk", "key", "kind", "book_id", "reference", "reason")
    postings: dict[str, list[Posting]] = defaultdict(list)
    by_number: dict[int, Posting] = {}
    for number, key, kind, book, named_by, reason in values:
        posting = Posting(key, kind, book, named_by, reason, {})
        by_number[number] = posting
        for reference in {posting.reference, keys.get(key, posting.reference)}:
            postings[reference].append(posting)
    legs = Entry.objects.filter(transaction__in=by_number)
    for number, account, amount in legs.values_list("transaction_id", "account_id", "amount"):
        by_number[number].legs[account] = amount
    return postings


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


# The kinds of entries about a shoe itself, in their order; each occurs once at most.
OF_SHOE: Final = ("seal", "lock", "reveal", "void")


class Proved:
    """A shoe, the findings about it, and the chain's entries about its hands."""

    def __init__(self, material: ShoeMaterial | None, fault: str = "there is no such shoe") -> None:
        self.shoe: Shoe | None = None
        self.secret: bytes | None = None
        self.entries: dict[str, list[ChainEntry]] = defaultdict(list)
        if material is None:
            self.findings = [fault]
            return
        self.shoe = material.shoe
        for entry in material.entries:
            if entry.kind in (HAND, REVERSAL):
                self.entries[str(entry.body.get("hand"))].append(entry)
        self.findings = list(self._all(material))

    def _all(self, material: ShoeMaterial) -> Iterator[str]:
        """Run each check; one that fails with an exception does not stop the others."""
        for check in (_chain, self._sealed, _seats, _row, _hands):
            try:
                yield from check(material)
            except Exception as fault:
                yield f"it cannot be examined: {in_words(fault)}"

    def _sealed(self, material: ShoeMaterial) -> Iterator[str]:
        shoe = material.shoe
        self.secret = custody.secret_of(shoe)
        sealed = _sealed_of(shoe, self.secret)
        computed = {"seal": sealed.seal, "key": sealed.key, "x_0": sealed.x_0}
        for name, value in computed.items():
            if getattr(shoe, name) != value.hex():
                yield f"its secret does not give its {name}"
        given = [custody.part_proof(part) for part in material.parts]
        yield from _clauses(false_labels(custody.protocol_of(shoe), self.secret, given))
        for entry in material.entries:
            if entry.kind == "lock" and "players" in entry.body:
                leaf = custody.players_leaf(shoe, self.secret, material.parts)
                if entry.body["players"] != leaf:
                    yield "its seats were not those of these players"


def in_words(fault: Exception) -> str:
    """An exception in words: its type and message."""
    return f"{type(fault).__name__}: {fault}".rstrip(": ")


def _clauses(findings: Iterable[Finding]) -> Iterator[str]:
    """Findings of the rules with a small first letter: the name of the shoe comes before them."""
    for sentence in (finding.sentence for finding in findings):
        yield sentence[:1].lower() + sentence[1:]


def _sealed_of(shoe: Shoe, secret: bytes) -> Sealed:
    if shoe.mix:
        return custody.opened(shoe)
    return ShoeProtocol(shoe.code).seal(secret, composition(shoe.decks, shoe.jokers))


def _chain(material: ShoeMaterial) -> Iterator[str]:
    """Compare the chain's entries about the shoe with its row and its seats."""
    shoe = material.shoe
    due = _due(material)
    times = {"seal": shoe.sealed_at, "lock": shoe.locked_at}
    for kind in OF_SHOE:
        entries = [entry for entry in material.entries if entry.kind == kind]
        if len(entries) != (kind in due):
            yield f"the public chain has {len(entries)} entries of its {kind}"
        for entry in entries[:1]:
            for name, value in due.get(kind, {}).items():
                if entry.body.get(name) != value:
                    yield f"the public chain has another {name}"
            if times.get(kind, entry.made_at) != entry.made_at:
                yield f"the public chain has another time of its {kind}"
    yield from _late(material)
    order = [entry.kind for entry in material.entries if entry.kind in OF_SHOE]
    if order != sorted(order, key=OF_SHOE.index):
        yield "what the public chain says of it is in another order"


def _due(material: ShoeMaterial) -> dict[str, dict[str, object]]:
    """Return what the chain must say of the shoe in its present state, by kind of entry."""
    shoe, parts = material.shoe, material.parts
    due: dict[str, dict[str, object]] = {}
    # A deal of an event was sealed, locked and mixed with it.
    if not shoe.deal:
        due["seal"] = {"seal": shoe.seal, "key": shoe.key, "x_0": shoe.x_0}
        if shoe.version > 1:
            due["seal"]["version"] = shoe.version
    if shoe.lock and not shoe.deal:
        commits = {str(part.number): part.commit for part in parts}
        due["lock"] = {"lock": shoe.lock, "commits": commits}
    if shoe.mix and not shoe.deal:
        reveals = {str(part.number): part.reveal for part in parts}
        due["reveal"] = {"mix": shoe.mix, "reveals": reveals}
    if shoe.status == Shoe.Status.VOID:
        due["void"] = {"reason": shoe.void_reason}
        if any("reveals" in entry.body for entry in material.entries if entry.kind == "void"):
            came = [part for part in parts if part.reveal and not part.late]
            due["void"]["commits"] = {str(part.number): part.commit for part in came}
            due["void"]["reveals"] = {str(part.number): part.reveal for part in came}
    return due


def _late(material: ShoeMaterial) -> Iterator[str]:
    """Compare the reveals that came too late with what the chain says of them."""
    bodies = [entry.body for entry in material.entries if entry.kind == custody.LATE]
    said = sorted((str(body.get("seat")), str(body.get("reveal"))) for body in bodies)
    came = sorted((str(part.number), part.reveal) for part in material.parts if part.late)
    if said != came:
        yield "the public chain has other late reveals"


def _seats(material: ShoeMaterial) -> Iterator[str]:
    """Check that commits and seal give the lock, and reveals and lock the mix."""
    shoe, parts = material.shoe, material.parts
    if deal := deals.proof_of(shoe):
        yield from _clauses(deal_findings(deal, shoe.seal, shoe.lock, shoe.mix))
        return
    given = [custody.part_proof(part) for part in parts]
    published = (shoe.seal, given, shoe.lock, shoe.mix)
    yield from _clauses(mixing_findings(custody.protocol_of(shoe), *published))
    yield from _receipts(material)
    if shoe.mix and material.players is not None:
        mixed = {part.number: part.player_id for part in parts}
        for number, player in material.players.items():
            if mixed.get(number) != player:
                yield f"seat {number} of its first hand is another player's than mixed it"


def _receipts(material: ShoeMaterial) -> Iterator[str]:
    """Check that each seat has the receipt for what it revealed, and no other."""
    # Locks that do not say who sat there are older than receipts.
    given = any(entry.kind == "lock" and "players" in entry.body for entry in material.entries)
    for part in material.parts:
        if part.receipt is not None:
            if not custody.is_receipt_of(material.shoe, part):
                yield f"seat {part.number} has a receipt that the house did not give"
        elif given and part.reveal and not part.by_house:
            yield f"seat {part.number} has revealed, and its receipt is gone"


def _row(material: ShoeMaterial) -> Iterator[str]:
    """Check that the shoe is at the table of its name, and that its status fits its fields."""
    shoe = material.shoe
    if not re.fullmatch(rf"T{shoe.table_id}-[1-9][0-9]*(-[0-9a-f]+)?", shoe.code):
        yield f"it belongs to table {shoe.table_id}"
    over = {Shoe.Status.SPENT, Shoe.Status.OPEN}
    stages = {(False, False): {Shoe.Status.SEALED}, (True, False): {Shoe.Status.LOCKED}}
    due = stages.get((bool(shoe.lock), bool(shoe.mix)), over)
    if shoe.status not in {*due, Shoe.Status.VOID}:
        yield f"it is {shoe.status}"
    if bool(shoe.lock) != (shoe.locked_at is not None):
        yield "its lock has no time, or its time no lock"
    if bool(shoe.void_reason) != (shoe.status == Shoe.Status.VOID):
        yield "it was taken away without a reason, or has a reason and was not"


def _hands(material: ShoeMaterial) -> Iterator[str]:
    """Check that its hands follow one another without a gap."""
    shoe, at = material.shoe, 0
    for round_number, place in enumerate(material.places, 1):
        if place.round_number != round_number:
            yield f"{place.code} is its round {place.round_number} instead of {round_number}"
        if place.first_card != at:
            yield f"{place.code} begins at its card {place.first_card} instead of {at}"
        at = place.first_card + place.cards_dealt
        if place.live and place != material.places[-1]:
            yield f"{place.code} is live, and was followed by another hand"
    if (shoe.rounds_played, shoe.cards_dealt) != (len(material.places), at):
        yield (
            f"{shoe.rounds_played} rounds and {shoe.cards_dealt} cards are counted, "
            f"and its hands are {len(material.places)} with {at}"
        )
    yield from _entries(material.entries, material.places)


def _entries(entries: list[ChainEntry], places: list[Place]) -> Iterator[str]:
    """Find entries about unknown hands; the audit of a hand finds hands without an entry."""
    over = {place.code for place in places if not place.live}
    for entry in entries:
        if entry.kind in (HAND, REVERSAL) and entry.body.get("hand") not in over:
            yield f"{entry.body.get('hand')} is in the public chain, and there is no such hand"
