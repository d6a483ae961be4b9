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
from games.rules.shoe import ROUNDS_MAX, Sealed, from_hex
from games.shoes import chain
from tournaments.event import deals
from tournaments.event.organiser import locked, save, structure_digest
from tournaments.models import Draw, Entry, EventShoe, Tournament
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
    whole = deals.seal(tournament, protocol, secret, sealed.seal).hex()
    shoe = EventShoe.objects.create(
        tournament=tournament,
        code=protocol.id,
        secret=deals.SECRET.seal(secret, protocol.id),
        seal=whole,
        key=sealed.key.hex(),
        x_0=sealed.x_0.hex(),
        sealed_at=now,
    )
    of_deals = deals.seals(tournament)
    over = {"sealed": sealed.seal.hex(), "deals": of_deals} if of_deals else {}
    announced = {
        "structure": structure_digest(tournament),
        "starts_at": tournament.starts_at.isoformat() if tournament.starts_at else "",
    }
    sealed_with = {"seal": shoe.seal, "key": shoe.key, "x_0": shoe.x_0}
    _publish("event_seal", shoe, now, **sealed_with, **announced, **over)
    return shoe


# Verbs of entrants.


def commit(player: Player, tournament_id: int, commitment: str) -> str:
    """Store an entrant's commit and return the one that counts: the first."""
    from_hex(commitment)
    with transaction.atomic():
        tournament = locked(tournament_id)
        if tournament.shoe.status != EventShoe.Status.SEALED:
            raise Refused("shoe_locked", _n("The shoe is locked already."))
        entry = _entrant(tournament, player)
        if not entry.commit:
            entry.commit, entry.by_house = commitment, False
            entry.save(update_fields=["commit", "by_house"])
        return entry.commit


def withdraw(player: Player, tournament_id: int, commitment: str) -> None:
    """Withdraw a commit before the lock: an entrant who leaves may not be there to reveal."""
    from_hex(commitment)
    with transaction.atomic():
        tournament = locked(tournament_id)
        if tournament.shoe.status != EventShoe.Status.SEALED:
            raise Refused("shoe_locked", _n("The shoe is locked already."))
        entry = _entrant(tournament, player)
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
    protocol, secret = EventProtocol(shoe.code), deals.SECRET.open(shoe)
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
    protocol, secret = EventProtocol(shoe.code), deals.SECRET.open(shoe)
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
    protocol, secret = EventProtocol(shoe.code), deals.SECRET.open(shoe)
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
    secret = deals.SECRET.open(shoe)
    return EventProtocol(shoe.code).seal(secret, composition(shoe.decks, shoe.jokers))


def _publish(kind: str, shoe: EventShoe, now: datetime, **body: object) -> None:
    body = {"event_shoe": shoe.code, "tournament": shoe.tournament_id, **body}
    chain.add(kind, body, now)
