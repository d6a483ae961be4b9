"""The auditor's part of a replay: shoe and settlement of the hand, computed again.

Everything is computed from the shoe's secret and the moves, and shown next to the stored values. If
the shoe is still in play, only cards of finished hands are shown.
"""

from collections import Counter
from typing import Any, NamedTuple

import msgspec
from django.utils.translation import gettext as _

from games.models import Hand, Shoe
from games.records.record import every_state
from games.rules.cards import Card, composition
from games.rules.shoe import ShoeProtocol, from_hex
from games.shoes import custody
from games.tables.hand_state import game_of
from games.tables.settle import settlement_payload
from wallets.values.errors import Refused


class Check(NamedTuple):
    """A stored value and the same value computed again."""

    words: str
    stored: str
    again: str
    fits: bool


class ShoeCard(NamedTuple):
    """A card of the shoe by its place, and whether this hand was dealt it."""

    place: int
    card: Card
    here: bool


class ShoeAgain(NamedTuple):
    cards: list[ShoeCard]
    # How many more cards there are, which stay hidden because the shoe is still in play.
    left: int
    checks: list[Check]


class Settled(NamedTuple):
    """A result by the stored settlement and by the one computed now."""

    party: str
    stored: int | None
    again: int | None

    @property
    def fits(self) -> bool:
        return self.stored == self.again


class SettledAgain(NamedTuple):
    rows: list[Settled]
    # Lines that only one of the two settlements has.
    missing: list[dict[str, object]]
    added: list[dict[str, object]]
    # Why it cannot be settled again; empty if it can.
    fault: str = ""


def shoe_again(hand: Hand) -> ShoeAgain:
    """Every card of the shoe in dealing order, with this hand's marked, and what was published."""
    shoe = hand.shoe
    cards = custody.cards(shoe) if shoe.mix else ()
    dealt = range(hand.first_card, hand.first_card + _dealt(hand))
    over = shoe.status in (Shoe.Status.SPENT, Shoe.Status.VOID)
    shown = len(cards) if over else max(shoe.cards_dealt, dealt.stop)
    return ShoeAgain(
        [ShoeCard(place, card, place in dealt) for place, card in enumerate(cards[:shown])],
        len(cards) - shown,
        _shoe_checks(hand),
    )


def _dealt(hand: Hand) -> int:
    """Return how many cards a hand was dealt; one that was voided while live stores no count."""
    if hand.was_paid:
        return hand.cards_dealt
    game, path = every_state(hand)
    return game.dealt(path[-1])


def _shoe_checks(hand: Hand) -> list[Check]:
    shoe, whole = hand.shoe, composition(hand.shoe.decks, hand.shoe.jokers)
    protocol = ShoeProtocol(shoe.code)
    sealed = protocol.seal(custody.secret_of(shoe), whole)
    parts = list(shoe.seats.all())
    commits = {part.number: from_hex(part.commit) for part in parts}
    due, deck = Counter(game_of(hand).composition()), Counter(sealed.hidden.deck)
    checks = [
        Check(_("Composition"), _decks(due), _decks(deck), due == deck),
        _compared(_("Seal"), shoe.seal, sealed.seal),
    ]
    if shoe.lock:
        checks.append(_compared(_("Lock"), shoe.lock, protocol.lock(sealed.seal, commits)))
    if shoe.mix:
        reveals = {part.number: from_hex(part.reveal) for part in parts}
        mixed = protocol.mix(from_hex(shoe.lock), reveals)
        checks.append(_compared(_("Mix"), shoe.mix, mixed))
    return checks


def _compared(words: str, stored: str, again: bytes) -> Check:
    return Check(words, stored, again.hex(), stored == again.hex())


def _decks(cards: Counter[Card]) -> str:
    """The number of distinct cards, and how often each occurs."""
    often = "/".join(map(str, sorted(set(cards.values()))))
    return f"{often} × {len(cards)}"


def settled_again(hand: Hand) -> SettledAgain:
    """The hand's settlement from its cards and moves, next to the stored one."""
    stored = hand.settlement or {}
    if not hand.was_paid:
        return SettledAgain([], [], [])
    try:
        game, path = every_state(hand)
        again = settlement_payload(game.settle(path[-1]))
    except (Refused, msgspec.ValidationError) as reason:
        return SettledAgain([], [], [], str(reason))
    before, now = _results(stored), _results(again)
    rows = [Settled(party, before.get(party), now.get(party)) for party in before | now]
    old, new = list(stored.get("lines", ())), list(again["lines"])
    return SettledAgain(
        rows,
        missing=[line for line in new if line not in old],
        added=[line for line in old if line not in new],
    )


def _results(settlement: dict[str, Any]) -> dict[str, int]:
    """By party: what it won, and the rake of all."""
    net: dict[str, int] = settlement.get("net", {})
    rake: dict[str, int] = settlement.get("rake", {})
    return net | ({"rake": sum(rake.values())} if rake else {})
