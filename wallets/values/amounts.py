"""Read and show amounts of money; everywhere else they are whole minor units.

Pages, forms and the back office get text in the units of a currency (`read_amount`). The API and
the ledger get whole minor units (`read_minor_units`). Nothing else parses an amount, so each wrong
amount has the same sentence and code wherever it is sent. Only the digits 0 to 9 are digits: those
of other scripts look alike at a glance and stand for other figures, so they are refused everywhere.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from wallets.values import AMOUNT_MAX
from wallets.values.errors import Refused, WrongAmount

# Digits with optional separators, and a decimal point; no more digits than an amount can have.
WRITTEN: Final = re.compile(r"(\d{1,3}(?:[ ,]\d{3}){1,5}|\d{1,16})(?:\.(\d{1,8}))?", re.ASCII)


class Units(Protocol):
    """A currency, of which amounts need to know the number of decimals only."""

    @property
    def exponent(self) -> int: ...


def read_amount(text: str, currency: Units, *, least: int = 1) -> int:
    """Parse a typed amount, such as `12`, `12.5` or `1,200.00`, into minor units."""
    require_digits(text)
    written = WRITTEN.fullmatch(text.strip())
    whole, part = written.groups(default="") if written else ("", "")
    if not written or len(part) > currency.exponent:
        raise WrongAmount("amount_unreadable", _("{text} is not an amount."), text=text[:40])
    digits = re.sub(r"[ ,]", "", whole) + part.ljust(currency.exponent, "0")
    amount = int(digits)
    return require_bounds(amount, currency, least=least)


def require_digits(text: str) -> None:
    """Refuse digits other than 0 to 9, which Python's `int` would read as numbers."""
    if any(sign.isdecimal() and not sign.isascii() for sign in text):
        raise WrongAmount(
            "amount_digits", _("{text}: write it with the digits 0 to 9."), text=text[:40]
        )


def require_bounds(amount: object, currency: Units, *, least: int = 1) -> int:
    """Return an amount in minor units, or name the smallest and the largest one."""
    if type(amount) is not int or not least <= amount <= AMOUNT_MAX:
        raise WrongAmount(
            "amount_bounds",
            _("Enter an amount from {least} to {most}."),
            least=show_amount(least, currency),
            most=show_amount(AMOUNT_MAX, currency),
        )
    return amount


def read_minor_units(value: object, account: int | None = None) -> int:
    """Return an amount that a program sent; refuse text, fractions, booleans and other numbers."""
    if type(value) is not int or not 1 <= value <= AMOUNT_MAX:
        raise WrongAmount(
            "amount",
            _("An amount is a whole number of minor units from 1 to {most}."),
            account=account,
            amount=value,
            most=AMOUNT_MAX,
        )
    return value


@contextmanager
def as_form_error() -> Iterator[None]:
    """Turn a refusal into an error of the form that is being cleaned, with the same code."""
    try:
        yield
    except Refused as refusal:
        raise ValidationError(refusal.sentence, code=refusal.code) from None


def show_amount(amount: int, currency: Units, *, is_exact: bool = False) -> str:
    """Format an amount in the reader's language.

    It has decimals if it has minor units, or if it is exact, as the amounts of a list must be.
    """
    whole, part = divmod(abs(amount), 10**currency.exponent)
    sign = "\N{MINUS SIGN}" if amount < 0 else ""
    # With thousands separators, which are the same in each language (`casino/web/formats`).
    shown = f"{whole:,}"
    if part or (is_exact and currency.exponent):
        return f"{sign}{shown}.{part:0{currency.exponent}}"
    return f"{sign}{shown}"


def show_amounts(
    amounts: Iterable[int | None], currency: Units, *, is_exact: bool = False
) -> list[str]:
    """Format the amounts of a list, with a dash where there is none."""
    return [
        "–" if amount is None else show_amount(amount, currency, is_exact=is_exact)
        for amount in amounts
    ]


def show_signed(amount: int, currency: Units, *, is_exact: bool = False) -> str:
    """Format winnings or losses with their sign."""
    shown = show_amount(amount, currency, is_exact=is_exact)
    return f"+{shown}" if amount > 0 else shown


def amount_for_input(amount: int, currency: Units) -> str:
    """Format an amount for an input field, so that `read_amount` reads the same amount again."""
    whole, part = divmod(amount, 10**currency.exponent)
    return f"{whole}.{part:0{currency.exponent}}" if part else str(whole)
