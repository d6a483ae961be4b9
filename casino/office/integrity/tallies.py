"""The sums of one detector while it looks: read once a batch of hands, and written together."""

from collections.abc import Collection, Iterator
from typing import Final

from django.db.models import Q

from casino.office.integrity.chance import Shape, Total
from casino.office.integrity.models import Tally

_SUMS: Final = ("count", "first", "second", "third", "fourth")
_KEY: Final = ("detector", "game", "player", "other")
_AT_ONCE: Final = 500


class Tallies:
    """Rows by game and player, or pair; a row without a player is the house's."""

    def __init__(self, detector: str, players: Collection[int]) -> None:
        self._detector = detector
        nobody_else = Q(other=0) | Q(other__in=players)
        of_players = Q(player__in=players) & nobody_else
        rows = Tally.objects.filter(Q(player=0) | of_players, detector=detector)
        self._rows = {(row.game, row.player, row.other): row for row in rows}

    def row(self, game: str, player: int = 0, other: int = 0) -> Tally:
        key = (game, player, other)
        if key not in self._rows:
            self._rows[key] = Tally(detector=self._detector, game=game, player=player, other=other)
        return self._rows[key]

    def of_player(self, player: int) -> Iterator[Tally]:
        return (row for row in self._rows.values() if row.player == player)

    def save(self) -> None:
        Tally.objects.bulk_create(
            self._rows.values(),
            batch_size=_AT_ONCE,
            update_conflicts=True,
            unique_fields=_KEY,
            update_fields=[*_SUMS, "looks", "place"],
        )


def shape_of(row: Tally) -> Shape:
    return Shape(*(getattr(row, name) for name in _SUMS))


def total_of(row: Tally) -> Total:
    return Total(*(getattr(row, name) for name in _SUMS))


def add_result(row: Tally, value: float) -> None:
    """Add a result to the sums of the house."""
    square = value * value
    row.count += 1
    row.first += value
    row.second += square
    row.third += square * value
    row.fourth += square * square


def add_weighted(row: Tally, value: float, weight: float = 1.0) -> None:
    """Add a result to the sums of a player or a pair."""
    square = weight * weight
    row.count += 1
    row.first += weight * value
    row.second += square * value * value
    row.third += square
    row.fourth += square * square
