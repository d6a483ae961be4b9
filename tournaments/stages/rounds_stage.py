"""A knock-out's second part: carried scores, and rounds whose seats are drawn or ranked.

A round is laid out in one transaction: all players are taken from the tables and seated anew, or
have a bye. Each table then deals the round's hands; when the last has finished, the next round
follows.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from django.db.models import Sum

from games.models import HandSeat, Table
from games.tables import clock as tables_clock
from tournaments.event import floor, mixing, money
from tournaments.event.closing import close
from tournaments.event.organiser import structure_of
from tournaments.event.ranked import note_places
from tournaments.mathematics.preview import sizes_of
from tournaments.mathematics.rounds import Rounds, carried, drawn_round, ranked_round, swiss_line
from tournaments.mathematics.seating import Seating
from tournaments.mathematics.stage import ROUNDS_STAGE
from tournaments.models import Entry, EventTable, TableChange, Tournament
from tournaments.stages import step_gate

# The columns of an event that rounds change.
FIELDS: Final = ("stage", "round", "hand_for_hand", "on_break", "level_ends_at", "final_table")


def is_due(tournament: Tournament) -> bool:
    """Whether the knock-out has come down to those who play the rounds."""
    structure = structure_of(tournament)
    return (
        structure.knock_out is not None
        and structure.rounds is not None
        and tournament.stage != ROUNDS_STAGE
        and tournament.players_left <= structure.knock_out.until
        and step_gate.is_over(tournament)
    )


def is_over(tournament: Tournament) -> bool:
    """Whether the last round has been played."""
    played = _rounds(tournament)
    return tournament.round >= played.count and step_gate.is_over(tournament)


def _rounds(tournament: Tournament) -> Rounds:
    played = structure_of(tournament).rounds
    assert played is not None
    return played


def begin(tournament: Tournament, now: datetime) -> None:
    """Exchange all players' chips for those of the rounds; the first round follows."""
    played = _rounds(tournament)
    entries = _clear(tournament, now)
    tournament.stage, tournament.hand_for_hand, tournament.on_break = ROUNDS_STAGE, False, False
    tournament.level_ends_at = None
    for entry in entries:
        score = carried(played.carry, floor.balance_of(entry))
        money.burn_chips(tournament, entry, "for the rounds")
        money.issue_chips(tournament, entry, score + played.chips, "for the rounds")


def turn(tournament: Tournament, now: datetime) -> bool:
    """Begin the next round when all tables have finished the last one; no step follows it."""
    played = _rounds(tournament)
    if tournament.round >= played.count or not step_gate.is_over(tournament):
        return False
    note_places(tournament)
    seat_round(tournament, _seating(tournament, played, now), played.hands, now)
    return False


def seat_round(tournament: Tournament, seating: Seating, hands: int, now: datetime) -> None:
    """Seat all players for the next round, in which each table may deal so many hands."""
    entries = {entry.number: entry for entry in _clear(tournament, now)}
    tournament.round += 1
    _open_tables(tournament, len(seating.tables), now)
    rows = list(tournament.tables.filter(broken_at=None).order_by("number"))
    tables = floor.held_tables(row.table_id for row in rows)
    occasion = floor.Occasion(TableChange.Why.ROUND, now)
    for row, players in zip(rows, seating.tables, strict=False):
        table = tables[row.table_id]
        for place, number in enumerate(players, 1):
            floor.seat(table, entries[number], place, occasion)
        row.round, row.hands_allowed = tournament.round, table.hands_dealt + hands
        row.save(update_fields=["round", "hands_allowed"])
    floor.store(tables.values(), now)
    floor.give_byes(tournament, [entries[number] for number in seating.byes], now)
    _close_spare(tournament, rows[len(seating.tables) :], tables, now)
    tables_clock.release([row.table_id for row in rows[: len(seating.tables)]], now)


def _seating(tournament: Tournament, played: Rounds, now: datetime) -> Seating:
    """Return the seats of the next round."""
    left = tournament.all_entries.filter(state__in=(Entry.State.PLAYING, Entry.State.WAITING))
    entries = {entry.number: entry for entry in left.select_related("seat__stack")}
    had = {number: entry.byes for number, entry in entries.items()}
    size = sizes_of(structure_of(tournament)).most
    if played.manner == "fixed" or not tournament.round:
        label = f"round-{tournament.round + 1}"
        made = mixing.draw(tournament, label, sorted(entries), now)
        return drawn_round(mixing.drawn(made), size, had)
    scores = {number: floor.chips_of(entry) - played.chips for number, entry in entries.items()}
    drawn = {number: entry.drawn or number for number, entry in entries.items()}
    return ranked_round(swiss_line(_won(tournament, entries.values()), scores, drawn), size, had)


def _won(tournament: Tournament, entries: Iterable[Entry]) -> list[dict[int, int]]:
    """Return each player's winnings in the round, table by table."""
    nets = HandSeat.objects.filter(
        hand__tournament_row__tournament=tournament, hand__tournament_row__round=tournament.round
    )
    won = dict(nets.values_list("seat").annotate(won=Sum("net")))
    tables: dict[int, dict[int, int]] = {}
    for entry in entries:
        if entry.seat is not None:
            at = tables.setdefault(entry.seat.table_id, {})
            at[entry.number] = won.get(entry.seat.pk, 0)
    return list(tables.values())


def _clear(tournament: Tournament, now: datetime) -> list[Entry]:
    """Take all players from the tables with their chips; all who are left."""
    left = tournament.all_entries.filter(state__in=(Entry.State.PLAYING, Entry.State.WAITING))
    entries = list(left.select_related("seat", "player").order_by("number"))
    tables = floor.held_tables(entry.seat.table_id for entry in entries if entry.seat is not None)
    occasion = floor.Occasion(TableChange.Why.ROUND, now)
    for entry in entries:
        if entry.seat is not None:
            floor.unseat(tables[entry.seat.table_id], entry, occasion)
    for table in tables.values():
        table.due_at = None
    floor.store(tables.values(), now)
    return entries


def _open_tables(tournament: Tournament, needed: int, now: datetime) -> None:
    there = tournament.tables.filter(broken_at=None).count()
    for _ in range(needed - there):
        floor.open_table(tournament, tournament.tables_opened + 1, now)


def _close_spare(
    tournament: Tournament, rows: Sequence[EventTable], tables: dict[int, Table], now: datetime
) -> None:
    """Close the tables that this round does not need."""
    spare = [row.table_id for row in rows]
    for table_id in spare:
        close(tables[table_id])
    tournament.tables.filter(table__in=spare).update(broken_at=now)
