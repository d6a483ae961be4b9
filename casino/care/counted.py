"""What counts against a limit: deposits, losses, money taken to tables, and time at tables.

Money is read from the ledger and from the results of hands, time from the seats: nothing is counted
twice or kept beside them. Time at two tables at once is counted once.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, Sum

from casino.care.models import PlayerLimit
from casino.care.periods import begun
from games.models import Hand, HandSeat, Seat
from wallets.holders import player_reference
from wallets.models import Account, Entry

Kind = PlayerLimit.Kind

# Postings of a wallet that take money to a table or an event.
TAKEN: Final = ("buy_in", "tournament_entry")
# An event is won or lost by what it moved in the wallet; its chips are no money.
OF_EVENTS: Final = ("tournament_entry", "tournament_refund", "tournament_prize")


def used(player_id: int, limit: PlayerLimit, now: datetime) -> int:
    """How much of a limit is used in the period that runs, in its own unit."""
    since = begun(limit.period, now)
    if limit.kind == Kind.SESSION:
        return minutes_played(player_id, since, now)
    currency = limit.currency_id or ""
    if limit.kind == Kind.DEPOSIT:
        return moved(player_id, currency, ("deposit",), since)
    if limit.kind == Kind.STAKE:
        return -moved(player_id, currency, TAKEN, since)
    return -net(player_id, currency, since)


def used_by_limits(player_id: int, limits: Iterable[PlayerLimit], now: datetime) -> dict[int, int]:
    """How much of each limit is used: at most three queries a period, however many limits."""
    by_period: dict[str, list[PlayerLimit]] = {}
    for limit in limits:
        by_period.setdefault(limit.period, []).append(limit)
    found: dict[int, int] = {}
    for period, some in by_period.items():
        since = begun(period, now)
        kinds = {limit.kind for limit in some}
        minutes = minutes_played(player_id, since, now) if Kind.SESSION in kinds else 0
        won = _won_by_currency(player_id, since) if Kind.LOSS in kinds else {}
        lines = _moved_by_kind(player_id, since) if kinds - {Kind.SESSION} else {}
        for limit in some:
            currency = limit.currency_id or ""
            found[limit.pk] = {
                Kind.SESSION: minutes,
                Kind.DEPOSIT: _sum(lines, currency, ("deposit",)),
                Kind.STAKE: -_sum(lines, currency, TAKEN),
                Kind.LOSS: -(won.get(currency, 0) + _sum(lines, currency, OF_EVENTS)),
            }[Kind(limit.kind)]
    return found


def _moved_by_kind(player_id: int, since: datetime) -> dict[tuple[str, str], int]:
    """The sums of the postings of all wallets, by currency and kind."""
    entries = Entry.objects.filter(
        account__kind=Account.Kind.PLAYER,
        account__owner=player_reference(player_id),
        transaction__time__gte=since,
        transaction__kind__in=("deposit", *TAKEN, *OF_EVENTS),
    )
    sums = entries.order_by().values_list("account__currency", "transaction__kind")
    return {(code, kind): amount for code, kind, amount in sums.annotate(Sum("amount"))}


def _won_by_currency(player_id: int, since: datetime) -> dict[str, int]:
    hands = HandSeat.objects.filter(
        player=player_id, status=Hand.Status.FINISHED, ended_at__gte=since
    )
    return dict(hands.order_by().values_list("currency").annotate(Sum("net")))


def _sum(lines: dict[tuple[str, str], int], currency: str, kinds: tuple[str, ...]) -> int:
    return sum(lines.get((currency, kind), 0) for kind in kinds)


def moved(player_id: int, currency: str, kinds: tuple[str, ...], since: datetime) -> int:
    """The sum of a wallet's postings of some kinds."""
    entries = Entry.objects.filter(
        account__kind=Account.Kind.PLAYER,
        account__owner=player_reference(player_id),
        account__currency=currency,
        transaction__kind__in=kinds,
        transaction__time__gte=since,
    )
    return int(entries.aggregate(sum=Sum("amount"))["sum"] or 0)


def net(player_id: int, currency: str, since: datetime) -> int:
    """What somebody won at tables and in events; below zero they lost."""
    hands = HandSeat.objects.filter(
        player=player_id, currency=currency, status=Hand.Status.FINISHED, ended_at__gte=since
    )
    won = int(hands.aggregate(sum=Sum("net"))["sum"] or 0)
    return won + moved(player_id, currency, OF_EVENTS, since)


def at_tables(player_id: int, currency: str) -> int:
    """What somebody has in front of them, all of which may be lost."""
    seats = Seat.objects.filter(player=player_id, left_at=None, stack__currency=currency)
    return int(seats.aggregate(sum=Sum("stack__balance"))["sum"] or 0)


def stretches(
    player_id: int, since: datetime, now: datetime, *, gap: timedelta = timedelta()
) -> list[tuple[datetime, datetime]]:
    """When somebody sat at tables, oldest first; stretches that nearly touch are one."""
    seats = Seat.objects.filter(Q(left_at=None) | Q(left_at__gt=since - gap), player=player_id)
    found: list[tuple[datetime, datetime]] = []
    for began, left in seats.order_by("sat_down_at").values_list("sat_down_at", "left_at"):
        ended = min(left or now, now)
        if found and began <= found[-1][1] + gap:
            found[-1] = (found[-1][0], max(found[-1][1], ended))
        else:
            found.append((began, ended))
    return found


def minutes_played(player_id: int, since: datetime, now: datetime) -> int:
    spent = sum(
        (ended - max(began, since) for began, ended in stretches(player_id, since, now)),
        timedelta(),
    )
    return max(0, int(spent.total_seconds()) // 60)
