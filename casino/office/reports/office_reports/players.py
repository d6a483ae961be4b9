"""Active players: how many, how many new, how many back after a while, and the newcomers later.

By day, a cohort is the players whose first day was a week before; `returned` says how many of them
have played since, up to that day. Players are people: the house's bots are in no figure here.
"""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from casino.office.reports.activity import Activity
from casino.office.reports.columns import HANDLE, By, Column, Row, hands_columns, key_columns
from casino.office.reports.figures import Figures
from casino.office.reports.grouping import described
from casino.office.reports.report import Report


class Players(Report):
    name = "players"
    title = _("Players")
    symbol = "group"
    place = 60
    allowed = ("day", "game", "table", "player")
    shades = ("new", "returning")

    def columns(self, by: By) -> list[Column]:
        handle = HANDLE._replace(
            name="handle_of_people", words=_("Handle of people"), figure=HANDLE.name
        )
        if by == "player":
            return [
                *(*hands_columns(by), handle),
                Column("net", _("Won by the player"), "money", "flow", "hands"),
                Column("days", _("Days played"), "count", "distinct", "hands"),
                Column("since", _("First played"), "day"),
            ]
        found = [
            *key_columns(by),
            Column("with_people", _("Hands with people"), "count", "flow", "hands"),
            handle,
            Column("players", _("Players"), "count", "distinct", "people"),
            Column("new", _("For the first time"), "count", "distinct", "people"),
        ]
        if by != "day":
            return found
        return [
            *found,
            Column("returning", _("Played before"), "count", "distinct", "people"),
            Column("back", _("Back after 30 days"), "count", "distinct", "people"),
            Column("cohort", _("First played a week before"), "count", "distinct", "people"),
            Column("returned", _("Of these, have played since"), "count", "distinct", "people"),
        ]

    def rows(self, figures: Figures, by: By) -> Iterator[Row]:
        activity = Activity(figures)
        sums, who, days = activity.grouped(by)
        row_of = described(sums, by)
        for group in sorted(sums, key=str):
            row = row_of(group)
            hands = "hands" if by == "player" else "with_people"
            row.cells |= {hands: activity.hands[group], "handle_of_people": sums[group].handle}
            if by == "player":
                first = activity.first_days.get(group[0])
                row.cells |= {"net": sums[group].net, "days": len(days[group]), "since": first}
            else:
                found = activity.people(by, group, who[group])
                row.cells |= {name: len(some) for name, some in found.items()}
            row.opens = _opened(by)
            yield row


REPORT = Players()


def _opened(by: By) -> dict[str, dict[str, str]]:
    every = ("players", "new", "returning", "back", "cohort", "returned")
    return {"handle_of_people": {"people": "1"}} | {name: {"by": by} for name in every}
