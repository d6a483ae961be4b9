"""The part of a table that is the same for all who may watch it: what a stranger sees.

It depends neither on a viewer nor on the moment, so one version of a table has one public part in
each language, and a process makes it once (`table_version.py`). Times are instants. `Attendance`
says which players are offline; the private part of one viewer is in `own_view.py`.

The type holds no row of the database, and its `view` is the game's view for a spectator, which has
no field for a hidden card.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec
from django.utils.translation import get_language

from games.boards.family import family_of
from games.boards.hand_at_table import HandAtTable, names_of
from games.boards.moves import sentence_of_move
from games.boards.seat_view import NO_BETS, HandShown, PublicSeat, public_seat
from games.boards.shoe_status import ShoeView, shoe_view
from games.models import Hand, HandSeat, Move, Seat, Table
from games.models.prepared import Query
from games.profiles.table_history import coming_lines
from games.rules.contract import HOUSE, View
from games.rules.settlement import StoredLine
from games.tables.hand_digest import visible_move
from games.tables.hand_rows import hidden_beside
from wallets.models import Currency

VOIDED: Final = Query(
    lambda table, number: Hand.objects.filter(
        table_id=table, number=number, status=Hand.Status.VOID
    ),
    int,
    int,
)
LAST_REVERSED: Final = Query(
    lambda table: Hand.objects.filter(table_id=table, reversed_at__isnull=False).order_by(
        "-reversed_at"
    )[:1]
)
# How many of the last moves are announced.
SAID_MAX: Final = 3
# How long a table announces that an earlier hand was reversed.
REVERSAL_SHOWN: Final = timedelta(minutes=1)

# Sentences, each with the number of its move, so that a screen reader announces it once.
Said = tuple[tuple[int, str], ...]


class PublicHand(msgspec.Struct, frozen=True):
    """The hand that runs, or the one that has just ended."""

    id: int
    code: str
    number: int
    status: str


class Voided(msgspec.Struct, frozen=True):
    """A hand that is void, or was paid and then reversed."""

    code: str
    was_paid: bool
    # Until when a table announces it; None until the next hand.
    until: datetime | None = None


class PublicView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as a stranger sees it, in one language."""

    table: int
    version: int
    seats: tuple[PublicSeat, ...]
    free: tuple[int, ...]
    hand: PublicHand | None = None
    view: View | None = None
    # The seats whose last move was a timeout.
    late: tuple[int, ...] = ()
    # The seats that a live hand waits for: while bets are placed, only those that have bet.
    waits_for: tuple[int, ...] = ()
    # The names of the players of the hand that is shown, by seat.
    names: dict[int, str] = msgspec.field(default_factory=dict)
    # The result of each seat in the hand that is shown, once it has ended.
    results: dict[int, int] = msgspec.field(default_factory=dict)
    lines: tuple[StoredLine, ...] = ()
    deadline: datetime | None = None
    next_hand_at: datetime | None = None
    shoe: ShoeView | None = None
    # The last hand, if it is void.
    voided: Voided | None = None
    # An earlier paid hand that has lately been reversed.
    given_back: Voided | None = None
    # What the rules of the next hand change, in words.
    coming: tuple[str, ...] = ()


def public_view(table: Table, seats: Sequence[Seat], at: HandAtTable | None = None) -> PublicView:
    """The public part of a table, in the active language; the caller has read hand and rows."""
    players: Sequence[HandSeat] = at.players if at else ()
    names, results = names_of(players, seats), results_of(at)
    bets: Mapping[int, int] = NO_BETS
    if at is not None:
        bets = family_of(at.game).bets_of_seats(at.game, at.state)
    shown = HandShown(players, results, bets)
    live = table.phase == Table.Phase.PLAY
    taken = {seat.number for seat in seats}
    return PublicView(
        table=table.pk,
        version=table.version,
        seats=tuple(public_seat(table, seat, shown) for seat in seats),
        free=tuple(place for place in range(1, table.places + 1) if place not in taken),
        hand=_public_hand(at.hand) if at else None,
        view=at.game.view(at.state, None) if at else None,
        late=_late(at.moves) if at else (),
        waits_for=_waits_for(at) if at and table.hand_id is not None else (),
        names=names,
        results=results,
        lines=tuple((at.hand.settlement or {}).get("lines", ())) if at else (),
        deadline=table.deadline if live else None,
        next_hand_at=None if live or table.phase == Table.Phase.WAITING else table.due_at,
        shoe=shoe_view(table, None),
        voided=_voided(table) if at is None else None,
        given_back=_given_back(table),
        coming=coming_lines(table),
    )


def said(at: HandAtTable, public: PublicView, playing: int | None, currency: Currency) -> Said:
    """The last moves in words, as a seat or a spectator may know them.

    All readers are told most of them alike, and each is told again after the next two moves.
    """
    names, language = public.names, get_language()
    by_name = tuple(names.items())
    sentences = at.known.once(
        ("last moves", len(at.moves), by_name, language),
        lambda: family_of(at.game).last_moves(public.view, names),
    )
    if not sentences:
        over = not at.game.to_act(at.state)
        hidden = hidden_beside(at.state.cards, at.game.shown(at.state, playing))

        def sentence(move: Move) -> str:
            shown = visible_move(move, playing, hidden, over=over)
            return sentence_of_move(at.game, shown, names, currency)

        def known(move: Move) -> str:
            key = move.number, move.seat == playing, hidden, over, by_name, language
            return at.known.once(key, lambda: sentence(move))

        sentences = tuple(map(known, at.moves[-SAID_MAX:]))
    return tuple(enumerate(sentences, len(at.moves) - len(sentences)))


def results_of(at: HandAtTable | None) -> dict[int, int]:
    if at is None or at.hand.status != Hand.Status.FINISHED:
        return {}
    return {player.number: player.net for player in at.players}


def _public_hand(hand: Hand) -> PublicHand:
    return PublicHand(hand.pk, hand.code, hand.number, str(hand.status))


def _late(moves: Sequence[Move]) -> tuple[int, ...]:
    last = {move.seat: move.by for move in moves}
    return tuple(sorted(seat for seat, by in last.items() if by == Move.By.TIMEOUT))


def _waits_for(at: HandAtTable) -> tuple[int, ...]:
    requested = (seat for seat in at.game.to_act(at.state) if seat != HOUSE)
    return tuple(sorted(seat for seat in requested if at.game.at_stake(at.state, seat)))


def _voided(table: Table) -> Voided | None:
    """The hand before this pause, if it is void."""
    if table.hand_id is not None or not table.hands_dealt:
        return None
    hand = VOIDED.first(table.pk, table.hands_dealt)
    return Voided(hand.code, hand.was_paid) if hand is not None else None


def _given_back(table: Table) -> Voided | None:
    """The hand that was reversed last, if it is not the one before this pause."""
    if table.hand_id is not None or not table.hands_dealt:
        return None
    hand = LAST_REVERSED.first(table.pk)
    if hand is None or hand.number == table.hands_dealt or hand.reversed_at is None:
        return None
    return Voided(hand.code, hand.was_paid, hand.reversed_at + REVERSAL_SHOWN)
