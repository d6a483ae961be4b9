"""The state of the shoe on the table, as a seat's browser needs it to take part in the mix."""

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from games.models import Seat, Shoe, ShoeSeat, Table
from games.models.prepared import Query
from games.shoes.custody import WITHHELD_MAX
from games.tables.live_hands import live_hand

# Why the house mixes for a seat, and the warning before it does.
NO_COMMIT: Final = "no_commit"
WITHHELD: Final = "withheld"
VOIDED: Final = "voided"
PARTS: Final = Query(lambda shoe: ShoeSeat.objects.filter(shoe_id=shoe), str)


class ShoeView(NamedTuple):
    """The published values of the shoe on the table: the seats' browsers need them to take part."""

    code: str
    decks: int
    status: str
    seal: str
    lock: str
    commits: dict[int, str]
    wants_commit: bool
    wants_reveal: bool
    # A notice about the viewer's own part.
    notice: str
    receipt: dict[str, object] | None

    @property
    def commits_as_json(self) -> str:
        """The commits for a script to read."""
        return json.dumps(self.commits)


def shoe_view(table: Table, mine: Seat | None) -> ShoeView | None:
    shoe = table.shoe
    if shoe is None:
        return None
    parts = _parts(table, shoe)
    here = {(part.number, part.player_id): part for part in parts}
    own = here.get((mine.number, mine.player_id)) if mine else None
    excluded = mine is not None and mine.withheld >= WITHHELD_MAX
    sealed = shoe.status == Shoe.Status.SEALED
    return ShoeView(
        code=shoe.code,
        decks=shoe.decks,
        status=shoe.status,
        seal=shoe.seal,
        lock=shoe.lock,
        commits={part.number: part.commit for part in parts} if shoe.lock else {},
        wants_commit=mine is not None and own is None and sealed and not excluded,
        wants_reveal=(
            own is not None
            and not own.by_house
            and not own.reveal
            and shoe.status == Shoe.Status.LOCKED
        ),
        notice=_notice(shoe, mine, own, excluded=excluded),
        receipt=own.receipt if own else None,
    )


def _notice(shoe: Shoe, mine: Seat | None, own: ShoeSeat | None, *, excluded: bool) -> str:
    """Whether the house mixes for the viewer's seat, and why; or that it soon will."""
    if mine is None:
        return ""
    if own is not None and own.by_house:
        return WITHHELD if excluded else NO_COMMIT
    if shoe.status != Shoe.Status.SEALED:
        return ""
    if excluded:
        return WITHHELD
    return VOIDED if mine.withheld and _voided_before(shoe, mine) else ""


def _voided_before(shoe: Shoe, mine: Seat) -> bool:
    """Whether the shoe before this one was given up because this seat showed nothing."""
    before = Shoe.objects.filter(table_id=shoe.table_id, sealed_at__lt=shoe.sealed_at)
    last = before.order_by("-sealed_at").first()
    return (
        last is not None
        and last.status == Shoe.Status.VOID
        and last.seats.filter(player_id=mine.player_id, by_house=False, reveal="").exists()
    )


def _parts(table: Table, shoe: Shoe) -> Sequence[ShoeSeat]:
    """The commits and reveals of a shoe; they no longer change once a hand is dealt from it."""
    if table.hand_id is None or shoe.status in (Shoe.Status.SEALED, Shoe.Status.LOCKED):
        return PARTS(shoe.pk)
    return live_hand(table).once("parts of the shoe", lambda: PARTS(shoe.pk))
