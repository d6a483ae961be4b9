"""The first places of an event or an evening that is over, as its end shows them."""

from typing import Final, NamedTuple

# Readers find the other places in the list below.
PLACES_SHOWN: Final = 3


class Placed(NamedTuple):
    """Who has taken a place, and what it has brought, as text; empty if nothing."""

    place: int
    player_id: int
    name: str
    face: int
    is_bot: bool
    brings: str
