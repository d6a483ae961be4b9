"""Closing a table, a game or the house, opening the same tables again, and the row of the house.

A closing table plays its hand to the end; then all players get their chips, and it closes. Tables
that a tournament runs are left alone: its control room pauses and cancels it.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from casino.office.models import Closure, HouseState
from games.live import sources
from games.models import Table
from games.models.prepared import Query
from games.rules.catalogue import GAMES
from games.tables.admission import Holding, Occasion, Request
from games.tables.formats import format_of, tables_of_operators
from games.tables.lock import lock_tables, set_status, store_table
from wallets.of_record.verbs import under, verb
from wallets.staff import journal
from wallets.values.days import in_house_zone
from wallets.values.errors import Refused
from wallets.values.player import Viewer

STREAM: Final = "floor"
ROW: Final = 1
SEE: Final = "backoffice.see_floor"
_ROW: Final = Query(lambda row: HouseState.objects.filter(pk=row))


def state() -> HouseState:
    return HouseState.objects.filter(pk=ROW).first() or HouseState(pk=ROW)


def locked() -> HouseState:
    """The row, locked; a verb that also locks tables locks it first."""
    HouseState.objects.get_or_create(pk=ROW)
    return HouseState.objects.select_for_update().get(pk=ROW)


def changed(**_of_the_signal: object) -> None:
    """Have every open floor look again after the commit.

    The row is not locked before: a verb that has locked tables must not wait for it.
    """
    transaction.on_commit(_announce, robust=True)


def _announce() -> None:
    if not HouseState.objects.filter(pk=ROW).update(version=F("version") + 1):
        _begin()
    sources.announce(STREAM, ROW, state().version)


@verb("house:floor.begin", alone=True)
def _begin() -> None:
    """Make the row when something is announced for the first time."""
    HouseState.objects.get_or_create(pk=ROW, defaults={"version": 1})


class Versions:
    """The version of the floor, for viewers who may see it."""

    def version_for(self, viewer: Viewer, number: int) -> int | None:
        if number != ROW or not viewer.has_perm(SEE):
            return None
        return state().version

    def versions_of(self, numbers: Iterable[int]) -> Mapping[int, int]:
        return {ROW: state().version} if ROW in set(numbers) else {}


def hands_may_begin() -> bool:
    house_state = _ROW.first(ROW)
    return house_state is None or house_state.halted_at is None


def hold(_now: datetime) -> Refused | None:
    """Refuse new hands while the kill switch is on."""
    if hands_may_begin():
        return None
    return Refused("house_halted", _n("The house has stopped all new hands for now."))


def admits(request: Request) -> Refused | None:
    """Refuse new seats while the house closes."""
    if request.occasion != Occasion.SIT:
        return None
    house_state = _ROW.first(ROW)
    if house_state is None or house_state.closed_at is None:
        return None
    return Refused("house_closed", _n("The house is closing: you cannot sit down now."))


HOLDING: Final = Holding(hold, (_ROW, (ROW,)))


RUN: Final = "games.run_table"
CLOSE_HOUSE: Final = "backoffice.close_house"
TABLE_CLOSED: Final = journal.register("table.close", _("Closed a table"), permission=RUN)
TABLE_OPENED: Final = journal.register("table.open", _("Opened a table again"), permission=RUN)
GAME_CLOSED: Final = journal.register("game.close", _("Closed a game"), permission=RUN)
GAME_OPENED: Final = journal.register("game.open", _("Opened a game again"), permission=RUN)
HOUSE_CLOSED: Final = journal.register("house.close", _("Closed the house"), permission=CLOSE_HOUSE)
HOUSE_OPENED: Final = journal.register(
    "house.open", _("Opened the house again"), permission=CLOSE_HOUSE
)
HOUSE: Final = "house"


def require(member: Viewer, permission: str) -> None:
    if not member.is_active or not member.has_perm(permission):
        raise Refused("not_permitted", _("Your role cannot do this."))


def closable(game: str = "") -> QuerySet[Table]:
    """The open tables that closing a game, or the house, would close."""
    tables = Table.objects.filter(tables_of_operators(), status=Table.Status.OPEN)
    return tables.filter(game=game) if game else tables


def to_open(scope: str, game: str = "") -> QuerySet[Table]:
    """The tables that were closed together and are the house's own."""
    tables = Table.objects.filter(
        closure__scope=scope, opened_by__isnull=True, overflow_of__isnull=True
    ).exclude(status=Table.Status.OPEN)
    return tables.filter(game=game) if game else tables


@under(TABLE_CLOSED)
@transaction.atomic
def close_table(member: Viewer, table_id: int, reason: str, now: datetime) -> None:
    require(member, RUN)
    table = _held(table_id)
    if table.status != Table.Status.OPEN:
        _refuse_closed(table)
    closed = _close([table], member, Closure.Scope.TABLE, reason, now)
    _note(member, TABLE_CLOSED, table.reference, closed, reason, Table.Status.CLOSING)


@under(TABLE_OPENED)
@transaction.atomic
def open_table(member: Viewer, table_id: int, reason: str, now: datetime) -> None:
    require(member, RUN)
    table = _held(table_id)
    if table.status == Table.Status.OPEN:
        raise Refused("already_open", _("This table is open."))
    opened = _open([table], now)
    _note(member, TABLE_OPENED, table.reference, opened, reason, Table.Status.OPEN)


