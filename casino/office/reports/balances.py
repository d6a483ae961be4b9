"""Balances at one instant by kind of account, from the ledger alone, and the house's debts.

A balance in the past is today's less what was posted since. Transactions have no index by time; but
their numbers follow it closely, so a binary search finds the start, with an hour to spare for a
machine whose clock was set back. The history of a demonstration is older than the postings before
it, so a ledger that begins later than the time is read from its beginning.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Final

from django.db import connection
from django.db.models import F, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.office.reports.columns import Column, Row
from games.models import Day
from wallets.models import Account, Currency, Entry, Transaction
from wallets.storage.replica import reading_from
from wallets.values.days import ONE_DAY, day_of, start_of

# Money set aside for the guarantee of an event; money set aside for a player waits to be paid out.
# Both are escrow in the ledger.
GUARANTEE: Final = "guarantee"
_ESCROW: Final = Account.Kind.ESCROW.value
# The money of the house's bots, in wallets and at tables: the house owes it to no player.
BOTS: Final = "bots"
_OF_BOTS: Final = """
(a.kind = 'player' AND a.owner IN (SELECT 'player:' || id FROM players_player WHERE is_bot)
 OR a.kind = 'stack' AND a.id IN (SELECT s.stack_id FROM games_seat AS s
 JOIN players_player AS p ON p.id = s.player_id WHERE p.is_bot))
