"""Chips on a page: drawn by what they are worth, each in its colour and with its own edge."""

from decimal import Decimal
from functools import cache
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from wallets.amounts import show_amount
from wallets.models import Currency

# What a chip can be worth, in whole units of its currency. How many marks its edge has tells it
# apart from the others without its colour.
MARKS: Final = {5000: 14, 1000: 12, 500: 10, 100: 8, 25: 6, 5: 5, 1: 4}
STACK_CHIPS_MAX: Final = 5
STEP: Final = 4


def chip(amount: int, currency: Currency) -> SafeString:
    """One chip with an amount written on it, as large as the text around it asks for."""
    units = Decimal(amount) / 10**currency.exponent
    return format_html(
        '<svg class="disc" viewBox="0 0 40 40" role="img" aria-label="{}">{}'
        '<text x="20" y="20" dy=".35em" class="digits-{}">{}</text></svg>',
        show_amount(amount, currency),
        _disc(_worth(units)),
        len(_short(units)),
        _short(units),
    )


def stack(amount: int, currency: Currency) -> SafeString:
    """A bet: a small stack of chips, the largest at the bottom, and the amount beside it."""
    units = Decimal(amount) / 10**currency.exponent
    chips = _parted(units)
    height = 40 + STEP * (len(chips) - 1)
    drawn = format_html_join(
        "",
        '<g transform="translate(0 {})">{}</g>',
        ((height - 40 - STEP * place, _disc(worth)) for place, worth in enumerate(chips)),
    )
    return format_html(
        '<span class="stack"><svg viewBox="0 0 40 {}" aria-hidden="true">{}</svg>'
        '<span class="number">{}</span></span>',
        height,
        drawn,
        show_amount(amount, currency),
    )


def _worth(units: Decimal) -> int:
    """The largest chip that an amount holds."""
    return next((worth for worth in MARKS if worth <= units), 1)


def _parted(units: Decimal) -> list[int]:
    chips: list[int] = []
    for worth in MARKS:
        while units >= worth and len(chips) < STACK_CHIPS_MAX:
            chips.append(worth)
            units -= worth
    return chips or [1]


def _short(units: Decimal) -> str:
    """An amount that finds room on a chip."""
    for size, sign in ((10**6, "M"), (1000, "k")):
        if units >= size:
            return f"{_plain(units / size)}{sign}"
    return _plain(units)


def _plain(number: Decimal) -> str:
    """At most one digit after the point, and none where it is whole; never more than there is."""
    tenths = int(number * 10) if number < 100 else int(number) * 10
    if number and not tenths:
        return f"{number.normalize():f}"
    return str(tenths // 10) if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10}"


@cache
def _disc(worth: int) -> SafeString:
    return format_html(
        '<g class="worth-{}"><circle class="disc-body" cx="20" cy="20" r="19"/>'
        '<circle class="disc-marks" cx="20" cy="20" r="16" pathLength="{}"/>'
        '<circle class="disc-face" cx="20" cy="20" r="12.5"/></g>',
        worth,
        2 * MARKS[worth],
    )
