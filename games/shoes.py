"""Keeping shoes by the shoe protocol: sealed, locked, mixed, dealt; `docs/fairness.md` says why.

All verbs here run inside the caller's transaction, under the lock of the shoe's table. A seat's
browser commits to its bytes while the shoe is sealed, and reveals them once it is locked. Whoever
sends no commit is played by the house, as bots are. A seat that commits and then withholds its
bytes has the shoe voided before any card is seen; the second time it is played by the house.
"""

import secrets
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Literal

from django.utils.translation import gettext_noop as _n
from msgspec import to_builtins

from games.models import ChainEntry, Seat, Shoe, ShoeSeat, Table
from games.refusal import Refused
from games.rules.cards import Card, composition
from games.rules.contract import AnyGame
from games.rules.errors import Unreadable
from games.rules.shoe import Ceremony, Draw, Sealed, SeatProof, ShoeProof, from_hex
from wallets.sealing import seal as encrypt
from wallets.sealing import unseal as decrypt

# A seat that has withheld its bytes so often is played by the house.
WITHHELD_MAX = 2


def seal(table: Table, game: AnyGame, now: datetime) -> Shoe:
    """Put a fresh shoe on the table, shuffled and sealed."""
    table.shoes_sealed += 1
    secret = secrets.token_bytes(32)
    cards = game.composition()
    ceremony = Ceremony(f"T{table.pk}-{table.shoes_sealed}")
    sealed = ceremony.seal(secret, cards)
    shoe = Shoe.objects.create(
        code=ceremony.id,
        table=table,
        decks=cards.count(cards[0]),
        jokers=Card.RED_JOKER in cards,
        secret=encrypt(secret),
        seal=sealed.seal.hex(),
        key=sealed.key.hex(),
        x_0=sealed.x_0.hex(),
        sealed_at=now,
    )
    _publish("seal", now, shoe=shoe.code, seal=shoe.seal, key=shoe.key, x_0=shoe.x_0)
    return shoe


def fits(shoe: Shoe, game: AnyGame) -> bool:
    """Whether a game is played with the cards of this shoe; an operator may have changed it."""
    return composition(shoe.decks, shoe.jokers) == game.composition()


def commit(shoe: Shoe, seat: Seat, told: str) -> None:
    """A seat's browser commits to its bytes; the first commit stands."""
    from_hex(told)
    if shoe.status != Shoe.Status.SEALED:
        raise Refused("shoe_locked", _n("The shoe is locked already."))
    if seat.withheld >= WITHHELD_MAX:
        raise Refused("seat_by_house", _n("The house mixes for this seat from now on."))
    # What somebody committed who sat there before has no part in this shoe any more.
    shoe.seats.filter(number=seat.number).exclude(player_id=seat.player_id).delete()
    ShoeSeat.objects.get_or_create(
        shoe=shoe,
        number=seat.number,
        defaults={"player_id": seat.player_id, "by_house": False, "commit": told},
    )


def lock(shoe: Shoe, seats: Iterable[Seat], now: datetime) -> None:
    """Tie the seal to the commits of these seats; the house commits for those who have not."""
    ceremony, secret = Ceremony(shoe.code), decrypt(shoe.secret)
    committed = {part.number: part for part in shoe.seats.all()}
    parts = []
    for seat in seats:
        part = committed.pop(seat.number, None)
        # Someone else may have sat down there since.
        if part is None or part.player_id != seat.player_id:
            if part is not None:
                part.delete()
            own = ceremony.house_reveal(secret, seat.number)
            part = ShoeSeat(
                shoe=shoe,
                number=seat.number,
                player_id=seat.player_id,
                by_house=True,
                commit=ceremony.commitment(seat.number, own).hex(),
                reveal=own.hex(),
            )
            part.save()
        parts.append(part)
    for gone in committed.values():
        gone.delete()
    commits = {part.number: from_hex(part.commit) for part in parts}
    shoe.lock = ceremony.lock(from_hex(shoe.seal), commits).hex()
    shoe.status, shoe.locked_at = Shoe.Status.LOCKED, now
    shoe.save(update_fields=["lock", "status", "locked_at"])
    _publish("lock", now, shoe=shoe.code, lock=shoe.lock, commits=_by_seat(parts, "commit"))


