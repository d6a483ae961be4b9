"""What a player has won over time and by game, from the sums of closed days.

A closed day's sums stand in `DayResult`; only the days since then are added up from the hands
themselves, so that it is quick however much somebody has played.
"""

from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import Exists, OuterRef, Sum, Value
from django.db.models.functions import TruncDate

from games.accounting import ended_on, given_back_on, taken_back_later
from games.books.asked import start_of
from games.books.closed_days import open_since
from games.models import DayResult, Hand, HandSeat
from wallets.models import Currency

# How far back one looks, in days; nothing for all there is.
SPANS: Final[dict[str, int | None]] = {"30": 30, "365": 365, "all": None}
MONTHS_FROM_DAYS: Final = 92
SUMMED: Final = {"count": Sum("hands"), "won": Sum("net"), "taken": Sum("rake")}


class Sums(NamedTuple):
    hands: int
    net: int
    rake: int

    def plus(self, other: "Sums") -> "Sums":
        return Sums(self.hands + other.hands, self.net + other.net, self.rake + other.rake)


NOTHING: Final = Sums(0, 0, 0)


class Profit(NamedTuple):
    """`days` are all days of the span in their order, those without a hand included."""

    currency: Currency
    days: list[tuple[date, Sums]]
    games: list[tuple[str, Sums]]
    whole: Sums

    @property
    def running(self) -> list[tuple[date, int]]:
        """What it has come to by the end of each day."""
        total, found = 0, []
        for day, sums in self.days:
            total += sums.net
            found.append((day, total))
        return found

    @property
    def periods(self) -> list[tuple[str, Sums]]:
        """What a table lists: the days played, or months where there would be too many."""
        if len(self.days) <= MONTHS_FROM_DAYS:
            return [(day.isoformat(), sums) for day, sums in self.days if sums != NOTHING]
        months: dict[str, Sums] = {}
        for day, sums in self.days:
            month = f"{day:%Y-%m}"
            months[month] = months.get(month, NOTHING).plus(sums)
        return [(month, sums) for month, sums in months.items() if sums != NOTHING]


def currencies_of(player_id: int) -> list[Currency]:
    """What a player has played for, by code: each currency is asked for by itself."""
    closed = DayResult.objects.filter(player=player_id, currency=OuterRef("pk"), hands__gt=0)
    unclosed = _open_hands(player_id).filter(currency=OuterRef("pk"))
    return list(Currency.objects.filter(Exists(closed) | Exists(unclosed)))


def profit(player_id: int, currency: Currency, span: int | None, now: datetime) -> Profit:
    """A player's results in one currency, of so many days up to now."""
    today = now.astimezone(UTC).date()
    first = today - timedelta(days=span - 1) if span else None
    by_day: dict[date, Sums] = defaultdict(lambda: NOTHING)
    by_game: dict[str, Sums] = defaultdict(lambda: NOTHING)
    # Day and game are asked for one after the other: together there would be a row for each pair.
    for rows in (_closed(player_id, currency, first), _unclosed(player_id, currency, first)):
        for name, sums in (("on", by_day), ("game", by_game)):
            for row in rows.values(name).annotate(**SUMMED):
                told = Sums(row["count"], row["won"], row["taken"])
                sums[row[name]] = sums[row[name]].plus(told)
    for row in _given_back(player_id, currency, first):
        told = Sums(row["count"], row["won"], row["taken"])
        by_day[row["on"]] = by_day[row["on"]].plus(told)
        by_game[row["game"]] = by_game[row["game"]].plus(told)
    first = first or min(by_day, default=today)
    days = [first + timedelta(days=number) for number in range((today - first).days + 1)]
    played = [row for row in by_game.items() if row[1] != NOTHING]
    games = sorted(played, key=lambda row: (-row[1].net, row[0]))
    whole = NOTHING
    for sums_of_game in by_game.values():
        whole = whole.plus(sums_of_game)
    return Profit(currency, [(day, by_day[day]) for day in days], games, whole)


def _closed(player_id: int, currency: Currency, first: date | None) -> Any:
    rows = DayResult.objects.filter(player=player_id, currency=currency).order_by()
    return rows.filter(on__gte=first) if first else rows


def _unclosed(player_id: int, currency: Currency, first: date | None) -> Any:
    rows = _open_hands(player_id).filter(currency=currency).order_by()
    if first:
        rows = rows.filter(ended_at__gte=start_of(first))
    return rows.annotate(on=TruncDate("ended_at", tzinfo=UTC), hands=Value(1))


def _given_back(player_id: int, currency: Currency, first: date | None) -> Any:
    """What closed days will say of hands that were taken back on a later day than they ended on."""
    since = open_since()
    for row in taken_back_later(player_id):
        if row.currency_id != currency.pk:
            continue
        for on, sign in ((ended_on(row), 1), (given_back_on(row), -1)):
            if (since is None or on >= since) and (first is None or on >= first):
                yield {
                    "on": on,
                    "game": row.game,
                    "count": max(sign, 0),
                    "won": sign * row.net,
                    "taken": sign * row.rake,
                }


def _open_hands(player_id: int) -> Any:
    """The hands of days that are not closed yet."""
    hands = HandSeat.objects.filter(
        player=player_id, ended_at__isnull=False, status=Hand.Status.FINISHED
    )
    since = open_since()
    return hands.filter(ended_at__gte=start_of(since)) if since else hands
