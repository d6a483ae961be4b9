"""Does a finished hand add up? It is replayed, settled again, and held against what is stored.

Compared are the settlement, the results by seat, the entries in the ledger, and the shoe: dealt
again from its secret and checked against all that was published of it.
"""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import msgspec

from games import shoes
from games.hands import context_of
from games.history import AUDITOR, every_state, record
from games.models import Hand, Seat
from games.paying import bank_of, legs_of, posting_key, told_settlement
from games.rules.cards import Card
from games.rules.contract import AnyGame
from games.rules.draws import told_draws, verify_draws
from games.rules.errors import RulesError
from games.rules.settlement import Settlement
from games.rules.shoe import ShoeProof
from games.rules.verifying import Finding, verify_hand
from games.rules.verifying import audit as audit_shoe
from games.voiding import reversal_key
from wallets.holders import player_reference
from wallets.models import Account, Entry


def differences(hand: Hand) -> Iterator[str]:
    """One sentence for everything about a hand that does not add up."""
    if not hand.was_paid:
        if Entry.objects.filter(transaction__key=posting_key(hand.reference)).exists():
            yield "a void hand has moved money"
        return
    try:
        game, path = every_state(hand)
        settlement: Settlement = game.settle(path[-1])
    except (RulesError, msgspec.ValidationError) as reason:
        yield f"it cannot be replayed: {reason}"
        return
    if told_settlement(settlement) != hand.settlement:
        yield "its settlement is not what its cards and moves give"
    if game.dealt(path[-1]) != hand.cards_dealt:
        yield "another number of cards was dealt"
    if (hand.rake, hand.bank) != (sum(settlement.rake.values()), bank_of(settlement)):
        yield f"the house's part is stored as {hand.bank}, rake {hand.rake}"
    yield from _results(hand, settlement)
    yield from _ledger(hand, settlement)
    yield from _given_back(hand)
    for finding in _shoe_findings(hand, game):
        yield f"the shoe, at step {finding.step}: {finding.sentence}"


def _shoe_findings(hand: Hand, game: AnyGame) -> Iterator[Finding]:
    """What the shoe published against its secret, and the hand against what it published."""
    told = record(hand, AUDITOR)
    proof = msgspec.convert(told["shoe"], ShoeProof)
    yield from audit_shoe(shoes.secret_of(hand.shoe), proof).findings
    cards = [Card(name) for name in told["cards"]]
    yield from verify_hand(proof, cards, told_draws(context_of(hand, game)))
    yield from verify_draws(game, proof)


def _results(hand: Hand, settlement: Settlement) -> Iterator[str]:
    whose = (hand.game, hand.table_id, hand.table.currency_id, hand.status, hand.ended_at)
    for row in hand.seats.all():
        told = (settlement.net.get(row.number), settlement.rake.get(row.number, 0))
        if told != (row.net, row.rake):
            yield f"the result of seat {row.number} is stored as {row.net}, rake {row.rake}"
        if (row.game, row.table_id, row.currency_id, row.status, row.ended_at) != whose:
            yield f"seat {row.number} stands in the history as of another hand"


def _ledger(hand: Hand, settlement: Settlement) -> Iterator[str]:
    entries = _moved(posting_key(hand.reference))
    seats = [row.seat for row in hand.seats.select_related("seat")]
    due: dict[int, int] = {}
    for leg in legs_of(hand, seats, settlement):
        due[leg.account] = due.get(leg.account, 0) + leg.amount
    for account in sorted(due.keys() | entries.keys()):
        posted, owed = entries.get(account, 0), due.get(account, 0)
        if posted != owed:
            yield f"account {account} got {posted} instead of {owed}"


def _given_back(hand: Hand) -> Iterator[str]:
    """A hand that was taken back has given back all that it moved, to whoever it was moved from."""
    back = _moved(reversal_key(hand))
    if hand.reversed_at is None:
        if back:
            yield "it was paid back, and stands as finished"
        return
    paid, missing = _moved(posting_key(hand.reference)), 0
    for row in hand.seats.select_related("seat"):
        stays = Seat.objects.filter(table=hand.table_id, player=row.player_id)
        purses = {*stays.values_list("stack_id", flat=True)}
        wallet = Account.objects.filter(
            kind=Account.Kind.PLAYER,
            owner=player_reference(row.player_id),
            currency=hand.table.currency_id,
        )
        purses |= {*wallet.values_list("pk", flat=True)}
        won, returned = (sum(moved.pop(purse, 0) for purse in purses) for moved in (paid, back))
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


def _moved(key: UUID) -> dict[int, int]:
    entries = Entry.objects.filter(transaction__key=key)
    return dict(entries.values_list("account_id", "amount"))


def audit(hands: Any) -> Iterator[tuple[Hand, list[str]]]:
    """Each hand with what does not add up about it."""
    for hand in hands.select_related("shoe", "table").iterator(chunk_size=200):
        yield hand, list(differences(hand))
