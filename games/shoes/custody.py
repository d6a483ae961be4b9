"""Keeping shoes by the shoe protocol: sealed, locked, mixed, dealt; `docs/fairness.md` says why.

All verbs run inside the caller's transaction, under the lock of the shoe's table. What a seat's
device sent last is its commit for the next shoe that is locked (`games/rules/links.py`), and the
next link its reveal, which the house answers with a signed receipt. It mixes for seats without a
chain, as it does for bots. If a seat does not reveal in time, the shoe is voided before any card is
seen, and the house mixes the next shoes for that seat (`seats.py` says how many). Bytes that come
after that are still published, with a receipt that says so.
"""

import secrets
from collections.abc import Container, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Final, Literal, NotRequired, TypedDict

from django.utils.translation import gettext_noop as _n
from msgspec import to_builtins

from games.models import Seat, Shoe, ShoeSeat, Table
from games.models.prepared import Insert, Query, Update
from games.rules.cards import Card, composition
from games.rules.contract import AnyGame
from games.rules.errors import Unreadable
from games.rules.links import SHOE
from games.rules.record import leaf_of, salt_of
from games.rules.shoe import Draw, Sealed, SeatProof, ShoeProof, ShoeProtocol, from_hex
from games.shoes import chain, deals
from games.shoes.deals import SECRET
from games.shoes.seats import is_set_aside
from wallets.storage.signing import is_signed, public_keys, sign
from wallets.values.errors import Refused


class Statement(TypedDict):
    """The house's signed statement about a reveal."""

    shoe: str
    seat: int
    seal: str
    lock: str
    commit: str
    reveal_hash: str
    at: str
    # Only where the bytes came after the shoe had been voided.
    late: NotRequired[bool]


class Receipt(TypedDict):
    """A signed statement, and the key to check it with."""

    statement: Statement
    signature: str
    key: str


# The chain's entry of a reveal that came after its shoe had been voided.
LATE: Final = "late_reveal"
INSERT_SHOES: Final = Insert(Shoe)
INSERT_PARTS: Final = Insert(ShoeSeat)
PARTS: Final = Query(lambda shoe: ShoeSeat.objects.filter(shoe_id=shoe).order_by("number"), str)
WRITE_LOCK: Final = Update(Shoe, ("lock", "status", "locked_at"))
WRITE_REVEAL: Final = Update(ShoeSeat, ("reveal", "late", "receipt"))
WRITE_MIX: Final = Update(Shoe, ("mix", "status"))


def seal(table: Table, game: AnyGame, now: datetime) -> Shoe:
    """Put a fresh shoe on the table, shuffled and sealed."""
    table.shoes_sealed += 1
    secret = secrets.token_bytes(32)
    cards = game.composition()
    # The random part keeps names unique even after a return to an older copy of the database.
    protocol = ShoeProtocol(f"T{table.pk}-{table.shoes_sealed}-{secrets.randbelow(10**6):06}")
    sealed = protocol.seal(secret, cards)
    shoe = Shoe(
        code=protocol.id,
        table=table,
        version=protocol.version,
        decks=cards.count(cards[0]),
        jokers=Card.RED_JOKER in cards,
        secret=SECRET.seal(secret, protocol.id),
        seal=sealed.seal.hex(),
        key=sealed.key.hex(),
        x_0=sealed.x_0.hex(),
        sealed_at=now,
    )
    INSERT_SHOES([shoe])
    published = {"seal": shoe.seal, "key": shoe.key, "x_0": shoe.x_0, "version": shoe.version}
    _publish("seal", now, shoe=shoe.code, **published)
    return shoe


def fits(shoe: Shoe, game: AnyGame) -> bool:
    """Whether the shoe has the cards of the game; an operator may have changed the options."""
    return composition(shoe.decks, shoe.jokers) == game.composition()


def lock(
    shoe: Shoe, seats: Iterable[Seat], now: datetime, *, without: Container[Seat] = ()
) -> list[ShoeSeat]:
    """Lock the shoe with the commits of these seats, and return them by seat.

    The house commits for seats without a chain, and for those whose bytes are not expected in time.
    """
    protocol, secret = protocol_of(shoe), SECRET.open(shoe)
    parts = []
    for seat in sorted(seats, key=lambda seat: seat.number):
        by_house = not seat.tip or is_set_aside(seat) or seat in without
        octets = protocol.house_reveal(secret, seat.number) if by_house else b""
        own = protocol.commitment(seat.number, octets).hex() if by_house else seat.tip
        parts.append(
            ShoeSeat(
                shoe=shoe,
                number=seat.number,
                player_id=seat.player_id,
                by_house=by_house,
                commit=own,
                reveal=octets.hex(),
            )
        )
    INSERT_PARTS(parts)
    commits = {part.number: from_hex(part.commit) for part in parts}
    shoe.lock = protocol.lock(from_hex(shoe.seal), commits).hex()
    shoe.status, shoe.locked_at = Shoe.Status.LOCKED, now
    WRITE_LOCK(shoe)
    _publish(
        "lock",
        now,
        shoe=shoe.code,
        lock=shoe.lock,
        commits=_by_seat(parts, "commit"),
        players=players_leaf(shoe, secret, parts),
    )
    return parts


