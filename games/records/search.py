"""Looking for hands that have ended: a player's own, and any hand for auditors.

Lists are ordered by the end of the hands, and a page starts at a given hand, so hands that end
between two requests shift no page. Searches of a player read only an index of `HandSeat`, and the
closed days say where in it to look.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from django.contrib.auth import get_user_model
from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import CommandError
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Hand, HandSeat
from games.records import day_index
from games.records.search_filters import Search, further
from wallets.models import Currency
from wallets.values.days import ONE_DAY, day_of, start_of
from wallets.values.errors import Refused

DIGITS_MAX: Final = 18
NAMES: Final = "a hand's code or number, a table such as T3, a player's name, or a day"
# Days that are named by their distance from today.
SAID: Final = {"today": 0, "yesterday": 1}


def read_day(text: str, today: date) -> date | None:
    """`2026-11-23`, `today` or `yesterday`, in UTC; nothing if it is no day."""
    if text in SAID:
        return today - ONE_DAY * SAID[text]
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def chosen(hands: QuerySet[Hand], options: Mapping[str, Any]) -> QuerySet[Hand]:
    """The hands of a command: those of its names, behind the hand of `--after`."""
    try:
        if options["after"]:
            hands = hands.filter(pk__gt=hand_named(str(options["after"])))
        if options["hands"]:
            hands = hands_named(hands, options["hands"], timezone.now())
    except Refused as refusal:
        raise CommandError(refusal.sentence) from None
    return hands


def hands_named(hands: QuerySet[Hand], names: Iterable[str], now: datetime) -> QuerySet[Hand]:
    """The hands with these names; an unknown name is refused."""
    wanted = Q(pk__in=())
    for name in names:
        wanted |= _named(name.strip(), now)
    return hands.filter(wanted)


def hand_named(name: str) -> int:
    """The number of one hand, by its code or by that number."""
    name = name.strip()
    hands = by_code(Hand.objects.all(), name) if "-" in name else _of_number(name)
    number = hands.values_list("pk", flat=True).first()
    if number is None:
        raise Refused("no_such_hand", _("There is no hand {name}."), name=name[:40])
    return int(number)


def _of_number(name: str) -> QuerySet[Hand]:
    if not (name.isascii() and name.isdecimal()) or len(name) > DIGITS_MAX:
        return Hand.objects.none()
    return Hand.objects.filter(pk=int(name))


def _named(name: str, now: datetime) -> Q:
    if name.isascii() and name.isdecimal() and len(name) <= DIGITS_MAX:
        return Q(pk=int(name))
    day = read_day(name, day_of(now))
    if day is not None:
        return Q(ended_at__gte=start_of(day), ended_at__lt=start_of(day + ONE_DAY))
    coded = by_code(Hand.objects.all(), name)
    if coded.exists():
        return Q(pk__in=coded.values("pk"))
    try:
        player = get_user_model()._default_manager.get_by_natural_key(name)
    except ObjectDoesNotExist:
        raise Refused(
            "no_such_name",
            _("{name} is no hand, table, player or day. A day is written as 2026-11-23."),
            name=name[:40],
        ) from None
    return Q(pk__in=HandSeat.objects.filter(player=player.pk).values("hand"))


PAGE: Final = 50
LEDGER_NAME: Final = re.compile(r"hand:([0-9]{1,18})")
HAND_CODE: Final = re.compile(r"[Tt]?([0-9]{1,9})(?:-[Hh]?([0-9]{1,9}))?")


class Edge(NamedTuple):
    """The hand at which a page begins, and the direction."""

    hand_id: int | None = None
    newer: bool = False


class Page(NamedTuple):
    """The hands of a page, the latest first, and the edges of the neighbouring pages."""

    hand_ids: list[int]
    older: int | None
    newer: int | None


class CurrencySum(NamedTuple):
    currency: Currency
    hands: int
    net: int


def read_code(code: str) -> tuple[int, int | None] | None:
    """Read `T3-H120` or `T3`: a table and, if given, the number of a hand there."""
    match = HAND_CODE.fullmatch(code.strip())
    return (int(match[1]), int(match[2]) if match[2] else None) if match else None


def by_code(hands: QuerySet[Hand], code: str) -> QuerySet[Hand]:
    """Hands by their code or their reference in the ledger; a code `T3` finds a whole table."""
    if in_ledger := LEDGER_NAME.fullmatch(code.strip()):
        return hands.filter(pk=int(in_ledger[1]))
    place = read_code(code)
    if place is None:
        return hands.none()
    table, number = place
    table_hands = hands.filter(table_id=table)
    return table_hands.filter(number=number) if number is not None else table_hands


def hands_of_player(player_id: int, search: Search) -> QuerySet[HandSeat]:
    """The player's rows of the hands that match the search."""
    search = _plain(search)
    seats = HandSeat.objects.filter(search.about(), player_id=player_id, ended_at__isnull=False)
    if search.result:
        seats = seats.filter(RESULTS[search.result])
    if search.least is not None:
        seats = seats.filter(_as_large(search.least))
    if search.code:
        # Find the one hand first instead of reading the whole history.
        named = by_code(Hand.objects.all(), search.code).values_list("pk", flat=True)
        seats = seats.filter(hand__in=list(named[:1]))
    return seats.filter(_between(search))


