"""A month of a player's money: what there was, what came and went, and the wallet's lines.

Money in the wallet, set aside and at tables is added up, so that a month ends with what it began
with, the payments in between, and what was won or lost. Moving money from the wallet to a table
changes no sum; it is a line of the wallet.
"""

import csv
import re
from collections.abc import Iterator
from datetime import datetime
from io import StringIO
from typing import Final, NamedTuple

from django.db.models import Count, QuerySet, Sum
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from casino.accounts.models import Player
from casino.web.spreadsheets import Exponents, guarded
from games.models import Hand, HandSeat
from games.words.naming import game_name
from wallets.models import Account, Currency, Entry
from wallets.money.accounts import Holdings, holdings_before, own_accounts
from wallets.pages.views import KINDS
from wallets.values.days import day_of, in_house_zone, start_of

WRITTEN: Final = re.compile(r"(\d{4})-(\d{2})", re.ASCII)
# The page shows so many lines at a time; the files have all of them.
LINES_ON_PAGE: Final = 500
ROWS_AT_ONCE: Final = 1_000
# Many postings of these kinds make one line of a month.
IN_A_MONTH: Final = {
    "hand": _l("Won or lost at tables"),
    "hand_void": _l("Reversed hands"),
}


class Month(NamedTuple):
    """A month, from the beginning of its first gaming day to that of the next month."""

    first: datetime
    end: datetime

    @property
    def name(self) -> str:
        return f"{self.first:%Y-%m}"


class Kind(NamedTuple):
    """The sum of one kind of posting in a month, over everything that holds a player's money."""

    words: str
    postings: int
    amount: int


class GameResult(NamedTuple):
    """The result of a game in a month, without events."""

    words: str
    hands: int
    net: int


class MonthlyStatement(NamedTuple):
    """A month: the money at its beginning, what each kind moved, and the money at its end."""

    opening: Holdings
    kinds: list[Kind]
    closing: Holdings
    games: list[GameResult]


def month_of(moment: datetime) -> Month:
    first = in_house_zone(start_of(day_of(moment).replace(day=1)))
    year, month = divmod(first.year * 12 + first.month, 12)
    return Month(first, first.replace(year=year, month=month + 1))


def months_of(player: Player, now: datetime) -> list[Month]:
    """All months since a player joined, the latest first."""
    months, last = [month_of(player.date_joined)], month_of(now)
    while months[-1].first < last.first:
        months.append(month_of(months[-1].end))
    return months[::-1]


def read_month(text: str, offered: list[Month]) -> Month | None:
    """One of the months that are offered; None for anything else."""
    if not WRITTEN.fullmatch(text):
        return None
    return next((month for month in offered if month.name == text), None)


def entries_in(wallet: Account, month: Month) -> QuerySet[Entry]:
    rows = Entry.objects.filter(
        account=wallet, transaction__time__gte=month.first, transaction__time__lt=month.end
    )
    return rows.select_related("transaction").order_by("pk")


def statement_of(player: Player, wallet: Account, month: Month) -> MonthlyStatement:
    currency = wallet.currency
    return MonthlyStatement(
        opening=holdings_before(player.pk, currency, month.first),
        kinds=list(_kinds(player, currency, month)),
        closing=holdings_before(player.pk, currency, month.end),
        games=_games(player, wallet, month),
    )


def _kinds(player: Player, currency: Currency, month: Month) -> Iterator[Kind]:
    """The changes of a player's money; moving it between wallet and tables does not."""
    entries = Entry.objects.filter(
        account__in=own_accounts(player.pk, currency),
        transaction__time__gte=month.first,
        transaction__time__lt=month.end,
    )
    postings, amount = Count("transaction", distinct=True), Sum("amount")
    sums = entries.order_by("transaction__kind").values_list("transaction__kind")
    for kind, count, moved in sums.annotate(postings, amount):
        if moved:
            yield Kind(str(IN_A_MONTH.get(kind, words_of(kind))), count, moved)


def words_of(kind: str) -> str:
    return str(KINDS.get(kind, kind.replace("_", " ")))


def _games(player: Player, wallet: Account, month: Month) -> list[GameResult]:
    hands = HandSeat.objects.filter(
        player=player,
        currency=wallet.currency_id,
        status=Hand.Status.FINISHED,
        ended_at__gte=month.first,
        ended_at__lt=month.end,
    )
    sums = hands.order_by("game").values_list("game").annotate(Count("pk"), Sum("net"))
    return [GameResult(str(game_name(game)), count, net) for game, count, net in sums]


def csv_lines(wallet: Account, month: Month) -> Iterator[str]:
    """The month as a file for a spreadsheet, one line after the other."""
    exponents, currency = Exponents(), wallet.currency_id
    yield _line([_("Time"), _("Kind"), _("Reason"), _("Amount"), _("Balance"), _("Currency")])
    for entry in entries_in(wallet, month).iterator(chunk_size=ROWS_AT_ONCE):
        posting = entry.transaction
        yield _line(
            [
                posting.time.isoformat(timespec="seconds"),
                guarded(words_of(posting.kind)),
                guarded(_(posting.reason) if posting.reason else ""),
                exponents.whole_units(entry.amount, currency),
                exponents.whole_units(entry.balance_after, currency),
                guarded(currency),
            ]
        )


def _line(cells: list[str]) -> str:
    written = StringIO()
    csv.writer(written).writerow(cells)
    return written.getvalue()
