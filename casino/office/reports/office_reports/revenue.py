"""The house's earnings: from its games, from the rake, and the fees of tournaments.

Gross revenue is what the house won, the rake, and the fees: all that the ledger moved to it, from
people and from its own bots. Net revenue is what came from people, less the jackpots' shares and
grants to people. A jackpot's money belongs to no single player, a grant to no table, and a fee to
no table or profile.
"""

from collections.abc import Iterator, Mapping

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from casino.office.reports.columns import GROSS, HANDLE, RAKE, By, Column, Row, hands_columns
from casino.office.reports.detail_people import OF_BOTS, OF_PEOPLE
from casino.office.reports.earnings import parts_by
from casino.office.reports.fees import Fees, fees
from casino.office.reports.figures import Figures
from casino.office.reports.grants import grants
from casino.office.reports.grouping import Group, described
from casino.office.reports.people import people_and_bots
from casino.office.reports.pieces import bars_by_game, drifting_bets, hold_charts, owed_beside
from casino.office.reports.report import Report, Shown
from casino.office.reports.sums import TableSums

# What has fees of tournaments in it.
WITH_FEES = ("gross", "from_people", "from_bots", "net")


class Revenue(Report):
    name = "revenue"
    title = _("Revenue")
    place = 10
    allowed = ("day", "game", "table", "player", "profile")

    def columns(self, by: By) -> list[Column]:
        *keys, hands = hands_columns(by)
        found = [*keys, hands, hands._replace(name="reversed", words=_("Reversed"))]
        if by != "player":
            found += [
                Column("players", _("Players"), "count", "distinct", "people", OF_PEOPLE),
                Column("bots", _("Bots"), "count", "distinct", "people", OF_BOTS),
            ]
        found += [
            HANDLE,
            Column("won", _("Won by the house"), "money", "flow", "hands"),
            RAKE,
            Column("fees", _("Fees of tournaments"), "money", "flow", "entries"),
            *GROSS,
        ]
        if by != "player":
            found.append(Column("pools", _("To jackpots"), "money", "flow", "hands"))
        if by in ("day", "player"):
            found.append(Column("grants", _("Grants"), "money", "flow", "entries"))
        return [*found, Column("net", _("Net revenue"), "money", "flow", "hands", "earned")]

    def rows(self, figures: Figures, by: By) -> Iterator[Row]:
        sums: dict[Group, TableSums] = {}
        for group, _place, part in parts_by(figures, by):
            sums.setdefault(group, TableSums()).add(part)
        played = {} if by == "player" else people_and_bots(figures, by)
        given, paid = grants(*figures.bounds, by), fees(*figures.bounds, by)
        groups = sorted({*sums, *given, *paid}, key=str)
        row_of = described(groups, by)
        for group in groups:
            of_group, fee = sums.get(group, TableSums()), paid.get(group, Fees())
            people, bots = played.get(group, ((), ()))
            grant = given.get(group, 0)
            row = row_of(group)
            row.cells |= {
                "hands": of_group.hands,
                "reversed": of_group.reversed,
                "players": len(people),
                "bots": len(bots),
                "handle": of_group.handle,
                "won": of_group.won,
                "rake": of_group.rake,
                "fees": fee.whole,
                "gross": of_group.gross + fee.whole,
                "from_people": of_group.from_people + fee.people,
                "from_bots": of_group.from_bots + fee.bots,
                "pools": of_group.pools,
                "grants": grant,
                "net": of_group.earned + fee.people - grant,
            }
            row.opens = _opened(by, is_event=group not in sums and group not in given)
            yield row

    def charts(self, shown: Shown) -> list[SafeString]:
        return [*hold_charts(shown), bars_by_game(shown, lambda sums: sums.gross)]

    def notices(self, shown: Shown) -> SafeString:
        return drifting_bets(shown)

    def aside(self, shown: Shown) -> SafeString:
        return owed_beside(shown)


REPORT = Revenue()


def _opened(by: By, *, is_event: bool) -> Mapping[str, Mapping[str, object] | None]:
    found: dict[str, Mapping[str, object] | None] = {
        "fees": {"fees": "1"},
        "grants": {"kind": "grant", "whose": "people"},
    }
    if by in ("table", "profile"):
        # A row of fees alone has no hands; all other rows have no fees.
        return found | (dict.fromkeys(WITH_FEES) if is_event else {})
    for name in WITH_FEES:
        found[name] = {"fees": "1"}
    if by != "game":
        # Grants belong to no table, game or profile, so they lessen none of theirs.
        found["net"] = {"fees": "1", "less_grants": "1"}
    return found
