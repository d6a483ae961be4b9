"""A month of a player's wallet: what stood in it, what moved, by kind and line by line."""

import csv
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from io import StringIO
from typing import Final, NamedTuple

from django.db.models import Count, QuerySet, Sum
from django.utils.translation import gettext as _

from casino.players.models import Player
from casino.reports.writing import Exponents, guarded
from games.models import Hand, HandSeat
from games.words.naming import game_name
from wallets.models import Account, Entry
from wallets.views import KINDS

WRITTEN: Final = re.compile(r"(\d{4})-(\d{2})", re.ASCII)
# The page shows so many lines at a time; the files have all of them.
LINES_ON_PAGE: Final = 500
ROWS_AT_ONCE: Final = 1_000


class Month(NamedTuple):
    """A month of the calendar, from midnight UTC on its first day to that of the next."""

    first: datetime
    end: datetime

    @property
    def name(self) -> str:
        return f"{self.first:%Y-%m}"


class Kind(NamedTuple):
    """The sum of one kind of posting in a month."""

    words: str
    lines: int
    amount: int


class GameResult(NamedTuple):
    """The result of a game in a month, without events."""

    words: str
    hands: int
    net: int


class MonthlyStatement(NamedTuple):
    """A wallet's month: opening, what each kind moved, and closing."""

    opening: int
    kinds: list[Kind]
    closing: int
    games: list[GameResult]


def month_of(moment: datetime) -> Month:
    first = moment.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    year, month = divmod(first.year * 12 + first.month, 12)
    return Month(first, first.replace(year=year, month=month + 1))


def months_of(player: Player, now: datetime) -> list[Month]:
    """All months since a player joined, the latest first."""
    found, last = [month_of(player.date_joined)], month_of(now)
    while found[-1].first < last.first:
        found.append(month_of(found[-1].end))
    return found[::-1]


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
    entries = entries_in(wallet, month).order_by("transaction__kind")
    sums = entries.values_list("transaction__kind").annotate(Count("pk"), Sum("amount"))
    return MonthlyStatement(
        opening=_balance_before(wallet, month.first),
        kinds=[Kind(words_of(kind), count, amount) for kind, count, amount in sums],
        closing=_balance_before(wallet, month.end),
        games=_games(player, wallet, month),
    )


def words_of(kind: str) -> str:
    return str(KINDS.get(kind, kind.replace("_", " ")))


def _balance_before(wallet: Account, moment: datetime) -> int:
    rows = Entry.objects.filter(account=wallet, transaction__time__lt=moment)
    last = rows.order_by("-pk").values_list("balance_after", flat=True).first()
    return last or 0


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
