"""Limits of players: setting and loosening them, what counts against them, and how they read.

Money is read from the ledger and from the results of hands, time from the seats: nothing is counted
twice or stored separately. Time at two tables at once is counted once.

Each period has its own limit, and all of them hold: so the lowest wins. Every verb holds the
player's row, so that two simultaneous forms are handled one after the other.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import connection, transaction
from django.db.models import Q, Sum, prefetch_related_objects
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from casino.accounts.models import Player
from casino.care.models import PlayerLimit
from games.models import Hand, HandSeat, Seat
from games.models.combined import Read
from games.models.prepared import Query
from wallets.models import Account, Currency, Entry
from wallets.models.holders import lock_player, player_reference
from wallets.of_record.verbs import verb
from wallets.staff.permitted import money
from wallets.values import AMOUNT_MAX
from wallets.values.amounts import show_amount
from wallets.values.days import day_of, monday_of, start_of
from wallets.values.errors import Refused

Period = PlayerLimit.Period


def begun(period: str, now: datetime) -> datetime:
    """Return the beginning of the present day, week or month."""
    day = day_of(now)
    if period == Period.WEEK:
        day = monday_of(day)
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
    return SEATS_SINCE, (player_id, since - gap)


def stretches(
    player_id: int, since: datetime, now: datetime, *, gap: timedelta = timedelta()
) -> list[tuple[datetime, datetime]]:
    """Return when a player sat at tables, oldest first; stretches that nearly touch are one."""
    stretches: list[tuple[datetime, datetime]] = []
    for seat in SEATS_SINCE(player_id, since - gap):
        began, ended = seat.sat_down_at, min(seat.left_at or now, now)
        if stretches and began <= stretches[-1][1] + gap:
            stretches[-1] = (stretches[-1][0], max(stretches[-1][1], ended))
        else:
            stretches.append((began, ended))
    return stretches


def minutes_played(player_id: int, since: datetime, now: datetime) -> int:
    return _minutes(stretches(player_id, since, now), since)


def _minutes(sat: Iterable[tuple[datetime, datetime]], since: datetime) -> int:
    """Return the minutes of these stretches after a time."""
    spent = sum((max(timedelta(), ended - max(began, since)) for began, ended in sat), timedelta())
    return int(spent.total_seconds()) // 60


# How long a player thinks about a looser limit before they can say yes again.
THINK_FOR: Final = timedelta(hours=24)


class Wanted(NamedTuple):
    """A limit that a player types; without a value, none."""

    kind: str
    period: str
    currency: Currency | None
    value: int | None


def in_force(player_id: int, kind: str | None = None, *, hold: bool = False) -> list[PlayerLimit]:
    """The limits that hold now, at most one for each kind, period and currency.

    With `hold` no other transaction counts against them until this one ends.
    """
    rows = PlayerLimit.objects.filter(player=player_id, confirmed_at__isnull=False)
    if kind is not None:
        rows = rows.filter(kind=kind)
    if hold and connection.in_atomic_block:
        rows = rows.select_for_update(no_key=True)
    latest = {
        (row.kind, row.period, row.currency_id): row for row in rows.order_by("confirmed_at", "id")
    }
    return [row for row in latest.values() if row.value is not None]


def waiting(player_id: int) -> list[PlayerLimit]:
    """Return the limits that wait for a confirmation, now or later."""
    rows = PlayerLimit.objects.filter(player=player_id, confirmed_at=None, withdrawn_at=None)
    return list(rows.select_related("currency").order_by("effective_from", "id"))


@verb("player:care.ask_limit")
def ask(player: Player, wanted: Wanted, now: datetime) -> PlayerLimit:
    """Set a limit, change it, or lift it; the row says whether it holds already."""
    _check(wanted)
    with transaction.atomic():
        lock_player(player)
        held = _held(player, wanted)
        if wanted.value == held:
            raise Refused("same_limit", _("This limit is already set."))
        _withdraw_waiting(player, wanted, now)
        stricter = held is None or (wanted.value is not None and wanted.value < held)
        return PlayerLimit.objects.create(
            player=player,
            kind=wanted.kind,
            period=wanted.period,
            currency=wanted.currency,
            value=wanted.value,
            made_at=now,
            effective_from=now if stricter else now + THINK_FOR,
            confirmed_at=now if stricter else None,
        )


@verb("player:care.confirm_limit")
def confirm(player: Player, number: int, now: datetime) -> PlayerLimit:
    """The second yes to a looser limit."""
    with transaction.atomic():
        lock_player(player)
        limit = _waiting(player, number)
        if now < limit.effective_from:
            raise Refused("too_early", _("You can confirm this 24 hours after you asked for it."))
        limit.confirmed_at = now
        limit.save(update_fields=["confirmed_at"])
        return limit


@verb("player:care.withdraw_limit")
def withdraw(player: Player, number: int, now: datetime) -> PlayerLimit:
    """Keep the stricter limit after all."""
    with transaction.atomic():
        lock_player(player)
        limit = _waiting(player, number)
        limit.withdrawn_at = now
        limit.save(update_fields=["withdrawn_at"])
        return limit


def _check(wanted: Wanted) -> None:
    if wanted.kind not in Kind.values or wanted.period not in Period.values:
        raise Refused("no_such_limit", _("There is no such limit."))
    if (wanted.kind == Kind.SESSION) != (wanted.currency is None):
        raise Refused("limit_currency", _("A limit of money needs a currency; time has none."))
    if wanted.currency is not None and wanted.currency.is_chips:
        raise Refused("limit_currency", _("A limit of money needs a currency; time has none."))
    most = minutes_in(wanted.period) if wanted.kind == Kind.SESSION else AMOUNT_MAX
    if wanted.value is not None and not 0 <= wanted.value <= most:
        shown = most if wanted.currency is None else show_amount(most, wanted.currency)
        raise Refused("limit_bounds", _("A limit is from 0 to {most}."), most=shown)


def _held(player: Player, wanted: Wanted) -> int | None:
    code = wanted.currency.pk if wanted.currency else None
    for limit in in_force(player.pk, wanted.kind):
        if (limit.period, limit.currency_id) == (wanted.period, code):
            return limit.value
    return None


def _withdraw_waiting(player: Player, wanted: Wanted, now: datetime) -> None:
    waits = PlayerLimit.objects.filter(player=player, confirmed_at=None, withdrawn_at=None)
    waits.filter(kind=wanted.kind, period=wanted.period, currency=wanted.currency).update(
        withdrawn_at=now
    )


def _waiting(player: Player, number: int) -> PlayerLimit:
    rows = PlayerLimit.objects.filter(player=player, confirmed_at=None, withdrawn_at=None)
    limit = rows.select_related("currency").filter(pk=number).first()
    if limit is None:
        raise Refused("nothing_waits", _("This no longer needs your answer."))
    return limit


class ShownLimit(NamedTuple):
    """A limit that holds, or one that waits for its second yes."""

    number: int
    kind: str
    period: str
    # Empty where the limit will be lifted.
    value: str
    used: str
    effective_from: datetime
    may_confirm: bool


def limits_that_hold(player: Player, now: datetime) -> list[ShownLimit]:
    held = in_force(player.pk)
    prefetch_related_objects(held, "currency")
    used = used_by_limits(player.pk, held, now)
    return [_shown(limit, now, used=used[limit.pk]) for limit in held]


def limits_that_wait(player: Player, now: datetime) -> list[ShownLimit]:
    return [_shown(limit, now) for limit in waiting(player.pk)]


def _shown(limit: PlayerLimit, now: datetime, used: int | None = None) -> ShownLimit:
    return ShownLimit(
        number=limit.pk,
        kind=limit.get_kind_display(),
        period=limit.get_period_display(),
        value=_in_words(limit, limit.value),
        used=_in_words(limit, None if used is None else max(0, used)),
        effective_from=limit.effective_from,
        may_confirm=now >= limit.effective_from,
    )


def _in_words(limit: PlayerLimit, value: int | None) -> str:
    if value is None:
        return ""
    if limit.currency is not None:
        return money(value, limit.currency)
    return ngettext("{count} minute", "{count} minutes", value).format(count=value)
