"""Duplicate rounds: match points and chips, derived again from the hands of each deal."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from games.models import Seat
from tournaments.audit.rows import Findings, Found, Rows
from tournaments.mathematics.match_points import Score, deal_points
from tournaments.mathematics.preview import sizes_of
from tournaments.mathematics.stage import DUPLICATE
from tournaments.models import Deal, Entry

Results = dict[int, dict[int, int]]


class _Own(NamedTuple):
    """One player's result of a deal."""

    entry: int
    points: int
    chips: int


def scores(rows: Rows) -> dict[int, Score]:
    """Return each player's score after all compared deals, by the number of the entry."""
    return list(by_round(rows))[-1][1]


def by_round(rows: Rows) -> Iterator[tuple[int, dict[int, Score]]]:
    """Each round with the scores after its deals, by the number of the entry."""
    totals = {entry.number: Score(0, 0) for entry in rows.took_part}
    results = _results(rows)
    for number, deals in groupby(rows.deals, key=attrgetter("round")):
        for deal in deals:
            if deal.compared_at is None:
                continue
            for own in _compared(rows, deal, results[deal.code]):
                before = totals[own.entry]
                totals[own.entry] = Score(before.points + own.points, before.chips + own.chips)
        yield number, dict(totals)


def points(rows: Rows) -> Findings:
    """Match points and chips are those of the deals.

    Those of disqualified players decide nothing, and may have ended in the middle of a deal.
    """
    if rows.event.kind != DUPLICATE:
        for entry in rows.entries.values():
            if entry.points or entry.chips_won:
                yield Found("match_points", f"entry {entry.number} has match points")
        return
    for number, due in scores(rows).items():
        entry = rows.by_number[number]
        if entry.state == Entry.State.DISQUALIFIED:
            continue
        if entry.points != due.points:
            yield Found(
                "match_points",
                f"entry {number} has {entry.points} match points, and the deals give {due.points}",
            )
        if entry.chips_won != due.chips:
            yield Found(
                "match_chips",
                f"entry {number} has won {entry.chips_won} chips, and the deals give {due.chips}",
            )


def _results(rows: Rows) -> dict[str, Results]:
    """The chips that seats won, by deal and table; only of hands that were paid."""
    results: dict[str, Results] = defaultdict(dict)
    for number, seats in rows.dealt.items():
        hand = rows.hands[number]
        results[rows.deal_of[hand.shoe_id]][hand.table_id] = {
            seat.number: seat.net or 0 for seat in seats
        }
    return results


def _compared(rows: Rows, deal: Deal, results: Results) -> Iterator[_Own]:
    """Yield the results of a deal for all players left when it was compared."""
    assert deal.began_at is not None
    assert deal.compared_at is not None
    tables = [
        row.table_id
        for row in rows.tables.values()
        if row.opened_at <= deal.began_at
        and (row.broken_at is None or row.broken_at >= deal.compared_at)
    ]
    places = range(1, sizes_of(rows.structure).most + 1)
    given = deal_points({table: results.get(table) for table in tables}, places)
    held = _seats(rows, deal)
    for entry in _left(rows, deal):
        seat = held.get(entry.player_id)
        if seat is None:
            yield _Own(entry.number, len(tables) - 1, 0)
            continue
        won = results.get(seat.table_id, {}).get(seat.number, 0)
        yield _Own(entry.number, given[seat.table_id, seat.number], won)


def _left(rows: Rows, deal: Deal) -> list[Entry]:
    assert deal.compared_at is not None
    gone = {out.entry_id for out in rows.eliminations if out.at <= deal.compared_at}
    return [entry for entry in rows.took_part if entry.pk not in gone]


def _seats(rows: Rows, deal: Deal) -> dict[int, Seat]:
    """Return the seats of all players while the deal was played."""
    assert deal.began_at is not None
    assert deal.compared_at is not None
    return {
        seat.player_id: seat
        for seat in rows.seats.values()
        if seat.sat_down_at <= deal.began_at
        and (seat.left_at is None or seat.left_at >= deal.compared_at)
    }


CHECKS = (points,)
