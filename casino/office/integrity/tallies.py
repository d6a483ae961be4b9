"""The sums of one detector while it looks: read once a batch of hands, and written together.

The scan's row, which is of record, has the sum of the hashes of all sums. So the audit notices a
sum that was set back to hide what is in progress.
"""

from collections.abc import Collection, Iterator
from datetime import date
from typing import Final

from django.db.models import Q

from casino.office.integrity.chance import Shape, Total
from casino.office.integrity.models import Scan, Tally
from wallets.of_record import digests
from wallets.storage.replica import snapshot

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
        self._before = {key: _text(row) for key, row in self._rows.items()}

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
        scan = Scan.objects.select_for_update().get(pk=1)
        total = digests.Total(scan.tallies, int(scan.tally_sum, 16))
        for key, row in self._rows.items():
            before, after = self._before.get(key), _text(row)
            if before != after:
                total = total if before is None else total.minus("", before)
                total = total.plus("", after)
        self._before = {key: _text(row) for key, row in self._rows.items()}
        Scan.objects.filter(pk=1).update(tallies=total.rows, tally_sum=total.written)


def findings(_since: date | None = None) -> Iterator[str]:
    """Whether the sums are those that the scan has left."""
    with snapshot():
        scan, total = Scan.objects.filter(pk=1).first(), digests.Total()
        for row in Tally.objects.iterator(chunk_size=_AT_ONCE):
            total = total.plus("", _text(row))
    noted = (scan.tallies, scan.tally_sum) if scan else (0, digests.Total().written)
    if noted != (total.rows, total.written):
        yield "the sums of the detectors are not those of the last scan"


def _text(row: Tally) -> str:
    # A number that was not stored yet may be whole.
    sums = [float(getattr(row, name)) for name in _SUMS]
    key = [str(getattr(row, name)) for name in _KEY]
    return repr([*key, *sums, row.looks, row.place])


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
