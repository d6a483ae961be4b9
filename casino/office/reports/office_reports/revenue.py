"""The house's earnings: from its games, from the rake, and the fees of tournaments.

Gross revenue is what the house won, the rake, and the fees: all that the ledger moved to it, from
people and from its own bots. Net revenue is what came from people, less the jackpots' shares and
grants to people. A jackpot's money belongs to no single player, a grant to no table, and a fee to
no table or profile.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from casino.office.reports.charts import bars_by_game, drifting_bets, hold_charts, owed_beside
from casino.office.reports.columns import (
    FEES,
    GROSS,
    HANDLE,
    NET,
    RAKE,
    REVERSED,
    TO_POOLS,
    WON,
    By,
    Column,
    Row,
    hands_columns,
)
from casino.office.reports.details import OF_BOTS, OF_PEOPLE
from casino.office.reports.entries import PEOPLE, fee_facts, grant_facts
from casino.office.reports.facts import Sums, added_up
from casino.office.reports.figures import Figures, described, people_and_bots
from casino.office.reports.report import Report, Shown

# What has fees of tournaments in it.
WITH_FEES: Final = ("gross", "from_people", "from_bots", "net")


class Revenue(Report):
    name = "revenue"
    title = _("Revenue")
    place = 10
    allowed = ("day", "game", "table", "player", "profile")

    def columns(self, by: By) -> list[Column]:
        *keys, hands = hands_columns(by)
        columns = [*keys, hands, REVERSED._replace(measure=hands.measure)]
        if by != "player":
            columns += [
                Column("players", _("Players"), "count", "distinct", "people", OF_PEOPLE),
                Column("bots", _("Bots"), "count", "distinct", "people", OF_BOTS),
            ]
        columns += [HANDLE, WON, RAKE, FEES, *GROSS]
        if by != "player":
            columns.append(TO_POOLS)
        if by in ("day", "player"):
            columns.append(Column("grants", _("Grants"), "money", "flow", "entries"))
        return [*columns, NET]

    def rows(self, figures: Figures, by: By) -> Iterator[Row]:
        sums = added_up(figures.earnings(by), by)
        fees = added_up(fee_facts(figures), by)
        # Grants belong to no table, game or profile, so they lessen none of theirs.
        given = added_up(grant_facts(figures), by) if by in ("day", "player") else {}
        played = {} if by == "player" else people_and_bots(figures, by)
        groups, columns = sorted({*sums, *given, *fees}, key=str), self.columns(by)
        row_of = described(groups, by)
        for group in groups:
            whole = Sums()
            for part in (sums, given, fees):
                whole.add(part.get(group, Sums()))
            people, bots = played.get(group, ((), ()))
            row = row_of(group)
            row.cells |= {"players": len(people), "bots": len(bots)}
            row.read(columns, whole)
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
    selections: dict[str, Mapping[str, object] | None] = {
        "fees": {"fees": "1"},
        "grants": {"kind": "grant", "whose": PEOPLE},
    }
    if by in ("table", "profile"):
        # A row of fees alone has no hands; all other rows have no fees.
        return selections | (dict.fromkeys(WITH_FEES) if is_event else {})
    selections |= {name: {"fees": "1"} for name in WITH_FEES}
    if by != "game":
        selections["net"] = {"fees": "1", "less_grants": "1"}
    return selections
