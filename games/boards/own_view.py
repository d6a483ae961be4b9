"""The private part of a table for one viewer, sent with the public part.

For a player it holds the game's view for their seat and what they can do with it; for others, what
they could do to get a seat. It is made for one viewer from rows that were just read, and depends on
the moment: who keeps the table waiting, and whom a rule about players keeps out.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from games.boards.hand_at_table import HandAtTable, player_at
from games.boards.public_view import results_of
from games.boards.shoe_status import Counted, ShoeView, counted_of, next_shoe_view, shoe_view
from games.boards.table_version import TableVersion
from games.models import Hand, Seat, Table
from games.rules.contract import HOUSE, AnyGame, Choices, View
from games.tables import admission, decisions, ready_players
from games.tables.admission import Occasion, Request
from games.tables.autoplay import plays_by_itself
from games.tables.formats import Format, format_of
from games.tables.lock import seat_of, seats_at
from games.tables.missed_turns import sat_out, stood_up
from games.tables.next_bets import again_needs
from games.tables.seating import reservation_of
from games.tables.table_cache import cached_hand
from games.words.refusals import sentence_of
from wallets.values.player import Viewer


class Offers(NamedTuple):
    """The things that the table's format allows the viewer to do with a seat."""

    sit: bool = False
    leave: bool = False
    top_up: bool = False
    sit_out: bool = False


class Between(msgspec.Struct, frozen=True, kw_only=True):
    """Between two hands: whether the viewer is ready for the next, and who else is not."""

    # The number of the hand whose result is shown.
    after: int
    ready: bool
    # The seats of the others that the next hand waits for.
    others: tuple[int, ...]
    against_house: bool
    # What the viewer's last bets would cost again, 0 without any; and whether the stack can pay it.
    again_needs: int
    again: bool


