"""A seat as all viewers of the table see it: its player, cards and chips, and its place.

The viewer sits at the bottom of the screen, the others around the board. Chips that were bet
against the house are on the felt and no longer in the player's stack, so the stack shown falls with
each bet, and rises with the result. No chip has moved in the ledger until then: it moves when the
hand is settled.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec

from games.boards.family import family_of
from games.boards.hand_at_table import player_at
from games.bots.simulate import strengths
from games.models import HandSeat, Seat, Table
from games.tables.autoplay import has_left, is_absent
from games.tables.formats import format_of
from games.tables.seating import is_reserved
from games.words.naming import player_title
from games.words.players import NOBODY, STEADY

NO_BETS: Final[Mapping[int, int]] = MappingProxyType({})


class PublicSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat in one version of the table, for all who may watch."""

    number: int
    player: str
    is_bot: bool
    # Of a bot, where bots of this game differ.
    strength: str
    # Of a person who shows it.
    level: str = ""
    stack: int
    sits_out: bool
    auto_play: bool
    leaves: bool
    to_act: bool
    # A bot's seat that is reserved for a person, who may be away too long to get it.
    reserved: bool = False
    # What lay in front of the player as the hand that has just ended was played out; None if the
    # end of the hand changed nothing of it.
    stood: int | None = None
    # Has taken the seat since the hand that is shown was dealt to another there.
    came_since: bool = False
    # The number of the player's face.
    face: int = NOBODY
    # The seat's bets in a round against the house that is not settled yet.
    bet: int = 0

    @property
    def free(self) -> int:
        """The chips in front of the player: the stack without the bets on the felt."""
        return self.stack - self.bet


class SeatView(PublicSeat, frozen=True, kw_only=True):
    # Offline for longer than the table's grace period.
    absent: bool
    mine: bool
    # Has no page of the house open.
    offline: bool = False


class Attendance(NamedTuple):
    """The seats whose players are away at a moment.

    It is public, and no part of a version, because a player can go offline without an act.
    """

    absent: frozenset[int]
    offline: frozenset[int]
    # Those that are given up after the hand.
    leaving: frozenset[int]


class HandShown(NamedTuple):
    """The facts about the seats of the hand that is shown: their players, results and bets."""

    players: Sequence[HandSeat]
    results: Mapping[int, int]
    bets: Mapping[int, int]


def public_seat(table: Table, seat: Seat, shown: HandShown) -> PublicSeat:
    players, results, bets = shown
    dealt_to, held = player_at(players, seat.number), format_of(table).funds(seat)
    # The result and the bets of the hand that is shown, if its player still sits there.
    plays = dealt_to == seat.player_id
    net = results.get(seat.number, 0) if plays else 0
    bet = bets.get(seat.number, 0) if plays else 0
    return PublicSeat(
        number=seat.number,
        player=player_title(seat.player.username, seat.player.is_bot),
        is_bot=seat.player.is_bot,
        strength=_strength(table, seat),
        level=seat.player.level,
        stack=held,
        sits_out=seat.sits_out,
        auto_play=seat.auto_play,
        leaves=seat.leaves,
        reserved=seat.reserved_for_id is not None,
        to_act=str(seat.number) in table.turns,
        stood=held - net - bet if results and (net or bet) else None,
        came_since=dealt_to not in (None, seat.player_id),
        face=seat.player.face,
        bet=0 if results else bet,
    )


def seat_at_the_end(played: HandSeat) -> PublicSeat:
    """A seat after the last hand, for a table that all players have left since."""
    player = played.player
    return PublicSeat(
        number=played.number,
        player=player_title(player.username, player.is_bot),
        is_bot=player.is_bot,
        strength="",
        level=player.level,
        stack=played.starting_stack + played.net,
        sits_out=False,
        auto_play=False,
        leaves=False,
        to_act=False,
        stood=played.starting_stack if played.net else None,
        face=player.face,
    )


def attendance(table: Table, seats: Iterable[Seat], now: datetime) -> Attendance:
    """Return who is away now."""
    seats = tuple(seats)
    return Attendance(
        absent=frozenset(seat.number for seat in seats if is_absent(table, seat, now)),
        offline=frozenset(seat.number for seat in seats if has_left(seat, now)),
        leaving=frozenset(
            seat.number for seat in seats if seat.leaves or is_reserved(table, seat, now)
        ),
    )


def all_present(seats: Iterable[Seat]) -> Attendance:
    """No player is away: for what is made of a version alone."""
    leaving = (seat.number for seat in seats if seat.leaves or seat.reserved_for_id)
    return Attendance(frozenset(), frozenset(), frozenset(leaving))


def seat_views(
    public: Iterable[PublicSeat], away: Attendance, mine: int | None
) -> tuple[SeatView, ...]:
    """The seats for one viewer, who may have one of them."""
    return tuple(
        SeatView(
            **msgspec.structs.asdict(seat)
            | {
                "leaves": seat.number in away.leaving,
                "absent": seat.number in away.absent,
                "offline": seat.number in away.offline,
                "mine": seat.number == mine,
            }
        )
        for seat in public
    )


def _strength(table: Table, seat: Seat) -> str:
    """The strength of a bot; bots of an older house are steady."""
    if not seat.player.is_bot or not strengths(table.game):
        return ""
    return seat.player.strength or STEADY


# More than this many do not fit one above the other.
SIDE_MAX: Final = 3


class Place(NamedTuple):
    """A place at the table, and the seat there, if it is taken."""

    number: int
    seat: Any = None


class SeatLayout(NamedTuple):
    """The places by the sides of the screen, each in the order of the clock."""

    left: tuple[Place, ...]
    top: tuple[Place, ...]
    right: tuple[Place, ...]
    bottom: tuple[Place, ...]


def seat_layout(
    game: str, seats: Iterable[Any], free: Iterable[int] = (), mine: int | None = None
) -> SeatLayout:
    """The table from the viewer's seat; a spectator sees it from the lowest seat."""
    places = [Place(seat.number, seat) for seat in seats] + [Place(number) for number in free]
    places.sort()
    if not places:
        return SeatLayout((), (), (), ())
    numbers = [place.number for place in places]
    at = numbers.index(mine) if mine in numbers else 0
    others = places[at + 1 :] + places[:at]
    if family_of(game).plays_to_the_right:
        others.reverse()
    left, top, right = _by_sides(others)
    return SeatLayout(left, top, right, (places[at],))


def _by_sides(
    others: Sequence[Place],
) -> tuple[tuple[Place, ...], tuple[Place, ...], tuple[Place, ...]]:
    count = len(others)
    side = 0 if count == 1 else 1 if count < 6 else min(SIDE_MAX, count // 3)
    cut = count - side
    return tuple(others[:side]), tuple(others[side:cut]), tuple(others[cut:])
