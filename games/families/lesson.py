"""The parts of a guided hand: the text before a step, and the state of the hand then.

A learner's step is a **pick**: a short text in the address, such as `call3`, `pass`, `Tc`, or `ok`
where there is nothing to choose.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rules.cards import Card, cards_text, parse_cards
from games.rules.contract import AnyGame, State, View

# The learner's seat; the others are named by the lesson.
LEARNER: Final = 1
# No hand of an authored deal takes more steps, and no pick is longer.
PICKS_MAX: Final = 40
PICK_LENGTH_MAX: Final = 60
OK: Final = "ok"
PASS: Final = "pass"  # noqa: S105 - a pass at cards

Words = str | Promise
# What the learner is asked for: a pick among buttons or cards, to read on, or nothing more.
Asks = Literal["pick", "ok", "over"]
# The button that sends the ticked cards as the pick.
CARDS: Final = "cards"


class Button(NamedTuple):
    pick: str
    label: Words


NEXT: Final = Button(OK, _("Next"))


class Advice(NamedTuple):
    """The situation, the task, and the pick that solves it; why it is better than others."""

    words: Words
    pick: str
    why: Words = ""


class Stand(NamedTuple):
    """The hand after some picks: what the page shows, and what it asks for next."""

    state: State
    view: View
    asks: Asks
    words: Words
    # The cards to highlight, of those that can be chosen.
    advised: tuple[Card, ...] = ()
    offered: tuple[Card, ...] = ()
    # The rows that lie there already, the back first.
    rows: tuple[tuple[Card, ...], ...] = ()
    # The pick that is advised, as the address has it.
    advised_pick: str = ""
    # What can be picked; the ticked cards last.
    buttons: tuple[Button, ...] = ()
    # What is to be said of the last pick: that another one was better, or costs something.
    remark: Words = ""
    # The row that is compared now.
    row: str = ""

    @property
    def main(self) -> str:
        picks = [button.pick for button in self.buttons]
        return self.advised_pick if self.advised_pick in picks else picks[-1]

    @property
    def takes_cards(self) -> bool:
        """Whether cards can be ticked."""
        return any(button.pick == CARDS for button in self.buttons)


class Lesson(Protocol):
    @property
    def game(self) -> AnyGame: ...

    @property
    def others(self) -> Mapping[int, str]:
        """The names of the others at the table, by their seats."""
        ...

    @property
    def steps(self) -> int:
        """How many steps the advised way takes, the end among them."""
        ...

    def stand(self, picks: Sequence[str]) -> Stand:
        """Replay the hand; `Illegal` or `Unreadable` where a pick cannot be made."""
        ...


def cards_in(pick: str) -> tuple[Card, ...]:
    return parse_cards(pick)


def pick_of(cards: Sequence[Card]) -> str:
    return cards_text(cards)


def dealing_order(hands: Sequence[Sequence[Card]], rest: Sequence[Card] = ()) -> tuple[Card, ...]:
    """The shoe that deals these hands one card at a time, in the order of dealing."""
    dealt = [card for round_of in zip(*hands, strict=True) for card in round_of]
    return (*dealt, *rest)
