"""Money in templates."""

from django import template

from wallets.amounts import show_amount
from wallets.models import Currency

register = template.Library()


@register.filter
def money(amount: int, currency: Currency) -> str:
    return show_amount(amount, currency)


@register.filter
def written(amount: int, currency: Currency) -> str:
    """An amount as an input field takes it."""
    whole, part = divmod(amount, 10**currency.exponent)
    return f"{whole}.{part:0{currency.exponent}}" if part else str(whole)
