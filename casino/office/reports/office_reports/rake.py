"""The rake: the house's share of what players win from one another."""

from collections.abc import Iterator
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from casino.office.reports.charts import bars_by_game
from casino.office.reports.columns import (
    FROM_BOTS,
    FROM_PEOPLE,
    HANDLE,
    RAKE,
    By,
    Column,
    Row,
    hands_columns,
    percent,
)
from casino.office.reports.facts import PLAYERS, Only, added_up
from casino.office.reports.figures import Figures, described
from casino.office.reports.report import Report, Shown

OF_PLAYERS: Final = Only(against=PLAYERS)


class Rake(Report):
    name = "rake"
    title = _("Rake")
    symbol = "price_change"
    place = 50
    allowed = ("game", "day", "table", "player", "profile")

    def columns(self, by: By) -> list[Column]:
        return [
            *(*hands_columns(by), HANDLE, RAKE),
            # Of the rake alone: a revenue from people has fees of tournaments, too.
            FROM_PEOPLE._replace(words=_("Rake from people")),
            FROM_BOTS._replace(words=_("Rake from bots")),
            Column("share", _("Share of the handle"), "percent", "ratio"),
        ]

    def rows(self, figures: Figures, by: By) -> Iterator[Row]:
        sums, columns = added_up(figures.earnings(by, OF_PLAYERS), by), self.columns(by)
        row_of = described(sums, by)
        for group in sorted(sums, key=str):
            row = row_of(group)
            row.read(columns, sums[group])
            row.cells["share"] = percent(sums[group].rake, sums[group].handle)
            row.only["against"] = PLAYERS
            yield row

    def charts(self, shown: Shown) -> list[SafeString]:
        return [bars_by_game(shown, lambda sums: sums.rake)]


REPORT = Rake()
