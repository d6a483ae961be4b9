"""The draws of a round besides the cards: computed from the shoe whenever they are needed.

While a hand runs, its draws are stored nowhere: only the encrypted secret of the shoe gives them.
So a reader of the database cannot bet on them. The end of the hand writes them to its row.
"""

from collections.abc import Mapping
from typing import NamedTuple

from games.models import Shoe
from games.rules.contract import AnyGame
from games.rules.draws import drawn_context
from games.rules.shoe import Draw
from games.shoes import custody


class Drawn(NamedTuple):
    """The drawn fields of a context, and the draws that give them."""

    fields: Mapping[str, object]
    draws: tuple[Draw, ...]

    def __repr__(self) -> str:
        return "Drawn(...)"


def drawn(shoe: Shoe, round_number: int, game: AnyGame) -> Drawn:
    """Return the draws of a round of a mixed shoe, under the options of its table."""
    draws: list[Draw] = []

    def draw(label: str, n: int) -> int:
        draws.append(custody.draw(shoe, round_number, label, n))
        return draws[-1].value

    return Drawn(drawn_context(game, draw), tuple(draws))
