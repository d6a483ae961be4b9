"""Notes and coins by the code of their currency, in minor units, the largest first.

A currency that is not here is counted as a sum; a sum may always be typed instead of pieces.
"""

from collections.abc import Mapping
from typing import Final

from wallets.models import Currency

_CENTS: Final = (20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1)
_NOTES: Final[Mapping[str, tuple[int, ...]]] = {
    "EUR": _CENTS,
    "GBP": _CENTS[2:],
    "USD": (10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 25, 10, 5, 1),
    "CNY": (10_000, 5_000, 2_000, 1_000, 500, 100, 50, 10),
    "HKD": (100_000, 50_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10),
    "TWD": (200_000, 100_000, 50_000, 20_000, 10_000, 5_000, 1_000, 500, 100),
    "MOP": (100_000, 50_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10),
    "PHP": (100_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 100, 25, 5, 1),
    "JPY": (10_000, 5_000, 2_000, 1_000, 500, 100, 50, 10, 5, 1),
}
# The digits after the point for which they are written.
_EXPONENTS: Final = {"JPY": 0}


def pieces_of(currency: Currency) -> tuple[int, ...]:
    if currency.exponent != _EXPONENTS.get(currency.code, 2):
        return ()
    return _NOTES.get(currency.code, ())
