"""The house's earnings: from its games, from the rake, and less what it gave away.

Gross revenue is what the house won from players and the rake. Net revenue is what remains of it
when the jackpots have got their shares and players their grants. A jackpot's money belongs to no
single player, and a grant to no table: such a cell is empty.
"""

from collections.abc import Iterator

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from casino.office.reports.columns import HANDLE, RAKE, By, Column, Row, hands_column, key_columns
from casino.office.reports.detail_hands import of_player
from casino.office.reports.figures import Figures
from casino.office.reports.grants import grants
from casino.office.reports.grouping import Group, described, group_of
from casino.office.reports.pieces import bars_by_game, drifting_bets, hold_charts, owed_beside
from casino.office.reports.report import Report, Shown
from casino.office.reports.spans import Span
from casino.office.reports.sums import TableSums


class Revenue(Report):
    name = "revenue"
    title = _("Revenue")
    place = 10
    allowed = ("day", "game", "table", "player", "profile")

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
            row = row_of(group)
            row.cells |= {
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
            row.opens = {"grants": {"kind": "grant"}}
            if by in ("day", "player"):
                # Grants belong to no table, game or profile, so they lessen none of theirs.
                row.opens["net"] = {"less_grants": "1"}
            yield row

    def charts(self, shown: Shown) -> list[SafeString]:
        return [*hold_charts(shown), bars_by_game(shown, lambda sums: sums.won + sums.rake)]

    def notices(self, shown: Shown) -> SafeString:
        return drifting_bets(shown)

    def aside(self, shown: Shown) -> SafeString:
        return owed_beside(shown)


REPORT = Revenue()


def _by_table(figures: Figures, by: By) -> dict[Group, TableSums]:
    sums: dict[Group, TableSums] = {}
    for place, _bet, of_table in figures.tables():
        sums.setdefault(group_of(place, by), TableSums()).add(of_table)
    return sums


def _by_player(figures: Figures) -> dict[Group, TableSums]:
    """Return the house's earnings from each player: their losses to it, and their rake."""
    sums: dict[Group, TableSums] = {}
    for place, player, mine in figures.players():
        part = of_player(place, mine)
        sums.setdefault(group_of(place, "player", player), TableSums()).add(part)
    return sums


def players_by(figures: Figures, by: By) -> dict[Group, set[int]]:
    """Return the players of each group; no player is counted twice in one."""
    found: dict[Group, set[int]] = {}
    for place, player, mine in figures.players():
        if mine.hands:
            found.setdefault(group_of(place, by), set()).add(player)
    return found
