"""The results of all tables with the deals of duplicate rounds, once a deal is compared.

Nothing of a deal is read before that: a page, a program or a percentage made from here cannot tell
what a deal holds that is still played.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from games.models import Hand, HandSeat, Seat
from tournaments.event.organiser import structure_of
from tournaments.mathematics.match_points import bye_points, deal_points
from tournaments.mathematics.preview import sizes_of
from tournaments.models import Deal, EventTable, Tournament


class Result(NamedTuple):
    points: int
    # None where the table has no result.
    chips: int | None
    # The event's number of the table, the seat there, and the hand to replay.
    table: int
    seat: int
    hand: int | None


class Compared(NamedTuple):
    """The compared deals of a round, and what each player won in them."""

    deals: tuple[int, ...]
    # By player, then by the number of the deal.
    results: Mapping[int, Mapping[int, Result]]
    tables: int


class _Played(NamedTuple):
    net: int
    hand: int


def compared_in(tournament: Tournament, round_number: int) -> Compared:
    query = tournament.deals.filter(round=round_number, compared_at__isnull=False)
    deals = list(query.order_by("number"))
    rows = list(tournament.tables.order_by("number"))
    played = _played(deals)
    seats = _seats(rows) if deals else []
    results: dict[int, dict[int, Result]] = defaultdict(dict)
    there: Sequence[EventTable] = ()
    for deal in deals:
        there = _tables_of(deal, rows)
        for player, result in _of_deal(tournament, deal, there, seats, played[deal.code]).items():
            results[player][deal.number] = result
    return Compared(tuple(deal.number for deal in deals), results, len(there))


def average_points(tournament: Tournament) -> int:
    """The match points of a player who was level with all others in every compared deal."""
    deals = tournament.deals.filter(compared_at__isnull=False)
    rows = list(tournament.tables.all())
    return sum(bye_points(len(_tables_of(deal, rows)), 1) for deal in deals)


def _of_deal(
    tournament: Tournament,
    deal: Deal,
    there: Sequence[EventTable],
    seats: Iterable[Seat],
    played: Mapping[tuple[int, int], _Played],
) -> dict[int, Result]:
    """Return the results of all who held a deal's cards, by player."""
    numbers = {row.table_id: row.number for row in there}
    nets: dict[int, dict[int, int] | None] = dict.fromkeys(numbers)
    for (table, seat), outcome in played.items():
        if table in nets:
            nets[table] = (nets[table] or {}) | {seat: outcome.net}
    places = sizes_of(structure_of(tournament)).most
    points = deal_points(nets, range(1, places + 1))
    results = {}
    for held in seats:
        if held.table_id not in numbers or not _sat(held, deal):
            continue
        own = played.get((held.table_id, held.number))
        results[held.player_id] = Result(
            points=points[held.table_id, held.number],
            chips=own.net if own else None,
            table=numbers[held.table_id],
            seat=held.number,
            hand=own.hand if own else None,
        )
    return results


def _played(deals: Sequence[Deal]) -> dict[str, dict[tuple[int, int], _Played]]:
    """By deal, table and seat: what was won, and in which hand."""
    outcomes: dict[str, dict[tuple[int, int], _Played]] = defaultdict(dict)
    rows = HandSeat.objects.filter(
        hand__shoe__deal__in=[deal.code for deal in deals], status=Hand.Status.FINISHED
    )
    columns = ("hand__shoe__deal", "table_id", "number", "net", "hand_id")
    for code, table, seat, net, hand in rows.values_list(*columns):
        outcomes[code][table, seat] = _Played(net or 0, hand)
    return outcomes


def _seats(rows: Iterable[EventTable]) -> list[Seat]:
    held = Seat.objects.filter(table__in=[row.table_id for row in rows], player__isnull=False)
    return list(held.order_by("table", "number"))


def _tables_of(deal: Deal, rows: Iterable[EventTable]) -> list[EventTable]:
    """The tables that were open while the deal was played."""
    began, compared = _times(deal)
    return [
        row
        for row in rows
        if row.opened_at <= began and (row.broken_at is None or row.broken_at >= compared)
    ]


def _sat(seat: Seat, deal: Deal) -> bool:
    began, compared = _times(deal)
    return seat.sat_down_at <= began and (seat.left_at is None or seat.left_at >= compared)


def _times(deal: Deal) -> tuple[datetime, datetime]:
    assert deal.began_at is not None
    assert deal.compared_at is not None
    return deal.began_at, deal.compared_at
