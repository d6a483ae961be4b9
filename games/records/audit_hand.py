"""The audit of one finished hand: replay it, settle it again, and compare with what is stored.

The audit compares the settlement, the results by seat, the entries in the ledger, the draws, and
the digest of the whole record in the public chain. `audit_shoe.py` proves once for the whole shoe
that its cards are those of the seal. A check that fails with an exception is a finding too, and the
other checks still run.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import cached_property
from typing import Final
from uuid import UUID

import msgspec
from django.utils import timezone

from games.models import ChainEntry, Hand, Seat
from games.records import card_index
from games.records.audit_rows import HAND, Known, Material, Posting, Proved, in_words
from games.records.reversals import KIND as REVERSAL
from games.records.reversals import reversal_key
from games.rules.contract import AnyGame, PlayedMove, State, states
from games.rules.settlement import Payer, Settlement
from games.rules.shoe import Draw, context_value
from games.rules.verifying import draws_in, label_of
from games.shoes import custody
from games.tables import hand_digest
from games.tables.formats import format_of
from games.tables.hand_digest import Rows
from games.tables.hand_state import context_of, game_of, moves_of, opening
from games.tables.settle import bank_of, legs_of, posting_key, settlement_payload
from games.words.refusals import is_own_reason
from wallets.models import Account
from wallets.models.holders import player_reference
from wallets.values.errors import Refused

# The clock's job writes a hand into the index each minute.
INDEXED_WITHIN: Final = timedelta(hours=1)


class Examined:
    def __init__(
        self, material: Material, shoe: Proved, known: Known, since: ChainEntry | None
    ) -> None:
        self.rows, self.postings, self.held = material.rows, material.postings, material.held
        self.hand = material.hand
        self.shoe, self.known = shoe, known
        # The first entry that has a digest: those before it have none.
        self.since = since

    def findings(self) -> Iterator[str]:
        if self.shoe.shoe is None:
            yield f"its shoe {self.hand.shoe_id} cannot be read"
            return
        self.hand.shoe = self.shoe.shoe
        yield from self._made(self._rows, self._entries)
        if not self.hand.was_paid:
            yield from self._made(self._void)
            return
        fault = self._fault()
        if fault:
            yield f"it cannot be replayed: {fault}"
            return
        checks = (self._digest, self._settled, self._drawn, self._results, self._ledger)
        yield from self._made(*checks, self._back, self._indexed)

    def _fault(self) -> str:
        """Return why the hand cannot be replayed; empty if it can."""
        try:
            self.game.to_act(self.state)
        except Exception as fault:
            return _reason(fault) or "for an unknown reason"
        return ""

    def _made(self, *checks: Callable[[], Iterator[str]]) -> Iterator[str]:
        for check in checks:
            try:
                yield from check()
            except Exception as fault:
                yield f"it cannot be examined: {_reason(fault)}"

    @cached_property
    def game(self) -> AnyGame:
        return game_of(self.hand)

    @cached_property
    def moves(self) -> list[PlayedMove]:
        return moves_of(self.game, self.rows.moves)

    @cached_property
    def path(self) -> list[State]:
        """Every state of the hand."""
        return states(self.game, *opening(self.hand, self.game), self.moves)

    @property
    def state(self) -> State:
        return self.path[-1]

    @cached_property
    def settlement(self) -> Settlement:
        settlement: Settlement = self.game.settle(self.state)
        return settlement

    def _rows(self) -> Iterator[str]:
        """Check that the rows of a hand belong together."""
        hand = self.hand
        if [move.number for move in self.rows.moves] != list(range(len(self.rows.moves))):
            yield "its moves are not numbered one after another"
        stacks = [(stake["seat"], stake["purse"]) for stake in hand.stakes]
        if [(row.number, row.starting_stack) for row in self.rows.seats] != sorted(stacks):
            yield "its seats are not those that stake something"
        for row in self.rows.seats:
            seat = self.known.seats.get(row.seat_id)
            whose = (hand.table_id, row.number, row.player_id)
            if seat is None or (seat.table_id, seat.number, seat.player_id) != whose:
                yield f"seat {row.number} belonged to another player"
        if hand.table_id != hand.shoe.table_id:
            yield "its shoe lay at another table"

    def _entries(self) -> Iterator[str]:
        """Check that the chain has an entry of the end, and of the reversal if there was one."""
        hand = self.hand
        due = {HAND: hand.ended_at, REVERSAL: hand.reversed_at}
        for kind, at in due.items():
            entries = self._entries_of(kind)
            if len(entries) != (at is not None) and not self._ended_before_digests(kind):
                yield f"the public chain has {len(entries)} entries {kind!r} of it"
            for entry in entries:
                if at is not None and entry.made_at != at:
                    yield f"the public chain has another time for {kind!r}"
        for entry in self._entries_of(HAND):
            if entry.body.get("settlement") != hand.settlement:
                yield "the public chain has another settlement"

    def _entries_of(self, kind: str) -> list[ChainEntry]:
        return [entry for entry in self.shoe.entries[self.hand.code] if entry.kind == kind]

    def _ended_before_digests(self, kind: str) -> bool:
        """Whether it is a void hand from the time before digests, when such hands had no entry."""
        early = self.since is None or (
            self.hand.ended_at is not None and self.hand.ended_at < self.since.made_at
        )
        return early and kind == HAND and not self.hand.was_paid and not self._entries_of(kind)

    def _digest(self) -> Iterator[str]:
        """Compare the digest in the public chain with that of the stored record."""
        secret = self.shoe.secret
        if secret is None:
            return
        dealt = self.game.dealt(self.state)
        due = hand_digest.published(self.rows, self.game, dealt, secret, self.moves)
        why = due.pop(hand_digest.VOID, None)
        for entry in (*self._entries_of(HAND), *self._entries_of(REVERSAL)):
            if "digest" not in entry.body and (self.since is None or entry.pk < self.since.pk):
                continue
            if entry.body.get("digest") != due["digest"]:
                yield "its record is not the one whose digest is in the public chain"
            if entry.body.get(hand_digest.KEPT) != due[hand_digest.KEPT]:
                yield "what the house keeps beside its record is not what it was"
            taken_back = entry.kind == REVERSAL or not self.hand.was_paid
            if taken_back and entry.body.get(hand_digest.VOID) != why:
                yield "it is void for another reason"

    def _void(self) -> Iterator[str]:
        """Check that a hand voided while it ran moved no money and has no settlement."""
        hand = self.hand
        if self.postings:
            yield "a void hand has moved money"
        if (hand.settlement, hand.cards_dealt, hand.rake, hand.bank) != (None, 0, 0, 0):
            yield "a void hand is settled"
        if (hand.posting, hand.reversal) != (None, None):
            yield "a void hand names a posting"
        if not hand.void_text:
            yield "it is void without a reason"
        yield from self._void_code()
        yield from self._results_are({}, {})
        entries = self._entries_of(HAND)
        if entries and entries[0].body.get("digest") is not None:
            yield from self._digest()

    def _void_code(self) -> Iterator[str]:
        hand = self.hand
        if not is_own_reason(hand.void_code, hand.void_by, hand.void_text):
            yield "it is void for another reason than its code says"

    def _settled(self) -> Iterator[str]:
        hand = self.hand
        if settlement_payload(self.settlement) != hand.settlement:
            yield "its settlement is not what its cards and moves give"
        if self.game.dealt(self.state) != hand.cards_dealt:
            yield "another number of cards was dealt"
        due = (sum(self.settlement.rake.values()), bank_of(self.settlement))
        if (hand.rake, hand.bank) != due:
            yield f"the house's part is stored as {hand.bank}, rake {hand.rake}"
        is_void = hand.status == Hand.Status.VOID
        if bool(hand.void_text) != is_void or (bool(hand.void_by) and not is_void):
            yield "it is valid and has a reason for being void, or is void without one"
        yield from self._void_code()

    def _drawn(self) -> Iterator[str]:
        """Compare stored draws and context with what shoe and round give."""
        hand = self.hand
        drawn = [
            custody.draw(hand.shoe, hand.round_number, label_of(field), size)
            for field, size in self.game.draws().items()
        ]
        if msgspec.convert(hand.draws, list[Draw]) != drawn:
            yield "its draws are not those of the shoe"
        due = {draw.label: context_value(draw.label, draw.value) for draw in drawn}
        if draws_in(context_of(hand, self.game)) != due:
            yield "its context tells other draws"

    def _results(self) -> Iterator[str]:
        yield from self._results_are(self.settlement.net, self.settlement.rake)

    def _results_are(self, net: Mapping[Payer, int], rake: Mapping[int, int]) -> Iterator[str]:
        hand = self.hand
        table = self.known.tables[hand.table_id]
        whose = (hand.game, hand.table_id, table.currency_id, hand.status, hand.ended_at)
        for row in self.rows.seats:
            if (net.get(row.number, 0), rake.get(row.number, 0)) != (row.net, row.rake):
                yield f"the result of seat {row.number} is stored as {row.net}, rake {row.rake}"
            if (row.game, row.table_id, row.currency_id, row.status, row.ended_at) != whose:
                yield f"seat {row.number} is in the history under another hand"
        gone = {seat for seat in net if not isinstance(seat, str)}
        for seat in sorted(gone - {row.number for row in self.rows.seats}):
            yield f"seat {seat} has no result"

    def _indexed(self) -> Iterator[str]:
        """Compare the index by which auditors find its cards; it is written a moment later."""
        ended = self.hand.ended_at
        is_new = ended is not None and timezone.now() - ended < INDEXED_WITHIN
        waits = is_new or self.hand.pk > self.known.indexed
        if not self.held and (waits or not format_of(self.hand.table).history_open(self.hand)):
            return
        holders = card_index.holders_of(self.hand, self.rows.moves, self.game, self.path)
        there = [card_index.HeldRow(row.number, row.seat, row.key, row.tokens) for row in self.held]
        # While the index is written under a new key, some hands are under an older one.
        if there not in card_index.under_every_key(holders):
            yield "auditors do not find its cards"

    def _posted(self, key: UUID) -> Posting | None:
        return next((posting for posting in self.postings if posting.key == key), None)

    def _ledger(self) -> Iterator[str]:
        hand = self.hand
        paid, key = self._posted(posting_key(hand.reference)), posting_key(hand.reference)
        seats = [row.seat for row in self.rows.seats]
        due: dict[int, int] = {}
        for leg in legs_of(hand, seats, self.settlement, self.known.accounts):
            due[leg.account] = due.get(leg.account, 0) + leg.amount
        due = {account: amount for account, amount in due.items() if amount}
        if hand.posting != (key if due else None):
            yield "it names another posting"
        entries = paid.legs if paid else {}
        for account in sorted(due.keys() | entries.keys()):
            posted, owed = entries.get(account, 0), due.get(account, 0)
            if posted != owed:
                yield f"account {account} got {posted} instead of {owed}"
        keys = {key: HAND, reversal_key(hand): REVERSAL}
        for posting in self.postings:
            of_hand = (posting.kind, posting.reference, posting.book)
            if of_hand != (keys.get(posting.key), hand.reference, hand.table.reference):
                yield f"a posting {posting.kind!r} that is not its own names it"

    def _back(self) -> Iterator[str]:
        hand = self.hand
        paid, back = self._posted(posting_key(hand.reference)), self._posted(reversal_key(hand))
        if hand.reversal != (back.key if back and hand.reversed_at else None):
            yield "it names another posting as its reversal"
        if back and (hand.void_by, hand.void_text) != ("operator", back.reason):
            yield "the ledger has another reason for its reversal"
        yield from given_back(self.rows, paid.legs if paid else {}, back.legs if back else {})


def _reason(fault: Exception) -> str:
    """The sentence of a refusal of the rules; for any other exception its type as well."""
    readable = isinstance(fault, (Refused, msgspec.ValidationError))
    return str(fault) if readable else in_words(fault)


def given_back(rows: Rows, paid: Mapping[int, int], back: Mapping[int, int]) -> Iterator[str]:
    """Compare what a hand moved with what its reversal moved back, account by account."""
    hand, paid, back = rows.hand, dict(paid), dict(back)
    if hand.reversed_at is None:
        if back:
            yield "it was paid back, and is stored as finished"
        return
    missing = 0
    for row in rows.seats:
        seats = Seat.objects.filter(table=hand.table_id, player=row.player_id)
        own = {*seats.values_list("stack_id", flat=True)}
        wallet = Account.objects.filter(
            kind=Account.Kind.PLAYER,
            owner=player_reference(row.player_id),
            currency=hand.table.currency_id,
        )
        own |= {*wallet.values_list("pk", flat=True)}
        won, returned = (sum(moved.pop(number, 0) for number in own) for moved in (paid, back))
        lacking = won + returned
        if not 0 <= lacking <= max(won, 0):
            yield f"seat {row.number} got {returned} back for {won}"
        missing += lacking
    promotions = Account.objects.filter(kind=Account.Kind.PROMOTION, pk__in=back)
    made_good = -sum(back.pop(number) for number in promotions.values_list("pk", flat=True))
    if made_good != missing:
        yield f"the house made {made_good} good instead of {missing}"
    for account in sorted(paid.keys() | back.keys()):
        if paid.get(account, 0) + back.get(account, 0):
            yield f"account {account} got {back.get(account, 0)} back for {paid.get(account, 0)}"
