"""The event's shoe: sealed when the event is announced, mixed by its entrants, drawn from later.

Entrants commit while the event is announced, and reveal once it locks the shoe to begin. For those
who send nothing, and for those who withhold their bytes, the house mixes: a start cannot wait.
Every draw is a row with the order and the link from which it can be recomputed.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from games.rules.cards import composition
from games.rules.errors import Unreadable
from games.rules.event_shoe import EventProtocol
from games.rules.shoe import ROUNDS_MAX, DealProof, EntrantProof, Sealed, ShoeProtocol, from_hex
from games.shoes import chain
from games.shoes.deals import Dictated
from tournaments.event.organiser import locked, save, structure_digest, structure_of
from tournaments.mathematics.structure import game_at
from tournaments.models import Deal, Draw, Entry, EventShoe, Tournament
from wallets.storage.sealed_columns import sealed_column
from wallets.storage.signing import public_keys, sign
from wallets.values.errors import Refused
from wallets.values.player import Player

# How long entrants have to reveal. Their pages may be anywhere, so it is more than at a table.
REVEAL_TIME: Final = timedelta(seconds=5)


def seal(tournament: Tournament, now: datetime) -> EventShoe:
    """Seal and publish the shoe of an event that is being announced."""
    secret = secrets.token_bytes(32)
    protocol = EventProtocol(f"E{tournament.pk}-{secrets.randbelow(10**6):06}")
    sealed = protocol.seal(secret, composition())
    whole = seal_deals(tournament, protocol, secret, sealed.seal).hex()
    shoe = EventShoe.objects.create(
        tournament=tournament,
        code=protocol.id,
        secret=SECRET.seal(secret, protocol.id),
        seal=whole,
        key=sealed.key.hex(),
        x_0=sealed.x_0.hex(),
        sealed_at=now,
    )
    of_deals = seals(tournament)
    over = {"sealed": sealed.seal.hex(), "deals": of_deals} if of_deals else {}
    announced = {
        "structure": structure_digest(tournament),
        "starts_at": tournament.starts_at.isoformat() if tournament.starts_at else "",
    }
    sealed_with = {"seal": shoe.seal, "key": shoe.key, "x_0": shoe.x_0}
    _publish("event_seal", shoe, now, **sealed_with, **announced, **over)
    return shoe


# Verbs of entrants.


def _entrant_before_lock(tournament_id: int, player: Player) -> Entry:
    tournament = locked(tournament_id)
    if tournament.shoe.status != EventShoe.Status.SEALED:
        raise Refused("shoe_locked", _n("The shoe is locked already."))
    return _entrant(tournament, player)


def commit(player: Player, tournament_id: int, commitment: str) -> str:
    """Store an entrant's commit and return the one that counts: the first."""
    from_hex(commitment)
    with transaction.atomic():
        entry = _entrant_before_lock(tournament_id, player)
        if not entry.commit:
            entry.commit, entry.by_house = commitment, False
            entry.save(update_fields=["commit", "by_house"])
        return entry.commit


def withdraw(player: Player, tournament_id: int, commitment: str) -> None:
    """Withdraw a commit before the lock: an entrant who leaves may not be there to reveal."""
    from_hex(commitment)
    with transaction.atomic():
        entry = _entrant_before_lock(tournament_id, player)
        if entry.commit == commitment:
            entry.commit, entry.by_house = "", True
            entry.save(update_fields=["commit", "by_house"])


def reveal(player: Player, tournament_id: int, octets_hex: str, now: datetime) -> dict[str, object]:
    """Store an entrant's bytes and return a signed receipt; after the last, the draw is due."""
    octets = from_hex(octets_hex)
    with transaction.atomic():
        tournament = locked(tournament_id)
        shoe, entry = tournament.shoe, _entrant(tournament, player)
        if entry.reveal != octets_hex:
            if shoe.status != EventShoe.Status.LOCKED or entry.by_house:
                raise Refused("no_reveal_due", _n("No reveal is due from this entrant."))
            if EventProtocol(shoe.code).commitment(entry.number, octets).hex() != entry.commit:
                raise Unreadable("reveal", _n("These are not the bytes that were committed to."))
            entry.reveal = octets_hex
            entry.save(update_fields=["reveal"])
            if not _withholding(tournament):
                tournament.due_at = now
                save(tournament, ["due_at"])
        return _receipt(shoe, entry, octets, now)


def _entrant(tournament: Tournament, player: Player) -> Entry:
    entry = tournament.all_entries.filter(player=player.pk).first()
    if entry is None or entry.state not in Entry.LEFT:
        raise Refused("not_entered", _n("You have not entered this tournament."))
    return entry


def _withholding(tournament: Tournament) -> bool:
    return bool(tournament.all_entries.filter(by_house=False, reveal="").exists())


