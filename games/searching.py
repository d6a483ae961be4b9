"""Looking for hands that have ended: a player's own, and any hand for auditors.

A list is ordered by when hands ended, and paged by the hand at its edge, so that hands which end
meanwhile shift no page. A player's hands are found in the index of `HandSeat` alone.
"""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from games.accounting import ended_on, given_back_on, taken_back_later
from games.families import games_of
from games.models import Day, DayResult, Hand, HandSeat
from wallets.models import Currency

PAGE: Final = 50
HAND_CODE: Final = re.compile(r"[Tt]?(\d{1,9})(?:-[Hh]?(\d{1,9}))?")


class Search(NamedTuple):
    """What somebody asks for; nothing of it has to be said."""

    # A game or a family, as in the lobby.
    game: str = ""
    table: int | None = None
    currency: str = ""
    first_day: date | None = None
    last_day: date | None = None
    # won, lost, even or void.
    result: str = ""
    # Hands in which as much was won or lost, in minor units by currency.
    least: dict[str, int] | None = None
    code: str = ""
    player_id: int | None = None


class Edge(NamedTuple):
    """From which hand on a page reads, and which way."""

    hand_id: int | None = None
    newer: bool = False


class Page(NamedTuple):
    """The hands of a page, the latest first, and those behind which there is more."""

    hand_ids: list[int]
    older: int | None
    newer: int | None


class CurrencySum(NamedTuple):
    currency: Currency
    hands: int
    net: int


def read_code(code: str) -> tuple[int, int | None] | None:
    """A table and, where it is said, the number of a hand there: `T3-H120`, or `T3` alone."""
    told = HAND_CODE.fullmatch(code.strip())
    return (int(told[1]), int(told[2]) if told[2] else None) if told else None


def by_code(hands: QuerySet[Hand], code: str) -> QuerySet[Hand]:
    """Hands by what people call them; a table's name alone finds all of it."""
    told = read_code(code)
    if told is None:
        return hands.none()
    table, number = told
    found = hands.filter(table_id=table)
    return found.filter(number=number) if number is not None else found


def hands_of_player(player_id: int, search: Search) -> QuerySet[HandSeat]:
    """The seats that a player had in the hands that are asked for."""
    seats = HandSeat.objects.filter(_about(search), player_id=player_id, ended_at__isnull=False)
    if search.result:
        seats = seats.filter(RESULTS[search.result])
    if search.least is not None:
        seats = seats.filter(_as_large(search.least))
    if search.code:
        seats = _seats_by_code(seats, search.code)
    return seats.filter(_between(search))


def all_hands(search: Search) -> QuerySet[Hand]:
    """Every hand that is asked for, whoever played it: for auditors."""
    about = _about(search, "table__currency_id")
    hands = Hand.objects.filter(about, ended_at__isnull=False)
    if search.result == "void":
        hands = hands.filter(status=Hand.Status.VOID)
    elif search.result:
        hands = hands.filter(_has_seat(RESULTS[search.result]))
    if search.least is not None:
        hands = hands.filter(_has_seat(_as_large(search.least)))
    if search.code:
        hands = by_code(hands, search.code)
    return hands.filter(_between(search))


_FINISHED: Final = Q(status=Hand.Status.FINISHED)
RESULTS: Final = {
    "won": _FINISHED & Q(net__gt=0),
    "lost": _FINISHED & Q(net__lt=0),
    "even": _FINISHED & Q(net=0),
    "void": Q(status=Hand.Status.VOID),
}


def _about(search: Search, currency: str = "currency_id") -> Q:
    """What is asked about game, table and currency: hands, seats and summed days have all three."""
    found = Q()
    if search.game:
        found &= Q(game__in=games_of(search.game))
    if search.table is not None:
        found &= Q(table_id=search.table)
    if search.currency:
        found &= Q(**{currency: search.currency})
    return found


def _as_large(least: dict[str, int]) -> Q:
    """Results at least so large either way, each currency in its own units."""
    found = Q(pk__in=[])
    for code, amount in least.items():
        found |= Q(currency_id=code) & (Q(net__gte=amount) | Q(net__lte=-amount))
    return found


def _has_seat(condition: Q) -> Exists:
    return Exists(HandSeat.objects.filter(condition, hand=OuterRef("pk")))


