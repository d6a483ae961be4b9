"""The parts of a guided hand: what a learner reads before a step, and how the hand stands then.

A learner's step is a **pick**: a short text in the address, such as `call3`, `pass`, `Tc`, or `ok`
where there is nothing to choose.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, Protocol

from django.utils.functional import Promise

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
# What the learner is asked for: a call, cards to play, cards of a row, or to read on.
Asks = Literal["call", "play", "row", "ok", "over"]


class Advice(NamedTuple):
    """What is going on, what to do, and the pick that does it; why it is better than others."""

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
    # The calls that can be made, each with its pick.
    calls: tuple[tuple[str, int], ...] = ()
    may_pass: bool = False
    # What is to be said of the last pick: that another one was better, or costs something.
    remark: Words = ""
    # The row that is compared now.
    row: str = ""


class Lesson(Protocol):
    """A guided hand of one game."""

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
