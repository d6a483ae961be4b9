"""The desk: what each cashier took in and paid out, what was corrected, and what was given; and
the tills, with what was brought to them, taken from them, and counted."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.office.reports.columns import By, Column, Row, key_columns
from casino.office.reports.detail_ledger import OTHER, PEOPLE
from casino.office.reports.figures import Figures
from casino.office.reports.grants import desk_lines, number_in
from casino.office.reports.grouping import Group, described
from casino.office.reports.past_balances import BOTS
from casino.office.reports.people import bots
from casino.office.reports.report import Report
from casino.office.reports.tills import AT_THE_DESK, till_rows
from casino.office.reports.tills import COLUMNS as TILL_COLUMNS

# All other postings of a wallet at the desk are corrections.
KINDS: Final = {"deposit": "deposits", "withdrawal": "withdrawals", "grant": "grants"}
CORRECTED: Final = "corrections"
OPENED: Final[dict[str, dict[str, Any]]] = {
    **{name: {"kind": kind} for kind, name in KINDS.items()},
    "withdrawals": {"kind": "withdrawal", "negated": 1},
    CORRECTED: {"kind": OTHER},
    "grants": {"kind": "grant", "whose": PEOPLE},
    "to_bots": {"kind": "grant", "whose": BOTS},
    "net": {"whose": PEOPLE},
}


class Desk(Report):
    name = "desk"
    title = _("Cash desk")
    symbol = "storefront"
    place = 70
    allowed = ("day", "player", "till")
    shades = ("deposits", "withdrawals", "grants")

    def columns(self, by: By) -> list[Column]:
        if by == "till":
            return [*TILL_COLUMNS]
        return [
            *key_columns(by),
            Column("cashier", _("Cashier")),
            Column("movements", _("Movements"), "count", "flow", "entries"),
            *AT_THE_DESK,
            Column("grants", _("Grants"), "money", "flow", "entries"),
            Column("to_bots", _("Grants to bots"), "money", "flow", "entries"),
            Column("net", _("To players, in all"), "money", "flow", "entries"),
        ]

    def rows(self, figures: Figures, by: By) -> Iterator[Row]:
        if by == "till":
            yield from till_rows(figures.span)
            return
        of_the_house = bots()
        found: dict[tuple[Group, str], dict[str, int]] = {}
        for line in desk_lines(*figures.bounds):
            owner = number_in(line.owner)
            of: object = line.on if by == "day" else owner
            row = found.setdefault(((of, line.currency), line.actor), defaultdict(int))
            row["movements"] += 1
            # Payments are positive amounts in their own column.
            name = KINDS.get(line.kind, CORRECTED)
            if name == "grants" and owner in of_the_house:
                row["to_bots"] += line.amount
                continue
            row[name] += -line.amount if name == "withdrawals" else line.amount
            row["net"] += line.amount
        row_of = described({group for group, _actor in found}, by)
        names = dict(get_user_model().objects.values_list("pk", "username"))
        for group, actor in sorted(found, key=str):
            of_cashier = row_of(group)
            of_cashier.cells |= _cells(found[group, actor], actor, names)
            of_cashier.only |= {"actor": actor}
            of_cashier.opens = OPENED
            yield of_cashier


REPORT = Desk()


def _cells(sums: dict[str, int], actor: str, names: dict[int, str]) -> dict[str, object]:
    who = gettext("the house") if actor == "house" else names.get(number_in(actor), actor)
    columns = ("movements", *KINDS.values(), "to_bots", CORRECTED, "net")
    return {
        "cashier": who,
        **{name: sums.get(name, 0) for name in columns},
    }
