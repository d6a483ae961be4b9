"""What the help with a hand consists of, whichever family gives it (`games.boards.family`)."""

from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from games.rules.cards import Card


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
    rows: dict[Card, str] = {}  # noqa: RUF012 - nobody writes into it
    words: str = ""
    # Whether the help is to pass.
    passes: bool = False


class Ticked(NamedTuple):
    """The name of the ticked cards, whether they can be played now, and if not, why."""

    words: str = ""
    playable: bool = False
    reason: str = ""


class Hint(NamedTuple):
    """The strategy's advice: the action, its name and its cards."""

    do: str
    words: str
    cards: tuple[Any, ...] = ()


class Depth(NamedTuple):
    """How many cards a shoe has left, and how many of them before the cut card."""

    left: int
    to_cut: int

    @property
    def words(self) -> str:
        if not self.to_cut:
            return _("{left} left, last round").format(left=self.left)
        return _("{left} left, cut card in {cards}").format(left=self.left, cards=self.to_cut)
