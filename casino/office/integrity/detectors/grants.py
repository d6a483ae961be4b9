"""Farming of grants: new accounts of one place that are given play money and play one another."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Final

from django.db.models import Sum
from django.utils.translation import gettext_lazy as _

from casino.accounts.models import Player
from casino.office.integrity.detectors.detector import Finding, Weighed, evidence_of
from casino.office.integrity.models import Trace
from casino.office.integrity.results import Span
from wallets.models import Entry
from wallets.models.holders import player_reference

NEW: Final = timedelta(days=30)
# So many new accounts on one device; and at one address, where they play one another.
ON_A_DEVICE: Final = 3
AT_A_LINE: Final = 5
TOGETHER_LEAST: Final = 10


class Grants:
    name = "grants"
    words = _("Grant farming")
    sentence = _(
        "{accounts} new accounts came from one place; {granted} of them were given play money, and "
        "they met in {together} hands."
    )
    measure = _("accounts")
    charted = _("Hands together")

    def look(self, span: Span) -> Iterable[Finding]:
        since = span.until - NEW
        new = set(
            Player.objects.filter(pk__in=span.players, date_joined__gt=since).values_list(
                "pk", flat=True
            )
        )
        seen: set[tuple[int, ...]] = set()
        for place in ("device", "line") if new else ():
            for group in _groups(new, place, span):
                if group not in seen:
                    seen.add(group)
                    yield from _look_at(group, place, span)


def _groups(new: set[int], place: str, span: Span) -> Iterator[tuple[int, ...]]:
    """The new accounts that sat down from the same place as one of these."""
    since = span.until - NEW
    sat = Trace.objects.filter(kind="sat", at__gt=since)
    places = sat.filter(player__in=new, hand=None).exclude(**{place: ""}).values(place).distinct()
    found: dict[str, set[int]] = {}
    there = sat.filter(**{f"{place}__in": places}, player__date_joined__gt=since)
    for where, player in there.values_list(place, "player_id").distinct():
        found.setdefault(where, set()).add(player)
    least = ON_A_DEVICE if place == "device" else AT_A_LINE
    for players in found.values():
        if len(players) >= least:
            yield tuple(sorted(players))


def _look_at(group: tuple[int, ...], place: str, span: Span) -> Iterator[Finding]:
    names = [player_reference(player) for player in group]
    given = Entry.objects.filter(account__owner__in=names, transaction__kind="grant")
    granted = given.values("account__owner").annotate(amount=Sum("amount")).count()
    together = [hand for hand in span.hands if len(set(group) & set(hand.players)) > 1]
    least = ON_A_DEVICE if place == "device" else AT_A_LINE
    if granted < least or (place == "line" and len(together) < TOGETHER_LEAST):
        return
    weighed = [Weighed(hand, 1.0) for hand in together]
    evidence = evidence_of(weighed) if weighed else {"since": span.since}
    yield Finding(
        group,
        score=granted,
        bound=least - 1,
        weight=granted,
        until=span.until,
        figures={"accounts": len(group), "granted": granted, "together": len(together)},
        **evidence,
    )
