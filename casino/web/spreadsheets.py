"""Cells of files that spreadsheets open: amounts in whole units, and texts that are no formulas.

A spreadsheet takes a cell that begins like a formula for one: such a text gets an apostrophe before
it.
"""

from typing import Final

from wallets.models import Currency

FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")
# Begins the last line of a CSV file; no row begins so.
COMMENT: Final = "#"


class Exponents:
    """The number of decimals of each currency, read once."""

    def __init__(self) -> None:
        self._known: dict[str, int] = dict(Currency.objects.values_list("code", "exponent"))

    def whole_units(self, amount: int, currency: str) -> str:
        """An amount as a person reads it, with a point and without separators."""
        exponent = self._known[currency]
        whole, part = divmod(abs(amount), 10**exponent)
        sign = "-" if amount < 0 else ""
        return f"{sign}{whole}.{part:0{exponent}}" if exponent else f"{sign}{whole}"


def guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula, and no program for a comment."""
    # A program that trims cells would uncover the text behind the spaces.
    odd = text.lstrip(" ").startswith((*FORMULAS, COMMENT))
    return f"'{text}" if odd else text