def protocol_of(shoe: Shoe) -> ShoeProtocol:
    """The formulas of a shoe whose seats mix it."""
    return ShoeProtocol(shoe.code, shoe.version)


def players_leaf(shoe: Shoe, secret: bytes, parts: Iterable[ShoeSeat]) -> str:
    """Return a hash over the players who mixed the shoe; only the audit can compute it again."""
    players = {str(part.number): part.player_id for part in parts}
    salt = salt_of(secret, shoe.code, "", "players")
    return leaf_of(shoe.code, "players", players, salt).hex()


def reveal(shoe: Shoe, part: ShoeSeat | None, octets_hex: str, now: datetime) -> Receipt:
    """Store the bytes that a player has committed to in their part, and return a receipt.

    If the shoe was voided because they did not come, they are published as late.
    """
    receipt = accept(shoe, part, octets_hex, now)
    assert part is not None
    WRITE_REVEAL(part)
    if part.late:
        _publish(LATE, now, shoe=shoe.code, seat=part.number, reveal=octets_hex)
    return receipt


def accept(shoe: Shoe, part: ShoeSeat | None, octets_hex: str, now: datetime) -> Receipt:
    """Put bytes into a player's part, which the caller then writes, and return a receipt."""
    octets, late = from_hex(octets_hex), is_voided_after_lock(shoe)
    if part is None or part.reveal or not (late or shoe.status == Shoe.Status.LOCKED):
        raise Refused("no_reveal_due", _n("No reveal is due from this seat."))
    if protocol_of(shoe).commitment(part.number, octets).hex() != part.commit:
        raise Unreadable("reveal", _n("These are not the bytes the seat has committed to."))
    part.reveal, part.late = octets_hex, late
    receipt = _receipt(shoe, part, octets, now)
    part.receipt = receipt
    return receipt


def is_voided_after_lock(shoe: Shoe) -> bool:
    """Whether the shoe was voided after its lock: what was not revealed may still come."""
    return shoe.status == Shoe.Status.VOID and shoe.lock != ""


def earlier_shoe(table: Table, code: str) -> Shoe | None:
    """A shoe that has lain on the table."""
    if not SHOE.fullmatch(code):
        # No row holds such text, and PostgreSQL rejects queries with a NUL.
        return None
    return Shoe.objects.filter(table=table, pk=code).first()


def _receipt(shoe: Shoe, part: ShoeSeat, octets: bytes, now: datetime) -> Receipt:
    """The signed receipt: under which lock these bytes arrived, and when."""
    statement: Statement = {
        "shoe": shoe.code,
        "seat": part.number,
        "seal": shoe.seal,
        "lock": shoe.lock,
        "commit": part.commit,
        "reveal_hash": sha256(octets).hexdigest(),
        "at": now.isoformat(),
    }
    if part.late:
        statement["late"] = True
    signature = sign("receipt", statement)
    return {"statement": statement, "signature": signature, "key": public_keys()[0]}


def is_receipt_of(shoe: Shoe, part: ShoeSeat) -> bool:
    """Whether a seat's receipt is signed by the house and fits the seat's reveal."""
    receipt = part.receipt or {}
    statement = receipt.get("statement", {})
    due = {
        "shoe": shoe.code,
        "seat": part.number,
        "seal": shoe.seal,
        "lock": shoe.lock,
        "commit": part.commit,
        "reveal_hash": sha256(from_hex(part.reveal)).hexdigest(),
        "at": statement.get("at"),
    } | ({"late": True} if part.late else {})
    signature, key = receipt.get("signature", ""), receipt.get("key", "")
    ours = key in public_keys() and is_signed("receipt", statement, signature, key)
    return ours and statement == due


def withholding(shoe: Shoe) -> list[ShoeSeat]:
    """The parts of a locked shoe that have not been revealed."""
    return [part for part in PARTS(shoe.code) if not part.reveal]


def mix(shoe: Shoe, now: datetime, parts: Sequence[ShoeSeat] | None = None) -> Sequence[ShoeSeat]:
    """Mix the reveals into the cut, and return them; from now on cards can be dealt.

    A caller who has read them under the table's lock hands them in.
    """
    parts = PARTS(shoe.code) if parts is None else parts
    reveals = {part.number: from_hex(part.reveal) for part in parts}
    shoe.mix = ShoeProtocol(shoe.code).mix(from_hex(shoe.lock), reveals).hex()
    shoe.status = Shoe.Status.OPEN
    WRITE_MIX(shoe)
    _publish("reveal", now, shoe=shoe.code, mix=shoe.mix, reveals=_by_seat(parts, "reveal"))
    return parts


