"""The places on the screen: the viewer at the bottom, the others around the board."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from games.boards.family import family_of

# More than this many do not fit one above the other.
SIDE_MAX: Final = 3


class Place(NamedTuple):
    """A place at the table, and the seat there, if it is taken."""

    number: int
    seat: Any = None


class SeatLayout(NamedTuple):
    """The places by the sides of the screen, each in the order of the clock."""

    left: tuple[Place, ...]
    top: tuple[Place, ...]
    right: tuple[Place, ...]
    bottom: tuple[Place, ...]


def seat_layout(
    game: str, seats: Iterable[Any], free: Iterable[int] = (), mine: int | None = None
) -> SeatLayout:
    """The table from the viewer's seat; a spectator sees it from the lowest seat."""
    places = [Place(seat.number, seat) for seat in seats] + [Place(number) for number in free]
    places.sort()
    if not places:
        return SeatLayout((), (), (), ())
    numbers = [place.number for place in places]
    at = numbers.index(mine) if mine in numbers else 0
    others = places[at + 1 :] + places[:at]
    if family_of(game).plays_to_the_right:
        others.reverse()
    left, top, right = _by_sides(others)
    return SeatLayout(left, top, right, (places[at],))


def _by_sides(
    others: Sequence[Place],
) -> tuple[tuple[Place, ...], tuple[Place, ...], tuple[Place, ...]]:
    count = len(others)
    side = 0 if count == 1 else 1 if count < 6 else min(SIDE_MAX, count // 3)
    cut = count - side
    return tuple(others[:side]), tuple(others[side:cut]), tuple(others[cut:])
