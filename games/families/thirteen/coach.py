"""Thirteen cards: the best arrangement against those that were shown, and what it had made."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from games.boards.advice import Advice, Deed, Moment, Path
from games.rules.analysis.thirteen_coach import best_against, points_against
from games.rules.contract import State
from games.rules.poker import CATEGORY_NAMES
from games.rules.thirteen.actions import Arrange
from games.rules.thirteen.game import ThirteenGame
from games.words.naming import row_term, term


def advise(path: Path) -> Advice:
    game: ThirteenGame = path.game
    last: Any = path.states[-1]
    table = {shown.seat: shown for shown in game.show(last)}
    if path.seat not in table or len(table) < 2:
        return Advice(_("There was nothing to decide in this hand."))
    step = next(decision.step for decision in path.decisions() if decision.do == "arrange")
    place = last.place(path.seat)
    hand, arranged = last.hands[place], last.arranged[place]
    others = [shown for seat, shown in table.items() if seat != path.seat]
    units = units_of(game, last, path.seat, list(table))
    mine = points_against(game, table[path.seat], others, banker=last.banker, units=units)
    best = best_against(game, hand, others, seat=path.seat, banker=last.banker, units=units)
    done = _deed(game, arranged, path.money(mine))
    situation = _("Against the arrangements that were shown")
    if best.points <= mine:
        words = _("No other arrangement would have won more against these.")
        return Advice(words, (Moment(step, situation, done),))
    moment = Moment(
        step,
        situation,
        done,
        _deed(game, best.arranged, path.money(best.points)),
        path.money(best.points - mine),
        _("Nobody could know that before the others had shown their rows."),
    )
    return Advice(_("Another arrangement would have won more against these."), (moment,))


def units_of(game: ThirteenGame, last: State, seat: int, seats: Sequence[int]) -> dict[int, int]:
    """Return what a point with each of the others is worth."""
    state: Any = last
    if state.banker is not None and state.banker != seat:
        return {state.banker: game.unit(state, state.banker, seat)}
    return {other: game.unit(state, seat, other) for other in seats if other != seat}


def _deed(game: ThirteenGame, arranged: Arrange, worth: str) -> Deed:
    if arranged.declare is not None:
        return Deed(term(arranged.declare), arranged.rows if any(arranged.rows) else (), worth)
    names = [row_term(CATEGORY_NAMES[game.rank_row(row).category]) for row in arranged.rows]
    return Deed(" · ".join(names), arranged.rows, worth)
