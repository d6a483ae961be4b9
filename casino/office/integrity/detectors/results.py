"""Results beyond chance: chips that pass between two players, and what one player wins.

Chip dumping: one of the two loses to the other again and again. Soft play: at Dou Dizhu one of them
is landlord and the other a farmer, and the landlord wins more than landlords win from others; the
two help each other in turn, so neither loses to the other in the end. In the games of thirteen
cards a player cannot spare one opponent, because one arrangement meets them all.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.office.integrity import chance
from casino.office.integrity.chance import Shape, Total, Verdict
from casino.office.integrity.models import Tally
from casino.office.integrity.results import (
    Finding,
    Flow,
    Played,
    Result,
    Span,
    Tallies,
    Weighed,
    add_result,
    add_weighted,
    evidence_of,
    history,
    shape_of,
    total_of,
)
from games.rules.catalogue import game_type

# With fewer flows or results the spread is unknown.
HOUSE_LEAST: Final = 1_000


class _Flows:
    """One question about each pair of players."""

    name: str

    def flows_of(self, hand: Played) -> Iterable[Flow]:
        """Return the flows to count; a pair's total is what went from low to high."""
        raise NotImplementedError

    def question(self, total: Total, house: Shape, error: float) -> Verdict:
        raise NotImplementedError

    def figures(self, row: Tally, house: Tally) -> dict[str, object]:
        raise NotImplementedError

    def look(self, span: Span) -> Iterable[Finding]:
        tallies = Tallies(self.name, span.players)
        for hand in span.hands:
            for flow in self.flows_of(hand):
                add_result(tallies.row(hand.game), flow.bets)
            for flow in self.flows_of(hand):
                yield from self._look_at(tallies, hand, flow)
        span.sums.append(tallies)

    def _look_at(self, tallies: Tallies, hand: Played, flow: Flow) -> Iterator[Finding]:
        low, high = sorted((flow.source, flow.target))
        row, house = tallies.row(hand.game, low, high), tallies.row(hand.game)
        add_weighted(row, self.signed(flow))
        reached = chance.pair_looks_at(row.count)
        if reached <= row.looks or house.count < HOUSE_LEAST:
            return
        row.looks = reached
        error = chance.pair_error_of(reached)
        verdict = self.question(total_of(row), shape_of(house), error)
        if verdict.beyond:
            yield self._finding(row, house, hand, verdict)

    def signed(self, flow: Flow) -> float:
        """Return what a flow adds to the total of its pair."""
        return flow.bets

    def _finding(self, row: Tally, house: Tally, last: Played, verdict: Verdict) -> Finding:
        pair, way = (row.player, row.other), 1 if row.first >= 0 else -1
        weighed = [
            Weighed(hand, way * self.signed(flow))
            for hand in history(pair, row.game, last.ended_at)
            for flow in self.flows_of(hand)
            if {flow.source, flow.target} == set(pair)
        ]
        return Finding(
            pair,
            score=verdict.score,
            bound=verdict.bound,
            weight=row.count,
            until=last.ended_at,
            game=row.game,
            table=last.table,
            figures=self.figures(row, house),
            **evidence_of(weighed),
        )


class Dumping(_Flows):
    name = "dumping"
    words = _("Chip dumping")
    sentence = _("{source} lost {passed} bets to {target} in {count} hands.")
    measure = _("standard errors")
    charted = _("Bets passed on")

    def flows_of(self, hand: Played) -> Iterable[Flow]:
        return hand.flows

    def signed(self, flow: Flow) -> float:
        return flow.bets if flow.source < flow.target else -flow.bets

    def question(self, total: Total, house: Shape, error: float) -> Verdict:
        return chance.flows_beyond(total, house, error)

    def figures(self, row: Tally, house: Tally) -> dict[str, object]:
        pair = (row.player, row.other)
        source, target = pair if row.first >= 0 else pair[::-1]
        return {
            "source": source,
            "target": target,
            "passed": round(abs(row.first)),
            "count": row.count,
        }


class SoftPlay(_Flows):
    name = "soft_play"
    words = _("Soft play")
    sentence = _(
        "In {count} hands one of {players} was landlord and the other a farmer: the landlord won"
        " {won} bets from the farmer, where {usual} would be usual."
    )
    measure = _("standard errors")
    charted = _("Bets won by the landlord")

    def flows_of(self, hand: Played) -> Iterable[Flow]:
        return to_landlord(hand)

    def question(self, total: Total, house: Shape, error: float) -> Verdict:
        return chance.helped_beyond(total, house, error)

    def figures(self, row: Tally, house: Tally) -> dict[str, object]:
        return {
            "count": row.count,
            "won": round(row.first),
            "usual": round(row.count * house.first / house.count),
        }


def to_landlord(hand: Played) -> list[Flow]:
    """Return what farmers paid the landlord; negative if they won, nothing in other games."""
    paid = [flow for flow in hand.flows if flow.bets]
    if not game_type(hand.game).has_landlord or len(paid) != 2:
        return []
    both = {paid[0].source, paid[0].target} & {paid[1].source, paid[1].target}
    (landlord,) = both
    return [
        flow if flow.target == landlord else Flow(flow.target, landlord, -flow.bets)
        for flow in paid
    ]


class Wins:
    name = "wins"
    words = _("Wins beyond chance")
    sentence = _("{players} won {won} bets in {count} hands, {rate} in a hundred.")
    measure = _("standard errors")
    charted = _("Bets won")

    def look(self, span: Span) -> Iterable[Finding]:
        tallies = Tallies(self.name, span.players)
        for hand in span.hands:
            for result in hand.results:
                add_result(tallies.row(hand.game), result.bets)
            for result in hand.results:
                finding = _look_at(tallies, hand, result, span)
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
        row.place = sum(tally.place is not None for tally in tallies.of_player(result.player))
    row.looks = reached
    error = chance.error_of(reached, row.place)
    verdict = chance.wins_beyond(total, shape_of(house), error)
    if not verdict.beyond:
        return None
    return _finding(row, hand, verdict, total.total / (total.weights2 / total.count) ** 0.5, span)


def _finding(row: Tally, last: Played, verdict: chance.Verdict, won: float, span: Span) -> Finding:
    """The total in bets of the player's usual size."""
    weighed = [
        Weighed(hand, result.bets)
        for hand in history([row.player], row.game, last.ended_at)
        for result in hand.results
        if result.player == row.player
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
