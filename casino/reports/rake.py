"""The rake: the house's share of what players win from one another."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from casino.reports.behind_hands import PLAYERS
from casino.reports.figures import Figures
from casino.reports.grouping import Group, described, group_of, key_columns
from casino.reports.report import By, Column, Row
from casino.reports.revenue import HANDLE, RAKE, hands_column
from casino.reports.spans import Span
from casino.reports.sums import PlayerSums
from games.rules.catalogue import against_house


class Rake:
    name = "rake"
    title = _("Rake")
    allowed: tuple[By, ...] = ("game", "day", "table", "player", "profile")

    def columns(self, by: By) -> list[Column]:
        share = Column("share", _("Share of the handle"), "percent", "ratio")
        return [*key_columns(by), hands_column(by), HANDLE, RAKE, share]

    def rows(self, span: Span, by: By) -> Iterator[Row]:
        sums: dict[Group, PlayerSums] = {}
        figures = Figures(span)
        if by == "player":
            for place, player, mine in figures.players():
                if not against_house(place.game):
                    sums.setdefault(group_of(place, by, player), PlayerSums()).add(mine)
        else:
            for place, _bet, whole in figures.tables():
                if not against_house(place.game):
                    part = PlayerSums(whole.hands, whole.handle, 0, whole.rake)
                    sums.setdefault(group_of(place, by), PlayerSums()).add(part)
        row_of = described(sums, by)
        for group in sorted(sums, key=str):
            found = sums[group]
            row = row_of(group)
            row["_only"]["against"] = PLAYERS
            yield row | {
                "hands": found.hands,
                "handle": found.handle,
                "rake": found.rake,
                "share": percent(found.rake, found.handle),
            }


def percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None
