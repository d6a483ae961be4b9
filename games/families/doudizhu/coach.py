"""Dou Dizhu: the moments at which the house's best bot would have played otherwise, and why."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from games.boards.advice import SAME, Advice, Deed, Moment, Path, summed_up
from games.bots.doudizhu import call
from games.bots.doudizhu_position import Position, considered, planner_for, position
from games.rules.contract import Action
from games.rules.doudizhu.combinations import first_beating, readings
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.hints import Planner
from games.rules.doudizhu.ranks import RankSet, pick, rank_set
from games.rules.doudizhu.state import Call, DoudizhuView
from games.words.naming import term


def advise(path: Path) -> Advice:
    return summed_up(list(_moments(path)))


def _moments(path: Path) -> Iterator[Moment]:
    game: Doudizhu = path.game
    for decision in path.decisions():
        step, view, action = decision.step, decision.view, decision.action
        if decision.do == "call":
            yield _call(game, view, step, action)
        else:
            now = position(view)
            # A player who can only pass has nothing to decide.
            if now.other is None or planner_for(now, game.wings).hints(now.hand, now.other):
                yield _play(game, view, now, step, action)


def _call(game: Doudizhu, view: DoudizhuView, step: int, action: Call) -> Moment:
    bot: Any = call(game, view)
    better = None if bot.points == action.points else Deed(_called(bot.points), (view.hand,))
    why = _("The strategy calls by the number of leads that the hand needs.") if better else ""
    return Moment(step, _("The call"), Deed(_called(action.points)), better, why=why)


def _called(points: int) -> str:
    return _("call {points}").format(points=points) if points else _("no call")


def _play(game: Doudizhu, view: DoudizhuView, now: Position, step: int, action: Action) -> Moment:
    planner = planner_for(now, game.wings)
    ranked = considered(now, game.wings)
    cost, best = ranked[0]
    cards = getattr(action, "cards", ())
    chosen = rank_set(cards)
    done = _deed(game, view, now, chosen, cards)
    if now.other is None:
        situation = _("You had the lead")
    else:
        situation = _("To beat: {play}").format(play=term(now.other.kind))
    same_cost = any(ranks == chosen and each - cost < SAME for each, ranks in ranked)
    if chosen == best or same_cost:
        return Moment(step, situation, done)
    better = _deed(game, view, now, best, pick(view.hand, best) if best else ())
    return Moment(step, situation, done, better, why=_why(now, planner, chosen, best, len(ranked)))


def _deed(game: Doudizhu, view: DoudizhuView, now: Position, ranks: RankSet, cards: Any) -> Deed:
    if not ranks:
        return Deed(_("pass"))
    meanings = readings(ranks, game.wings)
    reading = meanings[0] if now.other is None else first_beating(meanings, now.other)
    assert reading is not None
    return Deed(term(reading.kind), (tuple(cards),))


def _why(now: Position, planner: Planner, chosen: RankSet, best: RankSet, count: int) -> str:
    """The strongest reason."""
    if now.hand == best:
        return _("It would have ended the hand.")
    if not best and now.other_is_partner:
        return _("It leaves the lead to the partner.")
    if count == 1:
        return _("After it the hand can be played out no matter where the other cards are.")
    rest_best, rest_chosen = _leads(planner, now.hand - best), _leads(planner, now.hand - chosen)
    if rest_best < rest_chosen - SAME:
        words = _("The rest then needs about {fewer} leads instead of {more}.")
        return words.format(fewer=f"{rest_best:.1f}", more=f"{rest_chosen:.1f}")
    if best and min(now.opponents) <= 2:
        return _("An opponent is nearly out: it is harder for them to answer.")
    return _("It keeps more cards that can regain the lead.")


def _leads(planner: Planner, hand: RankSet) -> float:
    return planner.split(hand).cost if hand else 0.0
