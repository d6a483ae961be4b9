"""The house's earnings: from its games, from the rake, and less what it gave away.

Gross revenue is what the house won from players and the rake. Net revenue is what remains of it
when the jackpots have got their shares and players their grants. A jackpot's money comes from no
single player, and a grant from no table: such a cell is empty.
"""

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.reports.behind_hands import of_player
from casino.reports.figures import Figures
from casino.reports.grants import grants
from casino.reports.grouping import Group, described, group_of, key_columns
from casino.reports.report import By, Column, Measure, Row
from casino.reports.spans import Span
from casino.reports.sums import TableSums

HANDLE: Final = Column("handle", _("Handle"), "money", "flow", "hands")
RAKE: Final = Column("rake", _("Rake"), "money", "flow", "hands")


def hands_column(by: By) -> Column:
    """A number of hands; by player a hand counts for each of its players, so they don't add up."""
    measure: Measure = "distinct" if by == "player" else "flow"
    return Column("hands", _("Hands"), "count", measure, "hands")


class Revenue:
    name = "revenue"
    title = _("Revenue")
    allowed: tuple[By, ...] = ("day", "game", "table", "player", "profile")

    def columns(self, by: By) -> list[Column]:
        found = [
            *key_columns(by),
            hands_column(by),
            hands_column(by)._replace(name="reversed", words=_("Reversed")),
        ]
        if by != "player":
            found.append(
                Column("players", _("Players"), "count", "distinct", "people", "everybody")
            )
        found += [
            HANDLE,
            Column("won", _("Won by the house"), "money", "flow", "hands"),
            RAKE,
            Column("gross", _("Gross revenue"), "money", "flow", "hands"),
        ]
        if by != "player":
            found.append(Column("pools", _("To jackpots"), "money", "flow", "hands"))
        if by in ("day", "player"):
            found.append(Column("grants", _("Grants"), "money", "flow", "entries"))
        return [*found, Column("net", _("Net revenue"), "money", "flow", "hands", "kept")]

    def rows(self, span: Span, by: By) -> Iterator[Row]:
        figures = Figures(span)
        sums = _by_player(figures) if by == "player" else _by_table(figures, by)
        players = {} if by == "player" else players_by(figures, by)
        given = grants(span, by)
        groups = sorted({*sums, *given}, key=str)
        row_of = described(groups, by)
        for group in groups:
            of_group, grant = sums.get(group, TableSums()), given.get(group, 0)
            row = row_of(group) | {
                "hands": of_group.hands,
                "reversed": of_group.reversed,
                "players": len(players.get(group, ())),
                "handle": of_group.handle,
                "won": of_group.won,
                "rake": of_group.rake,
                "gross": of_group.won + of_group.rake,
                "pools": of_group.pools,
                "grants": grant,
                "net": of_group.kept - grant,
            }
            row["_open"] = {"grants": {"kind": "grant"}}
            if by in ("day", "player"):
                # Grants belong to no table, game or profile, so they lessen none of theirs.
                row["_open"]["net"] = {"less_grants": "1"}
            yield row


def _by_table(figures: Figures, by: By) -> dict[Group, TableSums]:
    sums: dict[Group, TableSums] = {}
    for place, _bet, of_table in figures.tables():
        sums.setdefault(group_of(place, by), TableSums()).add(of_table)
    return sums


def _by_player(figures: Figures) -> dict[Group, TableSums]:
    """Return the house's earnings from each player: what they lost to it, and their rake."""
    sums: dict[Group, TableSums] = {}
    for place, player, mine in figures.players():
        part = of_player(place, mine)
        sums.setdefault(group_of(place, "player", player), TableSums()).add(part)
    return sums


def players_by(figures: Figures, by: By) -> dict[Group, set[int]]:
    """Return the players of each group; nobody is counted twice in one."""
    found: dict[Group, set[int]] = {}
    for place, player, mine in figures.players():
        if mine.hands:
            found.setdefault(group_of(place, by), set()).add(player)
    return found
