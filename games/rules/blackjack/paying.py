"""Paying the boxes of a round that is over: hand by hand, then insurance."""

from typing import Final

from games.rules.blackjack.state import BlackjackState, Box, Hand, Player, bets_of
from games.rules.blackjack.totals import BLACKJACKS, points_of
from games.rules.house.till import EVEN, Odds, Till

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
