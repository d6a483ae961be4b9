"""Paying the boxes of a round that is over, hand by hand, insurance, and the bonus table.

Suited blackjack pays 10:1, mixed blackjack 5:1. With the third card suited six, seven and eight pay
240:1, mixed ones 60:1, three sevens of mixed suits 120:1; suited sevens get a share of the
progressive jackpot, those of spades a larger one, and never less than the line below them pays,
240:1. Where there is no jackpot to win they pay like mixed sevens.

The third card is the one drawn to the box's original hand, by a double too but not after a split;
or, as a table may say, the dealer's first card. No hand is two of these, so the best one pays.
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from games.rules.blackjack.state import BlackjackState, Box, Hand, Player, bets_of
from games.rules.blackjack.totals import BLACKJACKS, is_blackjack, points_of
from games.rules.cards import SUITS, Card
from games.rules.house.sides import Combination
from games.rules.house.till import EVEN, Odds, Till

ThirdCard = Literal["player", "dealer_up"]

SPADES: Final = SUITS.index("s")
SUITED_BLACKJACK: Final = Combination("suited_blackjack", Odds(10))
MIXED_BLACKJACK: Final = Combination("mixed_blackjack", Odds(5))
# The jackpot share of suited sevens in the printed table, in basis points: "or more".
SPADES_LEAST: Final = 2_000
SUITED_LEAST: Final = 1_000
SUITED_678: Final = Combination("suited_678", Odds(240))
MIXED_678: Final = Combination("mixed_678", Odds(60))
MIXED_777: Final = Combination("mixed_777", Odds(120))
SUITED_777: Final = Combination("suited_777", MIXED_777.odds)
SPADE_777: Final = Combination("spade_777", MIXED_777.odds)


class JackpotShares(NamedTuple):
    """The jackpot's share for three suited sevens, in basis points; 0 without a jackpot.

    A share pays no less than `least`, the highest line of fixed odds.
    """

    suited: int
    spades: int
    least: Odds | None = None


def combination(
    two: Sequence[Card], third: Card | None, shares: JackpotShares
) -> Combination | None:
    """The line of the bonus table that these cards hold."""
    if is_blackjack(two):
        return SUITED_BLACKJACK if two[0].suit == two[1].suit else MIXED_BLACKJACK
    if third is None:
        return None
    three = (*two, third)
    suited = len({card.suit for card in three}) == 1
    ranks = sorted([card.rank for card in three])
    if ranks == [6, 7, 8]:
        return SUITED_678 if suited else MIXED_678
    if ranks != [7, 7, 7]:
        return None
    if not suited:
        return MIXED_777
    plain, share_bp = (
        (SPADE_777, shares.spades) if third.suit == SPADES else (SUITED_777, shares.suited)
    )
    return Combination(plain.name, None, share_bp, shares.least) if share_bp else plain


def original_two(state: BlackjackState, box: Box) -> tuple[Card, Card]:
    """The first two cards dealt to a box, wherever a split has put them."""
    at, count = state.boxes.index(box), len(state.boxes)
    return state.cards[at], state.cards[count + 1 + at]


def third_card(state: BlackjackState, box: Box, reading: ThirdCard) -> Card | None:
    """The third card in a table's reading; None where the box has none."""
    if reading == "dealer_up":
        return state.dealer[0]
    cards = box.hands[0].cards
    return cards[2] if len(box.hands) == 1 and len(cards) > 2 else None


BLACKJACK: Final = Odds(3, 2)
INSURANCE: Final = Odds(2)


# The dealer's total; a blackjack, which is above all totals, has none.
Dealt = int | None


def pay_boxes(till: Till, state: BlackjackState, *, original_bets_only: bool) -> None:
    """Every player of every box, in box order and in the order in which they came to it."""
    dealer = None if state.dealer in BLACKJACKS else points_of(state.dealer)
    boxes = state.boxes
    if dealer is None and original_bets_only:
        boxes = tuple(map(_original_bets, boxes))
    for box in boxes:
        hands = box.hands
        for place, player in enumerate(box.players):
            if hands[0].ended == "blackjack":
                _pay_blackjack(till, box.number, player, dealer)
            elif len(hands) == 1:
                # Most boxes are not split; for them the loop below would take longer than a bet.
                _pay_hand(till, box, place, 0, dealer)
            else:
                for at in range(len(hands)):
                    _pay_hand(till, box, place, at, dealer)
            if player.insurance:
                _pay_insurance(till, box.number, player, dealer)


def _original_bets(box: Box) -> Box:
    """The box with its original bets, on the first hand: what was added comes back.

    A hand that was bust or surrendered had lost before.
    """
    original, nothing = bets_of(box.players), (0,) * len(box.players)
    hands = [
        Hand(hand.cards, nothing if at else original, "stood") if hand.ended == "stood" else hand
        for at, hand in enumerate(box.hands)
    ]
    return Box(box.number, box.players, tuple(hands))


def _pay_blackjack(till: Till, box: int, player: Player, dealer: Dealt) -> None:
    """3:2, a tie with the dealer's, or even money where that was taken."""
    if player.even_money:
        till.win(player.seat, "even_money", player.bet, EVEN, box)
    elif dealer is not None:
        till.win(player.seat, "blackjack", player.bet, BLACKJACK, box)


def _pay_hand(till: Till, box: Box, place: int, at: int, dealer: Dealt) -> None:
    """A player's bet on a hand; a guest may have none."""
    hand, seat, number = box.hands[at], box.players[place].seat, box.number
    bet = hand.bets[place]
    if not bet:
        return
    name = f"hand_{at + 1}" if len(box.hands) > 1 else "hand"
    if hand.ended == "surrendered":
        till.lose(seat, "surrendered_half", bet - bet // 2, number)
    elif hand.ended == "bust" or dealer is None:
        till.lose(seat, name, bet, number)
    else:
        above = 1 if dealer > 21 else points_of(hand.cards) - dealer
        if above > 0:
            till.win(seat, name, bet, EVEN, number)
        elif above < 0:
            till.lose(seat, name, bet, number)


def _pay_insurance(till: Till, box: int, player: Player, dealer: Dealt) -> None:
    if dealer is None:
        till.win(player.seat, "insurance", player.insurance, INSURANCE, box)
    else:
        till.lose(player.seat, "insurance", player.insurance, box)
