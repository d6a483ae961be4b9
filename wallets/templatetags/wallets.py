"""Template tags for money."""

from django import template

from wallets.amounts import amount_for_input, show_amount, show_signed
from wallets.models import Currency

register = template.Library()
register.filter("signed", show_signed)


@register.filter
def money(amount: int, currency: Currency) -> str:
    return show_amount(amount, currency)


@register.filter
def written(amount: int, currency: Currency) -> str:
    """Format an amount for an input field."""
    return amount_for_input(amount, currency)
