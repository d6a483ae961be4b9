"""The results of a round's boxes against the house, in box order.

On each box come first the antes that went for cards, then ante and bet, then the insurance. Main
bets are ante and bet; what they win is cut at the maximum payout of the box. By the second edition
of the rules the insurance counts with them; by the first it is paid in full.
"""

from games.rules.house.till import EVEN, Till
from games.rules.russian_poker.boxes import RussianBox, RussianState, hand_win, insurable
from games.rules.russian_poker.hands import best_value, qualifies, read_hand, value_of


def settle_boxes(state: RussianState, max_payout: int, *, insurance_counts: bool) -> Till:
    """The till after everything but the bonus bets."""
    till = Till(state.stakes, max_payout)
    for box in state.boxes:
        _pay_for_cards(till, box)
        if box.folded:
            till.lose(box.seat, "ante", box.ante, box.box)
        else:
            _settle_hand(till, state, box)
        if box.insurance:
            _settle_insurance(till, state, box, max_payout, insurance_counts)
    return till


def _pay_for_cards(till: Till, box: RussianBox) -> None:
    for bought in (box.drawn, box.answer):
        if bought and bought != "accept":
            till.charge(f"{bought}_paid", box.seat, box.ante, {"box": box.box})


def _settle_hand(till: Till, state: RussianState, box: RussianBox) -> None:
    """Ante and bet against the dealer's hand, the changed one for a box that has bought it."""
    dealer = state.changed_dealer if box.answer == "buy_dealer" else state.dealer
    dealer_value = value_of(dealer)
    if not qualifies(dealer_value):
        till.win(box.seat, "ante", box.ante, EVEN, box.box)
        return
    value = best_value(box.cards)
    if value < dealer_value:
        till.lose(box.seat, "ante", box.ante, box.box)
        till.lose(box.seat, "bet", box.bet, box.box)
    elif value > dealer_value:
        combinations = read_hand(box.cards).combinations
        for key, combination in zip(("hand_won", "second_won"), combinations, strict=False):
            till.win_hand(key, box.seat, box.bet, combination.odds, box.box, combination.name)


def _settle_insurance(
    till: Till, state: RussianState, box: RussianBox, max_payout: int, counts: bool
) -> None:
    """It wins where the first five of the dealer do not qualify.

    On a blind box it was placed unseen: it counts only with a hand that may be insured, and only
    for what that hand would win; the excess is returned.
    """
    hand = read_hand(box.cards)
    if not insurable(hand):
        return
    amount = min(box.insurance, hand_win(box.ante, hand, max_payout))
    if state.dealer_qualifies:
        till.lose(box.seat, "insurance", amount, box.box)
    elif counts:
        till.win_named("insurance_won", box.seat, amount, box.box)
    else:
        till.prize("insurance_won", box.seat, amount, {"box": box.box})
