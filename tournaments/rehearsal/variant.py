"""The structure that is rehearsed: one from a file, also with another game than its own."""

from pathlib import Path

from tournaments.mathematics.presets import with_game
from tournaments.mathematics.problems import problems
from tournaments.mathematics.structure import GAMES, Structure, read
from wallets.values.errors import Refused


class Unfit(Exception):
    """The reason why something cannot be rehearsed, as a sentence for its operator."""


def structure_from(file: str, game: str | None, players: int) -> Structure:
    """The structure of a file, for so many players, or `Unfit`."""
    try:
        structure = read(Path(file).read_bytes())
    except OSError as problem:
        raise Unfit(f"The structure {file} cannot be read: {problem.strerror}.") from None
    except Refused as problem:
        raise Unfit(f"The structure {file} cannot be read: {problem}") from None
    if game is not None:
        if game not in GAMES:
            raise Unfit(f"There are tournaments of {', '.join(GAMES)}, and not of {game}.")
        structure = with_game(structure, game)
    for refusal in problems(structure):
        raise Unfit(f"The structure {file} cannot be played: {refusal}")
    if not structure.field_min <= players <= structure.field_max:
        least, most = structure.field_min, structure.field_max
        raise Unfit(f"This tournament is for {least} to {most} players, not for {players}.")
    return structure
