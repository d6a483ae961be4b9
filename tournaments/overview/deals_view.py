"""The deals of a duplicate across its tables: who made what of the same cards.

Made of deals that have been compared, and of nothing else. It names results and no cards: those of
one's own hand are in its replay.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from games.words.naming import player_title
from tournaments.event.compared_deals import Compared, Result, compared_in
from tournaments.event.organiser import structure_of
from tournaments.mathematics.match_points import bye_points
from tournaments.models import Entry, Tournament
from tournaments.overview.progress_view import percent
from tournaments.overview.words import seat_letter
from wallets.values.player import Viewer, is_player

# So many tables are compared on one page.
TABLES_SHOWN: Final = 12
# Shades of a cell, from none of the points to all of them.
SHADES: Final = 4


class Cell(NamedTuple):
    """One player's result of a deal; `chips` is None if the table has no result."""

    points: int
    chips: int | None
    shade: int
    # The reader's own hand, to be replayed.
    hand: int | None


class ComparedPlayer(NamedTuple):
    """A player, with all compared deals of the round; None where they held no cards."""

    name: str
    face: int
    table: int
    mine: bool
    cells: tuple[Cell | None, ...]
    points: int
    percent: str
    chips: int


class Group(NamedTuple):
    """Those who held the same cards, the best first."""

    seat: str
    rows: tuple[ComparedPlayer, ...]


class Luck(NamedTuple):
    """The average result of all who held the reader's cards, and the reader's own."""

    average: int
    own: int


class DealsView(NamedTuple):
    round: int
    rounds: tuple[int, ...]
    deals: tuple[int, ...]
    # How many deals the round has in all.
    of: int
    groups: tuple[Group, ...]
    # The match points that the players of a seat share in each deal.
    shared: int
    luck: Luck | None
    page: int
    pages: int

    @property
    def earlier(self) -> int | None:
        return self.page - 1 if self.page > 1 else None

    @property
    def later(self) -> int | None:
        return self.page + 1 if self.page < self.pages else None


def deals_view(
    viewer: Viewer, tournament: Tournament, round_number: int | None, page: int | None
) -> DealsView:
    """A round whose deals have been compared: the one that was asked for, or the latest."""
    over = tournament.deals.filter(compared_at__isnull=False)
    rounds = tuple(over.order_by("round").values_list("round", flat=True).distinct())
    number = round_number if round_number in rounds else rounds[-1] if rounds else 0
    compared = compared_in(tournament, number)
    own = viewer.pk if is_player(viewer) else None
    tables, number_of_page, pages = _page(compared, own, page)
    structure = structure_of(tournament)
    assert structure.duplicate is not None
    return DealsView(
        round=number,
        rounds=rounds,
        deals=compared.deals,
        of=structure.duplicate.deals,
        groups=_groups(tournament, compared, tables, own),
        shared=compared.tables * (compared.tables - 1),
        luck=_luck(compared, own),
        page=number_of_page,
        pages=pages,
    )


def _page(compared: Compared, own: int | None, page: int | None) -> tuple[set[int], int, int]:
    """The numbers of the tables of a page, the reader's own first."""
    at = {player: next(iter(cells.values())).table for player, cells in compared.results.items()}
    ordered = sorted(set(at.values()), key=lambda table: (table != at.get(own or 0), table))
    pages = max(1, -(-len(ordered) // TABLES_SHOWN))
    number = min(max(1, page or 1), pages)
    first = (number - 1) * TABLES_SHOWN
    return set(ordered[first : first + TABLES_SHOWN]), number, pages


def _groups(
    tournament: Tournament, compared: Compared, tables: set[int], own: int | None
) -> tuple[Group, ...]:
    shown = {
        player: cells
        for player, cells in compared.results.items()
        if next(iter(cells.values())).table in tables
    }
    found: Any = Entry.objects.filter(tournament=tournament, player__in=shown)
    entries = {one.player_id: one for one in found.select_related("player")}
    groups: dict[int, list[ComparedPlayer]] = {}
    for player, cells in shown.items():
        seat = next(iter(cells.values())).seat
        row = _row(entries[player], compared, cells, mine=player == own)
        groups.setdefault(seat, []).append(row)
    return tuple(
        Group(
            seat_letter(seat),
            tuple(sorted(rows, key=lambda row: (not row.mine, -row.points, -row.chips))),
        )
        for seat, rows in sorted(groups.items())
    )


def _row(
    entry: Any, compared: Compared, cells: Mapping[int, Result], *, mine: bool
) -> ComparedPlayer:
    points = sum(one.points for one in cells.values())
    average = bye_points(compared.tables, len(cells))
    most = 2 * bye_points(compared.tables, 1) or 1
    return ComparedPlayer(
        name=player_title(entry.player.username, entry.player.is_bot),
        face=entry.player.face,
        table=next(iter(cells.values())).table,
        mine=mine,
        cells=tuple(
            Cell(one.points, one.chips, round(SHADES * one.points / most), one.hand if mine else 0)
            if (one := cells.get(deal))
            else None
            for deal in compared.deals
        ),
        points=points,
        percent=percent(points, average),
        chips=sum(one.chips or 0 for one in cells.values()),
    )


def _luck(compared: Compared, own: int | None) -> Luck | None:
    cells = compared.results.get(own or 0)
    if not cells:
        return None
    seat = next(iter(cells.values())).seat
    same = [
        sum(one.chips or 0 for one in held.values())
        for held in compared.results.values()
        if next(iter(held.values())).seat == seat
    ]
    return Luck(round(sum(same) / len(same)), sum(one.chips or 0 for one in cells.values()))
