"""What a player has won over time and by game, from the sums of closed days.

A closed day's sums stand in `DayResult`; only the days since then are added up from the hands
themselves, so that it is quick however much somebody has played.
"""

from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import Count, Sum
from django.db.models.functions import TruncDate

from games.accounting import ended_on, given_back_on, taken_back_later
from games.models import Day, DayResult, Hand, HandSeat
from games.searching import start_of
from wallets.models import Currency

# How far back one looks, in days; nothing for all there is.
SPANS: Final[dict[str, int | None]] = {"30": 30, "365": 365, "all": None}
MONTHS_FROM_DAYS: Final = 92


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
    """What a player has played for, by code."""
    codes = set(DayResult.objects.filter(player=player_id).values_list("currency_id", flat=True))
    codes |= set(_open_hands(player_id).values_list("currency_id", flat=True).distinct().order_by())
    return list(Currency.objects.filter(pk__in=codes))


def profit(player_id: int, currency: Currency, span: int | None, now: datetime) -> Profit:
    """A player's results in one currency, of so many days up to now."""
    today = now.astimezone(UTC).date()
    first = today - timedelta(days=span - 1) if span else None
    by_day: dict[date, Sums] = defaultdict(lambda: NOTHING)
    by_game: dict[str, Sums] = defaultdict(lambda: NOTHING)
    for row in [
        *_closed(player_id, currency, first),
        *_open(player_id, currency, first),
        *_given_back(player_id, currency, first),
    ]:
        sums = Sums(row["count"], row["won"], row["taken"])
        by_day[row["on"]] = by_day[row["on"]].plus(sums)
        by_game[row["game"]] = by_game[row["game"]].plus(sums)
    first = first or min(by_day, default=today)
    days = [first + timedelta(days=number) for number in range((today - first).days + 1)]
    games = sorted(by_game.items(), key=lambda row: (-row[1].net, row[0]))
    whole = NOTHING
    for sums in by_game.values():
        whole = whole.plus(sums)
    return Profit(currency, [(day, by_day[day]) for day in days], games, whole)


def _closed(player_id: int, currency: Currency, first: date | None) -> Any:
    rows = DayResult.objects.filter(player=player_id, currency=currency)
    if first:
        rows = rows.filter(day__day__gte=first)
    told = rows.values("day__day", "game").annotate(
        count=Sum("hands"), won=Sum("net"), taken=Sum("rake")
    )
    return [row | {"on": row["day__day"]} for row in told.order_by("day__day", "game")]


def _open(player_id: int, currency: Currency, first: date | None) -> Any:
    rows = _open_hands(player_id).filter(currency=currency)
    if first:
        rows = rows.filter(ended_at__gte=start_of(first))
    told = rows.annotate(on=TruncDate("ended_at", tzinfo=UTC)).values("on", "game")
    return told.annotate(count=Count("pk"), won=Sum("net"), taken=Sum("rake")).order_by(
        "on", "game"
    )


def _given_back(player_id: int, currency: Currency, first: date | None) -> Any:
    """What closed days will say of hands that were taken back on a later day than they ended on."""
    closed = Day.objects.order_by("-day").values_list("day", flat=True).first()
    for row in taken_back_later(player_id):
        if row.currency_id != currency.pk:
            continue
        for on, sign in ((ended_on(row), 1), (given_back_on(row), -1)):
            if (closed is None or on > closed) and (first is None or on >= first):
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
    closed = Day.objects.order_by("-day").values_list("day", flat=True).first()
    return hands.filter(ended_at__gte=start_of(closed + timedelta(days=1))) if closed else hands
