"""Deals given up after their lock, by the public chain: shoes, live hands, reversed hands."""

from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import ChainEntry
from games.models.published import GIVEN_UP
from games.records.reversals import KIND as REVERSAL
from games.words.reasons import reason_in_words

SHOWN: Final = 50
# A shoe that was taken away before its lock says nothing of reveals.
_AFTER_LOCK: Final = ~Q(kind="void") | Q(body__has_key="reveals")


class AbandonedDeal(NamedTuple):
    position: int
    at: datetime
    # The code of the shoe, or of the hand.
    shoe: str
    hand: str
    what: object
    why: str


class Page(NamedTuple):
    rows: list[AbandonedDeal]
    # The entry before which the next page begins, if there is one.
    older: int | None


def page_before(position: int | None) -> Page:
    """The newest entries before a position, or the newest of all."""
    found = ChainEntry.objects.filter(GIVEN_UP, _AFTER_LOCK, position__isnull=False)
    if position is not None:
        found = found.filter(position__lt=position)
    entries = list(found.order_by("-position")[: SHOWN + 1])
    rows = [_row(entry) for entry in entries[:SHOWN]]
    return Page(rows, rows[-1].position if len(entries) > SHOWN else None)


def _row(entry: ChainEntry) -> AbandonedDeal:
    what = {
        "void": _("Shoe voided after its lock"),
        REVERSAL: _("Hand reversed after it was paid"),
    }.get(entry.kind, _("Hand voided while it ran"))
    # A shoe's reason is one of the house's own; staff's words about a hand are in no entry.
    why = reason_in_words(str(entry.body["reason"])) if entry.kind == "void" else ""
    return AbandonedDeal(
        position=entry.position or 0,
        at=entry.made_at,
        shoe=entry.shoe,
        hand=str(entry.body.get("hand", "")),
        what=what,
        why=why,
    )
