"""The hand that a table shows, who plays it, and its state after the moves made so far.

Each process remembers the live hands, because all viewers of a table see the same moves: the row,
the players, the latest state, and what else cannot change before the hand ends. This is the only
memory of hands on the read side; `docs/pages.md` lists what it holds and what it saves.

A table has one entry at most. It belongs to a hand of a shoe, which its published seal identifies,
so no other hand with that number can be mistaken for it. A state holds cards that nobody may see
yet. It is kept in the memory of this process only, which can open the shoe of a live hand anyway,
and is dropped when somebody next looks at the table after the hand.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import Any, Final, NamedTuple, TypeVar

from games.models import Hand, HandSeat, Move, Seat, Table
from games.rules.contract import AnyGame, State
from games.tables.replay import game_of, state_of
from games.words.naming import player_title

T = TypeVar("T")

# More tables than one process serves at a time; each entry is some 100 kB.
HANDS_REMEMBERED: Final = 256


class Standing(NamedTuple):
    """A hand after a number of moves."""

    moves: tuple[Move, ...]
    state: State


class LiveHand:
    """A live hand with everything that has been worked out about it."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.players = players_of(hand)
        self._latest: tuple[int, Standing] | None = None
        self._found: dict[Hashable, Any] = {}

    def after(self, moves_made: int) -> Standing:
        """The hand after this many moves; the last answer is remembered, as moves never change."""
        latest = self._latest
        if latest is None or latest[0] != moves_made:
            rows = tuple(self.hand.moves.filter(number__lt=moves_made).order_by("number"))
            latest = moves_made, Standing(rows, state_of(self.hand, game_of(self.hand), rows))
            self._latest = latest
        return latest[1]

    def once(self, key: Hashable, find: Callable[[], T]) -> T:
        """What `find` returns, which cannot change before the hand ends."""
        if key not in self._found:
            self._found[key] = find()
        found: T = self._found[key]
        return found


class LiveHands:
    """The live hands that this process remembers, by table."""

    def __init__(self) -> None:
        self._entries: OrderedDict[int, tuple[tuple[int, str], LiveHand]] = OrderedDict()
        self._lock = Lock()

    def at(self, table: Table) -> LiveHand:
        assert table.hand_id is not None
        identity = table.hand_id, table.shoe.seal if table.shoe else ""
        with self._lock:
            entry = self._entries.get(table.pk)
        if entry is not None and entry[0] == identity:
            return entry[1]
        found = LiveHand(Hand.objects.select_related("shoe").get(pk=table.hand_id))
        with self._lock:
            self._entries[table.pk] = identity, found
            self._entries.move_to_end(table.pk)
            while len(self._entries) > HANDS_REMEMBERED:
                self._entries.popitem(last=False)
        return found

    def forget(self, table: Table) -> None:
        with self._lock:
            self._entries.pop(table.pk, None)


REMEMBERED: Final = LiveHands()


def live_hand(table: Table) -> LiveHand:
    """The hand that runs at a table."""
    return REMEMBERED.at(table)


def hand_shown(table: Table) -> tuple[Hand | None, Sequence[HandSeat]]:
    """The live hand, in the pause after it the hand that has just ended, and who plays it."""
    if table.hand_id is not None:
        live = live_hand(table)
        return live.hand, live.players
    REMEMBERED.forget(table)
    if table.phase == Table.Phase.WAITING and not table.hands_dealt:
        return None, ()
    last = Hand.objects.filter(table=table).select_related("shoe").order_by("-pk").first()
    if last is None or last.status != Hand.Status.FINISHED:
        return None, ()
    return last, players_of(last)


def standing(hand: Hand, game: AnyGame, table: Table) -> Standing:
    """The moves of the hand that is shown, and its state after them."""
    if table.hand_id == hand.pk:
        return live_hand(table).after(table.moves_made)
    moves = tuple(hand.moves.order_by("number"))
    return Standing(moves, state_of(hand, game, moves))


def players_of(hand: Hand | None) -> Sequence[HandSeat]:
    """The players of the hand that is shown."""
    return () if hand is None else list(hand.seats.select_related("player"))


def player_at(players: Sequence[HandSeat], number: int) -> Any:
    return next((one.player_id for one in players if one.number == number), None)


def names_in(hand: Hand | None, seats: Sequence[Seat]) -> dict[int, str]:
    """The players of a hand by their seats, and those who have sat down since."""
    return names_of(players_of(hand), seats)


def names_of(players: Sequence[HandSeat], seats: Sequence[Seat]) -> dict[int, str]:
    names = {seat.number: player_title(seat.player.username, seat.player.is_bot) for seat in seats}
    return names | {
        one.number: player_title(one.player.username, one.player.is_bot) for one in players
    }
