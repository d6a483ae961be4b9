"""Template tags for hands and plays of Dou Dizhu: whole rows at once, for speed."""

from collections.abc import Iterable
from typing import Any, Final

from markupsafe import Markup

from games.boards.pieces.cards import card_back
from games.boards.pieces.engine import joined, remembered
from games.families.doudizhu import play_names
from games.families.doudizhu.help import Counted
from games.rules.cards import Card
from games.rules.doudizhu.ranks import digit_of, in_order
from games.rules.doudizhu.state import Turn

# Three backs read as a hand of cards; more would only take room.
BACKS_MAX: Final = 3


def as_played(turn: Turn) -> list[Card]:
    """The cards of a play: those that decide before those that are carried."""
    main = turn.reading.main if turn.reading else 0
    return sorted(in_order(turn.cards), key=lambda card: not main & digit_of(card))


def play_name(turn: Turn) -> str:
    return play_names.play_name(turn.reading) if turn.reading else ""


def backs(left: int) -> Markup:
    """Some cards that are hidden from other viewers; how many they are is a number beside them."""
    return joined([card_back()] * min(left, BACKS_MAX))


def is_blast(turn: Turn) -> bool:
    """Whether a play doubles what the hand is worth."""
    return turn.reading is not None and turn.reading.kind in ("bomb", "rocket")


def counter_ranks(counter: Iterable[Counted]) -> Markup:
    """Each rank, and how many of it are out."""
    return joined(
        remembered("families/doudizhu/counter_rank.html", rank=counted.rank, left=counted.left)
        for counted in counter
    )


def cards_out(counter: Iterable[Counted]) -> int:
    """Return how many cards the others hold in all."""
    return sum(counted.left for counted in counter)


def out_of(counter: Iterable[Counted], *ranks: str) -> int:
    """Return how many cards of these ranks the others hold."""
    return sum(counted.left for counted in counter if counted.rank in ranks)


def held(hand: Any) -> list[Card]:
    """Cards in the order in which one holds them, the highest first."""
    return list(reversed(in_order(hand)))


# The filters and functions of templates, by name.
FILTERS: Final = {
    function.__name__: function
    for function in (
        *(play_names.reason_to_double, play_names.doublings, play_name, as_played, is_blast),
        *(cards_out, out_of, held),
    )
}
FUNCTIONS: Final = {"backs": backs, "counter_ranks": counter_ranks}
