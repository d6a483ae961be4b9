"""Whether what was published of a shoe holds together, and whether a hand was dealt from it.

Anybody can ask for both: `verify` needs the proof alone, `verify_hand` the hand besides. An
auditor, who is given the secret, deals the whole shoe again (`audit`).
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct, structs

from games.rules.cards import Card, composition
from games.rules.shoe import DRAW_SIZES, Ceremony, ShoeProof, from_hex, told


class Step(StrEnum):
    """What can fail: the protocol's steps in order, then how a hand and an audit agree with it."""

    SEAL = "seal"
    COMMIT = "commit"
    LOCK = "lock"
    MIX = "mix"
    DRAW_CHAIN = "draw-chain"
    DRAW = "draw"
    OPENING = "opening"
    CARDS = "cards"
    CONTEXT = "context"
    HOUSE = "house"


class Finding(Struct, frozen=True):
    """One thing that does not hold: its step, and a sentence as errors have them."""

    step: Step
    template: str
    values: Mapping[str, object] = {}

    @property
    def sentence(self) -> str:
        return self.template.format(**self.values)


class Audit(Struct, frozen=True):
    """Every card in dealing order, once the cut is known, and what does not hold."""

    dealt: tuple[Card, ...]
    findings: tuple[Finding, ...]


def verify(proof: ShoeProof) -> tuple[Finding, ...]:
    """Everything published that does not hold together, in the order of the steps.

    Each step believes what is told of the steps before it: an altered field shows first at its own.
    """
    return (*_ceremony_findings(proof), *_draw_findings(proof), *_opening_findings(proof))


def _ceremony_findings(proof: ShoeProof) -> Iterator[Finding]:
    ceremony, leaves = Ceremony(proof.id), [from_hex(leaf) for leaf in proof.leaves]
    whole = ceremony.seal_over(from_hex(proof.key), from_hex(proof.x_0), leaves)
    if whole.hex() != proof.seal or len(leaves) != len(composition(proof.decks, proof.jokers)):
        yield Finding(Step.SEAL, "Key, chain of draws and leaves do not give the seal")
    commits = {seat.seat: from_hex(seat.commit) for seat in proof.seats}
    reveals = {seat.seat: from_hex(seat.reveal) for seat in proof.seats if seat.reveal}
    for seat, reveal in reveals.items():
        if ceremony.commitment(seat, reveal) != commits[seat]:
            yield Finding(Step.COMMIT, "Seat {seat} revealed other bytes", {"seat": seat})
    locked = ceremony.lock(from_hex(proof.seal), commits).hex() if commits else ""
    played = proof.mix or proof.x_m or proof.draws or proof.openings
    if proof.lock != locked and (proof.lock or reveals or played):
        yield Finding(Step.LOCK, "The lock is not that of the seal and the commits")
    complete = len(commits) == len(reveals) > 0
    mixed = ceremony.mix(from_hex(proof.lock), reveals).hex() if proof.lock and complete else ""
    if proof.mix != mixed and played:
        yield Finding(Step.MIX, "The mix is not that of the lock and every seat's reveal")


def _draw_findings(proof: ShoeProof) -> Iterator[Finding]:
    ceremony = Ceremony(proof.id)
    sealed = proof.x_m and ceremony.link_back(from_hex(proof.x_m), proof.round_number).hex()
    if sealed != proof.x_0 and (proof.x_m or proof.draws):
        yield Finding(Step.DRAW_CHAIN, "No link is open that leads back to the sealed one")
    if proof.mix is None or proof.x_m is None:
        return
    for draw in proof.draws:
        drawn = ceremony.draw(from_hex(proof.mix), from_hex(proof.x_m), draw.label, draw.n)
        if draw != drawn or draw.n != DRAW_SIZES.get(draw.label, draw.n):
            yield Finding(Step.DRAW, "{label} of {n} did not give {value}", structs.asdict(draw))


def _opening_findings(proof: ShoeProof) -> Iterator[Finding]:
    if proof.mix is None or not proof.openings:
        return
    ceremony, leaves = Ceremony(proof.id), [from_hex(leaf) for leaf in proof.leaves]
    order = ceremony.cut(from_hex(proof.mix), len(leaves))
    for opening in proof.openings:
        if not ceremony.opens(leaves, order, opening):
            yield Finding(Step.OPENING, "Card {k} does not fit its leaf", {"k": opening.k})


def verify_hand(
    proof: ShoeProof, cards: Sequence[Card | None], drawn: Mapping[str, int | str]
) -> tuple[Finding, ...]:
    """Where a hand differs from its proof: its cards, None for one out of sight, and its draws.

    `drawn` is what its context tells of them, by label: see `told`, and `told_draws` in `draws.py`.
    """
    dealt = dict(enumerate(cards, proof.first))
    other = [opening.k for opening in proof.openings if dealt.get(opening.k) is not opening.card]
    proven = {draw.label: told(draw.label, draw.value) for draw in proof.draws}
    labels = sorted({label for label, _ in proven.items() ^ drawn.items()})
    return (
        *(Finding(Step.CARDS, "The hand's card {k} is another", {"k": k}) for k in other),
        *(Finding(Step.CONTEXT, "The hand's {label} is another", {"label": x}) for x in labels),
    )


def audit(secret: bytes, proof: ShoeProof) -> Audit:
    """Deal the shoe again from its secret and hold against it what was published."""
    ceremony = Ceremony(proof.id)
    sealed = ceremony.seal(secret, composition(proof.decks, proof.jokers))
    findings = list(verify(proof))
    if sealed.seal.hex() != proof.seal:
        findings.append(Finding(Step.SEAL, "The secret does not give the seal"))
    for seat in proof.seats:
        own = ceremony.commitment(seat.seat, ceremony.house_reveal(secret, seat.seat))
        if (seat.commit == own.hex()) != (seat.who == "house"):
            told = {"seat": seat.seat, "who": seat.who}
            findings.append(Finding(Step.HOUSE, "Seat {seat} was not played by the {who}", told))
    order = ceremony.cut(from_hex(proof.mix), len(sealed.leaves)) if proof.mix else ()
    return Audit(sealed.deal(order), tuple(findings))
