"""Duplicate rounds (复式): the deals in step, what all tables did with each, and the next seats.

A deal is laid on all tables together. Each plays it, and its hand is held back when it is over: it
moves no chip and its result is hidden. When the last table has finished, the hands are settled,
some tables at a time; then they are compared, and the next deal is laid. Chips won in a deal go
back after it, so that every deal begins with the starting chips. No player is eliminated.

A table that is not full, because a player was disqualified, plays no further deal of the round, and
ties with all others in them; so is one whose hand was voided.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db.models import Count, Q

from games.models import Hand, HandSeat, Table
from games.shoes.deals import lay
from games.tables.hand_in_play import is_held, settle_held
from games.tables.lock import store_table
from tournaments.event import floor, mixing, money
from tournaments.event.organiser import structure_of
from tournaments.event.ranked import note_places
from tournaments.mathematics.match_points import Duplicate, Score, deal_points, ranking
from tournaments.mathematics.preview import sizes_of
from tournaments.mathematics.rounds import drawn_round, ranked_round
from tournaments.mathematics.seating import Seating
from tournaments.models import Deal, Entry, EventTable, Tournament
from tournaments.stages import rounds_stage

# The columns of an event that its deals change.
FIELDS: Final = ("round", "moves_due", "final_table")
# So many tables are settled in one transaction.
AT_ONCE: Final = 20


def is_over(tournament: Tournament) -> bool:
    """Whether all deals have been played and compared."""
    return not tournament.deals.filter(compared_at=None).exists()


def turn(tournament: Tournament, now: datetime) -> bool:
    """Take the next step of the deals; return whether another may follow."""
    tournament.moves_due = tournament.all_entries.filter(disqualify_due=True).exists()
    deal = _current(tournament)
    if deal is None:
        _begin_next(tournament, now)
        return False
    if deal.complete_at is None:
        if not _is_played(tournament):
            return False
        deal.complete_at = now
        deal.save(update_fields=["complete_at"])
    if not _settle_some(tournament, now):
        _compare(tournament, deal)
        deal.compared_at = now
        deal.save(update_fields=["compared_at"])
    return True


def ranked(tournament: Tournament, entries: Sequence[Entry]) -> list[list[int]]:
    """The numbers of players in groups who are level, the best first."""
    scores = {entry.number: Score(entry.points, entry.chips_won) for entry in entries}
    return ranking(scores, {entry.number: entry.drawn or entry.number for entry in entries})


def _current(tournament: Tournament) -> Deal | None:
    begun = tournament.deals.filter(began_at__isnull=False, compared_at=None)
    return begun.order_by("round", "number").first()


def _left(tournament: Tournament) -> list[Entry]:
    left = tournament.all_entries.filter(state__in=(Entry.State.PLAYING, Entry.State.WAITING))
    return list(left.select_related("seat").order_by("number"))


# Playing a deal.


def _begin_next(tournament: Tournament, now: datetime) -> None:
    """Lay the next deal on the tables; before the first of a round, people change seats."""
    deal = tournament.deals.filter(began_at=None).order_by("round", "number").first()
    if deal is None:
        return
    if deal.round != tournament.round:
        _begin_round(tournament, now)
    deal.tournament = tournament
    dictated = mixing.dictated(deal)
    rows = {row.table_id: row for row in _rows(tournament) if _is_full(row, tournament)}
    for table in floor.held_tables(rows).values():
        lay(table, dictated, now)
        # All tables begin a deal alike: with the same button, and nothing passed out before.
        table.button = (deal.number - 1) % table.places
        table.redeals = 0
        table.due_at = table.due_at or now
        row = rows[table.pk]
        row.hands_allowed = table.hands_dealt + 1
        row.save(update_fields=["hands_allowed"])
        store_table(table)
    deal.began_at = now
    deal.save(update_fields=["began_at"])


def _rows(tournament: Tournament) -> list[EventTable]:
    """The open tables with how many sit there."""
    rows = tournament.tables.filter(broken_at=None).select_related("table").order_by("table")
    sitting = Count("table__seats", filter=Q(table__seats__left_at=None))
    return list(rows.annotate(sitting=sitting))


def _is_full(row: EventTable, tournament: Tournament) -> bool:
    sitting: int = row.sitting  # type: ignore[attr-defined]
    return sitting >= sizes_of(structure_of(tournament)).most


def _is_played(tournament: Tournament) -> bool:
    """Whether every table has finished the deal, or cannot play it."""
    return not any(_plays(row, tournament) for row in _rows(tournament))


def _plays(row: EventTable, tournament: Tournament) -> bool:
    table: Table = row.table
    if table.hand_id is not None:
        return not is_held(table)
    allowed = row.hands_allowed
    return _is_full(row, tournament) and allowed is not None and table.hands_dealt < allowed


def _settle_some(tournament: Tournament, now: datetime) -> bool:
    """Settle the hands of the next tables; False where all are settled."""
    waiting = tournament.tables.filter(broken_at=None, table__hand__isnull=False)
    ids = list(waiting.order_by("table").values_list("table", flat=True)[:AT_ONCE])
    for table in floor.held_tables(ids).values():
        money.even_out(tournament, settle_held(table, now))
    return bool(ids)


# Comparing it.


def _compare(tournament: Tournament, deal: Deal) -> None:
    """Give all players their match points; a deal without a result changes none."""
    if tournament.deals.filter(compared_at__isnull=False).exists():
        note_places(tournament)
    rows = _rows(tournament)
    results: dict[int, dict[int, int] | None] = {row.table_id: None for row in rows}
    nets: dict[int, dict[int, int]] = {}
    played = HandSeat.objects.filter(
        hand__shoe__deal=deal.code, table__in=results, status=Hand.Status.FINISHED
    )
    for table_id, number, net in played.values_list("table_id", "number", "net"):
        nets.setdefault(table_id, {})[number] = net
    results |= nets
    places = sizes_of(structure_of(tournament)).most
    points = deal_points(results, range(1, places + 1))
    entries = _left(tournament)
    for entry in entries:
        if entry.seat is None:
            entry.points += len(rows) - 1
            continue
        at = (entry.seat.table_id, entry.seat.number)
        entry.points += points[at]
        entry.chips_won += nets.get(at[0], {}).get(at[1], 0)
    Entry.objects.bulk_update(entries, ["points", "chips_won"], batch_size=500)


# Rounds.


def _begin_round(tournament: Tournament, now: datetime) -> None:
    if tournament.round:
        rounds_stage.seat_round(tournament, _seating(tournament, now), 0, now)
        return
    # The first seats are those of the start.
    tournament.round = 1
    tournament.tables.filter(broken_at=None).update(round=1)
    floor.give_byes(tournament, [entry for entry in _left(tournament) if entry.seat is None], now)


def _seating(tournament: Tournament, now: datetime) -> Seating:
    """Return the seats of the next round."""
    entries = _left(tournament)
    had = {entry.number: entry.byes for entry in entries}
    size = sizes_of(structure_of(tournament)).most
    if _played(tournament).manner == "fixed":
        label = f"round-{tournament.round + 1}"
        made = mixing.draw(tournament, label, sorted(had), now)
        return drawn_round(mixing.drawn(made), size, had)
    line = [number for group in ranked(tournament, entries) for number in group]
    return ranked_round(line, size, had)


def _played(tournament: Tournament) -> Duplicate:
    played = structure_of(tournament).duplicate
    assert played is not None
    return played
