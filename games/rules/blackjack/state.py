"""A round of blackjack: boxes, the players on each, and their hands.

The state holds no rule. The phases are `bet`; `insurance`, when the players of a box are asked for
insurance or even money; `play`, when a controller is to play a hand; `double` and `split`, when the
guests are asked to follow one; then `dealer`, which no one sees, and `pool` and `over`. By the
third edition `offer` comes in place of `insurance`: once for all boxes, right after the deal.
"""

from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from games.rules.cards import ACE, Card
from games.rules.contract import Party, Seat
from games.rules.house.bonus import BonusState

PLAYERS = 3

# How a hand has ended. `stood` is said of 21 too, of split aces, and of a doubled hand not bust.
Ended = Literal["stood", "bust", "surrendered", "blackjack"]


class Player(Struct, frozen=True, gc=False):
    """The part of one seat in a box, hands aside; the first to bet is the controller."""

    seat: Seat
    bet: int = field(name="stake")
    bonus: int
    insurance: int = 0
    even_money: bool = False


class Hand(Struct, frozen=True, gc=False):
    """One hand, with the bet of each player of the box on it; a guest may have none."""

    cards: tuple[Card, ...]
    bets: tuple[int, ...] = field(name="stakes")
    ended: Ended | None = None


class Box(Struct, frozen=True, gc=False):
    """A box that is bet on; it has hands once the cards are dealt."""

    number: int
    players: tuple[Player, ...] = ()
    hands: tuple[Hand, ...] = ()


class BlackjackState(BonusState, frozen=True, kw_only=True):
    """A round: what is bet, dealt and drawn, and who decides about which hand.

    `at_box` is a place in `boxes`, `waiting` are the seats to act, and `followers` the guests who
    have followed the double or split that they are asked about.
    """

    boxes: tuple[Box, ...] = ()
    dealer: tuple[Card, ...] = ()
    drawn: int = 0
    at_box: int = 0
    at_hand: int = 0
    waiting: tuple[Seat, ...] = ()
    followers: tuple[Seat, ...] = ()
    # Whether everybody has been asked about all their boxes at once.
    offered: bool = False

    @property
    def box(self) -> Box:
        """The box that is decided about."""
        return self.boxes[self.at_box]

    @property
    def hand(self) -> Hand:
        """The hand that is decided about."""
        return self.boxes[self.at_box].hands[self.at_hand]

    @property
    def ace_up(self) -> bool:
        return self.dealer[0].rank == ACE


def place_of(box: Box, seat: Party) -> int:
    """The position of a seat among the players of its box."""
    for place, player in enumerate(box.players):
        if player.seat == seat:
            return place
    raise AssertionError("asked for a seat that is not on this box")


def with_bet(
    players: tuple[Player, ...], seat: Seat, amount: int, bonus: int
) -> tuple[tuple[Player, ...], Player]:
    """The players of a box with chips added for a seat, which keeps its place, and that seat."""
    for place, player in enumerate(players):
        if player.seat == seat:
            mine = replace(player, bet=player.bet + amount, bonus=player.bonus + bonus)
            return (*players[:place], mine, *players[place + 1 :]), mine
    mine = Player(seat, amount, bonus)
    return (*players, mine), mine


def committed(boxes: tuple[Box, ...], seat: Party) -> int:
    """Everything a seat has on these boxes: bets, doubled and split ones, bonus, insurance."""
    amount = 0
    for box in boxes:
        for place, player in enumerate(box.players):
            if player.seat == seat:
                amount += player.bonus + player.insurance
                if box.hands:
                    amount += sum([hand.bets[place] for hand in box.hands])
                else:
                    amount += player.bet
    return amount


def changed(box: Box, seat: Party, **fields: int) -> Box:
    """The box with something changed of one of its players."""
    players = [replace(one, **fields) if one.seat == seat else one for one in box.players]
    return replace(box, players=tuple(players))