def _between(search: Search) -> Q:
    """Days are those of UTC, as the house closes them."""
    found = Q()
    if search.first_day:
        found &= Q(ended_at__gte=start_of(search.first_day))
    if search.last_day:
        found &= Q(ended_at__lt=start_of(search.last_day) + timedelta(days=1))
    return found


def start_of(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _seats_by_code(seats: QuerySet[HandSeat], code: str) -> QuerySet[HandSeat]:
    told = read_code(code)
    if told is None:
        return seats.none()
    table, number = told
    if number is None:
        return seats.filter(table_id=table)
    return seats.filter(hand__in=Hand.objects.filter(table_id=table, number=number))


def page_of(found: QuerySet[Any], edge: Edge, key: str, size: int = PAGE) -> Page:
    """One page; `key` is what rows call their hand: `hand_id`, or `pk` where they are hands.

    Only the numbers of hands are asked for: those stand in the index, and what does not fit a
    filter is passed over there.
    """
    at = None
    if edge.hand_id is not None:
        at = Hand.objects.filter(pk=edge.hand_id).values_list("ended_at", flat=True).first()
    if at is None:
        edge = Edge()
    else:
        way, up_to = ("gt", "gte") if edge.newer else ("lt", "lte")
        found = found.filter(
            Q(**{f"ended_at__{way}": at}) | Q(**{f"{key}__{way}": edge.hand_id}),
            **{f"ended_at__{up_to}": at},
        )
    sign = "" if edge.newer else "-"
    ordered = found.order_by(f"{sign}ended_at", f"{sign}{key}")
    numbers = list(ordered.values_list(key, flat=True)[: size + 1])
    more, numbers = len(numbers) > size, numbers[:size]
    if edge.newer:
        numbers.reverse()
    if not numbers:
        return Page([], None, None)
    # Coming from one side there is something on that side: the page that one comes from.
    older = more or edge.newer
    newer = more if edge.newer else edge.hand_id is not None
    return Page(numbers, numbers[-1] if older else None, numbers[0] if newer else None)


def sums_of(player_id: int, search: Search) -> list[CurrencySum]:
    """What all that is asked for comes to, by currency: amounts of two are never added.

    Where only days, tables, games and currencies are asked for, closed days have been summed
    already, and the hands since then are few.
    """
    seats = hands_of_player(player_id, search).exclude(status=Hand.Status.VOID)
    sums: dict[str, tuple[int, int]] = {}
    closed = Day.objects.order_by("-day").values_list("day", flat=True).first()
    if closed and not (search.result or search.least is not None or search.code):
        seats = seats.filter(ended_at__gte=start_of(closed + timedelta(days=1)))
        _add(sums, _days_of(player_id, search), Sum("hands"))
        _leave_out_taken_back(sums, player_id, search, closed)
    _add(sums, seats, Count("*"))
    found = Currency.objects.in_bulk(sums)
    return [CurrencySum(found[code], *sums[code]) for code in sorted(sums)]


def _leave_out_taken_back(
    sums: dict[str, tuple[int, int]], player_id: int, search: Search, closed: date
) -> None:
    """Closed days count a hand when it ended and take it off when it was taken back; a list does
    not count it at all.
    """

    def counted(day: date) -> bool:
        first, last = search.first_day or day, search.last_day or day
        return day <= closed and first <= day <= last

    for row in taken_back_later(player_id):
        games = games_of(search.game) if search.game else (row.game,)
        if row.game not in games or search.table not in (None, row.table_id):
            continue
        if search.currency not in ("", row.currency_id):
            continue
        hands, net = sums.get(row.currency_id, (0, 0))
        if counted(ended_on(row)):
            hands, net = hands - 1, net - row.net
        if counted(given_back_on(row)):
            net += row.net
        sums[row.currency_id] = (hands, net)


def _days_of(player_id: int, search: Search) -> QuerySet[DayResult]:
    days = DayResult.objects.filter(_about(search), player=player_id)
    if search.first_day:
        days = days.filter(day__day__gte=search.first_day)
    if search.last_day:
        days = days.filter(day__day__lte=search.last_day)
    return days


def _add(sums: dict[str, tuple[int, int]], rows: QuerySet[Any], hands: Any) -> None:
    told = rows.order_by().values("currency_id").annotate(count=hands, won=Sum("net"))
    for row in told:
        before = sums.get(row["currency_id"], (0, 0))
        sums[row["currency_id"]] = (before[0] + row["count"], before[1] + row["won"])
