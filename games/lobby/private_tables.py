"""Private tables: any player opens one for those who get its link.

A private table takes everything from a public one that is open: the game and its options, the
currency, the bounds of the buy-in. So the house decides what can be played in private by what it
offers in public, and players cannot set stakes. The opener chooses whether bots may come, and the
time for a decision.
"""

from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop as _n

from games.lobby.overflow_tables import COPIED_FIELDS
from games.lobby.seat_finder import tables_to_show
from games.models import Seat, Table, new_token
from games.rules.errors import Unreadable
from games.tables import admission
from games.tables.admission import require_watch
from games.tables.lock import lock_table, set_status, store_table
from games.tables.settings import SECONDS_LEAST
from wallets.models import Jackpot
from wallets.of_record.verbs import verb
from wallets.values.errors import Hidden, Refused
from wallets.values.player import Player

OPEN_MAX: Final = 3
# Private tables stay on record, so a player may open only so many.
OPENED_A_DAY_MAX: Final = 20
DAY: Final = timedelta(days=1)
# A table closes after this long without a player.
DESERTED: Final = timedelta(minutes=30)
# A private table's time to think, in percent of the public table's.
SPEEDS: Final = {"quick": 50, "usual": 100, "slow": 200}


def models_to_copy() -> list[Table]:
    """One public table for each game and stakes that can be played in private."""
    tables: dict[tuple[object, ...], Table] = {}
    for table in tables_to_show().filter(status=Table.Status.OPEN):
        stakes = (table.game, table.currency_id, table.buy_in_min, str(table.options))
        tables.setdefault(stakes, table)
    return list(tables.values())


def opened_by(player: Player) -> list[Table]:
    """The tables that a player has opened and that are not closed, the newest first."""
    tables = Table.objects.filter(opened_by=player.pk).exclude(status=Table.Status.CLOSED)
    return list(tables.select_related("currency").order_by("-pk"))


@verb("player:table.open_private")
def open_table(player: Player, model_id: int, speed: str, bots: bool, now: datetime) -> Table:
    with transaction.atomic():
        require_may_open(player, now)
        model = tables_to_show().filter(pk=model_id, status=Table.Status.OPEN).first()
        if model is None:
            raise Refused("not_offered", _n("That is no longer offered; choose another one."))
        settings: dict[str, object] = {name: getattr(model, name) for name in COPIED_FIELDS}
        settings |= at_speed(speed, model.decision_seconds, model.betting_seconds)
        settings["bots_max"] = model.bots_max if bots else 0
        table = stored(player, settings, now)
        # A mystery prize belongs to one table; a progressive pool may be played for at many.
        table.jackpots.set(model.jackpots.filter(kind=Jackpot.Kind.PROGRESSIVE))
        return table


def require_may_open(player: Player, now: datetime) -> None:
    """Refuse one table too many; the player's row stays locked, so two requests come in turn."""
    for occasion in (admission.Occasion.SIT, admission.Occasion.OPEN):
        admission.require(admission.Request(occasion, player, now))
    get_user_model().objects.select_for_update().get(pk=player.pk)
    if not player.is_active:
        raise Refused("not_active", _n("This account cannot play."))
    if len(opened_by(player)) >= OPEN_MAX:
        raise Refused(
            "too_many_tables",
            _n("You have {most} tables open already; close one of them first."),
            most=OPEN_MAX,
        )
    lately = Table.objects.filter(opened_by=player.pk, opened_at__gt=now - DAY)
    if lately.count() >= OPENED_A_DAY_MAX:
        raise Refused(
            "opened_often",
            _n("You have opened {most} tables within a day; open the next one tomorrow."),
            most=OPENED_A_DAY_MAX,
        )


def at_speed(speed: str, decision_seconds: int, betting_seconds: int) -> dict[str, object]:
    """The time to think at a speed, where these are the usual times."""
    if speed not in SPEEDS:
        raise Unreadable("speed", _n("There is no such speed."))
    usual = {"decision_seconds": decision_seconds, "betting_seconds": betting_seconds}
    return {
        name: max(SECONDS_LEAST[name], seconds * SPEEDS[speed] // 100)
        for name, seconds in usual.items()
    }


def stored(player: Player, settings: dict[str, object], now: datetime) -> Table:
    """A private table with these settings, under the player's name and a number."""
    given = settings | {"private": True, "opened_by": player, "opened_at": now}
    number = Table.objects.filter(opened_by=player.pk).count()
    while True:
        number += 1
        try:
            with transaction.atomic():
                return Table.objects.create(name=f"{player.username} {number}", **given)
        except IntegrityError:
            # The house may have a table of that name.
            continue


@verb("player:table.close_private")
def close_table(player: Player, table_id: int, now: datetime) -> Table:
    """Let the hand that runs be the last one."""
    with transaction.atomic():
        table = _own(player, table_id)
        close(table, now)
        return table


@verb("player:table.invite_anew")
def invite_anew(player: Player, table_id: int) -> Table:
    """Give the table a new link; only players who sit there may still come by the old one."""
    with transaction.atomic():
        table = _own(player, table_id)
        table.invitation = new_token()
        table.save(update_fields=["sealed_invitation", "invitation_digest"])
        store_table(table)
        return table


def _own(player: Player, table_id: int) -> Table:
    """The table, locked, for the player who opened it."""
    try:
        table = lock_table(table_id)
    except Table.DoesNotExist:
        raise Hidden("no_such_table", _n("There is no such table.")) from None
    require_watch(player, table)
    if table.opened_by_id != player.pk:
        raise Refused("not_opener", _n("Only the player who opened this table can do that."))
    if table.status == Table.Status.CLOSED:
        raise Refused("table_closed", _n("This table is closed."))
    return table


def close(table: Table, now: datetime) -> None:
    """Begin no other hand at a table whose row is locked."""
    set_status(table, Table.Status.CLOSING)
    # The clock visits only tables at which something is due.
    table.due_at = table.due_at or now
    store_table(table)


def deserted(now: datetime) -> QuerySet[Table]:
    """Tables that have been empty for a while.

    Players have opened them, or the house beside one that was full.
    """
    lately = Q(left_at__isnull=True) | Q(left_at__gt=now - DESERTED)
    used = Seat.objects.filter(lately, table__opened_at__isnull=False).values("table")
    opened = Table.objects.filter(opened_at__lte=now - DESERTED)
    return opened.filter(status=Table.Status.OPEN).exclude(pk__in=used)


@verb("house:table.close_deserted")
def close_deserted(now: datetime) -> int:
    """Close the tables that are deserted, and return their number."""
    closed = 0
    for table_id in deserted(now).values_list("pk", flat=True):
        with transaction.atomic():
            table = lock_table(table_id)
            # A player may have sat down since the read.
            if not table.seats.filter(left_at__isnull=True).exists():
                close(table, now)
                closed += 1
    return closed
