"""Reveals withheld: a player commits to a part of a shoe and then does not reveal it, or leaves.

That voids the shoe, so a player who knew its cards could refuse it. Connections break, so a player
is compared with all players.
"""

from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.office.integrity import chance
from casino.office.integrity.detectors.detector import Finding
from casino.office.integrity.models import Tally, Trace
from casino.office.integrity.results import Span
from casino.office.integrity.tallies import Tallies
from games.models import HandSeat, ShoeSeat

# Fewer shoes say nothing.
LEAST: Final = 3
# At least this part of all reveals is taken to be lost by accident, as if so many had been seen.
RATE_LEAST: Final = 0.02
SEEN_BEFORE: Final = 100
ERROR: Final = 1e-5
SHOWN: Final = 20


class Reveals:
    name = "reveals"
    words = _("Reveals withheld")
    sentence = _(
        "{players} did not reveal their committed numbers for {withheld} of {parts} shoes; the"
        " rate of other players is {rate} %."
    )
    measure = _("reveals withheld")
    charted = _("Reveals withheld")

    def look(self, span: Span) -> Iterable[Finding]:
        recent = Trace.objects.filter(kind="withheld", at__gt=span.since, at__lte=span.until)
        withheld = list(recent.values_list("player_id", flat=True))
        tallies = Tallies(self.name, ())
        house = tallies.row("")
        hands = [hand.number for hand in span.hands]
        revealed = ShoeSeat.objects.filter(by_house=False, shoe__hands__in=hands).distinct().count()
        house.count += revealed + len(withheld)
        house.first += len(withheld)
        span.sums.append(tallies)
        for player in sorted(set(withheld)):
            finding = _look_at(player, house, span)
            if finding is not None:
                yield finding


def _rate_of_others(house: Tally, withheld: int, parts: int) -> float:
    lost = max(0.0, house.first - withheld) + SEEN_BEFORE * RATE_LEAST
    of = max(lost, house.count - parts) + SEEN_BEFORE
    return max(RATE_LEAST, lost / of)


def _look_at(player: int, house: Tally, span: Span) -> Finding | None:
    traces = Trace.objects.filter(player=player, hand=None, kind="withheld", at__lte=span.until)
    times = list(traces.order_by("at").values_list("at", "table_id"))
    mine = ShoeSeat.objects.filter(player=player, by_house=False, shoe__locked_at__isnull=False)
    parts = max(len(times), mine.count())
    rate = _rate_of_others(house, len(times), parts)
    if len(times) < LEAST or chance.at_least(len(times), parts, rate) > ERROR:
        return None
    by_day: dict[str, int] = {}
    for at, _table in times:
        by_day[at.date().isoformat()] = by_day.get(at.date().isoformat(), 0) + 1
    table = times[-1][1]
    return Finding(
        (player,),
        score=len(times),
        bound=chance.bound_of_tries(parts, rate, ERROR),
        weight=len(times),
        since=times[0][0],
        until=times[-1][0],
        table=table,
        hands=_hands_around(player, table, span),
        figures={"withheld": len(times), "parts": parts, "rate": round(100 * rate, 1)},
        by_day=by_day,
    )


def _hands_around(player: int, table: int, span: Span) -> tuple[str, ...]:
    """The player's last hands at that table, listed with the voided shoes."""
    rows = HandSeat.objects.filter(player=player, table=table, ended_at__lte=span.until)
    rows = rows.filter(status="finished").select_related("hand").order_by("-ended_at", "-hand")
    return tuple(row.hand.code for row in rows[:SHOWN])
