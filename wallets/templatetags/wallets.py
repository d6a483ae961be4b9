"""Template tags for money."""

from functools import partial

from django import template

from wallets.models import Currency, unit_of
from wallets.values.amounts import amount_for_input, show_amount, show_signed

register = template.Library()
register.filter("signed", show_signed)
register.filter("exact", partial(show_amount, is_exact=True))
register.filter("exact_signed", partial(show_signed, is_exact=True))
register.filter("unit", unit_of)


@register.filter
def money(amount: int, currency: Currency) -> str:
    return show_amount(amount, currency)


@register.filter
def written(amount: int, currency: Currency) -> str:
    """Format an amount for an input field."""
    return amount_for_input(amount, currency)
