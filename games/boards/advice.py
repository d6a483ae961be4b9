"""A coach's advice: the moments of a hand, what was done and what would have been better."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from games.rules.cards import Card
from games.rules.contract import Action, Party, State
from wallets.models import Currency
from wallets.values.amounts import show_amount, show_signed

# Figures that agree to this many places are equal: they come from sums of fractions.
SAME = 1e-9


class Deed(NamedTuple):
    """A move that was made or could have been: in words, with its cards and its worth."""

    words: str
    cards: tuple[tuple[Card, ...], ...] = ()
    worth: str = ""


class Moment(NamedTuple):
    """A decision; `step` is the number of its move, counted from 1."""

    step: int
    situation: str
    done: Deed
    better: Deed | None = None
    cost: str = ""
    why: str = ""
    # Whether the better move is known only now that all cards are open.
    is_hindsight: bool = False


class Advice(NamedTuple):
    """The coach's remarks on one seat's hand, with a summary first."""

    summary: str
    moments: tuple[Moment, ...] = ()


class Decision(NamedTuple):
    """A move of one's own; `step` is its number, counted from 1."""

    step: int
    # How the hand stood, what the seat saw, and what it did.
    state: Any
    view: Any
    action: Any

    @property
    def do(self) -> str:
        """The name of the action."""
        return str(self.action.__struct_config__.tag)


class Path(NamedTuple):
    """A hand step by step, and the seat for which it is coached."""

    # The rules and the views of one family, whose coach knows which.
    game: Any
    states: Sequence[State]
    moves: Sequence[tuple[Party, Action]]
    seat: int
    currency: Currency

    def decisions(self) -> Iterator["Decision"]:
        """The own moves."""
        for number, (party, action) in enumerate(self.moves):
            if party == self.seat:
                before = self.states[number]
                yield Decision(number + 1, before, self.game.view(before, self.seat), action)

    def money(self, amount: float) -> str:
        """An amount on average, as the currency writes it."""
        return show_amount(round(amount), self.currency)

    def result(self, amount: int) -> str:
        """What was won or lost, with its sign."""
        return show_signed(amount, self.currency)


def summed_up(moments: Sequence[Moment]) -> Advice:
    """The moments, with a word on how many of them could have been better."""
    if not moments:
        return Advice(_("There was nothing to decide in this hand."))
    missed = sum(1 for moment in moments if moment.better)
    if missed:
        words = _("{missed} of {count} decisions could have been better.")
        return Advice(words.format(missed=missed, count=len(moments)), tuple(moments))
    return Advice(_("Every decision matched the strategy."), tuple(moments))