def _receipt(shoe: EventShoe, entry: Entry, octets: bytes, now: datetime) -> dict[str, object]:
    statement = {
        "shoe": shoe.code,
        "entrant": entry.number,
        "seal": shoe.seal,
        "lock": shoe.lock,
        "commit": entry.commit,
        "reveal_hash": sha256(octets).hexdigest(),
        "at": now.isoformat(),
    }
    signature = sign("receipt", statement)
    return {"statement": statement, "signature": signature, "key": public_keys()[0]}


# Verbs of the house, under the organiser's lock.


def lock(tournament: Tournament, now: datetime) -> bool:
    """Lock the shoe with the commits of all who entered; whether an entrant has to reveal."""
    shoe = tournament.shoe
    protocol, secret = EventProtocol(shoe.code), SECRET.open(shoe)
    given = _given(tournament)
    commits = {
        number: from_hex(commitment)
        if commitment
        else protocol.commitment(number, protocol.house_reveal(secret, number))
        for number, commitment, _ in given
    }
    shoe.lock = protocol.lock(from_hex(shoe.seal), commits).hex()
    shoe.status, shoe.locked_at = EventShoe.Status.LOCKED, now
    shoe.reveal_until = now + REVEAL_TIME
    shoe.save(update_fields=["lock", "status", "locked_at", "reveal_until"])
    shown = {str(number): value.hex() for number, value in commits.items()}
    _publish("event_lock", shoe, now, lock=shoe.lock, commits=shown)
    return any(commitment for _, commitment, _ in given)


def is_mixed(tournament: Tournament) -> bool:
    return bool(tournament.shoe.status == EventShoe.Status.OPEN)


def may_mix(tournament: Tournament, now: datetime) -> bool:
    """Whether all have revealed, or the time for it is over."""
    until = tournament.shoe.reveal_until
    assert until is not None
    return now >= until or not _withholding(tournament)


def mix(tournament: Tournament, now: datetime) -> None:
    """Mix what was revealed; for those who withheld it the house mixes, and says so."""
    shoe = tournament.shoe
    protocol, secret = EventProtocol(shoe.code), SECRET.open(shoe)
    given = _given(tournament)
    reveals = {
        number: from_hex(revealed) if revealed else protocol.house_reveal(secret, number)
        for number, _, revealed in given
    }
    withheld = [number for number, commitment, revealed in given if commitment and not revealed]
    if withheld:
        tournament.all_entries.filter(number__in=withheld).update(by_house=True)
    shoe.mix = protocol.mix(from_hex(shoe.lock), reveals).hex()
    shoe.status = EventShoe.Status.OPEN
    shoe.save(update_fields=["mix", "status"])
    shown = {str(number): value.hex() for number, value in reveals.items()}
    _publish("event_mix", shoe, now, mix=shoe.mix, reveals=shown, withheld=withheld)


def _given(tournament: Tournament) -> list[tuple[int, str, str]]:
    """Return number, commit and reveal of each entrant of the start."""
    entered = tournament.all_entries.filter(state=Entry.State.REGISTERED).order_by("number")
    return list(entered.values_list("number", "commit", "reveal"))


class Part(NamedTuple):
    """One entrant's part in mixing the shoe, in hexadecimal digits."""

    number: int
    by_house: bool
    commit: str
    reveal: str


def parts(tournament: Tournament) -> list[Part]:
    """All that was published of the entrants' parts: nothing before the lock, no reveal before the
    mix. An entrant who committed and withheld the bytes has a commit of their own and a house's
    reveal.
    """
    shoe = tournament.shoe
    if not shoe.lock:
        return []
    protocol, secret = EventProtocol(shoe.code), SECRET.open(shoe)
    took_part = tournament.all_entries.exclude(state=Entry.State.WITHDRAWN).filter(
        registered_at__lte=shoe.locked_at
    )
    parts = []
    for entry in took_part.order_by("number"):
        by_house = protocol.house_reveal(secret, entry.number)
        commitment = entry.commit or protocol.commitment(entry.number, by_house).hex()
        revealed = (entry.reveal or by_house.hex()) if shoe.mix else ""
        parts.append(Part(entry.number, entry.by_house, commitment, revealed))
    return parts


def void(tournament: Tournament, now: datetime, reason: str) -> None:
    """Take away the shoe of an event that never began."""
    shoe = tournament.shoe
    if shoe.status in (EventShoe.Status.SEALED, EventShoe.Status.LOCKED):
        shoe.status = EventShoe.Status.VOID
        shoe.save(update_fields=["status"])
        _publish("event_void", shoe, now, reason=reason)


def draw(tournament: Tournament, label: str, things: Sequence[int], now: datetime) -> Draw:
    """Draw an order of things, once a label, and record it; the caller saves `draws_made`."""
    earlier = tournament.draws.filter(label=label).first()
    if earlier is not None:
        return earlier
    tournament.draws_made += 1
    # A shoe has so many links; later draws differ by label.
    link = min(tournament.draws_made, ROUNDS_MAX)
    x_m = x_of(tournament.shoe, link)
    return Draw.objects.create(
        tournament=tournament,
        number=tournament.draws_made,
        label=label,
        things=list(things),
        size=len(things),
        link=link,
        x_m=x_m.hex(),
        order=list(order_of(tournament.shoe, x_m, label, len(things))),
        made_at=now,
    )


