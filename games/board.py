"""What one viewer may know of a table right now: pages and the API are made of this alone.

The game's part is `view(state, seat)`, which has no room for a card that the viewer may not see.
Between two hands the last one is still shown as it ended, with the lines that explain it.
"""

import json
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import uuid4

import msgspec
from django.utils.translation import gettext_noop as _n

from games.access import require_watch
from games.around import Around, around
from games.autoplay import is_absent
from games.barred import Barred, barred
from games.hands import game_of, state_of
from games.history import hidden_beside, told_move
from games.models import Hand, Seat, Shoe, Table
from games.moves import sentence_of_move
from games.refusal import Hidden
from games.rows import seats_at
from games.rules.contract import Choices, View

# How many of the last moves are said.
SAID_MAX: Final = 3


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


class Board(NamedTuple):
    """A table as one viewer sees it."""

    table: Table
    seats: tuple[SeatTold, ...]
    free: tuple[int, ...]
    mine: Seat | None
    hand: Hand | None
    view: View | None
    choices: Choices
    # What cannot be done at this decision, with its reason.
    barred: tuple[Barred, ...]
    # The last moves in words, for those who hear the table.
    said: tuple[str, ...]
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
    # The occasion of a top-up: sent twice, it is done once.
    top_up_key: str


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
    said: tuple[str, ...] = ()


def board(user: Any, table: Table, now: datetime) -> Board:
    """The table for one viewer; the caller has seen to it that they may look at it."""
    seats = seats_at(table)
    mine = next((seat for seat in seats if seat.player_id == user.pk), None)
    number = mine.number if mine else None
    hand = _hand_shown(table)
    names = names_in(hand, seats)
    results = _results(hand)
    seen = _seen(hand, table, number, user, names) if hand else Seen()
    taken = {seat.number for seat in seats}
    free = tuple(place for place in range(1, table.places + 1) if place not in taken)
    told = tuple(_seat_told(table, seat, user, now) for seat in seats)
    live = table.phase == Table.Phase.PLAY
    return Board(
        table=table,
        seats=told,
        free=free,
        around=around(table.game, told, free, number),
        mine=mine,
        hand=hand,
        view=seen.view,
        choices=seen.choices,
        barred=seen.barred,
        said=seen.said,
        turn=table.turns.get(str(number)) if number is not None else None,
        deadline=table.deadline if live else None,
        next_hand_at=None if live or table.phase == Table.Phase.WAITING else table.due_at,
        lines=tuple((hand.settlement or {}).get("lines", ())) if hand else (),
        shoe=_shoe_told(table, mine),
        short=mine is not None and mine.stack.balance < table.purse_min,
        names=names,
        results=results,
        won=results.get(seen.seat) if seen.seat is not None else None,
        voided=_voided(table),
        top_up_key=str(uuid4()),
    )


def _seen(hand: Hand, table: Table, number: int | None, user: Any, names: dict[int, str]) -> Seen:
    game = game_of(hand)
    moves = list(hand.moves.order_by("number"))
    state = state_of(hand, game, moves)
    # A seat that was taken since the deal has no cards in this hand.
    playing = number if number in [stake.seat for stake in state.stakes] else None
    if playing is not None and not _is_player_of(hand, playing, user):
        playing = None
    choices: Choices = ()
    cannot: tuple[Barred, ...] = ()
    if playing is not None and table.hand_id == hand.pk:
        choices = game.choices(state, playing)
        cannot = barred(game, state, playing, choices, table.currency)
    hidden = hidden_beside(state.cards, game.shown(state, playing))
    over = not game.to_act(state)
    said = tuple(
        sentence_of_move(told_move(move, playing, hidden, over=over), names, table.currency)
        for move in moves[-SAID_MAX:]
    )
    return Seen(playing, game.view(state, playing), choices, cannot, said)


def _results(hand: Hand | None) -> dict[int, int]:
    if hand is None or hand.status != Hand.Status.FINISHED:
        return {}
    return dict(hand.seats.values_list("number", "net"))


def _voided(table: Table) -> Hand | None:
    """The hand before this pause, if it was taken back."""
    if table.hand_id is not None or not table.hands_dealt:
        return None
    return table.hands.filter(number=table.hands_dealt, status=Hand.Status.VOID).first()


def names_in(hand: Hand | None, seats: list[Seat]) -> dict[int, str]:
    """The players of a hand by their seats, and those who have sat down since."""
    names = {seat.number: seat.player.username for seat in seats}
    if hand is None:
        return names
    played = hand.seats.values_list("number", "player__username")
    return names | dict(played)


def _hand_shown(table: Table) -> Hand | None:
    """The hand that runs; in the pause after it the one that has just ended."""
    hands = Hand.objects.select_related("shoe", "table")
    if table.hand_id is not None:
        return hands.get(pk=table.hand_id)
    if table.phase == Table.Phase.WAITING and not table.hands_dealt:
        return None
    last = hands.filter(table=table).order_by("-pk").first()
    return last if last and last.status == Hand.Status.FINISHED else None


def _is_player_of(hand: Hand, number: int, user: Any) -> bool:
    return hand.seats.filter(number=number, player_id=user.pk).exists()


def _seat_told(table: Table, seat: Seat, user: Any, now: datetime) -> SeatTold:
    return SeatTold(
        number=seat.number,
        player=seat.player.username,
        is_bot=seat.player.is_bot,
        purse=seat.stack.balance,
        sits_out=seat.sits_out,
        absent=is_absent(table, seat, now),
        trustee=seat.trustee,
        leaves=seat.leaves,
        to_act=str(seat.number) in table.turns,
        mine=seat.player_id == user.pk,
    )


def _shoe_told(table: Table, mine: Seat | None) -> ShoeTold | None:
    shoe = table.shoe
    if shoe is None:
        return None
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


def told_view(view: View | None) -> dict[str, Any] | None:
    """A view as JSON has it."""
    told: dict[str, Any] | None = msgspec.to_builtins(view, str_keys=True)
    return told
