"""One viewer's knowledge of a table right now: pages and the API are made of this alone.

The game's part is `view(state, seat)`, which has no field for a card that the viewer may not see.
Between two hands the last one is still shown as it ended, with the lines that explain it.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import uuid4

import msgspec
from django.utils.translation import gettext_noop as _n

from games import admission
from games.admission import Occasion, Request
from games.boards.disabled_actions import DisabledAction, disabled_actions
from games.boards.family import family_of
from games.boards.live_hand import hand_shown, names_of, player_at, standing
from games.boards.moves import sentence_of_move
from games.boards.seat_layout import SeatLayout, seat_layout
from games.boards.seat_view import NO_BETS, HandShown, SeatView, seat_view
from games.boards.shoe_status import Counted, ShoeView, counted_of, next_shoe_view, shoe_view
from games.models import Hand, HandSeat, Move, Seat, Table
from games.models.prepared import Query
from games.records.record import visible_move
from games.rules.contract import HOUSE, AnyGame, Choices, View
from games.rules.settlement import StoredLine
from games.tables import decisions, ready, time_bank
from games.tables.access import require_watch
from games.tables.formats import Format, format_of
from games.tables.hidden_moves import hidden_beside
from games.tables.live_hands import live_hand
from games.tables.lock import seat_of, seats_at
from games.tables.missed_turns import sat_out, stood_up
from games.tables.replay import game_of
from games.tables.reservations import reservation_of
from games.words.refusal import Hidden
from games.words.refusals import sentence_of
from wallets.player import Viewer

TABLE: Final = Query(
    lambda table: Table.objects.select_related("currency", "shoe", "next_shoe").filter(pk=table)
)
VOIDED: Final = Query(
    lambda table, number: Hand.objects.filter(
        table_id=table, number=number, status=Hand.Status.VOID
    ),
    int,
    int,
)
REVERSED_SINCE: Final = Query(lambda since: Hand.objects.filter(reversed_at__gt=since), datetime)
# How many of the last moves are announced.
SAID_MAX: Final = 3
# A table with this many places shows the free ones to seated players, too.
PLACES_KEPT: Final = 4
# What a top-up offers without typing, in smallest buy-ins.
TOP_UPS: Final = (1, 2, 5)
# How long a table announces that an earlier hand was reversed.
REVERSAL_SHOWN: Final = timedelta(minutes=1)


class Offers(NamedTuple):
    """The things that the table's format allows the viewer to do with a seat."""

    sit: bool = False
    leave: bool = False
    top_up: bool = False
    sit_out: bool = False


class Between(NamedTuple):
    """Between two hands: whether the viewer is ready for the next, and who else is not."""

    # The number of the hand whose result lies there.
    after: int
    ready: bool
    waits_for: tuple[SeatView, ...]
    against_house: bool
    # Whether the viewer can begin the next round with their last bets.
    again: bool


class TableView(NamedTuple):
    """A table as one viewer sees it."""

    table: Table
    seats: tuple[SeatView, ...]
    free: tuple[int, ...]
    mine: Seat | None
    # The bot's seat that is reserved for the viewer until the hand is over.
    kept: Seat | None
    hand: Hand | None
    view: View | None
    choices: Choices
    # Actions that are not possible at this decision, with their reasons.
    disabled: tuple[DisabledAction, ...]
    # The last moves in words, numbered so that a screen reader announces each once.
    said: tuple[tuple[int, str], ...]
    # The seats whose last move was a timeout.
    late: frozenset[int]
    layout: SeatLayout
    turn: int | None
    deadline: datetime | None
    next_hand_at: datetime | None
    lines: tuple[StoredLine, ...]
    # None where nothing could be hurried.
    between: Between | None
    shoe: ShoeView | None
    # The shoe that is mixed while this hand is played.
    next_shoe: ShoeView | None
    # For how many of the last shoes the viewer's own number counted.
    counted: Counted | None
    short: bool
    # Why the viewer is not dealt in, where a rule about players forbids it, in words.
    not_admitted: str
    offers: Offers
    # The names of the players of the hand that is shown, by seat.
    names: dict[int, str]
    # The result of each seat in the hand that is shown, once it has ended.
    results: dict[int, int]
    won: int | None
    # The last hand, if it is void.
    voided: Hand | None
    # An earlier paid hand that has just been reversed.
    given_back: Hand | None
    # Why the house has given up the viewer's seat, or made them sit out, in words.
    stood_up: str
    sat_out: str
    # The occasion of a top-up: sent twice, it is done once.
    top_up_key: str
    # How much more the viewer may bring to the table.
    room: int = 0

    @property
    def top_up_amounts(self) -> tuple[int, ...]:
        """Amounts to top up by without typing, the largest last."""
        least = self.table.buy_in_min
        smaller = (least * times for times in TOP_UPS)
        return (*(amount for amount in smaller if amount < self.room), self.room)

    @property
    def mixing(self) -> ShoeView | None:
        """The shoe in whose mix the viewer's browser takes part."""
        return self.next_shoe or self.shoe

    @property
    def before(self) -> int:
        """The number of the last hand that was over."""
        return self.table.hands_dealt - (self.table.hand_id is not None)

    @property
    def at_hand(self) -> int:
        """The part of the viewer's stack that is not bet."""
        return next((seat.free for seat in self.seats if seat.mine), 0)

    @property
    def my_bet(self) -> int:
        """The viewer's bet in the live round."""
        return next((seat.bet for seat in self.seats if seat.mine), 0)

    @property
    def is_betting(self) -> bool:
        """Whether the viewer may still bet in the live round against the house."""
        # The house may close the betting as long as bets are placed.
        waiting = self.view.to_act if self.choices and self.view is not None else ()
        return HOUSE in waiting

    @property
    def decision(self) -> str:
        """The mark of the decision that the viewer is to make; empty while they bet."""
        return "" if self.is_betting else decisions.mark_of(self.choices)

    @property
    def time_bank(self) -> int | None:
        """The seconds in the viewer's bank while it is their turn; None where there is no bank."""
        if self.mine is None or self.turn is None or not time_bank.has_banks(self.table):
            return None
        return self.mine.time_bank

    @property
    def on_time_bank(self) -> bool:
        return time_bank.is_running(self.table)

    @property
    def on_auto_play(self) -> bool:
        """Whether the house plays the hand that runs for the viewer."""
        plays = self.mine is not None and self.mine.auto_play and self.table.hand_id is not None
        return plays and getattr(self.view, "seat", None) is not None

    @property
    def is_full(self) -> bool:
        """Whether no seat can be had here, not even one that a bot would give up."""
        return not self.free and all(seat.leaves or not seat.is_bot for seat in self.seats)


