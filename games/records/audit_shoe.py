"""Proving a shoe once for all its hands, from its secret and against what was published of it.

The secret gives the seal, the seats' commits the lock, and their reveals the mix. The row holds
each of these, and the public chain held it before its effect could be known. So a secret that is
replaced later never fits the seal in the chain.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from games.models import ChainEntry, Shoe
from games.records.audit_rows import HAND, Place, ShoeMaterial
from games.records.reversals import KIND as REVERSAL
from games.rules.cards import composition
from games.rules.shoe import Sealed, ShoeProtocol
from games.rules.verifying import Finding, deal_findings, false_labels, mixing_findings
from games.shoes import custody, deals

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
