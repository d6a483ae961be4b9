"""Paying the boxes of a round that is over: hand by hand, then insurance."""

from typing import Final

from games.rules.blackjack.state import BlackjackState, Box, Player
from games.rules.blackjack.totals import is_blackjack, points_of
from games.rules.house.till import EVEN, Odds, Till

BLACKJACK: Final = Odds(3, 2)
INSURANCE: Final = Odds(2)


# The dealer's total; a blackjack, which is above all totals, has none.
Dealt = int | None


def pay_boxes(till: Till, state: BlackjackState, *, original_bets_only: bool) -> None:
    """Every player of every box, in box order and in the order in which they came to it."""
    dealer = None if is_blackjack(state.dealer) else points_of(state.dealer)
    for box in state.boxes:
        hands = len(box.hands)
        for place, player in enumerate(box.players):
            if box.hands[0].ended == "blackjack":
                _pay_blackjack(till, box.number, player, dealer)
            elif hands == 1:
                # Most boxes are not split; for them the loop below would take longer than a bet.
                _pay_hand(till, box, place, 0, dealer, original_bets_only)
            else:
                for at in range(hands):
                    _pay_hand(till, box, place, at, dealer, original_bets_only)
            if player.insurance:
                _pay_insurance(till, box.number, player, dealer)


def _pay_blackjack(till: Till, box: int, player: Player, dealer: Dealt) -> None:
    """3:2, a tie with the dealer's, or even money where that was taken."""
    if player.even_money:
        till.win(player.seat, "even_money", player.bet, EVEN, box)
    elif dealer is not None:
        till.win(player.seat, "blackjack", player.bet, BLACKJACK, box)


def _pay_hand(
    till: Till, box: Box, place: int, at: int, dealer: Dealt, original_bets_only: bool
) -> None:
    """A player's bet on a hand; a guest may have none."""
    hand, seat = box.hands[at], box.players[place].seat
    amount, ended = hand.bets[place], hand.ended
    if not amount:
        return
    if ended == "surrendered":
        till.lose(seat, "surrendered_half", amount - amount // 2, box.number)
        return
    name = f"hand_{at + 1}" if len(box.hands) > 1 else "hand"
    if ended == "bust":
        till.lose(seat, name, amount, box.number)
    elif dealer is None:
        if original_bets_only:
            # Original bets lie on the first hand; all else was added, and comes back.
            amount = 0 if at else box.players[place].bet
        if amount:
            till.lose(seat, name, amount, box.number)
    else:
        above = 1 if dealer > 21 else points_of(hand.cards) - dealer
        if above > 0:
            till.win(seat, name, amount, EVEN, box.number)
        elif above < 0:
            till.lose(seat, name, amount, box.number)


def _pay_insurance(till: Till, box: int, player: Player, dealer: Dealt) -> None:
    if dealer is None:
        till.win(player.seat, "insurance", player.insurance, INSURANCE, box)
    else:
        till.lose(player.seat, "insurance", player.insurance, box)
