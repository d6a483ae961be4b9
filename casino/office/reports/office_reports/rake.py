"""The rake: the house's share of what players win from one another."""

from collections.abc import Iterator

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from casino.office.reports import columns
from casino.office.reports.columns import By, Column, Row, percent
from casino.office.reports.detail_hands import PLAYERS
from casino.office.reports.earnings import parts_by
from casino.office.reports.figures import Figures
from casino.office.reports.grouping import Group, described
from casino.office.reports.pieces import bars_by_game
from casino.office.reports.report import Report, Shown
from casino.office.reports.sums import TableSums
from games.rules.catalogue import against_house


class Rake(Report):
    name = "rake"
    title = _("Rake")
    symbol = "price_change"
    place = 50
    allowed = ("game", "day", "table", "player", "profile")

    def columns(self, by: By) -> list[Column]:
        return [
            *(*columns.hands_columns(by), columns.HANDLE, columns.RAKE),
            # Of the rake alone: a revenue from people has fees of tournaments, too.
            columns.FROM_PEOPLE._replace(words=_("Rake from people")),
            columns.FROM_BOTS._replace(words=_("Rake from bots")),
            Column("share", _("Share of the handle"), "percent", "ratio"),
        ]

    def rows(self, figures: Figures, by: By) -> Iterator[Row]:
        sums: dict[Group, TableSums] = {}
        for group, place, part in parts_by(figures, by):
            if not against_house(place.game):
                sums.setdefault(group, TableSums()).add(part)
        row_of = described(sums, by)
        for group in sorted(sums, key=str):
            found = sums[group]
            row = row_of(group)
            row.only["against"] = PLAYERS
            row.cells |= {
                "hands": found.hands,
                "handle": found.handle,
                "rake": found.rake,
                "from_people": found.rake - found.from_bots,
                "from_bots": found.from_bots,
                "share": percent(found.rake, found.handle),
            }
            yield row

    def charts(self, shown: Shown) -> list[SafeString]:
        return [bars_by_game(shown, lambda sums: sums.rake)]


REPORT = Rake()
