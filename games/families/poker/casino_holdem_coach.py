"""Casino hold'em: what calling was worth on average, and a fold costs the ante."""

from collections.abc import Iterator
from fractions import Fraction

from django.utils.translation import gettext as _

from games.boards.advice import Advice, Decision, Deed, Moment, Path, summed_up
from games.boards.labels import LABELS
from games.rules.casino_holdem.calling import FOLD_VALUE, call_value


def advise(path: Path) -> Advice:
    return summed_up(list(_moments(path)))


def _moments(path: Path) -> Iterator[Moment]:
    for decision in path.decisions():
        if decision.do in ("call", "fold"):
            yield _decided(path, decision)


def _decided(path: Path, decision: Decision) -> Moment:
    step, view, do = decision.step, decision.view, decision.do
    box = next(box for box in view.boxes if box.box == decision.action.box)
    worth = {"call": call_value(box.cards, view.board), "fold": Fraction(FOLD_VALUE)}
    other = "fold" if do == "call" else "call"
    done = Deed(str(LABELS[do]), (box.cards, view.board), antes(worth[do]))
    situation = _("Box {box}, on the flop").format(box=box.box)
    if worth[do] >= worth[other]:
        return Moment(step, situation, done)
    better = Deed(str(LABELS[other]), (), antes(worth[other]))
    cost = path.money(float((worth[other] - worth[do]) * box.ante))
    return Moment(step, situation, done, better, cost)


def antes(worth: float | Fraction) -> str:
    """Return what a decision is worth on average, in antes."""
    return _("{worth} antes").format(worth=f"{float(worth):+.2f}")
