"""The sums of reports as plain values: alike from hands and from stored sums.

Amounts are minor units. `bet` is empty for a whole hand. The handle is what was bet before the
cards, on which the promised returns are reckoned; where players play one another it is what the
winners won, rake included.
"""

from dataclasses import dataclass, fields
from datetime import date
from typing import Final, NamedTuple, Self

# The bets against the house except the spots of baccarat: the main bet of a box, and its bonus bet.
WHOLE, MAIN, BONUS = "", "main", "bonus"


class Place(NamedTuple):
    """The table and profile of hands, with the day and the currency."""

    on: date
    table: int
    profile: str
    game: str
    currency: str


@dataclass(slots=True)
class _Sums:
    def add(self, other: Self) -> None:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


@dataclass(slots=True)
class TableSums(_Sums):
    """Of the hands at a table, or of one bet in them."""

    hands: int = 0
    reversed: int = 0
    # Hands in which a person played; the others are the house's bots among themselves.
    with_people: int = 0
    handle: int = 0
    # The house's win before the pools' shares.
    won: int = 0
    rake: int = 0
    # The pools' income less their payments.
    pools: int = 0
    # What the house won from its own bots, and their rake.
    from_bots: int = 0
    kept_squares: int = 0
    products: int = 0
    handle_squares: int = 0

    @property
    def kept(self) -> int:
        """The part of the handle that the house keeps, with rake and without the pools' money."""
        return self.won + self.rake - self.pools

    @property
    def gross(self) -> int:
        """What the house won and its rake, from people and bots."""
        return self.won + self.rake

    @property
    def from_people(self) -> int:
        return self.gross - self.from_bots

    @property
    def earned(self) -> int:
        """The part of the gross revenue that came from people and goes to no pool."""
        return self.kept - self.from_bots

    @property
    def counted(self) -> int:
        """The hands that stand."""
        return self.hands - self.reversed

    @classmethod
    def of_hand(cls, sign: int, handle: int, won: int, rake: int, pools: int) -> "TableSums":
        """One hand: with a sign of -1 it is reversed."""
        kept = won + rake - pools
        return cls(
            hands=int(sign > 0),
            reversed=int(sign < 0),
            handle=sign * handle,
            won=sign * won,
            rake=sign * rake,
            pools=sign * pools,
            kept_squares=sign * kept * kept,
            products=sign * kept * handle,
            handle_squares=sign * handle * handle,
        )


@dataclass(slots=True)
class PlayerSums(_Sums):
    """Of one player's hands at a table; `net` is after rake, as the stack changed."""

    hands: int = 0
    handle: int = 0
    net: int = 0
    rake: int = 0


@dataclass(slots=True)
class PoolSums(_Sums):
    """The amounts that hands put into a jackpot, and that it paid."""

    fed: int = 0
    hit: int = 0
    hits: int = 0


class TableFigure(NamedTuple):
    place: Place
    bet: str
    sums: TableSums


class PlayerFigure(NamedTuple):
    place: Place
    player: int
    sums: PlayerSums


class PoolFigure(NamedTuple):
    place: Place
    jackpot: int
    sums: PoolSums


TEXTS: Final = ("kept_squares", "products", "handle_squares")
