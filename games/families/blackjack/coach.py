"""Blackjack: what basic strategy for this table says, and what another move costs on average."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from games.boards.advice import SAME, Advice, Deed, Moment, Path, summed_up
from games.boards.labels import LABELS
from games.rules.blackjack.analysis.strategy import held_of, rules_of, worths
from games.rules.blackjack.state import BlackjackView, Follow, place_of
from games.rules.blackjack.totals import POINTS, total_of

DECISIONS = ("hit", "stand", "double", "split", "surrender")


def advise(path: Path) -> Advice:
    return summed_up(list(_moments(path)))


def _moments(path: Path) -> Iterator[Moment]:
    for decision in path.decisions():
        step, view, do = decision.step, decision.view, decision.do
        if do == "follow":
            yield _followed(path, view, step, decision.action)
        elif do in DECISIONS and view.phase == "play":
            offered = {choice.do for choice in path.game.choices(decision.state, path.seat)}
            yield _played(path, view, step, do, offered)


def _played(path: Path, view: BlackjackView, step: int, do: str, offered: set[str]) -> Moment:
    box = next(box for box in view.boxes if box.number == view.box)
    hand = box.hands[view.hand or 0]
    shares = worths(rules_of(path.game), held_of(hand.cards), POINTS[view.dealer[0]])
    worth: dict[str, float] = {str(move): share for move, share in shares.items()}
    best = next(move for move in worth if move in offered)
    stake = hand.bets[place_of(box, path.seat)]
    situation = _situation(view, hand.cards)
    done = Deed(str(LABELS[do]), (hand.cards, view.dealer[:1]), _percent(worth[do]))
    if worth[best] - worth[do] < SAME:
        return Moment(step, situation, done)
    better = Deed(str(LABELS[best]), (), _percent(worth[best]))
    return Moment(step, situation, done, better, path.money((worth[best] - worth[do]) * stake))


def _followed(path: Path, view: BlackjackView, step: int, action: Follow) -> Moment:
    """A guest's answer: whether the double or split is worth its stake."""
    box = next(box for box in view.boxes if box.number == view.box)
    hand = box.hands[view.hand or 0]
    worth = worths(rules_of(path.game), held_of(hand.cards), POINTS[view.dealer[0]])
    gain = worth["double" if view.phase == "double" else "split"]
    words = {True: _("follows"), False: _("does not follow")}
    done = Deed(words[action.yes], (hand.cards, view.dealer[:1]))
    situation = _situation(view, hand.cards)
    if action.yes == (gain > 0) or abs(gain) < SAME:
        return Moment(step, situation, done)
    stake = hand.bets[place_of(box, path.seat)]
    return Moment(step, situation, done, Deed(words[gain > 0]), path.money(abs(gain) * stake))


def _situation(view: BlackjackView, cards: Any) -> str:
    total = total_of(cards)
    points = _("soft {points}").format(points=total.points) if total.soft else str(total.points)
    up = POINTS[view.dealer[0]]
    return _("{points} against {up}").format(points=points, up="A" if up == 1 else up)


def _percent(worth: float) -> str:
    """Return what a move is worth on average, as a share of the stake."""
    return _("{percent} % of the stake").format(percent=f"{100 * worth:+.1f}")
