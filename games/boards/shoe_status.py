"""The shoes on a table, as a seat's browser needs them to take part in the mix."""

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from games.models import Seat, Shoe, ShoeSeat, Table
from games.models.prepared import Query
from games.shoes.seats import SET_ASIDE, counted, is_set_aside
from games.tables.copies import live_hand

# Why the house mixes for a seat: no commit came in time, or an earlier reveal did not.
NO_COMMIT: Final = "no_commit"
WITHHELD: Final = "withheld"
# The seat's reveal was late, so the shoe was voided: the house mixes the one that lies there now.
VOIDED: Final = "voided"
PARTS: Final = Query(lambda shoe: ShoeSeat.objects.filter(shoe_id=shoe), str)


class ShoeView(msgspec.Struct, frozen=True, kw_only=True):
    """The published values of a shoe on the table, and the viewer's part in the mix.

    Whoever has no seat has no part: what they see is public.
    """

    code: str
    decks: int
    status: str
    seal: str
    lock: str
    commits: dict[int, str]
    wants_commit: bool = False
    wants_reveal: bool = False
    # A notice about the viewer's own part.
    notice: str = ""
    # For how many more shoes the house mixes for the viewer's seat.
    house_shoes: int = 0
    receipt: dict[str, object] | None = None

    @property
    def commits_as_json(self) -> str:
        """The commits for a script to read."""
        return json.dumps(self.commits)


class Counted(NamedTuple):
    """For how many of the last shoes the viewer's own number counted."""

    own: int
    of: int


def shoe_view(table: Table, mine: Seat | None) -> ShoeView | None:
    """The shoe from which the present hand is dealt, or the next one between two hands."""
    return _view(table, table.shoe, mine)


def next_shoe_view(table: Table, mine: Seat | None) -> ShoeView | None:
    """The shoe that is mixed meanwhile; nobody needs to see it who has no seat."""
    return _view(table, table.next_shoe, mine) if mine is not None else None


def counted_of(mine: Seat | None) -> Counted | None:
    return Counted(*counted(mine)) if mine is not None and mine.shoes else None


def _view(table: Table, shoe: Shoe | None, mine: Seat | None) -> ShoeView | None:
    if shoe is None:
        return None
    parts = _parts(table, shoe)
    public = ShoeView(
        code=shoe.code,
        decks=shoe.decks,
        status=shoe.status,
        seal=shoe.seal,
        lock=shoe.lock,
        commits={part.number: part.commit for part in parts} if shoe.lock else {},
    )
    return public if mine is None else _with_part(public, table, shoe, mine, parts)


def _with_part(
    public: ShoeView, table: Table, shoe: Shoe, mine: Seat, parts: Sequence[ShoeSeat]
) -> ShoeView:
    own = next(
        (part for part in parts if (part.number, part.player_id) == (mine.number, mine.player_id)),
        None,
    )
    sealed = shoe.status == Shoe.Status.SEALED
    return msgspec.structs.replace(
        public,
        wants_commit=own is None and sealed and not is_set_aside(mine),
        wants_reveal=(
            own is not None
            and not own.by_house
            and not own.reveal
            and shoe.status == Shoe.Status.LOCKED
        ),
        notice=_notice(table, shoe, mine, own),
        house_shoes=mine.house_shoes,
        receipt=own.receipt if own else None,
    )


def _notice(table: Table, shoe: Shoe, mine: Seat, own: ShoeSeat | None) -> str:
    """Whether the house mixes this shoe for the viewer's seat, and why."""
    if shoe is not table.shoe:
        return ""
    if shoe.status == Shoe.Status.SEALED:
        return VOIDED if is_set_aside(mine) else ""
    if own is None or not own.by_house or mine.player.is_bot:
        return ""
    return WITHHELD if mine.shoes.endswith(SET_ASIDE) or is_set_aside(mine) else NO_COMMIT


def _parts(table: Table, shoe: Shoe) -> Sequence[ShoeSeat]:
    """The commits and reveals of a shoe; they no longer change once a hand is dealt from it."""
    if table.hand_id is None or shoe.status in (Shoe.Status.SEALED, Shoe.Status.LOCKED):
        return PARTS(shoe.pk)
    return live_hand(table).once("parts of the shoe", lambda: PARTS(shoe.pk))
