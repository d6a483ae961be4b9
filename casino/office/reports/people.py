"""People and the house's bots, apart: the one definition behind every figure of players.

A player is a person; bots are the house's, so their money is the house's own.
"""

from collections.abc import Iterator
from typing import Any

from django.contrib.auth import get_user_model

from casino.office.reports.columns import By
from casino.office.reports.figures import Figures
from casino.office.reports.grouping import Group, group_of
from casino.office.reports.sums import Place


def bots() -> frozenset[int]:
    """The numbers of the house's bots."""
    players: Any = get_user_model().objects
    return frozenset(players.filter(is_bot=True).values_list("pk", flat=True))


def played(figures: Figures) -> Iterator[tuple[Place, int]]:
    """Who played where, on which day; a day with reversals alone has sums, but no players."""
    for place, player, mine in figures.players():
        if mine.hands:
            yield place, player


def people_and_bots(figures: Figures, by: By) -> dict[Group, tuple[set[int], set[int]]]:
    """By group: the people who played, and the bots; no player is counted twice in one."""
    found: dict[Group, tuple[set[int], set[int]]] = {}
    of_the_house = bots()
    for place, player in played(figures):
        people, others = found.setdefault(group_of(place, by), (set(), set()))
        (others if player in of_the_house else people).add(player)
    return found
