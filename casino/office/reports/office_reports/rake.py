"""The rake: the house's share of what players win from one another."""

from collections.abc import Iterator

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from casino.office.reports.columns import (
    HANDLE,
    RAKE,
    By,
    Column,
    Row,
    hands_column,
    key_columns,
    percent,
)
from casino.office.reports.detail_hands import PLAYERS
from casino.office.reports.figures import Figures
from casino.office.reports.grouping import Group, described, group_of
from casino.office.reports.pieces import bars_by_game
from casino.office.reports.report import Report, Shown
from casino.office.reports.spans import Span
from casino.office.reports.sums import PlayerSums
from games.rules.catalogue import against_house


class Rake(Report):
    name = "rake"
    title = _("Rake")
    symbol = "price_change"
    place = 50
    allowed = ("game", "day", "table", "player", "profile")

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
            row.only["against"] = PLAYERS
            row.cells |= {
                "hands": found.hands,
                "handle": found.handle,
                "rake": found.rake,
                "share": percent(found.rake, found.handle),
            }
            yield row

    def charts(self, shown: Shown) -> list[SafeString]:
        return [bars_by_game(shown, lambda sums: sums.rake)]


REPORT = Rake()
