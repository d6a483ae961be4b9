"""The base of most verbs of staff: a permission, and nothing that could change in between."""

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from wallets.models import Currency
from wallets.staff.approvals import Arguments, Order
from wallets.values.amounts import show_amount, show_signed
from wallets.values.errors import Refused
from wallets.values.player import Viewer


class Permitted:
    """People with the permission can propose; those who can also decide proposals can approve."""

    name: str
    words: str | Promise
    permission: str
    missing: tuple[type[Exception], ...] = (Refused,)

    def may_propose(self, member: Viewer) -> bool:
        return member.has_perm(self.permission)

    def may_approve(self, member: Viewer, some: Sequence[Arguments]) -> list[bool]:
        return [member.has_perm(self.permission)] * len(some)

    def admit(self, order: Order) -> None:
        """Any valid request can be carried out now, unless a verb refuses it."""

    def needs_approval(self, order: Order) -> bool:
        """Always, unless a verb has a threshold."""
        return True

    def state(self, arguments: Arguments) -> Arguments:
        """Nothing but the arguments themselves, unless a verb says more."""
        return {}


def money(amount: int, currency: Currency) -> str:
    """An amount as accountants write it: with all decimals of its currency, and its code."""
    return f"{show_amount(amount, currency, is_exact=True)} {currency.code}"


def moved(amount: int, currency: Currency) -> str:
    """An amount with its sign, as what is added or taken."""
    return f"{show_signed(amount, currency, is_exact=True)} {currency.code}"


def currency_of(code: object) -> Currency:
    """A currency of money: tournament chips are never paid in or out."""
    currency = Currency.objects.filter(pk=code).first() if isinstance(code, str) else None
    if currency is None or currency.is_chips:
        raise Refused("no_such_currency", _("The house has no such currency."))
    return currency
