"""The same event for another game: without its options, with stakes and tables of the new one."""

from typing import Final

from msgspec.structs import replace

from games.rules.catalogue import game_type
from tournaments.mathematics.structure import Level, Structure, game_of

# At games with a banker, the highest bet of a level is so many times its lowest one.
BETS: Final = 5


def with_game(structure: Structure, game: str) -> Structure:
    """The same structure for another game of `GAMES`."""
    if game == structure.game:
        return structure
    changed = replace(structure, game=game, options={})
    played, banker = game_of(changed, {}), has_banker(game)
    size = min(played.seats, key=lambda seats: abs(seats - structure.table_size))
    levels = tuple(level_for(level, banker) for level in structure.levels)
    return _seated(replace(changed, levels=levels), size, played.seats[0])


def has_banker(game: str) -> bool:
    """Whether players of a game bet against a banker, instead of playing for points."""
    return getattr(game_type(game)(), "bet_limits", None) is not None


def _seated(structure: Structure, size: int, least: int) -> Structure:
    """With tables of another size, of which each plays with at least so many."""
    field = structure.field_min
    if structure.kind == "sit_and_go":
        field = max(1, structure.field_max // structure.table_size) * size
        return replace(structure, table_size=size, field_min=field, field_max=field)
    if structure.kind == "duplicate":
        # At fewer than two tables there is nothing to compare.
        field = max(field, 2 * size)
    knock_out = structure.knock_out
    if knock_out is not None:
        knock_out = replace(knock_out, until=max(knock_out.until, least))
    return replace(structure, table_size=size, field_min=max(field, least), knock_out=knock_out)


def level_for(level: Level, banker: bool) -> Level:
    """A level with bets in place of a point, or the other way round, as the game has them."""
    if banker and level.point is not None:
        return replace(level, point=None, bet_min=level.point, bet_max=BETS * level.point)
    if not banker and level.bet_min is not None:
        return replace(level, point=level.bet_min, bet_min=None, bet_max=None)
    return level
