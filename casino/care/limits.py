"""Setting limits: a stricter one acts immediately, a looser one after a day and a second yes.

Each period has its own limit, and all of them hold: so the lowest wins. Every verb holds the
player's row, so that two simultaneous forms are handled one after the other.
"""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import connection, transaction
from django.utils.translation import gettext_lazy as _

from casino.accounts.models import Player
from casino.care.limit_sums import minutes_in
from casino.care.models import PlayerLimit
from wallets.models import Currency
from wallets.of_record.verbs import verb
from wallets.values import AMOUNT_MAX
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused

Kind, Period = PlayerLimit.Kind, PlayerLimit.Period

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
        _hold(player)
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
        _hold(player)
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
        _hold(player)
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


def _hold(player: Player) -> None:
    list(Player.objects.filter(pk=player.pk).select_for_update(no_key=True).values_list("pk"))


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
