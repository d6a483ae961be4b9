"""Money in templates."""

from typing import Any

from django import template

from wallets.amounts import show_amount
from wallets.holders import purses
from wallets.models import Account, Currency

register = template.Library()


@register.filter
def money(amount: int, currency: Currency) -> str:
    return show_amount(amount, currency)


@register.filter
def signed(amount: int, currency: Currency) -> str:
    """What somebody won or lost, with its sign."""
    shown = show_amount(amount, currency)
    return f"+{shown}" if amount > 0 else shown


@register.filter
def written(amount: int, currency: Currency) -> str:
    """An amount as an input field takes it."""
    whole, part = divmod(amount, 10**currency.exponent)
    return f"{whole}.{part:0{currency.exponent}}" if part else str(whole)


@register.simple_tag
def main_purse(player: Any) -> Account | None:
    """The purse that the bar shows: the fullest."""
    return next(iter(purses(player)), None)
