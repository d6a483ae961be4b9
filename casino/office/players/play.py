"""A player's play: seats, the last hands, and results by game.

Results come from the sums of closed days and the few hands since, never from all hands; hands from
the index of the player's history. A hand that runs is in none of it.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Count, Sum

from casino.accounts.models import Player
from games.models import DayResult, Hand, HandSeat, Seat
from games.records import day_index
from games.words.naming import game_name, table_title
from wallets.models import Currency
from wallets.values.days import start_of

HANDS: Final = 8
SEATS: Final = 6


class HandLine(NamedTuple):
    """One finished hand, and what it brought the player."""

    number: int
    code: str
    game: str
    table: str
    ended_at: datetime | None
    net: int
    currency: Currency
    void: bool


class GameLine(NamedTuple):
    """A player's result at one game in one currency."""

    game: str
    hands: int
    net: int
    currency: Currency


def seats_now(player: Player) -> list[Seat]:
    held = Seat.objects.filter(player=player, left_at=None)
    return list(held.select_related("table__currency", "stack").order_by("sat_down_at"))


def seats_before(player: Player) -> list[Seat]:
    left = Seat.objects.filter(player=player, left_at__isnull=False)
    # By the time: the index of the player's seats is read, and not all seats backwards.
    return list(left.select_related("table").order_by("-sat_down_at")[:SEATS])


def last_hands(player: Player, currencies: dict[str, Currency]) -> list[HandLine]:
    """The newest finished hands for money, for which one index is enough."""
    money = [one.code for one in currencies.values() if not one.is_chips]
    rows = HandSeat.objects.filter(
        player=player, ended_at__isnull=False, currency__in=money
    ).order_by("-ended_at", "-hand")
    values = rows.values_list(
        "hand", "hand__number", "table", "table__name", "game", "ended_at", "net", "currency",
        "status",
    )  # fmt: skip
    return [
        HandLine(
            number=hand,
            code=Hand(table_id=table, number=number).code,
            game=str(game_name(game)),
            table=table_title(name),
            ended_at=ended,
            net=net,
            currency=currencies[code],
            void=status == Hand.Status.VOID,
        )
        for hand, number, table, name, game, ended, net, code, status in values[:HANDS]
    ]


def results(player: Player, currencies: dict[str, Currency]) -> list[GameLine]:
    """By game and currency, the most played first."""
    sums: dict[tuple[str, str], tuple[int, int]] = {}
    since = day_index.open_since()
    open_hands = HandSeat.objects.filter(
        player=player, ended_at__isnull=False, status=Hand.Status.FINISHED
    )
    if since is not None:
        open_hands = open_hands.filter(ended_at__gte=start_of(since))
        closed = DayResult.objects.filter(player=player).order_by()
        _add(
            sums,
            closed.values_list("currency", "game").annotate(
                count=Sum(day_index.HANDS[""]), won=Sum(day_index.NET[""])
            ),
        )
    played = open_hands.order_by().values_list("currency", "game")
    _add(sums, played.annotate(count=Count("*"), won=Sum("net")))
    lines = [
        GameLine(str(game_name(game)), hands, net, currencies[code])
        for (code, game), (hands, net) in sums.items()
        if not currencies[code].is_chips
    ]
    return sorted(lines, key=lambda one: (-one.hands, one.game))


def in_all(lines: Iterable[GameLine]) -> list[tuple[Currency, int, int]]:
    """Return the hands and the result of all games together, by currency."""
    sums: dict[Currency, tuple[int, int]] = {}
    for line in lines:
        hands, net = sums.get(line.currency, (0, 0))
        sums[line.currency] = (hands + line.hands, net + line.net)
    return [(currency, *both) for currency, both in sums.items()]


def _add(
    sums: dict[tuple[str, str], tuple[int, int]], rows: Iterable[tuple[str, str, int, int]]
) -> None:
    for code, game, hands, net in rows:
        before = sums.get((code, game), (0, 0))
        sums[code, game] = (before[0] + (hands or 0), before[1] + (net or 0))
