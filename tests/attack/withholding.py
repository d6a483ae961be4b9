"""How much a seat gains that sees all other reveals first, and shows its own only if it likes.

Such a seat needs the house's secret besides, as it alone knows what a mix deals. The deals that
it leaves standing are then not uniform, and by how many bits they differ from uniform ones is its
gain: 1 bit is as much as choosing once between two deals. The rules that count are the house's own.

There are two ways to refuse a deal that is known: to withhold a link, which counts at the seat;
and to let somebody leave or come after the lock, so that the shoe is dropped, which counts at the
table.
"""

import random
from collections.abc import Callable
from math import log2
from types import SimpleNamespace
from typing import Any, Final

from games.shoes.seats import (
    is_set_aside,
    may_lock_ahead,
    note_locked_ahead,
    note_mixed,
    note_withheld,
)
from tests.attack.registry import Outcome, attack, broken, refused

SHOES: Final = 20_000
SEED: Final = 50
# What cheats try: which share of deals they dislike, and how many withheld reveals they risk.
DISLIKED: Final = (0.02, 0.05, 0.08, 0.1, 0.15, 0.3, 0.5)
RISKED: Final = (1, 2, 3, 4, 5, 50)
# What docs/fairness.md says: one bit in so many shoes is more than either way gains.
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


def bits_a_shoe_dropped(disliked: float, risked: int) -> float:
    """The same at a table whose shoes are locked ahead: a deal is refused by leaving or coming."""
    chances = random.Random(SEED)
    table: Any = SimpleNamespace(locked_ahead="", late_locks=0)
    bits = 0.0
    for _shoe in range(SHOES):
        # Who leaves after a lock that was made when it was due has withheld.
        if not may_lock_ahead(table):
            continue
        refuses = table.locked_ahead.count("-") < risked
        bits += gain(disliked) if refuses else 0
        note_locked_ahead(table, dealt=not refuses or chances.random() >= disliked)
    return bits / SHOES


@attack(
    "fairness",
    "choose deals by withholding",
    "a seat that knows the deal before its reveal withholds it from bad deals, by 42 plans",
    "withholding",
)
def _(_house: Any) -> Outcome:
    return _most(bits_a_shoe)


@attack(
    "fairness",
    "choose deals by coming and going",
    "a deal that is known before it is due is refused by somebody who leaves or comes, by 42 plans",
    "withholding",
)
def _(_house: Any) -> Outcome:
    return _most(bits_a_shoe_dropped)


def _most(bits: Callable[[float, int], float]) -> Outcome:
    most = max(bits(disliked, risked) for disliked in DISLIKED for risked in RISKED)
    said = f"at most {100 * most:.1f} bits in a hundred shoes"
    return refused(said) if most < 1 / SHOES_A_BIT else broken(said)
