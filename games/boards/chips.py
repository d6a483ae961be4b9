"""Chips by their values: which ones a table offers, and how a sum is stacked."""

from typing import Final

# In whole units; each has a colour of its own in `chips.css`.
VALUES: Final = (1, 5, 25, 100, 500, 1_000, 5_000)
# More than these would be a tower, and the sum stands beside it.
STACK_MAX: Final = 5


def rack(least: int, most: int, exponent: int) -> tuple[int, ...]:
    """The chips to bet with: from the largest that the smallest bet is made of, to the largest bet.

    Where the smallest bet is no whole number of units, chips are multiples of it.
    """
    unit = 10**exponent
    if least % unit:
        unit = least
    fits = [value * unit for value in VALUES if value * unit <= most]
    small = [chip for chip in fits if chip <= least and least % chip == 0]
    return tuple(fits[len(small) - 1 :]) if small else (least,)


def value_of(amount: int, exponent: int) -> int:
    """The value whose colour a chip of this amount has: the largest that it is worth."""
    return max((one for one in VALUES if one * 10**exponent <= amount), default=VALUES[0])


def stack(amount: int, exponent: int) -> tuple[int, ...]:
    """The values of the chips that a sum is stacked of, the largest at the bottom."""
    left = amount // 10**exponent
    chips: list[int] = []
    for value in reversed(VALUES):
        while left >= value and len(chips) < STACK_MAX:
            chips.append(value)
            left -= value
    return tuple(chips) or (VALUES[0],)
