"""How a hand was settled, for one reader: their own lines, signed and grouped, with a total.

Against the house the groups are the boxes, among players the opponents. The wins and losses of
other seats follow without signs; what moves between the house and its pools concerns no seat and is
left out. A box whose bets all came back has no line.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.boards.settlement_text import sentence_of_line
from games.rules.settlement import StoredLine
from wallets.models import Currency


class Reason(NamedTuple):
    """One line: a sentence, and what it moves; of the reader's own lines, what they get."""

    words: str
    amount: int


class Group(NamedTuple):
    """The reader's lines of one box or with one opponent; the title is empty for all others."""

    title: str
    total: int
    reasons: tuple[Reason, ...]


class SettlementView(NamedTuple):
    """The lines of a hand; a spectator has no groups and no total."""

    groups: tuple[Group, ...]
    total: int | None
    others: tuple[Reason, ...]


def settlement_view(
    lines: Sequence[StoredLine], me: int | None, names: dict[int, str], currency: Currency
) -> SettlementView:
    """The lines of a hand for the player of a seat, or for a spectator."""
    mine: dict[str, list[Reason]] = {}
    others = []
    for line in lines:
        words = sentence_of_line(line, names, currency, me)
        sign = (line["target"] == str(me)) - (line["source"] == str(me))
        if sign:
            mine.setdefault(_title(line, me, names), []).append(
                Reason(words, sign * line["amount"])
            )
        elif line["source"].isdecimal() or line["target"].isdecimal():
            others.append(Reason(words, line["amount"]))
    groups = tuple(
        Group(title, sum(reason.amount for reason in reasons), tuple(reasons))
        for title, reasons in sorted(mine.items(), key=lambda pair: not pair[0])
    )
    total = sum(group.total for group in groups) if groups else None
    return SettlementView(groups, total, tuple(others))


def _title(line: StoredLine, me: int | None, names: dict[int, str]) -> str:
    box = line.get("values", {}).get("box")
    if box is not None:
        return _("Box {box}").format(box=box)
    party = line["source"] if line["target"] == str(me) else line["target"]
    return names.get(int(party), party) if party.isdecimal() else ""
