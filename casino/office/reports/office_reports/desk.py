"""The desk: what each cashier took in and paid out, what was corrected, and what was given; and
the tills, with what was brought to them, taken from them, and counted."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.office.reports.balances import BOTS
from casino.office.reports.columns import By, Column, Row, key_columns
from casino.office.reports.entries import (
    AT_THE_DESK,
    GRANTS,
    OTHER,
    PEOPLE,
    TILL_COLUMNS,
    desk_lines,
    number_in,
    till_rows,
)
from casino.office.reports.facts import Group
from casino.office.reports.figures import Figures, described
from casino.office.reports.report import Report

# All other postings of a wallet at the desk are corrections.
KINDS: Final = {
    "deposit": "deposits",
    "withdrawal": "withdrawals",
    **dict.fromkeys(GRANTS, "grants"),
}
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
        rows: dict[tuple[Group, str], dict[str, int]] = {}
        for line in desk_lines(*figures.bounds):
            owner = number_in(line.owner)
            of: object = line.on if by == "day" else owner
            row = rows.setdefault(((of, line.currency), line.actor), defaultdict(int))
            row["movements"] += 1
            # Payments are positive amounts in their own column.
            name = KINDS.get(line.kind, CORRECTED)
            if name == "grants" and owner in figures.bots:
                row["to_bots"] += line.amount
                continue
            row[name] += -line.amount if name == "withdrawals" else line.amount
            row["net"] += line.amount
        row_of = described({group for group, _actor in rows}, by)
        names = dict(get_user_model().objects.values_list("pk", "username"))
        for group, actor in sorted(rows, key=str):
            sums, of_cashier = rows[group, actor], row_of(group)
            who = gettext("the house") if actor == "house" else names.get(number_in(actor), actor)
            columns = ("movements", *KINDS.values(), "to_bots", CORRECTED, "net")
            of_cashier.cells |= {"cashier": who} | {name: sums[name] for name in columns}
            of_cashier.only |= {"actor": actor}
            of_cashier.opens = OPENED
            yield of_cashier


REPORT = Desk()
