"""The people who make a figure: the players, and which of them the report of players counts."""

from casino.office.reports.activity import Activity
from casino.office.reports.columns import By
from casino.office.reports.detail_hands import Only
from casino.office.reports.figures import Figures
from casino.office.reports.grouping import Group
from casino.office.reports.people import bots, played
from casino.office.reports.spans import Span

# All who played, as the report of revenue counts them; other figures are of the report of players.
OF_PEOPLE, OF_BOTS = "played", "bots"


def people_behind(span: Span, by: By, only: Only, figure: str) -> list[int]:
    """The numbers of the players whom a figure counts."""
    if figure in (OF_PEOPLE, OF_BOTS):
        of_the_house = bots()
        found = {player for place, player in played(Figures(span)) if only.fits(place)}
        return sorted(found & of_the_house if figure == OF_BOTS else found - of_the_house)
    activity = Activity(Figures(span))
    _sums, who, _days = activity.grouped(by)
    group = _group(span, by, only)
    return sorted(activity.people(by, group, who.get(group, set())).get(figure, ()))


def _group(span: Span, by: By, only: Only) -> Group:
    of: object = span.first
    if by == "game":
        of = only.game
    elif by == "table":
        of = (only.table, only.game)
    return of, only.currency
