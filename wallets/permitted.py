"""The base of most verbs of staff: a permission, and nothing that could change in between."""

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from wallets.amounts import show_amount
from wallets.approvals import Arguments, Order
from wallets.errors import Refused
from wallets.models import Currency
from wallets.player import Viewer


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
        """Whatever makes sense can be done now, unless a verb says more."""

    def state(self, arguments: Arguments) -> Arguments:
        """Nothing but the arguments themselves, unless a verb says more."""
        return {}


def money(amount: int, currency: Currency) -> str:
    return f"{show_amount(amount, currency)} {currency.code}"


def currency_of(code: object) -> Currency:
    """A currency of money: nobody pays chips of tournaments in or out."""
    currency = Currency.objects.filter(pk=code).first() if isinstance(code, str) else None
    if currency is None or currency.is_chips:
        raise Refused("no_such_currency", _("The house has no such currency."))
    return currency
