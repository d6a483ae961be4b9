"""Find an account, or open it."""

from wallets.models import OWNER_MAX, Account, Currency


def account(kind: str, owner: str, currency: Currency | str) -> Account:
    """Return the one account of an owner for a purpose; two concurrent callers get the same row."""
    code = currency if isinstance(currency, str) else currency.code
    found = Account.objects.filter(kind=kind, owner=owner, currency_id=code)
    existing = found.first()
    if existing is not None:
        return existing
    if not 1 <= len(owner) <= OWNER_MAX or not owner.isprintable():
        raise ValueError(f"{owner!r} cannot own an account")
    new = Account(kind=Account.Kind(kind), owner=owner, currency_id=code)
    Account.objects.bulk_create([new], ignore_conflicts=True)
    return found.get()
