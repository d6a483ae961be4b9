"""Amounts of money as people write and read them; everywhere else they are whole minor units."""

import re
from typing import Final

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from wallets.errors import Refused
from wallets.models import AMOUNT_MAX, Currency

# Digits with thin groups, and a point before the minor units; no more of them than an amount has.
WRITTEN: Final = re.compile(r"(\d{1,3}(?:[ ,]\d{3}){1,5}|\d{1,16})(?:\.(\d{1,8}))?")


def read_amount(text: str, currency: Currency) -> int:
    """An amount somebody has typed, in minor units: `12`, `12.5` or `1,200.00`."""
    written = WRITTEN.fullmatch(text.strip())
    whole, part = written.groups(default="") if written else ("", "")
    if not written or len(part) > currency.exponent:
        raise Refused("amount_unreadable", _("{text} is not an amount."), text=text[:40])
    digits = re.sub(r"[ ,]", "", whole) + part.ljust(currency.exponent, "0")
    amount = int(digits)
    if not 1 <= amount <= AMOUNT_MAX:
        raise Refused("amount_bounds", _("That amount is too small or too large."))
    return amount


def show_amount(amount: int, currency: Currency) -> str:
    """An amount in the reader's language, with its minor units only where there are any."""
    whole, part = divmod(abs(amount), 10**currency.exponent)
    sign = "\N{MINUS SIGN}" if amount < 0 else ""
    shown = number_format(whole, force_grouping=True)
    return f"{sign}{shown}.{part:0{currency.exponent}}" if part else f"{sign}{shown}"
