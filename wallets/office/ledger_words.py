"""The ledger as staff read it: postings, accounts and people by their names, with links.

The ledger stores opaque references such as `player:12`. Other packages register what staff call
them; what has no name for staff has the one that players read, and then the reference itself.
"""

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from datetime import date
from typing import Final

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from wallets.models import Account, Currency
from wallets.money import references
from wallets.money.references import Finder, Link
from wallets.pages.views import KINDS
from wallets.values.amounts import WRITTEN, read_amount
from wallets.values.days import ONE_DAY, start_of
from wallets.values.errors import Refused
from wallets.values.registry import Registry

# The kinds of postings that touch no player's money.
OF_THE_HOUSE: Final = {
    "seed": _l("Put into a jackpot"),
    "drain": _l("Taken out of a jackpot"),
    "till_transfer": _l("Cash moved"),
    "till_variance": _l("Cash counted too much or too little"),
}
# From a typed name to the references that it may mean.
Search = Callable[[str], Collection[str]]
# Staff's names for references that begin with a word, and the references of a name.
FINDERS: Final = Registry[Finder]("finder of names")
SEARCHES: Final = Registry[Search]("search for names")


def kind_in_words(kind: str) -> str:
    words = KINDS.get(kind) or OF_THE_HOUSE.get(kind)
    return str(words) if words else kind.replace("_", " ").capitalize()


def named(owners: Iterable[str]) -> dict[str, Link]:
    """Return the names that staff give these references, and where they lead."""
    wanted = sorted(set(owners))
    links = references.links(wanted)
    by_kind: dict[str, list[str]] = {}
    for owner in wanted:
        by_kind.setdefault(owner.partition(":")[0], []).append(owner)
    for kind, some in by_kind.items():
        if kind in FINDERS:
            links |= FINDERS[kind](some)
    return links


def words_of(owner: str, known: dict[str, Link]) -> str:
    """The name of a reference, or the reference itself."""
    if owner == "house":
        return _("the house")
    return known[owner].words if owner in known else owner


def account_in_words(account: Account, known: dict[str, Link]) -> str:
    return f"{account.get_kind_display()} · {words_of(account.owner, known)}"


def entries_of(text: str) -> Q:
    """The entries meant by a name, an amount in whole units, or a day of the house."""
    owners = {owner for search in SEARCHES.values() for owner in search(text)}
    wanted = Q(account__owner__in={*owners, text})
    for currency in Currency.objects.all() if WRITTEN.fullmatch(text) else ():
        with suppress(Refused):
            amount = read_amount(text, currency)
            wanted |= Q(account__currency=currency, amount__in=(amount, -amount))
    with suppress(ValueError):
        day = date.fromisoformat(text)
        wanted |= Q(
            transaction__time__gte=start_of(day), transaction__time__lt=start_of(day + ONE_DAY)
        )
    return wanted