def drawn(made: Draw) -> list[int]:
    """The things of a draw in the order drawn."""
    return [made.things[place] for place in made.order]


def order_of(shoe: EventShoe, x_m: bytes, label: str, size: int) -> tuple[int, ...]:
    """Return the order that the shoe draws under a label, to draw it or to check it."""
    return EventProtocol(shoe.code).order(from_hex(shoe.mix), x_m, label, size)


def x_of(shoe: EventShoe, link: int) -> bytes:
    """A link of the chain of draws, from the secret; opened by the draw that uses it."""
    return sealed_of(shoe).hidden.draws[link]


def sealed_of(shoe: EventShoe) -> Sealed:
    """The shoe as it was sealed, from its secret; what is hidden in it stays here."""
    secret = SECRET.open(shoe)
    return EventProtocol(shoe.code).seal(secret, composition(shoe.decks, shoe.jokers))


def _publish(kind: str, shoe: EventShoe, now: datetime, **body: object) -> None:
    body = {"event_shoe": shoe.code, "tournament": shoe.tournament_id, **body}
    chain.add(kind, body, now)


# A deal's secret follows from that of the event's shoe, so nothing of it is stored before it is
# laid. Only its seal is stored, which is part of the event's own seal and so of its lock.

SECRET: Final = sealed_column(EventShoe, "secret")


def seal_deals(tournament: Tournament, protocol: EventProtocol, secret: bytes, own: bytes) -> bytes:
    """Seal all deals of an event that is being announced; the seal of the event over them."""
    played = structure_of(tournament).duplicate
    if played is None:
        return own
    rows = [
        _row(tournament, protocol, secret, (round_number, number))
        for round_number in range(1, played.rounds + 1)
        for number in range(1, played.deals + 1)
    ]
    Deal.objects.bulk_create(rows)
    return protocol.seal_with(own, [from_hex(row.seal) for row in rows])


def seals_due(tournament: Tournament, protocol: EventProtocol, secret: bytes) -> dict[str, bytes]:
    """The seals that the deals of an event must have, by their names; for the audit."""
    played = structure_of(tournament).duplicate
    if played is None:
        return {}
    sealed = (
        _sealed(tournament, protocol, secret, (round_number, number))
        for round_number in range(1, played.rounds + 1)
        for number in range(1, played.deals + 1)
    )
    return {deal.id: deal.seal for deal in sealed}


def seals(tournament: Tournament) -> list[str]:
    """The seals of all deals, in order; none where an event has no deals."""
    return list(tournament.deals.order_by("round", "number").values_list("seal", flat=True))


def _row(
    tournament: Tournament, protocol: EventProtocol, secret: bytes, which: tuple[int, int]
) -> Deal:
    sealed = _sealed(tournament, protocol, secret, which)
    return Deal(
        tournament=tournament,
        round=which[0],
        number=which[1],
        code=sealed.id,
        seal=sealed.seal.hex(),
    )


def _sealed(
    tournament: Tournament, protocol: EventProtocol, secret: bytes, which: tuple[int, int]
) -> Sealed:
    cards = game_at(structure_of(tournament), 1).composition()
    own = protocol.deal_secret(secret, *which)
    return ShoeProtocol(protocol.deal_name(*which)).seal(own, cards)


def dictated(deal: Deal) -> Dictated:
    """Return the deal for the tables: as it was sealed, cut by the mix of the event."""
    tournament, which = deal.tournament, (deal.round, deal.number)
    shoe = tournament.shoe
    protocol, secret = EventProtocol(shoe.code), SECRET.open(shoe)
    sealed = _sealed(tournament, protocol, secret, which)
    assert sealed.seal.hex() == deal.seal, "the deal is not the one that was sealed"
    return Dictated(sealed, protocol.deal_secret(secret, *which), shoe.lock, shoe.mix)


def proof_of(name: str) -> DealProof | None:
    """The proof of a deal by its name; None for any other name."""
    deal = Deal.objects.select_related("tournament__shoe").filter(code=name).first()
    if deal is None:
        return None
    tournament = deal.tournament
    shoe, played = tournament.shoe, structure_of(tournament).duplicate
    assert played is not None
    own = EventProtocol(shoe.code).seal(SECRET.open(shoe), composition()).seal
    return DealProof(
        event=shoe.code,
        round_number=deal.round,
        deal=deal.number,
        deals_a_round=played.deals,
        sealed=own.hex(),
        deals=tuple(seals(tournament)),
        seal=shoe.seal,
        entrants=tuple(
            EntrantProof(
                part.number, "house" if part.by_house else "player", part.commit, part.reveal
            )
            for part in parts(tournament)
        ),
    )