"""
_KIND: Final = (
    f"CASE WHEN a.kind = '{_ESCROW}' AND SUBSTR(a.owner, 1, 7) <> 'player:' THEN '{GUARANTEE}'"
    f" WHEN {_OF_BOTS} THEN '{BOTS}'"
    " ELSE a.kind END"
)
SPARE: Final = timedelta(hours=1)
# One statement sees balances and entries of the same moment: a posting between two statements
# would be seen by one of them alone.
_HELD: Final = """
SELECT currency_id, kind, SUM(amount) FROM (
  SELECT a.currency_id, KIND_HELD AS kind, SUM(a.balance) AS amount FROM wallets_account AS a
  JOIN wallets_currency AS c ON c.code = a.currency_id
  WHERE c.kind <> %s GROUP BY 1, 2
  UNION ALL
  SELECT a.currency_id, KIND_HELD AS kind, -SUM(e.amount) FROM wallets_transaction AS t
  JOIN wallets_entry AS e ON e.transaction_id = t.id
  JOIN wallets_account AS a ON a.id = e.account_id
  JOIN wallets_currency AS c ON c.code = a.currency_id
  WHERE t.id >= %s AND t.time >= %s AND c.kind <> %s GROUP BY 1, 2
) AS held GROUP BY currency_id, kind ORDER BY currency_id, kind
""".replace("KIND_HELD", _KIND)
_OF_ACCOUNTS: Final = """
SELECT id, SUM(amount) FROM (
  SELECT a.id, a.balance AS amount FROM wallets_account AS a
  WHERE a.currency_id = %s AND KIND_HELD IN ({kinds})
  UNION ALL
  SELECT a.id, -e.amount FROM wallets_transaction AS t
  JOIN wallets_entry AS e ON e.transaction_id = t.id
  JOIN wallets_account AS a ON a.id = e.account_id
  WHERE t.id >= %s AND t.time >= %s AND a.currency_id = %s AND KIND_HELD IN ({kinds})
) AS held GROUP BY id HAVING SUM(amount) <> 0
""".replace("KIND_HELD", _KIND)
# By currency and kind of account, in minor units.
PastBalances = dict[tuple[str, str], int]


def _owed(name: str, words: str | Promise) -> Column:
    return Column(name, words, "money", "stock", "accounts")


OWED: Final[Mapping[str, Column]] = {
    Account.Kind.PLAYER: _owed("wallets", _("Wallets")),
    Account.Kind.STACK: _owed("stacks", _("Stacks at tables")),
    Account.Kind.ESCROW: _owed("set_aside", _("Set aside")),
    GUARANTEE: _owed("guarantees", _("Guarantees")),
    Account.Kind.JACKPOT: _owed("pools", _("Pools")),
    Account.Kind.PRIZE: _owed("tournaments", _("Tournament prizes")),
    Account.Kind.BONUS: _owed("bonuses", _("Bonuses not released")),
}
DEBTS: Final = (
    *OWED.values(),
    _owed("owed", _("Owed to players")),
    _owed("bots", _("Held by bots")),
    _owed("ledger", _("The house's own accounts, reversed")),
    Column("difference", _("Difference"), "money", "stock"),
)
# By the column: which kinds of accounts make it.
HELD_BY: Final = {column.name: (kind,) for kind, column in OWED.items()} | {
    "owed": tuple(OWED),
    "bots": (BOTS,),
    "ledger": tuple(kind for kind in Account.Kind if kind not in OWED),
}


def first_day() -> date | None:
    """The day of the first posting, or the first closed day; before it all balances were zero."""
    first = Transaction.objects.order_by("id").first()
    closed = Day.objects.order_by("day").values_list("day", flat=True).first()
    days = [day_of(first.time)] if first else []
    return min([*days, closed] if closed else days, default=None)


def first_since(at: datetime) -> int:
    """The number of a transaction before which there is none since this time."""
    first = Transaction.objects.order_by("id").first()
    if first is None or first.time >= at - SPARE:
        return 0
    last = Transaction.objects.order_by("-id").first()
    low, high = 0, last.pk + 1 if last else 1
    while low < high:
        middle = (low + high) // 2
        transaction = Transaction.objects.filter(pk__gte=middle).order_by("id").first()
        if transaction is None or transaction.time >= at - SPARE:
            high = middle
        else:
            low = transaction.pk + 1
    return low


def held_at(at: datetime) -> PastBalances:
    """Return the balances just before a time; a time to come gives what they are now."""
    chips = Currency.Kind.CHIPS.value
    with reading_from().cursor() as cursor:
        cursor.execute(_HELD, [chips, first_since(at), _as_stored(at), chips])
        return {(currency, kind): int(amount) for currency, kind, amount in cursor.fetchall()}


def accounts_behind(at: datetime, currency: str, column: str) -> list[tuple[int, int]]:
    """The numbers of accounts with what they held just before an instant, the largest first."""
    kinds, sign = HELD_BY[column], -1 if column == "ledger" else 1
    statement = _OF_ACCOUNTS.format(kinds=", ".join(["%s"] * len(kinds)))
    posted = (first_since(at), _as_stored(at))
    with reading_from().cursor() as cursor:
        cursor.execute(statement, [currency, *kinds, *posted, currency, *kinds])
        balances = [(number, sign * int(amount)) for number, amount in cursor.fetchall()]
    return sorted(balances, key=lambda one: (-abs(one[1]), one[0]))


def held_by_accounts(accounts: Iterable[int], at: datetime) -> dict[int, int]:
    """By number of an account: its balance just before an instant."""
    since = Entry.objects.filter(account=OuterRef("pk"), transaction__time__gte=at)
    posted = since.order_by().values("account").annotate(sum=Sum("amount")).values("sum")
    held = F("balance") - Coalesce(Subquery(posted), 0)
    return dict(Account.objects.filter(pk__in=accounts).values_list("pk", held))


def _as_stored(at: datetime) -> object:
    return connection.ops.adapt_datetimefield_value(at)


def held_after(day: date) -> PastBalances:
    return held_at(start_of(day + ONE_DAY))


def owed_rows(key: dict[str, object], at: datetime, held: PastBalances) -> Iterator[Row]:
    """A row for each currency with a balance; `at` is the instant it speaks of."""
    for currency in sorted({code for code, _kind in held}):
        parts = {column.name: held.get((currency, kind), 0) for kind, column in OWED.items()}
        owed = sum(parts.values())
        bots = held.get((currency, BOTS), 0)
        own = sum(amount for (code, _kind), amount in held.items() if code == currency)
        own -= owed + bots
        if not owed and not own:
            continue
        cells = {**key, "currency": currency, **parts, "owed": owed, "bots": bots, "ledger": -own}
        cells["difference"] = owed + bots + own
        yield Row(cells, {"currency": currency, "at": at.isoformat()})
