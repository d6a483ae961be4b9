"""Check the byes: the draw decides the first hand's; later the players who rested least rest."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime

from tournaments.audit import plans
from tournaments.audit.rows import Findings, Found, Rows
from tournaments.event import mixing
from tournaments.mathematics.preview import sizes_of
from tournaments.mathematics.seating import byes, first_seats
from tournaments.mathematics.stage import DUPLICATE
from tournaments.models import Bye
from tournaments.running.start import SEATS


def counted(rows: Rows) -> Findings:
    """Each player had as many byes as their rows say."""
    given = Counter(bye.entry_id for bye in rows.byes)
    for entry in rows.entries.values():
        if entry.byes != given[entry.pk]:
            yield Found("bye_count", f"entry {entry.number} had {given[entry.pk]} byes")


def first(rows: Rows) -> Findings:
    """At the start those rest for whom the draw leaves no table."""
    if rows.event.kind == DUPLICATE and not rows.event.round:
        # Its first byes are given with the first round, a step after the seats.
        return
    due = _by_draw(rows)
    there = {rows.entries[bye.entry_id].number for bye in rows.byes if _is_first(rows, bye)}
    if due != there:
        yield Found("bye_first", f"{sorted(there)} rested at the start, not {sorted(due)}")


def _by_draw(rows: Rows) -> set[int]:
    made = next((draw for draw in rows.draws if draw.label == SEATS), None)
    if made is None or rows.event.started_at is None:
        return set()
    return set(first_seats(mixing.drawn(made), sizes_of(rows.structure)).byes)


def _is_first(rows: Rows, bye: Bye) -> bool:
    if rows.event.kind == DUPLICATE:
        return bye.round == 1
    return bye.step == 1 and bool(_by_draw(rows))


def in_step(rows: Rows) -> Findings:
    """Before each other hand in step those rest who have had the fewest byes, then the draw."""
    by_step: dict[int, list[Bye]] = defaultdict(list)
    for bye in rows.byes:
        if bye.step:
            by_step[bye.step].append(bye)
    if sorted(by_step) != list(range(1, len(by_step) + 1)):
        yield Found("bye_step", f"hands with byes are numbered {sorted(by_step)}")
    had = Counter[int]()
    for step, given in sorted(by_step.items()):
        there = {rows.entries[bye.entry_id].number for bye in given}
        if not _is_first(rows, given[0]):
            due = _due(rows, given, there, had)
            if set(due) != there:
                yield Found(
                    "bye_order", f"{sorted(there)} rested in step {step}, not {sorted(due)}"
                )
        had.update(there)


def _due(rows: Rows, given: Sequence[Bye], resting: set[int], had: Counter[int]) -> tuple[int, ...]:
    """Return who had to rest of those who sat or waited at that moment."""
    order = sorted(
        _field(rows, given[0].at, resting),
        key=lambda number: rows.by_number[number].drawn or number,
    )
    return byes(order, len(order) - sizes_of(rows.structure).seated(len(order)), had)


def _field(rows: Rows, at: datetime, resting: set[int]) -> set[int]:
    """Return the players left in the event: by the arrangement of the byes, or by the seats."""
    for arrangement, everybody in plans.fields(rows):
        if arrangement.at == at and set(arrangement.resting) == resting:
            return everybody
    # Those who had rested before rest again, so that no player moved.
    sitting = {
        rows.by_player[seat.player_id].number
        for seat in rows.seats.values()
        if seat.sat_down_at <= at and (seat.left_at is None or seat.left_at > at)
    }
    return sitting | resting


CHECKS = (counted, first, in_step)