class OwnSeat(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    stack: int
    # The amount added to the stack after the hand.
    top_up: int
    sits_out: bool
    sat_out_by_house: bool
    auto_play: bool
    leaves: bool
    # The seconds of the time bank.
    time_bank: int


class OwnView(msgspec.Struct, frozen=True, kw_only=True):
    """One viewer's part; all defaults are a stranger's."""

    seat: OwnSeat | None = None
    # The bot's seat that is reserved for the viewer until the hand is over.
    kept: int | None = None
    # The hand as the viewer's seat sees it; None for players who were not dealt in.
    view: View | None = None
    choices: Choices = ()
    # The mark of the decision that the viewer is to make; empty while they bet.
    decision: str = ""
    turn: int | None = None
    won: int | None = None
    # None where nothing could be hurried.
    between: Between | None = None
    # The shoe with the viewer's part in it, and the one that is mixed while this hand is played.
    shoe: ShoeView | None = None
    next_shoe: ShoeView | None = None
    # For how many of the last shoes the viewer's own number counted.
    counted: Counted | None = None
    short: bool = False
    offers: Offers = Offers()
    # Why the viewer is not dealt in, where a rule about players forbids it, in words.
    not_admitted: str = ""
    # Why the house has given up the viewer's seat, or made them sit out, in words.
    stood_up: str = ""
    sat_out: str = ""
    # How much more the viewer may bring to the table.
    room: int = 0

    @property
    def is_betting(self) -> bool:
        """Whether the viewer may still bet in the live round against the house."""
        return is_betting(self.choices, self.view)


def own_view(
    user: Viewer, table: Table, seats: Sequence[Seat], now: datetime, version: TableVersion
) -> OwnView:
    """The part of one viewer; the caller has read the rows just now."""
    rules, mine = format_of(table), seat_of(user, seats)
    if mine is not None:
        return _of_player(rules, table, seats, mine, now, version)
    kept = reservation_of(user, seats)
    return OwnView(
        kept=kept.number if kept else None,
        offers=Offers(sit=rules.may_sit(user) is None),
        stood_up=stood_up(user, table, now),
    )


def _of_player(
    rules: Format,
    table: Table,
    seats: Sequence[Seat],
    mine: Seat,
    now: datetime,
    version: TableVersion,
) -> OwnView:
    at = version.hand
    hand = OwnView()
    # A seat that was taken since the deal has no cards in this hand.
    if at is not None and player_at(at.players, mine.number) == mine.player_id:
        hand = _of_hand(at, table, mine.number)
    return msgspec.structs.replace(
        hand,
        seat=_own_seat(rules, mine),
        turn=table.turns.get(str(mine.number)),
        between=_between(table, seats, mine, now, version),
        shoe=shoe_view(table, mine),
        next_shoe=next_shoe_view(table, mine),
        counted=counted_of(mine),
        short=rules.is_short(mine),
        offers=Offers(
            leave=rules.may_leave(mine) is None,
            top_up=rules.may_top_up(mine) is None,
            sit_out=rules.may_sit_out(mine) is None,
        ),
        not_admitted=_not_admitted(table, mine, now),
        sat_out=sat_out(mine),
        room=max(0, table.buy_in_max - rules.funds(mine)),
    )


def _of_hand(at: HandAtTable, table: Table, seat: int) -> OwnView:
    """The hand that is shown, as one of its players sees it."""
    view = at.game.view(at.state, seat)
    choices: Choices = ()
    if table.hand_id == at.hand.pk:
        choices = decisions.choices_at(at.game, at.state, seat)
    return OwnView(
        view=view,
        choices=choices,
        decision="" if is_betting(choices, view) else decisions.mark_of(choices),
        won=results_of(at).get(seat),
    )


def is_betting(choices: Choices, view: View | None) -> bool:
    # The house may close the betting as long as bets are placed.
    return bool(choices) and view is not None and HOUSE in view.to_act


def _own_seat(rules: Format, mine: Seat) -> OwnSeat:
    return OwnSeat(
        number=mine.number,
        stack=rules.funds(mine),
        top_up=mine.top_up,
        sits_out=mine.sits_out,
        sat_out_by_house=mine.sat_out_by_house,
        auto_play=mine.auto_play,
        leaves=mine.leaves,
        time_bank=mine.time_bank,
    )


def _between(
    table: Table, seats: Sequence[Seat], mine: Seat, now: datetime, version: TableVersion
) -> Between | None:
    """What a player who plays on by themselves may do until the next hand begins."""
    if not ready_players.can_hurry(table):
        return None
    dealt_in = format_of(table).dealt_in(seats, now)
    if mine not in dealt_in or plays_by_itself(table, mine, seats, now):
        return None

    def readers(table: Table) -> set[int]:
        ended = version.hand
        if ended is None:
            return ready_players.readers_of_last(table)
        return ready_players.readers_in(table, ended.players, ended.moves)

    waited_for = ready_players.waited_for(table, seats, dealt_in, now, readers)
    awaited = [seat.number for seat in waited_for]
    against_house = ready_players.is_against_house(table)
    ended, needs = version.hand, 0
    if against_house and ended is not None:
        needs = again_needs(ended.game, mine.number, version.last_bets(mine))
    return Between(
        after=table.hands_dealt,
        ready=mine.number not in awaited,
        others=tuple(number for number in awaited if number != mine.number),
        against_house=against_house,
        again_needs=needs,
        again=0 < needs <= format_of(table).funds(mine),
    )


def _not_admitted(table: Table, mine: Seat, now: datetime) -> str:
    """Return why the player would not be dealt in, as a sentence; empty during a hand."""
    if table.hand_id is not None:
        return ""
    asking = Request(Occasion.DEAL, mine.player, now, table)
    why = admission.refusal(asking)
    return sentence_of(why, table.currency) if why else ""


class OwnHand(NamedTuple):
    """The hand that runs, as one of its players sees it."""

    game: AnyGame
    view: View


def own_hand(user: Viewer, table: Table, seats: Sequence[Seat] | None = None) -> OwnHand | None:
    """The live hand for one of its players; None for other viewers.

    The seats are read unless the caller knows them.
    """
    if table.hand_id is None or not user.is_authenticated:
        return None
    try:
        live = cached_hand(table)
    except Hand.DoesNotExist:
        # Called off since the table was read.
        return None
    seat = seat_of(user, seats or seats_at(table))
    if seat is None or player_at(live.players, seat.number) != user.pk:
        return None
    game = live.game
    return OwnHand(game, game.view(live.after(table.moves_made).state, seat.number))
