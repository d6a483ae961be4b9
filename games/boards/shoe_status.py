"""The shoes on a table, as a seat's browser needs them to take part in the mix."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, NamedTuple

import msgspec

from games.models import Seat, Shoe, ShoeSeat, Table
from games.models.combined import Read
from games.shoes.custody import PARTS
from games.shoes.seats import SET_ASIDE, counted, is_set_aside
from games.tables.table_cache import TABLE_CACHE, cached_hand

# Why the house mixes for a seat: it had no chain in time, or an earlier link did not come.
NO_COMMIT: Final = "no_commit"
WITHHELD: Final = "withheld"
# The seat's reveal was late, so the shoe was voided: the house mixes the present one.
VOIDED: Final = "voided"
# Within `kept_parts`: how many parts had been given when it began.
_GIVEN: Final[ContextVar[int | None]] = ContextVar("_GIVEN", default=None)


class ShoeView(msgspec.Struct, frozen=True, kw_only=True):
    """The published values of a shoe on the table, and the viewer's part in the mix.

    A viewer without a seat has no part: what they see is public.
    """

    code: str
    decks: int
    status: str
    seal: str
    lock: str
    commits: dict[int, str]
    # Whether the viewer's device is to start a chain, and what the house has of it last.
    wants_start: bool = False
    tip: str = ""
    # Whether the device's next link is due: with the next act or, between two hands, by itself.
    wants_link: bool = False
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
    """The shoe that is mixed during a hand; viewers without a seat do not see it."""
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
    wants_link = (
        own is not None
        and not own.by_house
        and not own.reveal
        and shoe.status == Shoe.Status.LOCKED
    )
    # A chain that another browser has started since the lock is not missing from it.
    began_later = wants_link and own is not None and own.commit != mine.tip
    return msgspec.structs.replace(
        public,
        wants_start=not mine.tip,
        tip="" if began_later else mine.tip,
        wants_link=wants_link,
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
    if _is_dealt(table, shoe):
        return cached_hand(table).parts
    given, kept, key = _GIVEN.get(), _kept(table), (shoe.pk, shoe.status)
    if given is not None and key in kept:
        return kept[key]
    parts = PARTS(shoe.pk)
    if given == TABLE_CACHE.parts_given:
        kept[key] = parts
    return parts


def _is_dealt(table: Table, shoe: Shoe) -> bool:
    mixing = (Shoe.Status.SEALED, Shoe.Status.LOCKED)
    return table.hand_id is not None and shoe.status not in mixing


def _kept(table: Table) -> dict[tuple[str, str], Sequence[ShoeSeat]]:
    copy = TABLE_CACHE.known(table.pk)
    return copy.parts if copy is not None and copy.version == table.version else {}


def reads_of_kept(table: Table) -> list[Read]:
    """What need not be read of the shoes on a table, as long as `kept_parts` is in effect."""
    kept = _kept(table)
    shoes = (shoe for shoe in (table.shoe, table.next_shoe) if shoe and not _is_dealt(table, shoe))
    return [(PARTS, (shoe.pk,)) for shoe in shoes if (shoe.pk, shoe.status) in kept]


@contextmanager
def kept_parts() -> Iterator[None]:
    """Show the parts of shoes as this process's copies keep them.

    A part that has been given makes no version; other processes announce it, so a board in a stream
    may be late by a moment. Who opens a page is shown what is stored.
    """
    before = _GIVEN.set(TABLE_CACHE.parts_given)
    try:
        yield
    finally:
        _GIVEN.reset(before)
