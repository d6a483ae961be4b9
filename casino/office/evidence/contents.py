"""The files of a package, line by line: hands, proofs, chain, ledger, journal, tournaments.

Each file reads some hundred rows at a time, so a day of any length takes no more memory than a
short one. A hand that cannot be read is a line that says so: that, too, is evidence. Each line of a
tournament has a `row` that says what it is; docs/verify_package.py derives draws and seats again,
and looks for every payout in the ledger.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

import msgspec
from django.db.models import Max, Min, QuerySet

from casino.office.evidence.scope import Scope
from games.models import Anchor, ChainEntry, Hand, HandSeat
from games.records import proof
from games.records.audit_rows import HAND, chunks
from games.records.record import AUDITOR, handed_out
from games.records.reversals import KIND as REVERSAL
from games.tables.formats import format_of
from games.tables.hand_digest import Rows, rows_of_each
from tournaments import models as of_event
from tournaments.models import Elimination, Payout, TableChange, Tournament
from tournaments.overview.shoe_view import published
from wallets.models import Entry, Transaction
from wallets.models.holders import player_reference
from wallets.models.staff_models import JournalEntry
from wallets.staff.journal import covered
from wallets.storage.sealed_columns import SealBroken
from wallets.storage.signing import canonical
from wallets.values.errors import Refused

# Of the public chain: what it has about a tournament's shoe.
KINDS = ("event_seal", "event_lock", "event_mix", "event_void")


def entries_about(number: int) -> QuerySet[ChainEntry]:
    shoe = Tournament.objects.get(pk=number).shoe
    return ChainEntry.objects.filter(
        kind__in=KINDS, made_at__gte=shoe.sealed_at, body__event_shoe=shoe.code
    )


def rows(number: int) -> Iterator[dict[str, object]]:
    """Everything that happened in a tournament, in its order."""
    tournament = Tournament.objects.get(pk=number)
    yield {"row": "shoe", **published(tournament)}
    yield from map(_entry, tournament.all_entries.order_by("number").iterator(chunk_size=ROWS))
    moves = TableChange.objects.filter(tournament=number).order_by("pk")
    related = ("entry", "draw", "from_table__event_table", "to_table__event_table")
    yield from map(_move, moves.select_related(*related).iterator(chunk_size=ROWS))
    outs = Elimination.objects.filter(tournament=number).order_by("sequence")
    yield from map(_out, outs.select_related("entry", "hand").iterator(chunk_size=ROWS))
    payouts = Payout.objects.filter(tournament=number).order_by("place", "pk")
    yield from map(_payout, payouts.select_related("entry").iterator(chunk_size=ROWS))


def _entry(entry: of_event.Entry) -> dict[str, object]:
    return {
        "row": "entry",
        "entry": entry.number,
        "player": player_reference(entry.player_id),
        "state": entry.state,
        "entries": entry.entries,
        "stake_paid": entry.stake_paid,
        "fee_paid": entry.fee_paid,
        "drawn": entry.drawn,
        "points": entry.points,
        "place": entry.place,
        "prize": entry.prize,
    }


def _move(move: TableChange) -> dict[str, object]:
    source, target = move.from_table, move.to_table
    return {
        "row": "move",
        "entry": move.entry.number,
        "why": move.why,
        "from": [source.event_table.number, move.from_seat] if source else None,
        "to": [target.event_table.number, move.to_seat] if target else None,
        "chips": move.chips,
        "draw": move.draw.label if move.draw else None,
        "at": move.at.isoformat(),
    }


def _out(out: Elimination) -> dict[str, object]:
    return {
        "row": "out",
        "sequence": out.sequence,
        "entry": out.entry.number,
        "why": out.why,
        "hand": out.hand.code if out.hand else None,
        "stack": out.stack,
        "at": out.at.isoformat(),
    }


def _payout(payout: Payout) -> dict[str, object]:
    return {
        "row": "payout",
        "entry": payout.entry.number,
        "kind": payout.kind,
        "place": payout.place,
        "amount": payout.amount,
        "posting": str(payout.posting),
    }


# How many rows are read at once.
HANDS: Final = 100
ROWS: Final = 500
# A longer stretch of the public chain is not packed whole, only what is about the hands.
STRETCH_MAX: Final = 200_000
OF_HANDS: Final = (HAND, REVERSAL)


def _line(value: object) -> bytes:
    return canonical(value) + b"\n"


def hands_of(scope: Scope) -> Iterator[list[Hand]]:
    """The hands in the order in which they ended, without those that a tournament keeps closed."""
    ordered = scope.hands.order_by("ended_at", "pk").values_list("pk", flat=True)
    for numbers in chunks(ordered.iterator(chunk_size=ROWS), HANDS):
        by_number = Hand.objects.select_related("shoe", "table__currency").in_bulk(numbers)
        hands = (by_number[number] for number in numbers if number in by_number)
        yield [hand for hand in hands if format_of(hand.table).history_open(hand)]


def records(scope: Scope) -> Iterator[bytes]:
    """A record as auditors get it, with its entry of the public chain."""
    for hands in hands_of(scope):
        entries = proof.entry_files(hands)
        for rows in rows_of_each(hands):
            entry = entries.get(rows.hand.code)
            record = _record(rows, there=entry is not None)
            yield _line({"record": record, "entry": entry})


def _record(rows: Rows, *, there: bool) -> dict[str, object]:
    hand = rows.hand
    if not there:
        return {"id": hand.code, "unreadable": "the public chain has no entry of it"}
    try:
        return handed_out(hand, AUDITOR, rows)
    except (Refused, msgspec.ValidationError, SealBroken) as fault:
        return {"id": hand.code, "unreadable": type(fault).__name__}


class Stretch:
    """The part of the public chain from the first end of a hand to the anchor after the last."""

    def __init__(self, scope: Scope) -> None:
        about = ChainEntry.objects.filter(kind__in=OF_HANDS, shoe__in=scope.hands.values("shoe"))
        if scope.kind == "hand":
            hand = scope.hands.get()
            about = about.filter(body__hand=hand.code)
        elif scope.since:
            about = about.filter(made_at__gte=scope.since)
        if scope.until:
            about = about.filter(made_at__lt=scope.until)
        ends = about.aggregate(first=Min("position"), last=Max("position"))
        self.first: int | None = ends["first"]
        self.last: int = -1 if ends["last"] is None else ends["last"]
        self.anchor = Anchor.objects.filter(position__gte=self.last).order_by("number").first()
        if self.anchor is not None:
            self.last = max(self.last, self.anchor.position)

    @property
    def is_whole(self) -> bool:
        """Whether all of it is packed."""
        return self.first is not None and self.last - self.first < STRETCH_MAX


def public_chain(scope: Scope, stretch: Stretch) -> Iterator[bytes]:
    """Yield the chain's entries about the hands' shoes, and its way to the next anchor."""
    about = ChainEntry.objects.filter(shoe__in=scope.hands.values("shoe"))
    if scope.event is not None:
        about = about | ChainEntry.objects.filter(pk__in=entries_about(scope.event))
    about = about.exclude(position=None)
    if stretch.is_whole:
        about = about.filter(position__lt=stretch.first)
    yield from _links(about)
    if stretch.is_whole:
        yield from _links(ChainEntry.objects.filter(position__range=(stretch.first, stretch.last)))


def _links(entries: QuerySet[ChainEntry]) -> Iterator[bytes]:
    ordered = entries.order_by("position").iterator(chunk_size=ROWS)
    for some in chunks(ordered, ROWS):
        for linked in proof.linked(some):
            yield _line(linked)


def tournament(scope: Scope) -> Iterator[bytes]:
    """Yield what happened in the tournament that the package is about."""
    if scope.event is not None:
        yield from map(_line, rows(scope.event))


def anchors(stretch: Stretch) -> Iterator[bytes]:
    """The anchors of this stretch, as the house has published them."""
    if stretch.first is None:
        return
    anchors = Anchor.objects.filter(position__gte=stretch.first)
    if stretch.anchor is not None:
        anchors = anchors.filter(number__lte=stretch.anchor.number)
    for line in anchors.order_by("number").values_list("line", flat=True).iterator():
        yield line.encode() + b"\n"


def ledger(scope: Scope) -> Iterator[bytes]:
    """The postings of the hands, and then the others of the scope."""
    for hands in hands_of(scope):
        named = {hand.reference: hand for hand in hands}
        of_hands = Transaction.objects.filter(reference__in=named, kind__in=OF_HANDS)
        yield from _postings(of_hands, named)
    yield from _postings(Transaction.objects.filter(scope.postings).exclude(kind__in=OF_HANDS), {})


def _postings(transactions: QuerySet[Transaction], hands: dict[str, Hand]) -> Iterator[bytes]:
    seats = _seats(hands)
    for some in chunks(transactions.order_by("pk").iterator(chunk_size=ROWS), ROWS):
        entries: dict[int, list[dict[str, object]]] = defaultdict(list)
        legs = Entry.objects.filter(transaction__in=some).select_related("account")
        for leg in legs.order_by("account"):
            entries[leg.transaction_id].append(
                {
                    "account": leg.account_id,
                    "holder": str(leg.account),
                    "amount": leg.amount,
                    "balance_after": leg.balance_after,
                }
            )
        for transaction in some:
            posting = {
                "key": str(transaction.key),
                "kind": transaction.kind,
                "book": transaction.book_id,
                "position": transaction.position,
                "reference": transaction.reference,
                "reason": transaction.reason,
                "actor": transaction.actor,
                "time": transaction.time.isoformat(),
                "digest": transaction.digest,
                "previous": transaction.previous,
                "hash": transaction.hash,
                "entries": entries[transaction.pk],
            }
            if hand := hands.get(transaction.reference):
                posting |= {"hand": hand.code, "seats": seats[hand.pk]}
            yield _line(posting)


def _seats(hands: dict[str, Hand]) -> dict[int, dict[str, str]]:
    """By hand: which account was the stack of which seat."""
    seats: dict[int, dict[str, str]] = defaultdict(dict)
    rows = HandSeat.objects.filter(hand__in=[hand.pk for hand in hands.values()])
    for hand, number, account in rows.values_list("hand_id", "number", "seat__stack_id"):
        seats[hand][str(account)] = str(number)
    return seats


def journal_lines(scope: Scope) -> Iterator[bytes]:
    """Yield what staff did to the hands, and the other entries of the scope."""
    for hands in hands_of(scope):
        about = JournalEntry.objects.filter(subject__in=[hand.reference for hand in hands])
        yield from _noted(about.exclude(scope.journal))
    yield from _noted(JournalEntry.objects.filter(scope.journal))


def _noted(entries: QuerySet[JournalEntry]) -> Iterator[bytes]:
    for entry in entries.order_by("position").iterator(chunk_size=ROWS):
        apart = {"at": entry.at.isoformat(), "previous": entry.previous, "hash": entry.hash}
        yield _line(covered(entry) | apart)