def _plain(search: Search) -> Search:
    """Turn a code that names only a table into a filter by table."""
    table, number = read_code(search.code) or (None, None)
    if table is None or number is not None or search.table not in (None, table):
        return search
    return search._replace(table=table, code="")


def all_hands(search: Search) -> QuerySet[Hand]:
    """All hands that match the search, by any player; for staff."""
    about = search.about("table__currency_id")
    hands = Hand.objects.filter(about, further(search), ended_at__isnull=False)
    if search.player_id is not None:
        hands = hands.filter(_has_seat(Q(player=search.player_id)))
    for partner in search.partners:
        hands = hands.filter(_has_seat(Q(player=partner)))
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
    """Wins or losses of at least this amount, by currency."""
    condition = Q(pk__in=[])
    for code, amount in least.items():
        condition |= Q(currency_id=code) & (Q(net__gte=amount) | Q(net__lte=-amount))
    return _FINISHED & condition


def _has_seat(condition: Q) -> Exists:
    return Exists(HandSeat.objects.filter(condition, hand=OuterRef("pk")))


def _between(search: Search) -> Q:
    """The days of a search, the house's like closed days."""
    condition = Q()
    if search.first_day:
        condition &= Q(ended_at__gte=start_of(search.first_day))
    if search.last_day:
        condition &= Q(ended_at__lt=start_of(search.last_day + ONE_DAY))
    return condition


def page_of_player(player_id: int, search: Search, edge: Edge, size: int = PAGE) -> Page:
    search = _plain(search)

    def parts(at: datetime | None) -> Iterator[Q]:
        return _parts(player_id, search, at, size + 1, newer=edge.newer)

    return page_of(hands_of_player(player_id, search), edge, "hand_id", size, parts)


def _parts(
    player_id: int, search: Search, at: datetime | None, need: int, *, newer: bool
) -> Iterator[Q]:
    """Yield the parts to search, in order: days not closed, then closed days that have hands.

    A search that excludes little simply reads everything.
    """
    narrowed = search.game or search.table or search.currency or search.result
    # A hand by its code and hands of a size have indexes of their own.
    by_days = narrowed and not search.code and search.least is None
    since = day_index.open_since() if by_days else None
    if since is None:
        yield Q()
        return
    unclosed = Q(ended_at__gte=start_of(since))
    beyond = at is not None and at < start_of(since)
    if not newer and not beyond:
        yield unclosed
    edge = day_of(at) if at else None
    for span in day_index.spans(player_id, search, edge, need, newer=newer):
        yield span.ended
    if newer:
        yield unclosed


def page_of(
    found: QuerySet[Hand] | QuerySet[HandSeat],
    edge: Edge,
    key: str,
    size: int = PAGE,
    parts: Callable[[datetime | None], Iterable[Q]] = lambda _at: (Q(),),
) -> Page:
    """One page; `key` is the column with the hand: `hand_id`, or `pk` if the rows are hands.

    The query selects only the numbers of hands, so the database can answer it from an index. It
    searches one part after another until the page is full.
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
    return _page_of_numbers(numbers, edge, size)


def _page_of_numbers(numbers: list[int], edge: Edge, size: int) -> Page:
    """A page from the numbers found: those of the page, and one more if there is one."""
    more, numbers = len(numbers) > size, numbers[:size]
    if edge.newer:
        numbers.reverse()
    if not numbers:
        return Page([], None, None)
    # The reader's previous page is on one side.
    older = more or edge.newer
    newer = more if edge.newer else edge.hand_id is not None
    return Page(numbers, numbers[-1] if older else None, numbers[0] if newer else None)


def sums_of(
    player_id: int, search: Search, currencies: Mapping[str, Currency] | None = None
) -> list[CurrencySum]:
    """The sums over all matching hands, by currency: amounts of two are never added.

    Tournament chips are no money: their hands are listed, and left out here.

    Closed days are summed already, and there are few hands since then. Days know no sizes of
    hands, so a search by size adds up the hands themselves by an index of their own.
    """
    search = _plain(search)
    seats = hands_of_player(player_id, search).exclude(status=Hand.Status.VOID)
    sums: dict[str, tuple[int, int]] = {}
    since = day_index.open_since()
    if search.result == "void":
        return []
    if since and not search.code and search.least is None:
        seats = seats.filter(ended_at__gte=start_of(since))
        _add(sums, day_index.sums(player_id, search))
    _add(sums, _counted(seats))
    known = currencies or Currency.objects.in_bulk(sums)
    money = [code for code in sorted(sums) if not known[code].is_chips]
    return [CurrencySum(known[code], *sums[code]) for code in money]


def _counted(seats: QuerySet[HandSeat]) -> QuerySet[HandSeat, Any]:
    by_currency = seats.order_by().values("currency_id")
    return by_currency.annotate(count=Count("*"), won=Sum("net"))


def _add(sums: dict[str, tuple[int, int]], rows: Iterable[dict[str, Any]]) -> None:
    for row in rows:
        before = sums.get(row["currency_id"], (0, 0))
        sums[row["currency_id"]] = (before[0] + row["count"], before[1] + row["won"])
