"""Finding an account, or opening it."""

from wallets.models import Account, Currency


def account(kind: str, owner: str, currency: Currency | str) -> Account:
    """The one account of an owner for a purpose; two who open it at once get the same."""
    code = currency if isinstance(currency, str) else currency.code
    found = Account.objects.filter(kind=kind, owner=owner, currency_id=code)
    existing = found.first()
    if existing is not None:
        return existing
    new = Account(kind=Account.Kind(kind), owner=owner, currency_id=code)
    new.clean_fields()
    Account.objects.bulk_create([new], ignore_conflicts=True)
    return found.get()
