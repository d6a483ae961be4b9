"""Whether what was published of a shoe holds together, and the context that its draws give."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct, structs

from games.rules.cards import Card, composition
from games.rules.contract import AnyGame, Context
from games.rules.event_shoe import EventProtocol
from games.rules.shoe import (
    DRAW_SIZES,
    DealProof,
    Draw,
    SeatProof,
    ShoeProof,
    ShoeProtocol,
    context_value,
    from_hex,
)


class Step(StrEnum):
    """The checks that can fail: the protocol's steps in order, then those of hand and audit."""

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

    Each step believes the fields of the steps before it: an altered field fails first at its own.
    """
    return (*_shoe_findings(proof), *_draw_findings(proof), *_opening_findings(proof))


def _shoe_findings(proof: ShoeProof) -> Iterator[Finding]:
    protocol, leaves = proof.protocol, [from_hex(leaf) for leaf in proof.leaves]
    whole = protocol.seal_over(from_hex(proof.key), from_hex(proof.x_0), leaves)
    if whole.hex() != proof.seal or len(leaves) != len(composition(proof.decks, proof.jokers)):
        yield Finding(Step.SEAL, "Key, chain of draws and leaves do not give the seal")
    played = bool(proof.mix or proof.x_m or proof.draws or proof.openings)
    if proof.deal is not None:
        yield from deal_findings(proof.deal, proof.seal, proof.lock, proof.mix, played=played)
        return
    given = (proof.seal, proof.seats, proof.lock, proof.mix)
    yield from mixing_findings(protocol, *given, played=played)


def deal_findings(
    deal: DealProof, seal: str, lock: str | None, mix: str | None, *, played: bool = True
) -> Iterator[Finding]:
    """Whether an event had sealed this deal before its entrants mixed it.

    For a seat that withheld its number the house mixes: only the holder of the secret
    of the event can compute those bytes again.
    """
    protocol = EventProtocol(deal.event)
    whole = protocol.seal_with(
        from_hex(deal.sealed), [from_hex(hex_seal) for hex_seal in deal.deals]
    )
    ours = deal.deals[deal.place : deal.place + 1] == (seal,)
    if whole.hex() != deal.seal or not ours or deal.deal > deal.deals_a_round:
        yield Finding(Step.SEAL, "The deal is not one that the event's seal is over")
    commits = {entrant.entrant: from_hex(entrant.commit) for entrant in deal.entrants}
    reveals = {
        entrant.entrant: from_hex(entrant.reveal) for entrant in deal.entrants if entrant.reveal
    }
    own = {entrant.entrant for entrant in deal.entrants if entrant.who == "player"} & reveals.keys()
    for number in sorted(own):
        if protocol.commitment(number, reveals[number]) != commits[number]:
            yield Finding(Step.COMMIT, "Entrant {number} revealed other bytes", {"number": number})
    yield from _locked(protocol, deal.seal, (commits, reveals), (lock, mix), played)


def mixing_findings(
    protocol: ShoeProtocol,
    seal: str,
    seats: Sequence[SeatProof],
    lock: str | None,
    mix: str | None,
    *,
    played: bool = False,
) -> Iterator[Finding]:
    """The inconsistencies between reveals, commits, lock and mix.

    A shoe is `played` from where anything is known that must have come after its mix.
    """
    commits = {seat.seat: from_hex(seat.commit) for seat in seats}
    reveals = {seat.seat: from_hex(seat.reveal) for seat in seats if seat.reveal}
    for seat, reveal in reveals.items():
        if protocol.commitment(seat, reveal) != commits[seat]:
            yield Finding(Step.COMMIT, "Seat {seat} revealed other bytes", {"seat": seat})
    yield from _locked(protocol, seal, (commits, reveals), (lock, mix), played)


def _locked(
    protocol: ShoeProtocol,
    seal: str,
    given: tuple[Mapping[int, bytes], Mapping[int, bytes]],
    published: tuple[str | None, str | None],
    played: bool,
) -> Iterator[Finding]:
    """The inconsistencies between commits and lock, reveals and mix."""
    (commits, reveals), (lock, mix) = given, published
    played = played or bool(mix)
    locked = protocol.lock(from_hex(seal), commits).hex() if commits else ""
    if lock != locked and (lock or reveals or played):
        yield Finding(Step.LOCK, "The lock is not that of the seal and the commits")
    complete = len(commits) == len(reveals) > 0
    mixed = protocol.mix(from_hex(lock), reveals).hex() if lock and complete else ""
    if mix != mixed and played:
        yield Finding(Step.MIX, "The mix is not that of the lock and every seat's reveal")


def _draw_findings(proof: ShoeProof) -> Iterator[Finding]:
    protocol = proof.protocol
    sealed = proof.x_m and protocol.link_back(from_hex(proof.x_m), proof.round_number).hex()
    if sealed != proof.x_0 and (proof.x_m or proof.draws):
        yield Finding(Step.DRAW_CHAIN, "No link is open that leads back to the sealed one")
    if proof.mix is None or proof.x_m is None:
        return
    mix, link = from_hex(proof.mix), from_hex(proof.x_m)
    yield from _drawn_otherwise(protocol, mix, link, proof.draws)


def _drawn_otherwise(
    protocol: ShoeProtocol, mix: bytes, link: bytes, draws: Sequence[Draw]
) -> Iterator[Finding]:
    for draw in draws:
        drawn = protocol.draw(mix, link, draw.label, draw.n)
        if draw != drawn or draw.n != DRAW_SIZES.get(draw.label, draw.n):
            yield Finding(Step.DRAW, "{label} of {n} did not give {value}", structs.asdict(draw))


def _opening_findings(proof: ShoeProof) -> Iterator[Finding]:
    if proof.mix is None or not proof.openings:
        return
    protocol, leaves = proof.protocol, [from_hex(leaf) for leaf in proof.leaves]
    order = protocol.cut(from_hex(proof.mix), len(leaves))
    for opening in proof.openings:
        if not protocol.opens(leaves, order, opening):
            yield Finding(Step.OPENING, "Card {k} does not fit its leaf", {"k": opening.k})


def verify_hand(
    proof: ShoeProof, cards: Sequence[Card | None], drawn: Mapping[str, int | str]
) -> tuple[Finding, ...]:
    """The differences between a hand's cards and draws and its proof; a hidden card is None.

    `drawn` is what its context tells of them, by label: see `context_value` and
    `draws_in` below.
    """
    dealt = dict(enumerate(cards, proof.first))
    other = [opening.k for opening in proof.openings if dealt.get(opening.k) is not opening.card]
    return (
        *(Finding(Step.CARDS, "The hand's card {k} is another", {"k": k}) for k in other),
        *_other_draws(proof.draws, drawn),
    )


def _other_draws(draws: Sequence[Draw], drawn: Mapping[str, int | str]) -> Iterator[Finding]:
    """The differences between the draws of a context and those that were made."""
    made = {draw.label: context_value(draw.label, draw.value) for draw in draws}
    for label in sorted({label for label, _ in made.items() ^ drawn.items()}):
        yield Finding(Step.CONTEXT, "The hand's {label} is another", {"label": label})


def audit(secret: bytes, proof: ShoeProof) -> Audit:
    """Deal the shoe again from its secret and hold against it what was published."""
    protocol = proof.protocol
    sealed = protocol.seal(secret, composition(proof.decks, proof.jokers))
    findings = list(verify(proof))
    if sealed.seal.hex() != proof.seal:
        findings.append(Finding(Step.SEAL, "The secret does not give the seal"))
    findings += false_labels(protocol, secret, proof.seats)
    order = protocol.cut(from_hex(proof.mix), len(sealed.leaves)) if proof.mix else ()
    return Audit(sealed.deal(order), tuple(findings))


def false_labels(
    protocol: ShoeProtocol, secret: bytes, seats: Sequence[SeatProof]
) -> Iterator[Finding]:
    """The seats that were not played by the players they name."""
    for seat in seats:
        own = protocol.commitment(seat.seat, protocol.house_reveal(secret, seat.seat))
        if (seat.commit == own.hex()) != (seat.who == "house"):
            values = {"seat": seat.seat, "who": seat.who}
            yield Finding(Step.HOUSE, "Seat {seat} was not played by the {who}", values)


# A game says what it draws besides the cards (`draws` of the contract). In the protocol a draw
# has the name of the context's field as its label, with dashes. Its number is in the context as
# it was drawn, but a drawn card is there by its name, as players see it.
#
# At a table against the house the draws are made when the betting has closed, and only then do
# they enter the context: nothing that a round does or shows while bets are placed depends on
# them.

# The draws whose size the options of a table say; `shoe.py` knows the sizes of all others.
SIZED_BY_OPTIONS = ("wheel", "lucky-game")
FIELDS = tuple(label.replace("-", "_") for label in (*DRAW_SIZES, *SIZED_BY_OPTIONS))

# Draws a number from 0 to n-1 under a label.
NumberDrawn = Callable[[str, int], int]


def label_of(field: str) -> str:
    """The protocol's label of the draw for a field of the context."""
    return field.replace("_", "-")


