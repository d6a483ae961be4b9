"""The cash by the ledger: in a till, in the vault and at the whole desk.

Everything that moves cash locks the tills first, in the order of their numbers and before any
account, so nothing takes a till below zero.
"""

from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.office.desk.models import Till
from wallets.models import Account, Currency
from wallets.money.accounts import account
from wallets.money.cashier import HOUSE
from wallets.of_record.verbs import verb
from wallets.staff.permitted import money
from wallets.values.errors import Refused

# The differences found in counts, over all tills.
VARIANCE: Final = "variance"


@verb("house:desk.open_vault")
def vault() -> Till:
    till = Till.objects.filter(is_vault=True).first()
    return till or Till.objects.get_or_create(is_vault=True, defaults={"name": "Vault"})[0]


def cash_account(till: Till | None, currency: Currency) -> Account:
    """The account of a till or the vault; without one, the cash outside the house."""
    return account(Account.Kind.ISSUE, till.reference if till else HOUSE, currency)


def variance_account(currency: Currency) -> Account:
    return account(Account.Kind.HOUSE, VARIANCE, currency)


def cash_in(till: Till, currency: Currency) -> int:
    return -cash_account(till, currency).balance


def held_by(till: Till) -> dict[str, int]:
    """Return the cash in a till, by currency."""
    accounts = Account.objects.filter(kind=Account.Kind.ISSUE, owner=till.reference)
    balances = accounts.order_by("currency").values_list("currency_id", "balance")
    return {code: -balance for code, balance in balances if balance}


def lock(*tills: Till | int | None) -> None:
    """Let one posting at a time move what these tills hold."""
    numbers = [till.pk if isinstance(till, Till) else till for till in tills if till]
    rows = Till.objects.select_for_update(no_key=True).filter(pk__in=numbers)
    list(rows.order_by("pk").values_list("pk"))


def require(till: Till, currency: Currency, amount: int) -> None:
    """Refuse if a till, which the caller has locked, does not hold so much."""
    if cash_in(till, currency) < amount:
        raise Refused(
            # Cashiers count blind, so it does not say how much is there.
            "till_short",
            _("{till} does not hold {amount}."),
            till=str(till),
            amount=money(amount, currency),
        )
