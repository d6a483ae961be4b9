"""How much a seat gains that sees all other reveals first, and shows its own only if it likes.

Such a seat needs the house's secret besides, as it alone knows what a mix deals. The deals that
it leaves standing are then not uniform, and by how many bits they differ from uniform ones is its
gain: 1 bit is as much as choosing once between two deals. The rule that counts is the house's own.
"""

import random
from math import log2
from types import SimpleNamespace
from typing import Any, Final

from games.shoes.seats import is_set_aside, note_mixed, note_withheld
from tests.attack.registry import Outcome, attack, broken, refused

SHOES: Final = 20_000
SEED: Final = 50
# What cheats try: which share of deals they dislike, and how many withheld reveals they risk.
DISLIKED: Final = (0.02, 0.05, 0.08, 0.1, 0.15, 0.3, 0.5)
RISKED: Final = (1, 2, 3, 4, 5)
# What docs/fairness.md says: one bit in so many shoes is more than any seat gains.
SHOES_A_BIT: Final = 16


def gain(disliked: float) -> float:
    """The bits by which one deal differs from a uniform one, if this share of deals is refused.

    A deal that is liked comes at once, or in place of one that was refused; any other only so.
    """
    return disliked**2 * log2(disliked) + (1 - disliked**2) * log2(1 + disliked)


def bits_a_shoe(disliked: float, risked: int) -> float:
    """Play many shoes with one plan, and return the gain for each that was dealt."""
    chances = random.Random(SEED)
    seat: Any = SimpleNamespace(shoes="", reveals="", house_shoes=0)
    dealt, bits = 0, 0.0
    while dealt < SHOES:
        if is_set_aside(seat):
            note_mixed(seat, by_house=True)
            dealt += 1
            continue
        if seat.reveals.count("-") < risked:
            bits += gain(disliked)
            if chances.random() < disliked:
                note_withheld(seat)
                continue
        note_mixed(seat, by_house=False)
        dealt += 1
    return bits / dealt


@attack(
    "fairness",
    "choose deals by withholding",
    "a seat that knows the deal before its reveal withholds it from bad deals, by 35 plans",
    "withholding",
)
def _(_house: Any) -> Outcome:
    most = max(bits_a_shoe(disliked, risked) for disliked in DISLIKED for risked in RISKED)
    said = f"at most {100 * most:.1f} bits in a hundred shoes"
    return refused(said) if most < 1 / SHOES_A_BIT else broken(said)
