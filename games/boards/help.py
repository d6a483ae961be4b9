"""The parts of the help with a hand, whichever family gives it (`games.boards.family`)."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from games.rules.cards import Card
from games.rules.contract import Action


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
