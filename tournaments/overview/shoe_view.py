"""The published values of an event's shoe: enough to compute lock, mix and every draw again.

Browsers that take part in the mix read it, as do programs and readers who check a draw.
"""

from typing import Final, NamedTuple

from tournaments.event import mixing
from tournaments.event.organiser import structure_of
from tournaments.mathematics.preview import sizes_of
from tournaments.models import Draw, EventShoe, TableChange, Tournament

FORMAT: Final = "event-shoe/1"


def published(tournament: Tournament) -> dict[str, object]:
    """The public part of an event's shoe, and what was drawn from it."""
    shoe: EventShoe = tournament.shoe
    sealed = mixing.sealed_of(shoe)
    return {
        "format": FORMAT,
        "id": shoe.code,
        "status": shoe.status,
        "seal": shoe.seal,
        "key": shoe.key,
        "x_0": shoe.x_0,
        "leaves": [leaf.hex() for leaf in sealed.leaves],
        # With deals the seal is over the shoe's own and theirs.
        "sealed": sealed.seal.hex(),
        "deals": mixing.seals(tournament),
        "lock": shoe.lock,
        "mix": shoe.mix,
        "entrants": [
            {
                "entrant": part.number,
                "who": "house" if part.by_house else "player",
                "commit": part.commit,
                "reveal": part.reveal,
            }
            for part in mixing.parts(tournament)
        ],
        "draws": [_draw(made) for made in tournament.draws.order_by("number")],
        "sizes": list(sizes_of(structure_of(tournament))),
        "seats": first_seats(tournament),
    }


class DrawnOrder(NamedTuple):
    """One draw of the shoe: the things in the order drawn."""

    label: str
    things: list[int]


def draws_in_order(tournament: Tournament) -> list[DrawnOrder]:
    """All draws of an event, the first one first."""
    made = tournament.draws.order_by("number")
    return [DrawnOrder(draw.label, mixing.drawn(draw)) for draw in made]


def first_seats(tournament: Tournament) -> list[dict[str, int]]:
    """Return the entrants' first seats; empty until all of them are seated."""
    if tournament.started_at is None:
        return []
    moves = tournament.moves.filter(why=TableChange.Why.START, to_seat__isnull=False)
    columns = ("entry__number", "to_table__event_table__number", "to_seat")
    return [
        {"entrant": entrant, "table": table, "seat": seat}
        for entrant, table, seat in moves.order_by(*columns[1:]).values_list(*columns)
    ]


def _draw(made: Draw) -> dict[str, object]:
    return {
        "label": made.label,
        "link": made.link,
        "x_m": made.x_m,
        "things": made.things,
        "order": made.order,
    }
