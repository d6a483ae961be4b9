"""Help with a hand, whichever family gives it: its parts, and the advice of a coach."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from games.rules.cards import Card
from games.rules.contract import Action, Party, State
from wallets.models import Currency
from wallets.values.amounts import show_amount, show_signed


class Suggested(NamedTuple):
    """A suggested arrangement: the value that requests it, its label, and what its rows make."""

    character: str
    label: str | Promise
    makes: str


class Filled(NamedTuple):
    """Cards to tick, or rows to fill: `requested` is the help that was asked for, `words` what it
    found.
    """

    requested: str = ""
    cards: frozenset[Card] = frozenset()
    rows: dict[Card, str] = {}  # noqa: RUF012 - never written to
    words: str = ""
    # Whether the advice is to pass.
    passes: bool = False


class Ticked(NamedTuple):
    """The name of the ticked cards, whether they can be played now, and if not, why."""

    words: str = ""
    playable: bool = False
    reason: str = ""


class Hint(NamedTuple):
    """An action that a player could take, and its name."""

    action: Action
    words: str

    @property
    def do(self) -> str:
        return str(self.action.__struct_config__.tag)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that the action names."""
        cards: tuple[Card, ...] = getattr(self.action, "cards", ())
        return cards


class Depth(NamedTuple):
    """The number of cards that a shoe has left, and of those before the cut card."""

    left: int
    to_cut: int

    @property
    def words(self) -> str:
        if not self.to_cut:
            return _("{left} left, last round").format(left=self.left)
        return _("{left} left, cut card in {cards}").format(left=self.left, cards=self.to_cut)


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