def table_for(user: Viewer, table_id: int, invitation: str = "") -> Table:
    """A table that the user may see; any other is treated as missing."""
    table = TABLE.first(table_id)
    if table is None:
        raise Hidden("no_such_table", _n("There is no such table."))
    require_watch(user, table, invitation)
    return table


class Seen(NamedTuple):
    """A hand as the viewer sees it, with what they can and cannot do in it."""

    seat: int | None = None
    view: View | None = None
    choices: Choices = ()
    disabled: tuple[DisabledAction, ...] = ()
    said: tuple[tuple[int, str], ...] = ()
    late: frozenset[int] = frozenset()
    bets: Mapping[int, int] = NO_BETS


def table_view(
    user: Viewer, table: Table, now: datetime, seats: Sequence[Seat] | None = None
) -> TableView:
    """The table for one viewer; the caller has seen to it that they may look at it."""
    try:
        return _as_read(user, table, now, seats_at(table) if seats is None else seats)
    except Hand.DoesNotExist:
        # Nobody had bet, and the round was called off since the table was read.
        table.refresh_from_db()
        return _as_read(user, table, now, seats_at(table))


def _as_read(user: Viewer, table: Table, now: datetime, seats: Sequence[Seat]) -> TableView:
    mine = seat_of(user, seats)
    kept = reservation_of(user, seats)
    own = mine or kept
    number = mine.number if mine else None
    hand, players = hand_shown(table)
    names = names_of(players, seats)
    results = _results(hand, players)
    if mine is not None and player_at(players, mine.number) != user.pk:
        # A seat that was taken since the deal has no cards in this hand.
        number = None
    seen = seen_in(hand, table, number, names) if hand else Seen()
    taken = {seat.number for seat in seats}
    free = tuple(place for place in range(1, table.places + 1) if place not in taken)
    shown = HandShown(players, results, seen.bets)
    views = tuple(seat_view(table, seat, user, now, shown) for seat in seats)
    live = table.phase == Table.Phase.PLAY
    rules = format_of(table)
    return TableView(
        table=table,
        seats=views,
        free=free,
        # Seated players need not see where others could sit; at a small table the free places stay
        # all the same, so that nobody's place moves when others sit down.
        layout=seat_layout(
            table.game,
            views,
            () if own and table.places > PLACES_KEPT else free,
            own.number if own else None,
        ),
        mine=mine,
        kept=kept,
        hand=hand,
        view=seen.view,
        choices=seen.choices,
        disabled=seen.disabled,
        said=seen.said,
        late=seen.late,
        turn=table.turns.get(str(mine.number)) if mine is not None else None,
        deadline=table.deadline if live else None,
        next_hand_at=None if live or table.phase == Table.Phase.WAITING else table.due_at,
        lines=tuple((hand.settlement or {}).get("lines", ())) if hand else (),
        between=_between(table, seats, views, mine, now),
        shoe=shoe_view(table, mine),
        next_shoe=next_shoe_view(table, mine),
        counted=counted_of(mine),
        short=mine is not None and rules.is_short(mine),
        offers=_offers(rules, user, mine),
        not_admitted=_not_admitted(table, mine, now),
        names=names,
        results=results,
        won=results.get(seen.seat) if seen.seat is not None else None,
        voided=_voided(table),
        given_back=_given_back(table, now),
        stood_up="" if mine is not None else stood_up(user, table, now),
        sat_out=sat_out(mine) if mine is not None else "",
        top_up_key=str(uuid4()),
        room=max(0, table.buy_in_max - rules.funds(mine)) if mine is not None else 0,
    )


