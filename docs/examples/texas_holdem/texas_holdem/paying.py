"""From the pots to the payments between seats, each with its reason."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from pokerkit import StandardHighHand

from games.rules.cards import Card
from games.rules.contract import Seat
from games.rules.settlement import Line, Payments
from texas_holdem.dealer import Course, Pot

HOLE_CARDS: Final = 2
# The words of the house for what pokerkit calls a hand.
WORDS: Final = {
    "High card": "high_card",
    "One pair": "pair",
    "Two pair": "two_pair",
    "Three of a kind": "three",
    "Straight": "straight",
    "Flush": "flush",
    "Full house": "full_house",
    "Four of a kind": "four",
    "Straight flush": "straight_flush",
}


@lru_cache(maxsize=4096)
def word_of(cards: tuple[Card, ...]) -> str:
    """What the best five of two own cards and a board are called."""
    texts = [card.text for card in cards]
    own, board = "".join(texts[:HOLE_CARDS]), "".join(texts[HOLE_CARDS:])
    return WORDS[StandardHighHand.from_game(own, board).entry.label.value]


def pay_pots(
    payments: Payments,
    seats: Sequence[Seat],
    course: Course,
    hands: Mapping[Seat, tuple[Card, ...]],
) -> None:
    """Pay out each pot: what others have put in goes to those who win it, and they pay its rake."""
    for number, pot in enumerate(course.pots, start=1):
        gross = _gross(pot)
        for place, rake in enumerate(gross[at] - pot.won[at] for at in range(len(seats))):
            if rake:
                payments.take(seats[place], rake, "pot_rake", {"pot_number": number})
        owed = [max(0, paid - won) for paid, won in zip(pot.paid, gross, strict=True)]
        due = [max(0, won - paid) for paid, won in zip(pot.paid, gross, strict=True)]
        for source, target, amount in _moved(owed, due):
            winner, loser = seats[target], seats[source]
            values: dict[str, int | str] = {"pot_number": number}
            key = "pot_taken"
            if winner in hands:
                key, values = "pot_won", values | {"winner": word_of(hands[winner])}
            payments.explain([Line(key, loser, winner, amount, values)])
            payments.pay(loser, winner, amount, key)


def _gross(pot: Pot) -> list[int]:
    """What each place won before the rake, of which each winner pays an equal part."""
    winners = [place for place, won in enumerate(pot.won) if won]
    each, rest = divmod(pot.rake, len(winners))
    gross = list(pot.won)
    for number, place in enumerate(winners):
        gross[place] += each + (number < rest)
    return gross


def _moved(owed: list[int], due: list[int]) -> list[tuple[int, int, int]]:
    """Payments from those who owe to those to whom it is due, in the order of the places."""
    moved = []
    for target in range(len(due)):
        for source in range(len(owed)):
            amount = min(owed[source], due[target])
            if amount:
                moved.append((source, target, amount))
                owed[source] -= amount
                due[target] -= amount
    return moved
