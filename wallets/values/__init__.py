"""Amounts, refusals, days and registries: what every package needs, and no row of the database."""

from typing import Final

# The bounds of one amount of money, in minor units.
AMOUNT_MIN: Final = 1
AMOUNT_MAX: Final = 10**15