def void(shoe: Shoe, reason: str, now: datetime) -> None:
    """Void a shoe; the reason is published, and so is every reveal that had arrived."""
    evidence: dict[str, object] = {}
    if shoe.status == Shoe.Status.LOCKED:
        # A player who is wrongly said to have withheld can prove that the reveal had arrived.
        came = [part for part in shoe.seats.all() if part.reveal]
        evidence = {"commits": _by_seat(came, "commit"), "reveals": _by_seat(came, "reveal")}
    shoe.status, shoe.void_reason = Shoe.Status.VOID, reason
    shoe.save(update_fields=["status", "void_reason"])
    _publish("void", now, shoe=shoe.code, reason=reason, **evidence)


def published(shoe: Shoe) -> dict[str, object]:
    """The public part of a shoe: no card, and no reveal before the mix."""
    over = shoe.status not in (Shoe.Status.SEALED, Shoe.Status.LOCKED)
    parts = shoe.seats.all() if shoe.lock else ()
    return {
        "id": shoe.code,
        "version": shoe.version,
        "status": shoe.status,
        "seal": shoe.seal,
        "key": shoe.key,
        "x_0": shoe.x_0,
        "lock": shoe.lock,
        "mix": shoe.mix,
        "seats": [
            {
                "seat": part.number,
                "who": "house" if part.by_house else "player",
                "commit": part.commit,
                "reveal": part.reveal if over else "",
                "late": part.late,
            }
            for part in parts
        ],
        "void": shoe.void_reason,
    }


def cards(shoe: Shoe) -> tuple[Card, ...]:
    """All cards of a mixed shoe in dealing order; for the rules, never for a page."""
    sealed, order = _opened_of(shoe)
    return sealed.deal(order)


def secret_of(shoe: Shoe) -> bytes:
    """The secret itself; for the audit and for digests of hands."""
    return SECRET.open(shoe)


def opened(shoe: Shoe) -> Sealed:
    """A mixed shoe with all its secrets; for the audit alone."""
    sealed, _order = _opened_of(shoe)
    return sealed


def draw(shoe: Shoe, round_number: int, label: str, n: int) -> Draw:
    """Return what the protocol draws besides the cards in a round of this shoe."""
    sealed, _ = _opened_of(shoe)
    link = sealed.hidden.draws[round_number]
    return ShoeProtocol(shoe.sealed_as).draw(from_hex(shoe.mix), link, label, n)


def proof(
    shoe: Shoe, *, first: int, round_number: int, places: Iterable[int], draws: Iterable[Draw]
) -> ShoeProof:
    """The proof of a shoe for a reader who may see the cards at these places of a hand."""
    sealed, order = _opened_of(shoe)
    return ShoeProof(
        id=shoe.code,
        seal=shoe.seal,
        decks=shoe.decks,
        jokers=shoe.jokers,
        key=shoe.key,
        x_0=shoe.x_0,
        leaves=tuple(leaf.hex() for leaf in sealed.leaves),
        first=first,
        round_number=round_number,
        version=shoe.version,
        seats=tuple(part_proof(part) for part in shoe.seats.all()),
        lock=shoe.lock,
        mix=shoe.mix,
        deal=deals.proof_of(shoe),
        x_m=sealed.hidden.draws[round_number].hex(),
        draws=tuple(draws),
        openings=tuple(sealed.open(order, first + place) for place in sorted(places)),
    )


def who_gave(part: ShoeSeat) -> Literal["player", "house"]:
    return "house" if part.by_house else "player"


def part_proof(part: ShoeSeat) -> SeatProof:
    return SeatProof(part.number, who_gave(part), part.commit, part.reveal or None)


def _opened_of(shoe: Shoe) -> tuple[Sealed, tuple[int, ...]]:
    return _opened(shoe.code, shoe.sealed_as, shoe.secret, shoe.mix, shoe.decks, shoe.jokers)


@lru_cache(maxsize=256)
def _opened(
    code: str, name: str, encrypted: str, mixed: str, decks: int, jokers: bool
) -> tuple[Sealed, tuple[int, ...]]:
    """A shoe computed from its secret, and its cut; cached in this process alone."""
    protocol, whole = ShoeProtocol(name), composition(decks, jokers)
    sealed = protocol.seal(SECRET.unseal(encrypted, code), whole)
    return sealed, protocol.cut(from_hex(mixed), len(whole))


def forget_opened() -> None:
    """Clear the cache: compute every shoe again when it is next needed."""
    _opened.cache_clear()


def _by_seat(parts: Iterable[ShoeSeat], what: str) -> dict[str, str]:
    return {str(part.number): getattr(part, what) for part in parts}


def _publish(kind: str, now: datetime, **body: object) -> None:
    chain.add(kind, to_builtins(body), now)
