"""The deals of duplicate rounds: sealed with the event, and laid on every table of their round.

A deal's secret follows from that of the event's shoe, so nothing of it is stored before it is laid.
Only its seal is stored, which is part of the event's own seal and so of its lock.
"""

from typing import Final

from games.rules.event_shoe import EventProtocol
from games.rules.shoe import Sealed, ShoeProtocol, from_hex
from games.shoes.deals import Dictated
from tournaments.event.organiser import structure_of
from tournaments.mathematics.structure import game_at
from tournaments.models import Deal, EventShoe, Tournament
from wallets.storage.sealed_columns import sealed_column

SECRET: Final = sealed_column(EventShoe, "secret")


def seal(tournament: Tournament, protocol: EventProtocol, secret: bytes, own: bytes) -> bytes:
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
