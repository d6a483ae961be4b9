"""What one viewer may know of a table right now: pages and the API are made of this alone.

The game's part is `view(state, seat)`, which has no room for a card that the viewer may not see.
Between two hands the last one is still shown as it ended, with the lines that explain it.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import uuid4

import msgspec
from django.utils.translation import gettext_noop as _n

from games.access import require_watch
from games.attendance import stood_up
from games.autoplay import is_absent
from games.boards.around import Around, around
from games.boards.barred import Barred, barred
from games.boards.doudizhu_help import plays_said
from games.boards.mixing import ShoeTold, shoe_told
from games.boards.moves import sentence_of_move
from games.boards.standing import hand_shown, live_hand, names_of, player_at, standing
from games.hands import game_of
from games.history import hidden_beside, told_move
from games.keeping import is_kept, kept_for
from games.models import Hand, HandSeat, Move, Seat, Table
from games.refusal import Hidden
from games.rows import seats_at
from games.rules.contract import AnyGame, Choices, View
from games.rules.doudizhu.view import DoudizhuView

# How many of the last moves are said.
SAID_MAX: Final = 3
# A table of so many places shows where the free ones are, also to those who sit.
PLACES_KEPT: Final = 4
# How long a table is told that an earlier hand was taken back.
GIVEN_BACK_TOLD: Final = timedelta(minutes=1)


class SeatTold(NamedTuple):
    """A seat as everybody sees it."""

    number: int
    player: str
    is_bot: bool
    purse: int
    sits_out: bool
    absent: bool
    trustee: bool
    leaves: bool
    to_act: bool
    mine: bool
    # What the purse held before the hand that has just ended; none where that changed nothing.
    stood: int | None = None
    # Has taken the seat since the hand that is shown was dealt to another there.
    came_since: bool = False


class Board(NamedTuple):
    """A table as one viewer sees it."""

    table: Table
    seats: tuple[SeatTold, ...]
    free: tuple[int, ...]
    mine: Seat | None
    # The bot's seat that is kept for the viewer until the hand is over.
    kept: Seat | None
    hand: Hand | None
    view: View | None
    choices: Choices
    # What cannot be done at this decision, with its reason.
    barred: tuple[Barred, ...]
    # The last moves in words, each with its number: those who hear the table hear each once.
    said: tuple[tuple[int, str], ...]
    # The seats for whom the clock has made their last move.
    late: frozenset[int]
    around: Around
    turn: int | None
    deadline: datetime | None
    next_hand_at: datetime | None
    lines: tuple[dict[str, Any], ...]
    shoe: ShoeTold | None
    short: bool
    # What the players of the hand that is shown are called, by seat.
    names: dict[int, str]
    # What each seat won or lost in the hand that is shown, once that has ended.
    results: dict[int, int]
    won: int | None
    # The last hand, where it was taken back.
    voided: Hand | None
    # An earlier hand that was paid and has just been taken back.
    given_back: Hand | None
    # Why the house has given up the viewer's seat, in words.
    stood_up: str
    # The occasion of a top-up: sent twice, it is done once.
    top_up_key: str

    @property
    def is_full(self) -> bool:
        """Whether nobody can sit down here: a bot that plays would give its seat up."""
        return not self.free and all(seat.leaves or not seat.is_bot for seat in self.seats)


def table_for(user: Any, table_id: int, invitation: str = "") -> Table:
    """A table that the user may look at; any other is as if it were not there."""
    table = Table.objects.select_related("currency", "shoe").filter(pk=table_id).first()
    if table is None:
        raise Hidden("no_such_table", _n("There is no such table."))
    require_watch(user, table, invitation)
    return table


class Seen(NamedTuple):
    """A hand as the viewer sees it, with what they can and cannot do in it."""

    seat: int | None = None
    view: View | None = None
    choices: Choices = ()
    barred: tuple[Barred, ...] = ()
    said: tuple[tuple[int, str], ...] = ()
    late: frozenset[int] = frozenset()


def board(user: Any, table: Table, now: datetime, seats: Sequence[Seat] | None = None) -> Board:
    """The table for one viewer; the caller has seen to it that they may look at it."""
    seats = seats_at(table) if seats is None else seats
    mine = next((seat for seat in seats if seat.player_id == user.pk), None)
    kept = kept_for(user, seats)
    own = mine or kept
    number = mine.number if mine else None
    hand, players = hand_shown(table)
    names = names_of(players, seats)
    results = _results(hand, players)
    if mine is not None and player_at(players, mine.number) != user.pk:
        # A seat that was taken since the deal has no cards in this hand.
        number = None
    seen = _seen(hand, table, number, names) if hand else Seen()
    taken = {seat.number for seat in seats}
    free = tuple(place for place in range(1, table.places + 1) if place not in taken)
    told = tuple(_seat_told(table, seat, user, now, players, results) for seat in seats)
    live = table.phase == Table.Phase.PLAY
    return Board(
        table=table,
        seats=told,
        free=free,
        # One who has a seat need not be shown where others could; at a small table the free places
        # are kept all the same, so that nobody moves while others sit down.
        around=around(
            table.game,
            told,
            () if own and table.places > PLACES_KEPT else free,
            own.number if own else None,
        ),
        mine=mine,
        kept=kept,
        hand=hand,
        view=seen.view,
        choices=seen.choices,
        barred=seen.barred,
        said=seen.said,
        late=seen.late,
        turn=table.turns.get(str(mine.number)) if mine is not None else None,
        deadline=table.deadline if live else None,
        next_hand_at=None if live or table.phase == Table.Phase.WAITING else table.due_at,
        lines=tuple((hand.settlement or {}).get("lines", ())) if hand else (),
        shoe=shoe_told(table, mine),
        short=mine is not None and mine.stack.balance < table.purse_min,
        names=names,
        results=results,
        won=results.get(seen.seat) if seen.seat is not None else None,
        voided=_voided(table),
        given_back=_given_back(table, now),
        stood_up="" if mine is not None else stood_up(user, table, now),
        top_up_key=str(uuid4()),
    )


class Own(NamedTuple):
    """The hand that runs, as one of its players sees it."""

    game: AnyGame
    view: View


def own_view(user: Any, table: Table) -> Own | None:
    """What somebody sees who plays in the hand that runs; nothing for anybody else."""
    if table.hand_id is None or not user.is_authenticated:
        return None
    hand, players = live_hand(table)
    seat = table.seats.filter(player=user, left_at__isnull=True).first()
    if seat is None or player_at(players, seat.number) != user.pk:
        return None
    number = seat.number
    game = game_of(hand)
    _moves, state = standing(hand, game, table)
    return Own(game, game.view(state, number))


def _seen(hand: Hand, table: Table, playing: int | None, names: dict[int, str]) -> Seen:
    game = game_of(hand)
    moves, state = standing(hand, game, table)
    choices: Choices = ()
    cannot: tuple[Barred, ...] = ()
    if playing is not None and table.hand_id == hand.pk:
        choices = game.choices(state, playing)
        cannot = barred(game, state, playing, choices, table.currency)
    view = game.view(state, playing)
    if isinstance(view, DoudizhuView) and view.turns:
        said = plays_said(view, names)
    else:
        over = not game.to_act(state)
        hidden = hidden_beside(state.cards, game.shown(state, playing))
        said = tuple(
            sentence_of_move(told_move(move, playing, hidden, over=over), names, table.currency)
            for move in moves[-SAID_MAX:]
        )
    last = {move.seat: move.by for move in moves}
    late = frozenset(seat for seat, by in last.items() if by == Move.By.TIMEOUT)
    numbered = tuple(enumerate(said, len(moves) - len(said)))
    return Seen(playing, view, choices, cannot, numbered, late)


def _results(hand: Hand | None, players: Sequence[HandSeat]) -> dict[int, int]:
    if hand is None or hand.status != Hand.Status.FINISHED:
        return {}
    return {one.number: one.net for one in players}


def _voided(table: Table) -> Hand | None:
    """The hand before this pause, if it was taken back."""
    if table.hand_id is not None or not table.hands_dealt:
        return None
    return table.hands.filter(number=table.hands_dealt, status=Hand.Status.VOID).first()


def _given_back(table: Table, now: datetime) -> Hand | None:
    """An earlier hand of which everybody at the table is to hear, in the pauses of a minute."""
    if table.hand_id is not None:
        return None
    lately = Hand.objects.filter(reversed_at__gt=now - GIVEN_BACK_TOLD)
    here = (hand for hand in lately if hand.table_id == table.pk)
    return next((hand for hand in here if hand.number != table.hands_dealt), None)


def _seat_told(
    table: Table,
    seat: Seat,
    user: Any,
    now: datetime,
    players: Sequence[HandSeat],
    results: dict[int, int],
) -> SeatTold:
    dealt_to = player_at(players, seat.number)
    # What the hand that is shown has brought to whoever sits there now.
    net = results.get(seat.number, 0) if dealt_to == seat.player_id else 0
    return SeatTold(
        number=seat.number,
        player=seat.player.username,
        is_bot=seat.player.is_bot,
        purse=seat.stack.balance,
        sits_out=seat.sits_out,
        absent=is_absent(table, seat, now),
        trustee=seat.trustee,
        leaves=seat.leaves or is_kept(table, seat, now),
        to_act=str(seat.number) in table.turns,
        mine=seat.player_id == user.pk,
        stood=seat.stack.balance - net if net else None,
        came_since=dealt_to not in (None, seat.player_id),
    )


def told_view(view: View | None) -> dict[str, Any] | None:
    """A view as JSON has it."""
    told: dict[str, Any] | None = msgspec.to_builtins(view, str_keys=True)
    return told
