"""Looking for hands that have ended: a player's own, and any hand for auditors.

A list is ordered by when hands ended, and paged by the hand at its edge, so that hands which end
meanwhile shift no page. A player's hands are found in the index of `HandSeat` alone, and the closed
days say where in it to look.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from games.books import closed_days
from games.books.asked import Search, start_of
from games.models import Hand, HandSeat
from wallets.models import Currency

PAGE: Final = 50
LEDGER_NAME: Final = re.compile(r"hand:(\d{1,18})")
HAND_CODE: Final = re.compile(r"[Tt]?(\d{1,9})(?:-[Hh]?(\d{1,9}))?")


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
    """Hands by what people or the ledger call them; a table's name alone finds all of it."""
    if in_ledger := LEDGER_NAME.fullmatch(code.strip()):
        return hands.filter(pk=int(in_ledger[1]))
    told = read_code(code)
    if told is None:
        return hands.none()
    table, number = told
    found = hands.filter(table_id=table)
    return found.filter(number=number) if number is not None else found


def hands_of_player(player_id: int, search: Search) -> QuerySet[HandSeat]:
    """The seats that a player had in the hands that are asked for."""
    search = _plain(search)
    seats = HandSeat.objects.filter(search.about(), player_id=player_id, ended_at__isnull=False)
    if search.result:
        seats = seats.filter(RESULTS[search.result])
    if search.least is not None:
        seats = seats.filter(_as_large(search.least))
    if search.code:
        # One hand: it is found first, so that nobody goes through a history to find it.
        named = by_code(Hand.objects.all(), search.code).values_list("pk", flat=True)
        seats = seats.filter(hand__in=list(named[:1]))
    return seats.filter(_between(search))


def _plain(search: Search) -> Search:
    """A table's name in the place of a hand's is as good as the table."""
    table, number = read_code(search.code) or (None, None)
    if table is None or number is not None or search.table not in (None, table):
        return search
    return search._replace(table=table, code="")


def all_hands(search: Search) -> QuerySet[Hand]:
    """Every hand that is asked for, whoever played it: for auditors."""
    about = search.about("table__currency_id")
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


def _as_large(least: dict[str, int]) -> Q:
    """Results at least so large either way, each currency in its own units."""
    found = Q(pk__in=[])
    for code, amount in least.items():
        found |= Q(currency_id=code) & (Q(net__gte=amount) | Q(net__lte=-amount))
    return _FINISHED & found


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


def page_of_player(player_id: int, search: Search, edge: Edge, size: int = PAGE) -> Page:
    """One page of a player's hands."""
    search = _plain(search)

    def parts(at: datetime | None) -> Iterator[Q]:
        return _parts(player_id, search, at, size + 1, newer=edge.newer)

    return page_of(hands_of_player(player_id, search), edge, "hand_id", size, parts)


def _parts(
    player_id: int, search: Search, at: datetime | None, need: int, *, newer: bool
) -> Iterator[Q]:
    """Where to look, in that order: the days that are not closed yet, and closed ones that hold it.

    Where little is left out, one simply goes through all.
    """
    narrowed = search.game or search.table or search.currency or search.result
    since = closed_days.open_since()
    # A hand by its code and hands of a size have indexes of their own.
    if since is None or search.code or search.least is not None or not narrowed:
        yield Q()
        return
    unclosed = Q(ended_at__gte=start_of(since))
    beyond = at is not None and at < start_of(since)
    if not newer and not beyond:
        yield unclosed
    edge = at.astimezone(UTC).date() if at else None
    for span in closed_days.spans(player_id, search, edge, need, newer=newer):
        yield span.ended
    if newer:
        yield unclosed


def page_of(
    found: QuerySet[Any],
    edge: Edge,
    key: str,
    size: int = PAGE,
    parts: Callable[[datetime | None], Iterable[Q]] = lambda _at: (Q(),),
) -> Page:
    """One page; `key` is what rows call their hand: `hand_id`, or `pk` where they are hands.

    Only the numbers of hands are asked for: those stand in the index, and what does not fit a
    filter is passed over there. `parts` are gone through until the page is full.
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
    numbers: list[int] = []
    for part in parts(at):
        left = size + 1 - len(numbers)
        numbers += ordered.filter(part).values_list(key, flat=True)[:left]
        if len(numbers) > size:
            break
    return _told_page(numbers, edge, size)


def _told_page(numbers: list[int], edge: Edge, size: int) -> Page:
    """A page from its hands, as they were found, and one more where there is one."""
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

    Closed days have been summed already, and the hands since then are few. What hands of a size
    come to no day says, and these are added up by their own index.
    """
    search = _plain(search)
    seats = hands_of_player(player_id, search).exclude(status=Hand.Status.VOID)
    sums: dict[str, tuple[int, int]] = {}
    since = closed_days.open_since()
    if search.result == "void":
        return []
    if since and not search.code and search.least is None:
        seats = seats.filter(ended_at__gte=start_of(since))
        _add(sums, closed_days.sums(player_id, search))
    _add(sums, _counted(seats))
    found = Currency.objects.in_bulk(sums)
    return [CurrencySum(found[code], *sums[code]) for code in sorted(sums)]


def _counted(seats: QuerySet[HandSeat]) -> QuerySet[HandSeat, Any]:
    told = seats.order_by().values("currency_id")
    return told.annotate(count=Count("*"), won=Sum("net"))


def _add(sums: dict[str, tuple[int, int]], rows: Iterable[dict[str, Any]]) -> None:
    for row in rows:
        before = sums.get(row["currency_id"], (0, 0))
        sums[row["currency_id"]] = (before[0] + row["count"], before[1] + row["won"])
