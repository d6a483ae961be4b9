"""The ledger as staff read it: postings, accounts and people by their names, with links.

The ledger stores opaque references such as `player:12`. Other packages register what staff call
them; what has no name for staff has the one that players read, and then the reference itself.
"""

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from wallets import references
from wallets.amounts import WRITTEN, read_amount
from wallets.errors import Refused
from wallets.models import Account, Currency
from wallets.references import Finder, Link
from wallets.views import KINDS

ONE_DAY: Final = timedelta(days=1)
# The kinds of postings that touch no player's money.
OF_THE_HOUSE: Final = {
    "seed": _l("Put into a jackpot"),
    "drain": _l("Taken out of a jackpot"),
    "till_transfer": _l("Cash moved"),
    "till_variance": _l("Cash counted too much or too little"),
}
# From a name that somebody types to the references that it may mean.
Search = Callable[[str], Collection[str]]
_finders: dict[str, Finder] = {}
_searches: list[Search] = []


def register(kind: str, finder: Finder, search: Search | None = None) -> None:
    """Say what staff call the references that begin with a word, and how they are found."""
    _finders[kind] = finder
    if search is not None:
        _searches.append(search)


def kind_in_words(kind: str) -> str:
    words = KINDS.get(kind) or OF_THE_HOUSE.get(kind)
    return str(words) if words else kind.replace("_", " ").capitalize()


def named(owners: Iterable[str]) -> dict[str, Link]:
    """Return the names that staff give these references, and where they lead."""
    wanted = sorted(set(owners))
    found = references.links(wanted)
    by_kind: dict[str, list[str]] = {}
    for one in wanted:
        by_kind.setdefault(one.partition(":")[0], []).append(one)
    for kind, some in by_kind.items():
        if kind in _finders:
            found |= _finders[kind](some)
    return found


def words_of(owner: str, known: dict[str, Link]) -> str:
    """The name of a reference, or the reference itself."""
    if owner == "house":
        return _("the house")
    return known[owner].words if owner in known else owner


def account_in_words(account: Account, known: dict[str, Link]) -> str:
    return f"{account.get_kind_display()} · {words_of(account.owner, known)}"


def entries_of(text: str) -> Q:
    """The entries that somebody means by a name, an amount in whole units, or a day (UTC)."""
    found = {one for search in _searches for one in search(text)}
    wanted = Q(account__owner__in={*found, text})
    for currency in Currency.objects.all() if WRITTEN.fullmatch(text) else ():
        with suppress(Refused):
            amount = read_amount(text, currency)
            wanted |= Q(account__currency=currency, amount__in=(amount, -amount))
    with suppress(ValueError):
        begins = datetime.combine(date.fromisoformat(text), time(), UTC)
        wanted |= Q(transaction__time__gte=begins, transaction__time__lt=begins + ONE_DAY)
    return wanted
