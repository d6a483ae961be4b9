"""The structure that is rehearsed: one from a file, also with another game than its own."""

from pathlib import Path
from typing import Final

from msgspec.structs import replace

from games.rules.errors import RulesError
from tournaments.problems import problems
from tournaments.structure import GAMES, Level, Structure, game_of, read

# At games with a banker, the highest bet of a level is so many times its lowest one.
BETS: Final = 5


class Unfit(Exception):
    """The reason why something cannot be rehearsed, as a sentence for its operator."""


def structure_from(file: str, game: str | None, players: int) -> Structure:
    """The structure of a file, for so many players, or `Unfit`."""
    try:
        structure = read(Path(file).read_bytes())
    except OSError as problem:
        raise Unfit(f"The structure {file} cannot be read: {problem.strerror}.") from None
    except RulesError as problem:
        raise Unfit(f"The structure {file} cannot be read: {problem}") from None
    if game is not None:
        structure = with_game(structure, game)
    for refusal in problems(structure):
        raise Unfit(f"The structure {file} cannot be played: {refusal}")
    if not structure.field_min <= players <= structure.field_max:
        least, most = structure.field_min, structure.field_max
        raise Unfit(f"This tournament is for {least} to {most} players, not for {players}.")
    return structure


def with_game(structure: Structure, game: str) -> Structure:
    """The same structure for another game: without its options, with stakes of the game's kind."""
    if game not in GAMES:
        raise Unfit(f"There are tournaments of {', '.join(GAMES)}, and not of {game}.")
    if game == structure.game:
        return structure
    changed = replace(structure, game=game, options={})
    played = game_of(changed, {})
    banker = getattr(played, "bet_limits", None) is not None
    return replace(
        changed,
        levels=tuple(_level(level, banker) for level in structure.levels),
        table_size=min(played.seats, key=lambda size: abs(size - structure.table_size)),
    )


def _level(level: Level, banker: bool) -> Level:
    """A level with bets in place of a point, or the other way round, as the game has them."""
    if banker and level.point is not None:
        return replace(level, point=None, bet_min=level.point, bet_max=BETS * level.point)
    if not banker and level.bet_min is not None:
        return replace(level, point=level.bet_min, bet_min=None, bet_max=None)
    return level
