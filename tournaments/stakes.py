"""The stakes of an event at its level, and the number of players at a table."""

from typing import Any

from msgspec import to_builtins

from games.rules.contract import AnyGame
from tournaments.models import Tournament
from tournaments.organiser import structure_of
from tournaments.preview import sizes_of
from tournaments.structure import Structure, game_at, game_of

# A knock-out's second stage, which has rounds and one stake.
ROUNDS_STAGE = 2
# The kind of events whose tables all play the same deals.
DUPLICATE = "duplicate"


def game_now(tournament: Tournament) -> AnyGame:
    """The game of an event at its present level, or in its rounds."""
    structure = structure_of(tournament)
    if tournament.stage == ROUNDS_STAGE and structure.rounds is not None:
        return game_of(structure, {"point": structure.rounds.point})
    return game_at(structure, max(1, tournament.level))


def options_at(tournament: Tournament) -> dict[str, Any]:
    """The options of the next hand, as a table's row keeps them."""
    options: dict[str, object] = to_builtins(game_now(tournament))
    return options


def least_players(structure: Structure) -> int:
    """With fewer players than these nothing can be played any more."""
    return max(2, sizes_of(structure).least)
