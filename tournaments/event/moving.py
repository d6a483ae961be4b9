"""Seating those who wait and balancing the tables: what `seating` plans, as far as it can be done.

Players leave a table only between two hands. A table that a player has to leave is held, so that
it begins no further hand, and the rest of the plan is made anew when its hand has ended.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from games.models import Table
from games.tables import buy_in
from games.tables import clock as tables_clock
from tournaments.event import floor, mixing, money
from tournaments.event.closing import close
from tournaments.event.organiser import structure_of
from tournaments.mathematics.preview import sizes_of
from tournaments.mathematics.seating import Field, Place, Plan, PlannedMove, balance, byes
from tournaments.models import Arrangement, Entry, TableChange, Tournament
from wallets.models import Account

# The columns of an event that moves change.
FIELDS: Final = ("moves_due", "tables_opened", "draws_made", "final_table")


def arrange(tournament: Tournament, now: datetime, *, in_step: bool = False) -> list[Entry]:
    """Do what can be done now; the players with a bye in the next hand of all tables."""
    _draw_for_newcomers(tournament, now)
    _hand_over_chips(tournament, now)
    state = floor.state_of(tournament)
    resting = _resting(tournament, state) if in_step else ()
    plan = plan_of(tournament, state, resting)
    held = _carry_out(tournament, state, plan, resting, now)
    broken = _break(tournament, state, plan, now)
    held |= _of_the_disqualified(state)
    _hold(tournament, state, held, now)
    tournament.moves_due = bool(held or _with_chips(tournament))
    if not tournament.final_table and tournament.registration_closed_at is not None:
        tournament.final_table = len(state.rows) - broken == 1
    return list(tournament.all_entries.filter(number__in=resting).order_by("number"))


def _resting(tournament: Tournament, state: floor.FloorState) -> tuple[int, ...]:
    """Return who rests in the next hand: players with the fewest byes, then by the draw."""
    in_order = sorted(state.drawn, key=state.drawn.__getitem__)
    spare = len(in_order) - sizes_of(structure_of(tournament)).seated(len(in_order))
    return byes(in_order, spare, state.byes)


def plan_of(tournament: Tournament, state: floor.FloorState, resting: Sequence[int] = ()) -> Plan:
    """The moves that the present field leads to."""
    return balance(
        state.tables,
        sizes_of(structure_of(tournament)),
        Field(state.waiting, state.drawn, state.byes),
        resting=resting,
        next_number=tournament.tables_opened + 1,
    )


def _draw_for_newcomers(tournament: Tournament, now: datetime) -> None:
    """Draw numbers for late entrants; they come after those of the start."""
    newcomers = tournament.all_entries.filter(state=Entry.State.WAITING, drawn=None)
    entries = {entry.number: entry for entry in newcomers.order_by("number")}
    if not entries:
        return
    drew = tournament.all_entries.exclude(drawn=None).order_by("-drawn")
    last = drew.values_list("drawn", flat=True).first() or 0
    label = f"late-{tournament.draws_made + 1}"
    made = mixing.draw(tournament, label, list(entries), now)
    for place, number in enumerate(mixing.drawn(made), last + 1):
        entries[number].drawn = place
    Entry.objects.bulk_update(entries.values(), ["drawn"], batch_size=500)


# Moves.


def _carry_out(
    tournament: Tournament,
    state: floor.FloorState,
    plan: Plan,
    resting: Sequence[int],
    now: datetime,
) -> set[int]:
    """Make the moves whose tables are between hands; which tables hold others up."""
    buttons = {table.number: table.button for table in state.tables}
    opened_before = tournament.tables_opened
    for number in plan.opened:
        if any(move.target and move.target.table == number for move in plan.moves):
            _open(tournament, state, number, now)
    tables = floor.held_tables(
        state.rows[place.table].table_id
        for move in plan.moves
        for place in (move.source, move.target)
        if place is not None
    )
    by_number = {number: tables.get(row.table_id) for number, row in state.rows.items()}
    made, held = _possible(plan.moves, by_number)
    if not made:
        return held
    arrangement = Arrangement.objects.create(
        tournament=tournament,
        number=tournament.arrangements.count() + 1,
        went_out=tournament.went_out,
        tables_opened=opened_before,
        waiting=state.waiting,
        resting=list(resting),
        playing=sorted(held),
        buttons=buttons,
        at=now,
    )
    moved = tournament.all_entries.filter(number__in=[planned.entry for planned in made])
    entries = {entry.number: entry for entry in moved.select_related("seat", "player")}
    whys = _whys(entries, made, plan, becomes_final=len(state.rows) - len(plan.broken) == 1)
    for planned, why in zip(made, whys, strict=True):
        source = by_number[planned.source.table] if planned.source else None
        target = by_number[planned.target.table] if planned.target else None
        occasion = floor.Occasion(why, now, arrangement=arrangement)
        _move(entries[planned.entry], planned, (source, target), occasion)
    changed = {place.table for move in made for place in move[1:] if place is not None}
    floor.store([table for number, table in by_number.items() if table and number in changed], now)
    return held


def _possible(
    moves: Sequence[PlannedMove], tables: Mapping[int, Table | None]
) -> tuple[list[PlannedMove], set[int]]:
    """The moves that can be made now, and the tables that hold up the others by their hand."""
    made, held, kept = list[PlannedMove](), set[int](), set[Place]()
    for planned in moves:
        source = tables[planned.source.table] if planned.source else None
        if planned.source is not None and source is not None and not floor.is_idle(source):
            held.add(planned.source.table)
            kept.add(planned.source)
        elif planned.target is None or planned.target not in kept:
            made.append(planned)
    return made, held


def _move(
    entry: Entry,
    planned: PlannedMove,
    tables: tuple[Table | None, Table | None],
    occasion: floor.Occasion,
) -> None:
    source, target = tables
    if target is None:
        assert source is not None
        floor.unseat(source, entry, occasion)
        return
    assert planned.target is not None
    if source is None:
        floor.seat(target, entry, planned.target.seat, occasion)
    else:
        floor.move(source, target, entry, planned.target.seat, occasion)


def _whys(
    entries: Mapping[int, Entry], made: Sequence[PlannedMove], plan: Plan, *, becomes_final: bool
) -> list[TableChange.Why]:
    """Return why each of these moves is made, in their order."""
    arriving = [entries[planned.entry].pk for planned in made if planned.source is None]
    last = {
        move.entry_id: move
        for move in TableChange.objects.filter(entry__in=arriving).order_by("pk")
    }
    return [
        _of_arriving(entries[planned.entry], last.get(entries[planned.entry].pk))
        if planned.source is None
        else _of_seated(planned, plan, becomes_final=becomes_final)
        for planned in made
    ]


def _of_arriving(entry: Entry, last: TableChange | None) -> TableChange.Why:
    """Return why a player without a seat gets one, by their last move."""
    if last is None:
        return TableChange.Why.BYE if entry.byes else TableChange.Why.LATE
    return TableChange.Why.BYE if last.to_table_id is None else TableChange.Why.AGAIN


def _of_seated(planned: PlannedMove, plan: Plan, *, becomes_final: bool) -> TableChange.Why:
    assert planned.source is not None
    if planned.source.table in plan.broken:
        return TableChange.Why.FINAL if becomes_final else TableChange.Why.BREAK
    return TableChange.Why.BYE if planned.target is None else TableChange.Why.BALANCE


def _open(tournament: Tournament, state: floor.FloorState, number: int, now: datetime) -> None:
    opened = floor.open_table(tournament, number, now)
    state.rows[number] = floor.TableRow(opened.table_id, held=False)


def _break(tournament: Tournament, state: floor.FloorState, plan: Plan, now: datetime) -> int:
    """Close the tables without players; return how many."""
    rows = [state.rows[number] for number in plan.broken]
    closed = 0
    for table in floor.held_tables(row.table_id for row in rows).values():
        if table.seats.filter(left_at=None).exists() or table.hand_id is not None:
            continue
        close(table)
        tournament.tables.filter(table=table).update(broken_at=now)
        closed += 1
    return closed


def _of_the_disqualified(state: floor.FloorState) -> set[int]:
    """The tables with a player who has to leave after the hand."""
    return {
        table.number for table in state.tables if not state.leaving.isdisjoint(table.seats.values())
    }


def _hold(tournament: Tournament, state: floor.FloorState, held: set[int], now: datetime) -> None:
    """Hold the tables that others wait for, and release those that none waits for."""
    free = [row.table_id for number, row in state.rows.items() if row.held and number not in held]
    tournament.tables.filter(held=True).exclude(number__in=held).update(held=False)
    tournament.tables.filter(number__in=held, held=False).update(held=True)
    if free:
        tables_clock.release(free, now)


# Chips that were bought.


def _with_chips(tournament: Tournament) -> list[Entry]:
    entries = tournament.all_entries.filter(
        state=Entry.State.PLAYING, seat__isnull=False, account__balance__gt=0
    )
    return list(entries.select_related("seat", "player"))


def _hand_over_chips(tournament: Tournament, now: datetime) -> int:
    """Put bought chips on the seats of players who are not in a hand."""
    entries = _with_chips(tournament)
    at = {entry.pk: entry.seat.table_id for entry in entries if entry.seat is not None}
    tables = floor.held_tables(at.values())
    given = 0
    for entry in entries:
        table = tables[at[entry.pk]]
        assert entry.seat is not None
        if buy_in.is_dealt_in(table, entry.seat):
            continue
        amount = Account.objects.values_list("balance", flat=True).get(pk=entry.account_id)
        key = buy_in.key_of(entry.seat, f"payment {entry.payments}")
        buy_in.bring_chips(table, entry.seat, amount, key, money.BROUGHT)
        given += 1
    if given:
        floor.store(tables.values(), now)
    return given