def drawn_context(game: AnyGame, draw: NumberDrawn) -> dict[str, int | str]:
    """The fields of a new round's context that are drawn; who deals adds what else is decided."""
    drawn = {}
    for field, size in game.draws().items():
        label = label_of(field)
        drawn[field] = context_value(label, draw(label, size))
    return drawn


def draws_in(context: Context) -> dict[str, int | str]:
    """The draws that a hand's context tells, by label, to be held against its proof."""
    draws = {}
    for field in FIELDS:
        value = getattr(context, field, None)
        if value is not None:
            draws[label_of(field)] = value.text if isinstance(value, Card) else value
    return draws


def verify_draws(game: AnyGame, proof: ShoeProof) -> Iterator[Finding]:
    """Yield the proven draws that this table does not make, each with its size.

    A house that could choose how many numbers a wheel is drawn from could choose the number, and
    one that could leave a draw out could leave out those it does not like.
    """
    due = {(label_of(field), size) for field, size in game.draws().items()}
    made = {(draw.label, draw.n) for draw in proof.draws}
    for label, size in sorted(due ^ made):
        sentence = "{label} of {n} was due and is not proven"
        if (label, size) in made:
            sentence = "{label} of {n} is no draw of this table"
        yield Finding(Step.DRAW, sentence, {"label": label, "n": size})
