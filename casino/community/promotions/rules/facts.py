"""Facts: what players did, as far as promotions can reward it."""

from datetime import date, datetime
from typing import NamedTuple


class HandFact(NamedTuple):
    """A finished hand of one player at a cash table, amounts in minor units."""

    player: int
    hand: int
    at: datetime
    day: date
    # By the clock on the house's wall.
    hour: int
    game: str
    currency: str
    net: int = 0
    rake: int = 0
    # What was bet before the cards; among players what the winner won.
    bet: int = 0
    # The part of it that counts towards wagering: not the bets that cover one another.
    wagered: int = 0
    # What the house expects to keep of it, in thousandths of a minor unit.
    kept: int = 0
    feats: tuple[str, ...] = ()
    # How high the hand is among those of its game that can win a high hand; 0 if it cannot.
    high: int = 0
    # The number of the inviting player; 0 for a player who came alone.
    inviter: int = 0

    @property
    def is_won(self) -> bool:
        return self.net > 0

    @property
    def key(self) -> str:
        return f"hand:{self.hand}"


class DepositFact(NamedTuple):
    """Money that a player has paid in; `number` counts the player's deposits from 1."""

    player: int
    posting: int
    at: datetime
    day: date
    currency: str
    amount: int
    number: int

    @property
    def key(self) -> str:
        return f"deposit:{self.posting}"


class ForfeitFact(NamedTuple):
    """A player has given up a bonus."""

    player: int
    # The number of the bonus's version, and the fact that it was for.
    version: int
    award: str
    at: datetime


Fact = HandFact | DepositFact
