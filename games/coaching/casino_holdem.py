"""Casino hold'em: what calling was worth on average, and a fold costs the ante."""

from collections.abc import Iterator
from fractions import Fraction

from django.utils.translation import gettext as _

from games.coaching.advice import Advice, Deed, Moment, Path, summed_up
from games.rules.casino_holdem.actions import Call
from games.rules.casino_holdem.view import HoldemView
from games.rules.house.antes import Fold
from games.rules.odds.casino_holdem import FOLD_VALUE, call_value
from games.words.forms import LABELS


def advise(path: Path) -> Advice:
    return summed_up(list(_moments(path)))


def _moments(path: Path) -> Iterator[Moment]:
    for step, _state, view, action in path.decisions():
        assert isinstance(view, HoldemView)
        if isinstance(action, Call | Fold):
            yield _decided(path, view, step, action)


def _decided(path: Path, view: HoldemView, step: int, action: Call | Fold) -> Moment:
    box = next(box for box in view.boxes if box.box == action.box)
    worth = {"call": call_value(box.cards, view.board), "fold": Fraction(FOLD_VALUE)}
    do = "call" if isinstance(action, Call) else "fold"
    other = "fold" if do == "call" else "call"
    done = Deed(str(LABELS[do]), (box.cards, view.board), antes(worth[do]))
    situation = _("Box {box}, on the flop").format(box=box.box)
    if worth[do] >= worth[other]:
        return Moment(step, situation, done)
    better = Deed(str(LABELS[other]), (), antes(worth[other]))
    cost = path.money(float((worth[other] - worth[do]) * box.ante))
    return Moment(step, situation, done, better, cost)


def antes(worth: float | Fraction) -> str:
    """What a decision is worth on average, in antes."""
    return _("{worth} antes").format(worth=f"{float(worth):+.2f}")
