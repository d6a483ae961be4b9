"""Paying the boxes of a round that is over: hand by hand, then insurance."""

from typing import Final

from games.rules.blackjack.state import BlackjackState, Hand, Player
from games.rules.blackjack.totals import is_blackjack, points_of
from games.rules.house.till import EVEN, Odds, Till

BLACKJACK: Final = Odds(3, 2)
INSURANCE: Final = Odds(2)


def pay_boxes(till: Till, state: BlackjackState, *, original_bets_only: bool) -> None:
    """Every player of every box, in box order and in the order in which they came to it."""
    dealer = points_of(state.dealer)
    taken = is_blackjack(state.dealer)
    for box in state.boxes:
        number, hands = box.number, box.hands
        for place, player in enumerate(box.players):
            for at, hand in enumerate(hands):
                stake = hand.stakes[place]
                if hand.ended == "blackjack":
                    _pay_blackjack(till, number, player, taken=taken)
                    continue
                if taken and original_bets_only and hand.ended == "stood":
                    # Original stakes lie on the first hand; all else was added.
                    stake = 0 if at else player.stake
                if hand.ended == "surrendered":
                    till.lose(player.seat, "surrendered_half", stake - stake // 2, number)
                elif stake and (result := _result(hand, dealer, taken)):
                    bet = f"hand_{at + 1}" if len(hands) > 1 else "hand"
                    if result > 0:
                        till.win(player.seat, bet, stake, EVEN, number)
                    else:
                        till.lose(player.seat, bet, stake, number)
            if player.insurance:
                _pay_insurance(till, number, player, taken=taken)


def _pay_blackjack(till: Till, box: int, player: Player, *, taken: bool) -> None:
    """3:2, a stand-off with the dealer's, or even money where that was taken."""
    if player.even_money:
        till.win(player.seat, "even_money", player.stake, EVEN, box)
    elif not taken:
        till.win(player.seat, "blackjack", player.stake, BLACKJACK, box)


def _result(hand: Hand, dealer: int, taken: bool) -> int:
    """Above 0 where a hand wins, below where it loses, 0 where it is a stand-off."""
    if taken or hand.ended == "bust":
        return -1
    return 1 if dealer > 21 else points_of(hand.cards) - dealer


def _pay_insurance(till: Till, box: int, player: Player, *, taken: bool) -> None:
    if taken:
        till.win(player.seat, "insurance", player.insurance, INSURANCE, box)
    else:
        till.lose(player.seat, "insurance", player.insurance, box)
