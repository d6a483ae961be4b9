"""Timing like a program's: response times that hardly vary, or that no person reaches.

The time of a response is from the moment when the turn came, which the moves before it say, to the
move. Three hundred acts are looked at together; then the counting begins anew.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from math import log
from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.office.integrity import chance
from casino.office.integrity.detectors.detector import Finding, Weighed, evidence_of
from casino.office.integrity.models import Tally
from casino.office.integrity.results import Played, Span
from casino.office.integrity.tallies import Tallies
from games.models import Hand, Move

# Clocks tell no shorter times apart.
SHORTEST_SECONDS: Final = 0.001
# A player who takes longer was not at the table.
LONGEST_SECONDS: Final = 120.0


class Timing:
    name = "timing"
    words = _("Bot-like timing")
    sentence = _(
        "{players} answered {count} times, in {middle} s as a rule; the times differ by "
        "{spread} %, and {fast} were below {least} s."
    )
    measure = _("acts")
    charted = _("Acts")

    def look(self, span: Span) -> Iterable[Finding]:
        tallies = Tallies(self.name, span.players)
        acts: dict[int, list[Weighed]] = defaultdict(list)
        for hand, player, seconds in response_times(span.hands):
            row = tallies.row("", player)
            _add(row, seconds)
            acts[player].append(Weighed(hand, 1.0))
            if row.count >= chance.ACTS:
                rhythm = chance.rhythm_of(row.count, row.first, row.second, int(row.third))
                if chance.is_a_programs(rhythm):
                    yield _finding(row, rhythm, acts[player], span)
                # The number of looks tells later evidence from earlier.
                row.looks += 1
                row.count, row.first, row.second, row.third = 0, 0.0, 0.0, 0.0
        span.sums.append(tallies)


def _add(row: Tally, seconds: float) -> None:
    logarithm = log(seconds)
    row.count += 1
    row.first += logarithm
    row.second += logarithm * logarithm
    row.third += seconds < chance.FAST_SECONDS


def response_times(hands: Iterable[Played]) -> Iterator[tuple[Played, int, float]]:
    """Yield who answered in which hand, and after how many seconds."""
    by_number = {hand.number: hand for hand in hands}
    rows = Hand.objects.filter(pk__in=list(by_number)).prefetch_related("seats")
    began = {hand.pk: hand.started_at for hand in rows}
    seats = {(hand.pk, seat.number): seat.player_id for hand in rows for seat in hand.seats.all()}
    made: dict[tuple[int, int], datetime] = {}
    moves = Move.objects.filter(hand__in=list(by_number)).order_by("hand_id", "number")
    columns = ("hand_id", "number", "seat", "turn", "by", "at")
    for hand, number, seat, turn, by, at in moves.values_list(*columns):
        made[hand, number] = at
        if by != Move.By.PLAYER:
            continue
        # A turn has the number of moves made when it came.
        since = made.get((hand, turn - 1)) if turn else began[hand]
        player = seats.get((hand, seat))
        if since is None or player is None or player not in by_number[hand].players:
            continue
        seconds = (at - since).total_seconds()
        if seconds <= LONGEST_SECONDS:
            yield by_number[hand], player, max(seconds, SHORTEST_SECONDS)


def _finding(row: Tally, rhythm: chance.Rhythm, acts: list[Weighed], span: Span) -> Finding:
    evidence = evidence_of(acts)
    hands = tuple(dict.fromkeys(one.hand.code for one in reversed(acts)))
    figures = {
        "count": rhythm.acts,
        "middle": round(2.718281828 ** (row.first / rhythm.acts), 2),
        "spread": round(100 * rhythm.spread),
        "fast": rhythm.fast,
        "least": chance.FAST_SECONDS,
    }
    return Finding(
        (row.player,),
        score=rhythm.acts,
        bound=chance.ACTS,
        weight=(row.looks + 1) * chance.ACTS,
        until=span.until,
        figures=figures,
        **{**evidence, "hands": hands[:20]},
    )
