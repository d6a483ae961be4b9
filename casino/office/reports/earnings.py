"""What the house earns by group, and how much of it came from its own bots."""

from collections.abc import Iterator

from casino.office.reports.columns import By
from casino.office.reports.figures import Figures
from casino.office.reports.grouping import Group, group_of
from casino.office.reports.people import bots
from casino.office.reports.sums import Place, PlayerSums, TableSums
from games.rules.catalogue import against_house


def parts_by(figures: Figures, by: By) -> Iterator[tuple[Group, Place, TableSums]]:
    """The earnings at each table, or from each player, with their group."""
    if by != "player":
        for place, _bet, sums in figures.tables():
            yield group_of(place, by), place, sums
        return
    of_the_house = bots()
    for place, player, mine in figures.players():
        sums = earned_from(place, mine, is_bot=player in of_the_house)
        yield group_of(place, by, player), place, sums


def earned_from(place: Place, mine: PlayerSums, *, is_bot: bool) -> TableSums:
    """Return the house's earnings from a player: their losses to it, and their rake."""
    won = -(mine.net + mine.rake) if against_house(place.game) else 0
    found = TableSums(hands=mine.hands, handle=mine.handle, won=won, rake=mine.rake)
    found.from_bots = found.gross if is_bot else 0
    return found
