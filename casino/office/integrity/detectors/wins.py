"""Wins beyond chance: a player's results by game against what the game's own variance allows."""

from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.office.integrity import chance
from casino.office.integrity.detectors.detector import Finding, Weighed, evidence_of
from casino.office.integrity.models import Tally
from casino.office.integrity.results import Played, Result, Span, history
from casino.office.integrity.tallies import Tallies, add_result, add_weighted, shape_of, total_of

# With fewer results the spread of a game is unknown.
HOUSE_LEAST: Final = 1_000


class Wins:
    name = "wins"
    words = _("Wins beyond chance")
    sentence = _("{players} won {won} bets in {count} hands, {rate} in a hundred.")
    measure = _("standard errors")
    charted = _("Bets won")

    def look(self, span: Span) -> Iterable[Finding]:
        tallies = Tallies(self.name, span.players)
        for hand in span.hands:
            for one in hand.results:
                add_result(tallies.row(hand.game), one.bets)
            for one in hand.results:
                finding = _look_at(tallies, hand, one, span)
                if finding is not None:
                    yield finding
        span.sums.append(tallies)


def _look_at(tallies: Tallies, hand: Played, result: Result, span: Span) -> Finding | None:
    row, house = tallies.row(hand.game, result.player), tallies.row(hand.game)
    add_weighted(row, result.bets, result.size)
    total = total_of(row)
    reached = chance.looks_at(total.effective)
    if reached <= row.looks or house.count < HOUSE_LEAST:
        return None
    if row.place is None:
        row.place = sum(one.place is not None for one in tallies.of_player(result.player))
    row.looks = reached
    error = chance.error_of(reached, row.place)
    verdict = chance.wins_beyond(total, shape_of(house), error)
    if not verdict.beyond:
        return None
    return _finding(row, hand, verdict, total.total / (total.weights2 / total.count) ** 0.5, span)


def _finding(row: Tally, last: Played, verdict: chance.Verdict, won: float, span: Span) -> Finding:
    """The total in bets of the player's usual size."""
    weighed = [
        Weighed(hand, one.bets)
        for hand in history([row.player], row.game, last.ended_at)
        for one in hand.results
        if one.player == row.player
    ]
    return Finding(
        (row.player,),
        score=verdict.score,
        bound=verdict.bound,
        weight=row.count,
        until=last.ended_at,
        game=row.game,
        figures={"won": round(won), "count": row.count, "rate": round(100 * won / row.count)},
        **evidence_of(weighed),
    )
