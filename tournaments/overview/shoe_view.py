"""What has been published of an event's shoe: enough to compute lock, mix and every draw again.

Browsers that take part in the mix read it, programs, and whoever checks a draw.
"""

from typing import Any

from tournaments import mixing
from tournaments.models import Draw, EventShoe, Tournament


def published(tournament: Tournament) -> dict[str, Any]:
    """The public part of an event's shoe, and what was drawn from it."""
    shoe: EventShoe = tournament.shoe
    return {
        "id": shoe.code,
        "status": shoe.status,
        "seal": shoe.seal,
        "key": shoe.key,
        "x_0": shoe.x_0,
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
    }


def _draw(made: Draw) -> dict[str, Any]:
    return {
        "label": made.label,
        "link": made.link,
        "x_m": made.x_m,
        "things": made.things,
        "order": made.order,
    }
