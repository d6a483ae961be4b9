"""From the draws of the shoe protocol to the context of a round, and back for the proof.

A game says what it draws besides the cards (`draws` of the contract). In the protocol a draw has
the name of the context's field as its label, with dashes. Its number is in the context as it was
drawn, but a drawn card is there by its name, as players see it.

At a table against the house the draws are made when the betting has closed, and only then do they
enter the context: nothing that a round does or shows while bets are placed depends on them.
"""

from collections.abc import Callable, Iterator

from games.rules.cards import Card
from games.rules.contract import AnyGame, Context
from games.rules.shoe import DRAW_SIZES, ShoeProof, context_value
from games.rules.verifying import Finding, Step

# The draws whose size the options of a table say; `shoe.py` knows the sizes of all others.
SIZED_BY_OPTIONS = ("wheel", "lucky-game")
FIELDS = tuple(label.replace("-", "_") for label in (*DRAW_SIZES, *SIZED_BY_OPTIONS))

# Draws a number from 0 to n-1 under a label.
NumberDrawn = Callable[[str, int], int]


def label_of(field: str) -> str:
    """The protocol's label of the draw for a field of the context."""
    return field.replace("_", "-")


def drawn_context(game: AnyGame, draw: NumberDrawn) -> dict[str, int | str]:
    """The fields of a new round's context that are drawn; who deals adds what else is decided."""
    drawn = {}
    for field, size in game.draws().items():
        label = label_of(field)
        drawn[field] = context_value(label, draw(label, size))
    return drawn


def draws_in(context: Context) -> dict[str, int | str]:
    """The draws that a hand's context tells, by label, to be held against its proof."""
    draws = {}
    for field in FIELDS:
        value = getattr(context, field, None)
        if value is not None:
            draws[label_of(field)] = value.text if isinstance(value, Card) else value
    return draws


def verify_draws(game: AnyGame, proof: ShoeProof) -> Iterator[Finding]:
    """Yield the proven draws that this table does not make, each with its size.

    A house that could choose how many numbers a wheel is drawn from could choose the number, and
    one that could leave a draw out could leave out those it does not like.
    """
    due = {(label_of(field), size) for field, size in game.draws().items()}
    made = {(draw.label, draw.n) for draw in proof.draws}
    for label, size in sorted(due ^ made):
        sentence = "{label} of {n} was due and is not proven"
        if (label, size) in made:
            sentence = "{label} of {n} is no draw of this table"
        yield Finding(Step.DRAW, sentence, {"label": label, "n": size})
