"""The table, the same for all viewers: all cards lie open, and the rest of the shoe is not here."""

from games.rules.blackjack.state import Box
from games.rules.cards import Card
from games.rules.contract import Seat, View
from games.rules.house.sides import SideView


class BlackjackView(View, frozen=True, kw_only=True, tag="blackjack"):
    """The bets, cards and draws of a round; `box` and `hand` say which hand is decided about."""

    phase: str
    done: tuple[Seat, ...]
    boxes: tuple[Box, ...]
    dealer: tuple[Card, ...]
    box: int | None
    hand: int | None
    sides: SideView | None
