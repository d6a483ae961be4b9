"""A round of blackjack: boxes, the players on each, their hands, actions, and the view.

The state holds no rule. The phases are `bet`; `insurance`, when the players of a box are asked for
insurance or even money; `play`, when a controller is to play a hand; `double` and `split`, when the
guests are asked to follow one; then `dealer`, which no one sees, and `pool` and `over`. By the
third edition `offer` comes in place of `insurance`: once for all boxes, right after the deal.
"""

from operator import attrgetter
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from games.rules.cards import ACE, Card
from games.rules.contract import Action, Party, Seat, View
from games.rules.house.bonus import BonusState
from games.rules.house.sides import SideView
from wallets.values import AMOUNT_MAX

BOXES: int = 7
HANDS: int = 4

BoxNumber = Annotated[int, Meta(ge=1, le=BOXES)]
HandNumber = Annotated[int, Meta(ge=0, lt=HANDS)]
Chips = Annotated[int, Meta(ge=0, le=AMOUNT_MAX)]


class Bet(Action, frozen=True):
    """Chips on a box and on its bonus, each added to what the seat has there."""

    box: BoxNumber
    amount: Chips
    bonus: Chips = 0


class Hit(Action, frozen=True):
    """One card more."""

    box: BoxNumber
    hand: HandNumber


class Stand(Action, frozen=True):
    """No more cards; where insurance or even money is offered, neither."""

    box: BoxNumber
    hand: HandNumber


class Double(Action, frozen=True):
    """An equal stake more, and one last card."""

    box: BoxNumber
    hand: HandNumber


class Split(Action, frozen=True):
    """Two cards of equal points become two hands, at an equal stake."""

    box: BoxNumber
    hand: HandNumber


class Surrender(Action, frozen=True):
    """The hand is given up for half of its stake."""

    box: BoxNumber


class Insure(Action, frozen=True):
    """An amount on the dealer's blackjack."""

    box: BoxNumber
    amount: Annotated[int, Meta(ge=1, le=AMOUNT_MAX)]


class Decline(Action, frozen=True):
    """No insurance, or no more of it: the answer for all boxes of a seat."""


class EvenMoney(Action, frozen=True, tag="even_money"):
    """A blackjack is paid 1:1 at once."""

    box: BoxNumber


class Follow(Action, frozen=True):
    """A guest adds an equal stake to the controller's double or split, or does not."""

    box: BoxNumber
    yes: bool


PLAYERS: Final = 3
NUMBER_OF: Final = attrgetter("number")
SEAT_OF: Final = attrgetter("seat")

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
    # Whether each seat has been asked about all its boxes at once.
    offered: bool = False

    @property
    def box(self) -> Box:
        return self.boxes[self.at_box]

    @property
    def hand(self) -> Hand:
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


def bets_of(players: tuple[Player, ...]) -> tuple[int, ...]:
    """The bets of a box; most have one player, for whom a loop would take longer."""
    if len(players) == 1:
        return (players[0].bet,)
    return tuple([player.bet for player in players])


def player_on(box: Box | None, seat: Party) -> Player | None:
    """The part of a seat in a box; None while it has not bet there."""
    if box:
        for player in box.players:
            if player.seat == seat:
                return player
    return None


def box_numbered(boxes: tuple[Box, ...], number: int) -> Box | None:
    """The box of that number; None while it has no bet."""
    for box in boxes:
        if box.number == number:
            return box
    return None


def with_box(boxes: tuple[Box, ...], changed: Box) -> tuple[Box, ...]:
    """The boxes in their order, with this one, in place of what there was of its number."""
    if not boxes:
        return (changed,)
    others = [box for box in boxes if box.number != changed.number]
    return tuple(sorted([*others, changed], key=NUMBER_OF))


def with_player(box: Box | None, number: int, mine: Player) -> Box:
    """The box with a player in the place they have there, or behind the others."""
    if box is None:
        return Box(number, (mine,))
    seats = [player.seat for player in box.players]
    place = seats.index(mine.seat) if mine.seat in seats else len(seats)
    return Box(number, (*box.players[:place], mine, *box.players[place + 1 :]))


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
    players = [
        replace(player, **fields) if player.seat == seat else player for player in box.players
    ]
    return replace(box, players=tuple(players))


class BlackjackView(View, frozen=True, kw_only=True, tag="blackjack"):
    """The bets, cards and draws of a round; `box` and `hand` say which hand is decided about."""

    phase: str
    done: tuple[Seat, ...]
    boxes: tuple[Box, ...]
    dealer: tuple[Card, ...]
    box: int | None
    hand: int | None
    sides: SideView | None
