"""Active players: how many, how many new, how many back after a while, and the newcomers later.

By day, a cohort is the players whose first day was a week before; `returned` says how many of them
have played since, up to that day. Players are people: the house's bots are in no figure here.
"""

from collections.abc import Iterator
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.office.reports.columns import (
    DAYS,
    HANDLE,
    PLAYERS_NET,
    WITH_PEOPLE,
    By,
    Column,
    Row,
    hands_columns,
    key_columns,
)
from casino.office.reports.details import Activity
from casino.office.reports.figures import Figures, described
from casino.office.reports.report import Report

HANDLE_OF_PEOPLE: Final = HANDLE._replace(
    name="handle_of_people", words=_("Handle of people"), figure=HANDLE.name
)


def _people(name: str, words: str | Promise) -> Column:
    return Column(name, words, "count", "distinct", "people")


OF_A_GROUP: Final = (
    _people("players", _("Players")),
    _people("new", _("For the first time")),
)
OF_A_DAY: Final = (
    _people("returning", _("Played before")),
    _people("back", _("Back after 30 days")),
    _people("cohort", _("First played a week before")),
    _people("returned", _("Of these, have played since")),
)


class Players(Report):
    name = "players"
    title = _("Players")
    symbol = "group"
    place = 60
    allowed = ("day", "game", "table", "player")
    shades = ("new", "returning")

    def columns(self, by: By) -> list[Column]:
        if by == "player":
            since = Column("since", _("First played"), "day")
            return [*hands_columns(by), HANDLE_OF_PEOPLE, PLAYERS_NET, DAYS, since]
        of_a_day = OF_A_DAY if by == "day" else ()
        return [*key_columns(by), WITH_PEOPLE, HANDLE_OF_PEOPLE, *OF_A_GROUP, *of_a_day]

    def rows(self, figures: Figures, by: By) -> Iterator[Row]:
        activity, columns = Activity(figures), self.columns(by)
        sums, who = activity.grouped(by)
        row_of = described(sums, by)
        for group in sorted(sums, key=str):
            row = row_of(group)
            row.read(columns, sums[group])
            if by == "player":
                row.cells["since"] = figures.first_days.get(group[0])
            else:
                people = activity.people(by, group, who[group])
                row.cells |= {name: len(some) for name, some in people.items()}
            row.opens = {column.name: {"by": by} for column in (*OF_A_GROUP, *OF_A_DAY)}
            row.opens |= {HANDLE_OF_PEOPLE.name: {"people": "1"}}
            yield row


REPORT = Players()
