"""Where everybody sits on the screen: the viewer at the bottom, the others around the board."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from games.rules.catalogue import GAMES

# The families in which one plays to the right, as at a Chinese table.
TO_THE_RIGHT: Final = frozenset(("doudizhu",))
# More than so many do not fit one above the other.
SIDE_MAX: Final = 3


class Place(NamedTuple):
    """A place at the table, with whoever sits there."""

    number: int
    seat: Any = None


class Around(NamedTuple):
    """The places by the sides of the screen, each in the order of the clock."""

    left: tuple[Place, ...]
    top: tuple[Place, ...]
    right: tuple[Place, ...]
    bottom: tuple[Place, ...]


def around(
    game: str, seats: Iterable[Any], free: Iterable[int] = (), mine: int | None = None
) -> Around:
    """The table as its viewer sits at it; an onlooker looks over the lowest seat's shoulder."""
    places = [Place(seat.number, seat) for seat in seats] + [Place(number) for number in free]
    places.sort()
    if not places:
        return Around((), (), (), ())
    numbers = [place.number for place in places]
    at = numbers.index(mine) if mine in numbers else 0
    others = places[at + 1 :] + places[:at]
    if GAMES[game].family in TO_THE_RIGHT:
        others.reverse()
    left, top, right = _by_sides(others)
    return Around(left, top, right, (places[at],))


def _by_sides(
    others: Sequence[Place],
) -> tuple[tuple[Place, ...], tuple[Place, ...], tuple[Place, ...]]:
    count = len(others)
    side = 0 if count == 1 else 1 if count < 6 else min(SIDE_MAX, count // 3)
    cut = count - side
    return tuple(others[:side]), tuple(others[side:cut]), tuple(others[cut:])
