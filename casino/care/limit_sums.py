"""Amounts that count against limits: deposits, losses, money taken to tables, time there.

Money is read from the ledger and from the results of hands, time from the seats: nothing is counted
twice or stored separately. Time at two tables at once is counted once.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, Sum

from casino.care.models import PlayerLimit
from games.models import Hand, HandSeat, Seat
from games.models.combined_reads import Read
from games.models.prepared import Query
from wallets.models import Account, Entry
from wallets.models.holders import player_reference
from wallets.values.days import day_of, start_of

Period = PlayerLimit.Period


def begun(period: str, now: datetime) -> datetime:
    """Return the beginning of the present day, week or month."""
    day = day_of(now)
    if period == Period.WEEK:
        day -= timedelta(days=day.weekday())
    if period == Period.MONTH:
        day = day.replace(day=1)
    return start_of(day)


def minutes_in(period: str) -> int:
    """The minutes of a period, at the least."""
    days = {Period.DAY: 1, Period.WEEK: 7, Period.MONTH: 28}[Period(period)]
    return days * 24 * 60


Kind = PlayerLimit.Kind

# Postings of a wallet that take money to a table or an event.
TAKEN: Final = ("buy_in", "tournament_entry")
# An event is won or lost by what it moved in the wallet; its chips are no money.
OF_EVENTS: Final = ("tournament_entry", "tournament_refund", "tournament_prize")
# The bar of every page has the clock of a session.
SEATS_SINCE: Final = Query(
    lambda player, since: Seat.objects.filter(
        Q(left_at=None) | Q(left_at__gt=since), player=player
    ).order_by("sat_down_at"),
    int,
    datetime,
)


def used(player_id: int, limit: PlayerLimit, now: datetime) -> int:
    """Return the used part of a limit in the current period, in the limit's own unit."""
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
    """Return how much of each limit is used: three queries at most, however many limits."""
    some = list(limits)
    kinds = {limit.kind for limit in some}
    since = {limit.period: begun(limit.period, now) for limit in some}
    sat = stretches(player_id, min(since.values()), now) if Kind.SESSION in kinds else []
    won = _won_by_currency(player_id, since) if Kind.LOSS in kinds else {}
    lines = _moved_by_kind(player_id, since) if kinds - {Kind.SESSION} else {}

    def used_of(limit: PlayerLimit) -> int:
        if limit.kind == Kind.SESSION:
            return _minutes(sat, since[limit.period])
        key = limit.currency_id or "", limit.period
        if limit.kind == Kind.DEPOSIT:
            return lines.get(("deposit", *key), 0)
        if limit.kind == Kind.STAKE:
            return -sum(lines.get((kind, *key), 0) for kind in TAKEN)
        return -won.get(key, 0) - sum(lines.get((kind, *key), 0) for kind in OF_EVENTS)

    return {limit.pk: used_of(limit) for limit in some}


def _moved_by_kind(
    player_id: int, since: Mapping[str, datetime]
) -> dict[tuple[str, str, str], int]:
    """The sums of the postings of all wallets, by kind, currency and period."""
    entries = Entry.objects.filter(
        account__kind=Account.Kind.PLAYER,
        account__owner=player_reference(player_id),
        transaction__time__gte=min(since.values()),
        transaction__kind__in=("deposit", *TAKEN, *OF_EVENTS),
    )
    sums = entries.order_by().values_list("transaction__kind", "account__currency")
    periods = {
        period: Sum("amount", filter=Q(transaction__time__gte=begin))
        for period, begin in since.items()
    }
    return {
        (kind, code, period): amount or 0
        for kind, code, *amounts in sums.annotate(**periods)
        for period, amount in zip(periods, amounts, strict=True)
    }


def _won_by_currency(player_id: int, since: Mapping[str, datetime]) -> dict[tuple[str, str], int]:
    hands = HandSeat.objects.filter(
        player=player_id, status=Hand.Status.FINISHED, ended_at__gte=min(since.values())
    )
    periods = {period: Sum("net", filter=Q(ended_at__gte=begin)) for period, begin in since.items()}
    return {
        (code, period): amount or 0
        for code, *amounts in hands.order_by().values_list("currency").annotate(**periods)
        for period, amount in zip(periods, amounts, strict=True)
    }


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
    """Return what a player won at tables and in events; negative if they lost."""
    hands = HandSeat.objects.filter(
        player=player_id, currency=currency, status=Hand.Status.FINISHED, ended_at__gte=since
    )
    won = int(hands.aggregate(sum=Sum("net"))["sum"] or 0)
    return won + moved(player_id, currency, OF_EVENTS, since)


def at_tables(player_id: int, currency: str) -> int:
    """Return a player's stacks at all tables, which they may lose."""
    seats = Seat.objects.filter(player=player_id, left_at=None, stack__currency=currency)
    return int(seats.aggregate(sum=Sum("stack__balance"))["sum"] or 0)


def read_of_stretches(player_id: int, since: datetime, gap: timedelta) -> Read:
    """The query of `stretches`."""
    return SEATS_SINCE, (player_id, since - gap)


def stretches(
    player_id: int, since: datetime, now: datetime, *, gap: timedelta = timedelta()
) -> list[tuple[datetime, datetime]]:
    """Return when a player sat at tables, oldest first; stretches that nearly touch are one."""
    found: list[tuple[datetime, datetime]] = []
    for seat in SEATS_SINCE(player_id, since - gap):
        began, ended = seat.sat_down_at, min(seat.left_at or now, now)
        if found and began <= found[-1][1] + gap:
            found[-1] = (found[-1][0], max(found[-1][1], ended))
        else:
            found.append((began, ended))
    return found


def minutes_played(player_id: int, since: datetime, now: datetime) -> int:
    return _minutes(stretches(player_id, since, now), since)


def _minutes(sat: Iterable[tuple[datetime, datetime]], since: datetime) -> int:
    """Return the minutes of these stretches after a time."""
    spent = sum((max(timedelta(), ended - max(began, since)) for began, ended in sat), timedelta())
    return int(spent.total_seconds()) // 60
