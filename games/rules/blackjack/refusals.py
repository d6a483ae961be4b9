"""The actions open to a hand, and the refusals of all others, with codes and sentences."""

from typing import Literal

from games.rules.blackjack.state import HANDS, BlackjackState, Box, Hand, Player
from games.rules.blackjack.totals import POINTS
from games.rules.errors import Illegal

Choice = Literal["stand", "hit", "double", "split", "surrender"]


def closed_box(number: int) -> Illegal:
    return Illegal("closed_box", "Box {box} is not open at this table.", box=number)


def full_box(number: int) -> Illegal:
    return Illegal("box_full", "Three players are on box {box} already.", box=number)


def not_this_box(number: int) -> Illegal:
    return Illegal("not_this_box", "It is box {box}'s turn.", box=number)


def not_this_hand(number: int) -> Illegal:
    return Illegal("not_this_hand", "It is hand {hand}'s turn.", hand=number)


def can_double(hand: Hand) -> bool:
    return len(hand.cards) == 2


def require_two_cards(hand: Hand) -> None:
    if not can_double(hand):
        raise Illegal("not_two_cards", "A double is for the first two cards of a hand.")


def is_pair(hand: Hand) -> bool:
    """Whether a hand is two cards of equal points."""
    cards = hand.cards
    return len(cards) == 2 and POINTS[cards[0]] == POINTS[cards[1]]


def can_split(box: Box, hand: Hand) -> bool:
    return is_pair(hand) and len(box.hands) < HANDS


def require_split(box: Box, hand: Hand) -> None:
    if not is_pair(hand):
        raise Illegal("no_pair", "Only two cards of equal points can be split.")
    if len(box.hands) == HANDS:
        raise Illegal("hands_full", "A box is split into no more than {most} hands.", most=HANDS)


def is_untouched(box: Box) -> bool:
    """Whether nothing has been done with the box's first two cards."""
    return len(box.hands) == 1 and len(box.hands[0].cards) == 2


def open_moves(box: Box, hand: Hand, *, ace_up: bool, free: int) -> list[Choice]:
    """The controller's actions for a hand, given the free part of the stack."""
    moves: list[Choice] = ["hit", "stand"]
    if hand.bets[0] <= free:
        if can_double(hand):
            moves.append("double")
        if can_split(box, hand):
            moves.append("split")
    if not ace_up and is_untouched(box):
        moves.append("surrender")
    return moves


def require_surrender(state: BlackjackState) -> None:
    if state.ace_up:
        raise Illegal("surrender_ace", "Against an ace no hand can be surrendered.")
    if not is_untouched(state.box):
        raise Illegal("surrender_late", "Only the first two cards of a box can be surrendered.")


def require_offer(state: BlackjackState) -> None:
    """Refuse insurance where the dealer shows no ace, and when the box has been played."""
    if not state.ace_up:
        raise Illegal("no_ace", "Only against an ace is there insurance or even money.")
    if state.offered or not is_untouched(state.box):
        raise Illegal("insurance_late", "Insurance comes before the first other move of the box.")


def require_insurance(amount: int, standing: int, least: int, most: int) -> None:
    if standing:
        raise Illegal("insured", "The stake is insured already.")
    if least > most:
        raise Illegal("insurance_none", "The stake is too small to be insured.")
    if amount < least:
        raise Illegal("insurance_small", "The smallest insurance is {least}.", least=least)
    if amount > most:
        raise Illegal("insurance_large", "The largest insurance is {most}.", most=most)


def require_blackjack(hand: Hand) -> None:
    if hand.ended != "blackjack":
        raise Illegal("no_blackjack", "Even money is for a blackjack.")


def refuse_play(hand: Hand) -> Illegal:
    """Return why nothing can be played while insurance is offered."""
    if hand.ended == "blackjack":
        return Illegal("blackjack_waits", "A blackjack insures, takes even money, or stands.")
    return Illegal("guest_plays_not", "The controller plays; a guest insures, or stands.")


def require_uninsured(player: Player) -> None:
    if player.insurance or player.even_money:
        raise Illegal("insured", "The stake is insured already.")


def no_bet_on(number: int) -> Illegal:
    return Illegal("no_bet_on_box", "You have no bet on box {box}.", box=number)


def offer_first() -> Illegal:
    """Return why nothing can be played before the offer is answered."""
    return Illegal("offer_first", "First say whether you insure.")


def nothing_offered() -> Illegal:
    return Illegal("nothing_offered", "There is nothing to decline.")