def reveal(shoe: Shoe, seat: Seat, told: str) -> None:
    """A seat's browser shows the bytes it has committed to."""
    octets = from_hex(told)
    part = shoe.seats.filter(number=seat.number, player_id=seat.player_id, by_house=False).first()
    if shoe.status != Shoe.Status.LOCKED or part is None:
        raise Refused("no_reveal_due", _n("No reveal is due from this seat."))
    if Ceremony(shoe.code).commitment(seat.number, octets).hex() != part.commit:
        raise Unreadable("reveal", _n("These are not the bytes the seat has committed to."))
    part.reveal = told
    part.save(update_fields=["reveal"])


def withholding(shoe: Shoe) -> list[ShoeSeat]:
    """The parts of a locked shoe that have not been revealed."""
    return [part for part in shoe.seats.all() if not part.reveal]


def mix(shoe: Shoe, now: datetime) -> None:
    """Mix the reveals into the cut: from now on the shoe can be dealt from."""
    parts = list(shoe.seats.all())
    reveals = {part.number: from_hex(part.reveal) for part in parts}
    shoe.mix = Ceremony(shoe.code).mix(from_hex(shoe.lock), reveals).hex()
    shoe.status = Shoe.Status.OPEN
    shoe.save(update_fields=["mix", "status"])
    _publish("reveal", now, shoe=shoe.code, mix=shoe.mix, reveals=_by_seat(parts, "reveal"))


def void(shoe: Shoe, reason: str, now: datetime) -> None:
    """Take a shoe away for good; why is public."""
    shoe.status, shoe.void_reason = Shoe.Status.VOID, reason
    shoe.save(update_fields=["status", "void_reason"])
    _publish("void", now, shoe=shoe.code, reason=reason)


def cards(shoe: Shoe) -> tuple[Card, ...]:
    """All cards of a mixed shoe in dealing order. They are for the rules, never for a page."""
    sealed, order = _opened(shoe.code, shoe.secret, shoe.mix, shoe.decks, shoe.jokers)
    return sealed.deal(order)


def secret_of(shoe: Shoe) -> bytes:
    """The secret itself: for the audit alone."""
    return decrypt(shoe.secret)


def draw(shoe: Shoe, round_number: int, label: str, n: int) -> Draw:
    """What the protocol draws beside the cards in a round of this shoe."""
    sealed, _ = _opened(shoe.code, shoe.secret, shoe.mix, shoe.decks, shoe.jokers)
    link = sealed.hidden.draws[round_number]
    return Ceremony(shoe.code).draw(from_hex(shoe.mix), link, label, n)


def proof(
    shoe: Shoe, *, first: int, round_number: int, places: Iterable[int], draws: Iterable[Draw]
) -> ShoeProof:
    """What is published of a shoe to somebody who may see the cards at these places of a hand."""
    sealed, order = _opened(shoe.code, shoe.secret, shoe.mix, shoe.decks, shoe.jokers)
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
        seats=tuple(_part_told(part) for part in shoe.seats.all()),
        lock=shoe.lock,
        mix=shoe.mix,
        x_m=sealed.hidden.draws[round_number].hex(),
        draws=tuple(draws),
        openings=tuple(sealed.open(order, first + place) for place in sorted(places)),
    )


def _part_told(part: ShoeSeat) -> SeatProof:
    who: Literal["player", "house"] = "house" if part.by_house else "player"
    return SeatProof(part.number, who, part.commit, part.reveal or None)


@lru_cache(maxsize=256)
def _opened(
    code: str, encrypted: str, mixed: str, decks: int, jokers: bool
) -> tuple[Sealed, tuple[int, ...]]:
    """A shoe made again from its secret, and its cut. Kept in this process alone."""
    ceremony, whole = Ceremony(code), composition(decks, jokers)
    sealed = ceremony.seal(decrypt(encrypted), whole)
    return sealed, ceremony.cut(from_hex(mixed), len(whole))


def _by_seat(parts: Iterable[ShoeSeat], what: str) -> dict[str, str]:
    return {str(part.number): getattr(part, what) for part in parts}


def _publish(kind: str, now: datetime, **body: object) -> None:
    ChainEntry.objects.create(kind=kind, body=to_builtins(body), made_at=now)