def _between(
    table: Table,
    seats: Sequence[Seat],
    views: Sequence[SeatView],
    mine: Seat | None,
    now: datetime,
) -> Between | None:
    if mine is None or not ready.can_hurry(table):
        return None
    awaited = ready.waited_for(table, seats, now)
    others = [seat for seat in awaited if seat.pk != mine.pk]
    if not ready.plays_on(table, seats, mine, now):
        return None
    against_house = ready.is_against_house(table)
    return Between(
        after=table.hands_dealt,
        ready=mine not in awaited,
        waits_for=tuple(view for view in views if view.number in {one.number for one in others}),
        against_house=against_house,
        again=against_house and bool(ready.last_bets(mine)),
    )


def _offers(rules: Format, user: Viewer, mine: Seat | None) -> Offers:
    if mine is None:
        return Offers(sit=rules.may_sit(user) is None)
    return Offers(
        leave=rules.may_leave(mine) is None,
        top_up=rules.may_top_up(mine) is None,
        sit_out=rules.may_sit_out(mine) is None,
    )


def _not_admitted(table: Table, mine: Seat | None, now: datetime) -> str:
    """Return why the player would not be dealt in, as a sentence; empty during a hand."""
    if mine is None or table.hand_id is not None:
        return ""
    asking = Request(Occasion.DEAL, mine.player, now, table)
    why = admission.refusal(asking)
    return sentence_of(why, table.currency) if why else ""


class Own(NamedTuple):
    """The hand that runs, as one of its players sees it."""

    game: AnyGame
    view: View


def own_view(user: Viewer, table: Table) -> Own | None:
    """The view of a player of the live hand; None for anybody else."""
    if table.hand_id is None or not user.is_authenticated:
        return None
    try:
        live = live_hand(table)
    except Hand.DoesNotExist:
        # Called off since the table was read.
        return None
    seat = seat_of(user, seats_at(table))
    if seat is None or player_at(live.players, seat.number) != user.pk:
        return None
    game = live.game
    return Own(game, game.view(live.after(table.moves_made).state, seat.number))


def seen_in(hand: Hand, table: Table, playing: int | None, names: dict[int, str]) -> Seen:
    game = game_of(hand)
    moves, state = standing(hand, game, table)
    choices: Choices = ()
    cannot: tuple[DisabledAction, ...] = ()
    if playing is not None and table.hand_id == hand.pk:
        choices = decisions.choices_at(game, state, playing)
        cannot = disabled_actions(game, state, playing, choices, table.currency)
    view = game.view(state, playing)
    said = family_of(game).last_moves(view, names)
    if not said:
        over = not game.to_act(state)
        hidden = hidden_beside(state.cards, game.shown(state, playing))
        said = tuple(
            sentence_of_move(
                game, visible_move(move, playing, hidden, over=over), names, table.currency
            )
            for move in moves[-SAID_MAX:]
        )
    last = {move.seat: move.by for move in moves}
    late = frozenset(seat for seat, by in last.items() if by == Move.By.TIMEOUT)
    numbered = tuple(enumerate(said, len(moves) - len(said)))
    bets = family_of(game).bets_of_seats(game, state)
    return Seen(playing, view, choices, cannot, numbered, late, bets)


def _results(hand: Hand | None, players: Sequence[HandSeat]) -> dict[int, int]:
    if hand is None or hand.status != Hand.Status.FINISHED:
        return {}
    return {one.number: one.net for one in players}


def _voided(table: Table) -> Hand | None:
    """The hand before this pause, if it is void."""
    if table.hand_id is not None or not table.hands_dealt:
        return None
    return VOIDED.first(table.pk, table.hands_dealt)


def _given_back(table: Table, now: datetime) -> Hand | None:
    """An earlier hand that was reversed within the last minute; None while a hand runs."""
    if table.hand_id is not None:
        return None
    here = (hand for hand in REVERSED_SINCE(now - REVERSAL_SHOWN) if hand.table_id == table.pk)
    return next((hand for hand in here if hand.number != table.hands_dealt), None)


def view_as_json(view: View | None) -> dict[str, object] | None:
    """A view as JSON has it."""
    data: dict[str, object] | None = msgspec.to_builtins(view, str_keys=True)
    return data
