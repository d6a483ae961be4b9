"""The people who make a figure: the players, and which of them the report of players counts."""

from typing import Final

from casino.office.reports.activity import Activity
from casino.office.reports.columns import By
from casino.office.reports.detail_hands import Only
from casino.office.reports.figures import Figures
from casino.office.reports.grouping import Group
from casino.office.reports.spans import Span

# All who played, the house's bots included; other figures count people alone.
EVERYBODY: Final = "everybody"


def people_behind(span: Span, by: By, only: Only, figure: str) -> list[int]:
    """The numbers of the players whom a figure counts."""
    if figure == EVERYBODY:
        played = (one for one in Figures(span).players() if only.fits(one.place))
        return sorted({player for _place, player, mine in played if mine.hands})
    activity = Activity(span)
    _sums, who, _days = activity.grouped(by)
    group = _group(span, by, only)
    found = activity.people(by, group, who.get(group, set()))
    return sorted(found.get(figure, ()))


def _group(span: Span, by: By, only: Only) -> Group:
    of: object = span.first
    if by == "game":
        of = only.game
    elif by == "table":
        of = (only.table, only.game)
    return of, only.currency
