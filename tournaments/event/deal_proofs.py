"""The proof of a deal in duplicate rounds: with the event's seal, entrants, lock and mix."""

from games.rules.cards import composition
from games.rules.event_shoe import EventProtocol
from games.rules.shoe import DealProof, EntrantProof
from tournaments.event import deals, mixing
from tournaments.event.organiser import structure_of
from tournaments.models import Deal


def proof_of(name: str) -> DealProof | None:
    """The proof of a deal by its name; None for any other name."""
    deal = Deal.objects.select_related("tournament__shoe").filter(code=name).first()
    if deal is None:
        return None
    tournament = deal.tournament
    shoe, played = tournament.shoe, structure_of(tournament).duplicate
    assert played is not None
    own = EventProtocol(shoe.code).seal(deals.SECRET.open(shoe), composition()).seal
    return DealProof(
        event=shoe.code,
        round_number=deal.round,
        deal=deal.number,
        deals_a_round=played.deals,
        sealed=own.hex(),
        deals=tuple(deals.seals(tournament)),
        seal=shoe.seal,
        entrants=tuple(
            EntrantProof(
                part.number, "house" if part.by_house else "player", part.commit, part.reveal
            )
            for part in mixing.parts(tournament)
        ),
    )
