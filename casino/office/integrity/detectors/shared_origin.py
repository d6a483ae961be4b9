"""One device or one address at one table: two players of one hand who act from the same place.

A device says much: one browser played both seats. An address says little, since households and
clubs share one, so it takes many hands, and an address of many players is not asked about.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import timedelta
from itertools import combinations
from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.office.integrity.detectors.detector import Finding, Weighed, evidence_of
from casino.office.integrity.models import Trace
from casino.office.integrity.results import Played, Span
from casino.office.integrity.tallies import Tallies

DEVICE_HANDS: Final = 1
LINE_HANDS: Final = 20
# From an address with more players than this in a month people play who do not know one another.
HOUSEHOLD: Final = 6
MONTH: Final = timedelta(days=30)

Pair = tuple[int, int]
# By pair: the hands that they played from one place, and that place.
Places = dict[Pair, list[tuple[Played, str]]]


class Shared:
    name = "shared"
    words = _("One device or address")
    sentence = _(
        "{players} acted from one device in {devices} hands, and from one address in {lines}."
    )
    measure = _("hands from one place")
    charted = _("Hands together")

    def look(self, span: Span) -> Iterable[Finding]:
        devices, lines = _places(span)
        pairs = {*devices, *lines}
        tallies = Tallies(self.name, {player for pair in pairs for player in pair})
        for pair in sorted(pairs):
            row, by_device, by_line = tallies.row("", *pair), devices[pair], lines[pair]
            row.first += len(by_device)
            row.second += len(by_line)
            row.count = max(int(row.first), int(row.second))
            if row.first >= DEVICE_HANDS and by_device:
                yield _finding(pair, span, by_device, (row.first, row.second), DEVICE_HANDS)
            elif row.second >= LINE_HANDS and not _is_public(by_line, span):
                yield _finding(pair, span, by_line, (row.first, row.second), LINE_HANDS)
        span.sums.append(tallies)


def _places(span: Span) -> tuple[Places, Places]:
    """Return the players who shared a hand from one device, and those from one address."""
    hands = {hand.number: hand for hand in span.hands}
    found: tuple[dict[tuple[int, str], set[int]], ...] = (defaultdict(set), defaultdict(set))
    traces = Trace.objects.filter(hand__in=list(hands))
    for hand, player, *places in traces.values_list("hand_id", "player_id", "device", "line"):
        for by_place, place in zip(found, places, strict=True):
            if place:
                by_place[hand, place].add(player)
    devices, lines = (_pairs(hands, by_place) for by_place in found)
    return devices, lines


def _pairs(hands: Mapping[int, Played], found: Mapping[tuple[int, str], set[int]]) -> Places:
    pairs: Places = defaultdict(list)
    for (hand, place), players in sorted(found.items()):
        for pair in combinations(sorted(players), 2):
            pairs[pair].append((hands[hand], place))
    return pairs


def _is_public(by_line: list[tuple[Played, str]], span: Span) -> bool:
    places = {place for _hand, place in by_line}
    sat = Trace.objects.filter(kind="sat", line__in=places, at__gt=span.until - MONTH)
    return sat.values("player").distinct().count() > HOUSEHOLD


def _finding(
    pair: Pair,
    span: Span,
    found: list[tuple[Played, str]],
    counts: tuple[float, float],
    bound: int,
) -> Finding:
    devices, lines = map(int, counts)
    evidence = evidence_of([Weighed(hand, 1.0) for hand, _place in found])
    return Finding(
        pair,
        score=devices if bound == DEVICE_HANDS else lines,
        bound=bound,
        weight=max(devices, lines),
        until=span.until,
        table=found[-1][0].table,
        figures={"devices": devices, "lines": lines},
        **evidence,
    )
