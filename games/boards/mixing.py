"""What seats' browsers are told of the shoe on the table, to take part in mixing it."""

import json
from functools import lru_cache
from typing import Final, NamedTuple

from games.models import Seat, Shoe, ShoeSeat, Table

SHOES_REMEMBERED: Final = 256


class ShoeTold(NamedTuple):
    """What has been published of the shoe on the table, for the seats' browsers to take part."""

    code: str
    status: str
    seal: str
    lock: str
    commits: dict[int, str]
    wants_commit: bool
    wants_reveal: bool

    @property
    def commits_told(self) -> str:
        """The commits for a script to read."""
        return json.dumps(self.commits)


def shoe_told(table: Table, mine: Seat | None) -> ShoeTold | None:
    shoe = table.shoe
    if shoe is None:
        return None
    if shoe.status not in (Shoe.Status.SEALED, Shoe.Status.LOCKED):
        return ShoeTold(
            shoe.code,
            shoe.status,
            shoe.seal,
            shoe.lock,
            _commits(shoe.code, shoe.lock),
            False,
            False,
        )
    parts = {part.number: part for part in shoe.seats.all()}
    own = parts.get(mine.number) if mine else None
    if mine is not None and own is not None and own.player_id != mine.player_id:
        own = None
    return ShoeTold(
        code=shoe.code,
        status=shoe.status,
        seal=shoe.seal,
        lock=shoe.lock,
        commits={part.number: part.commit for part in parts.values()} if shoe.lock else {},
        wants_commit=mine is not None and own is None and shoe.status == Shoe.Status.SEALED,
        wants_reveal=(
            own is not None
            and not own.by_house
            and not own.reveal
            and shoe.status == Shoe.Status.LOCKED
        ),
    )


@lru_cache(SHOES_REMEMBERED)
def _commits(shoe: str, _lock: str) -> dict[int, str]:
    """What seats have committed to, once the lock ties it to the seal and it changes no more."""
    return dict(ShoeSeat.objects.filter(shoe_id=shoe).values_list("number", "commit"))