@under(GAME_CLOSED)
@transaction.atomic
def close_game(member: Viewer, game: str, reason: str, now: datetime) -> int:
    require(member, RUN)
    _require_game(game)
    tables = _locked(closable(game))
    if not tables:
        raise Refused("nothing_to_close", _("No table of this game is open."))
    closed = _close(tables, member, Closure.Scope.GAME, reason, now)
    _note(member, GAME_CLOSED, f"game:{game}", closed, reason, Table.Status.CLOSING)
    return len(closed)


@under(GAME_OPENED)
@transaction.atomic
def open_game(member: Viewer, game: str, reason: str, now: datetime) -> int:
    require(member, RUN)
    _require_game(game)
    tables = _locked(to_open(Closure.Scope.GAME, game))
    if not tables:
        raise Refused("nothing_to_open", _("No table was closed with this game."))
    opened = _open(tables, now)
    _note(member, GAME_OPENED, f"game:{game}", opened, reason, Table.Status.OPEN)
    return len(opened)


@under(HOUSE_CLOSED)
@transaction.atomic
def close_house(member: Viewer, reason: str, now: datetime) -> int:
    """Close all tables, and admit no player to a seat until the house opens again."""
    require(member, CLOSE_HOUSE)
    house = locked()
    if house.closed_at is not None:
        raise Refused(
            "already_closed",
            _("{name} closed the house at {time}: {reason}"),
            name=house.closed_by_name,
            time=f"{in_house_zone(house.closed_at):%H:%M}",
            reason=house.closed_why,
        )
    why = journal.reason_of(reason)
    house.closed_at, house.closed_by_name, house.closed_why = now, member.username, why
    house.save(update_fields=["closed_at", "closed_by_name", "closed_why"])
    closed = _close(_locked(closable()), member, Closure.Scope.HOUSE, reason, now)
    _note(member, HOUSE_CLOSED, HOUSE, closed, reason, Table.Status.CLOSING)
    return len(closed)


@under(HOUSE_OPENED)
@transaction.atomic
def open_house(member: Viewer, reason: str, now: datetime) -> int:
    require(member, CLOSE_HOUSE)
    house = locked()
    if house.closed_at is None:
        raise Refused("house_open", _("The house is open."))
    house.closed_at, house.closed_by_name, house.closed_why = None, "", ""
    house.save(update_fields=["closed_at", "closed_by_name", "closed_why"])
    opened = _open(_locked(to_open(Closure.Scope.HOUSE)), now)
    # Tables of players, and those opened for want of seats, are opened anew when they are wanted.
    Closure.objects.filter(scope=Closure.Scope.HOUSE).delete()
    _note(member, HOUSE_OPENED, HOUSE, opened, reason, Table.Status.OPEN)
    return len(opened)


def _held(table_id: int) -> Table:
    """A table of the house, locked."""
    try:
        (table,) = lock_tables([table_id])
    except Table.DoesNotExist:
        raise Refused("no_such_table", _("There is no such table.")) from None
    if not format_of(table).set_by_operators:
        raise Refused("run_by_tournament", _("A tournament runs this table."))
    return table


def _locked(tables: QuerySet[Table]) -> list[Table]:
    """The tables that are still so once they are locked."""
    held = lock_tables(tables.values_list("pk", flat=True))
    still = set(tables.filter(pk__in=[table.pk for table in held]).values_list("pk", flat=True))
    return [table for table in held if table.pk in still]


def _close(
    tables: Iterable[Table], member: Viewer, scope: str, reason: str, now: datetime
) -> list[str]:
    why = journal.reason_of(reason)
    closed = []
    for table in tables:
        Closure.objects.update_or_create(
            table=table,
            defaults={"scope": scope, "at": now, "by_name": member.username, "reason": why},
        )
        set_status(table, Table.Status.CLOSING)
        if table.phase == Table.Phase.WAITING or table.due_at is None:
            table.due_at = now
        store_table(table)
        closed.append(table.reference)
    return closed


def _open(tables: Iterable[Table], now: datetime) -> list[str]:
    opened = []
    for table in tables:
        set_status(table, Table.Status.OPEN)
        if table.phase == Table.Phase.WAITING:
            table.due_at = now
        store_table(table)
        Closure.objects.filter(table=table).delete()
        opened.append(table.reference)
    return opened


def _refuse_closed(table: Table) -> None:
    closure = Closure.objects.filter(table=table).first()
    if closure is None:
        raise Refused("already_closed", _("This table is closed, or closing."))
    raise Refused(
        "already_closed",
        _("{name} closed this table at {time}: {reason}"),
        name=closure.by_name,
        time=f"{in_house_zone(closure.at):%H:%M}",
        reason=closure.reason,
    )


def _require_game(game: str) -> None:
    if game not in GAMES:
        raise Refused("no_such_game", _("The house has no such game."))


def _note(
    member: Viewer, verb: str, subject: str, tables: list[str], reason: str, status: str
) -> None:
    other = Table.Status.OPEN if status != Table.Status.OPEN else Table.Status.CLOSED
    journal.write(
        journal.by(member),
        verb,
        subject,
        before={"status": other},
        after={"status": status, "tables": tables},
        reason=reason,
    )
    changed()
