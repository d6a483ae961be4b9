"""Paying the boxes of a round that is over: hand by hand, then insurance."""

from typing import Final

from games.rules.blackjack.state import BlackjackState, Hand, Player
from games.rules.blackjack.totals import is_blackjack, total_of
from games.rules.house.till import EVEN, Odds, Till

BLACKJACK: Final = Odds(3, 2)
INSURANCE: Final = Odds(2)


def pay_boxes(till: Till, state: BlackjackState, *, original_bets_only: bool) -> None:
    """Every player of every box, in box order and in the order in which they came to it."""
    dealer = total_of(state.dealer).points
    taken = is_blackjack(state.dealer)
    for box in state.boxes:
        for place, player in enumerate(box.players):
            for number, hand in enumerate(box.hands):
                stake = hand.stakes[place]
                if not stake:
                    continue
                if hand.ended == "blackjack":
                    _pay_blackjack(till, box.number, player, taken=taken)
                    continue
                bet = "hand" if len(box.hands) == 1 else f"hand_{number + 1}"
                if taken and original_bets_only and hand.ended == "stood":
                    # Original stakes lie on the first hand; all else was added.
                    stake = 0 if number else player.stake
                _pay_hand(till, (player.seat, bet, box.number), stake, hand, dealer, taken=taken)
            if player.insurance:
                _pay_insurance(till, box.number, player, taken=taken)


def _pay_blackjack(till: Till, box: int, player: Player, *, taken: bool) -> None:
    """3:2, a stand-off with the dealer's, or even money where that was taken."""
    if player.even_money:
        till.win(player.seat, "even_money", player.stake, EVEN, box)
    elif not taken:
        till.win(player.seat, "blackjack", player.stake, BLACKJACK, box)


def _pay_hand(
    till: Till, place: tuple[int, str, int], stake: int, hand: Hand, dealer: int, *, taken: bool
) -> None:
    seat, bet, box = place
    if hand.ended == "surrendered":
        till.lose(seat, "surrendered_half", stake - stake // 2, box)
        return
    total = total_of(hand.cards).points
    if hand.ended == "bust" or taken or total < dealer <= 21:
        if stake:
            till.lose(seat, bet, stake, box)
    elif dealer > 21 or total > dealer:
        till.win(seat, bet, stake, EVEN, box)


def _pay_insurance(till: Till, box: int, player: Player, *, taken: bool) -> None:
    if taken:
        till.win(player.seat, "insurance", player.insurance, INSURANCE, box)
    else:
        till.lose(player.seat, "insurance", player.insurance, box)
