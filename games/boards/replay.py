"""The replay of a finished hand, step by step, as one viewer saw it.

Step 0 is how the hand opened, and each move makes one step more. A step is made of the game's own
view of that moment, so that it holds no card which the viewer did not see until then. An auditor
sees the spectator's view, and every card that was hidden from a player.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.boards.family import family_of
from games.boards.moves import MoveView, move_in_words
from games.boards.seat_view import SeatView
from games.models import Hand, HandSeat
from games.records.record import AUDITOR, every_state
from games.rules.cards import Card
from games.rules.contract import State, View
from games.tables.hand_digest import visible_move
from games.tables.hand_rows import hidden_beside
from games.tables.hand_state import cards_of
from games.words.naming import phase_name, player_title
from games.words.players import NOBODY
from wallets.models import Currency


class Mark(NamedTuple):
    """A step on the timeline; `phase` is set on the first step of a phase.

    `drew` has the cards that the move took from the shoe, with None for each that the viewer does
    not see at this step.
    """

    number: int
    phase: str
    move: MoveView | None
    drew: Sequence[Card | None] = ()


class HiddenCards(NamedTuple):
    """Cards that do not lie open, and who has them."""

    words: str
    cards: tuple[Card, ...]


class Replay:
    """The steps of a hand for a seat, for a spectator (`None`), or for an auditor."""

    def __init__(
        self, hand: Hand, viewer: int | str | None, names: dict[int, str], currency: Currency
    ) -> None:
        self.hand, self.viewer, self.names, self.currency = hand, viewer, names, currency
        self.seat = viewer if isinstance(viewer, int) else None
        self._moves = list(hand.moves.order_by("number"))
        self.game, self.path = every_state(hand, self._moves)

    @property
    def last(self) -> int:
        return len(self.path) - 1

    @cached_property
    def rows(self) -> list[HandSeat]:
        return list(self.hand.seats.select_related("player"))

    @cached_property
    def _cards(self) -> Sequence[Card]:
        return cards_of(self.hand)

    def view(self, number: int) -> View:
        return self.game.view(self.path[number], self.seat)

    def move(self, number: int) -> MoveView | None:
        """The move that led to a step, in words, without cards that were shown only later."""
        return self._move(number, self._seen(self.path[number])) if number else None

    def _move(self, number: int, shown: frozenset[int]) -> MoveView:
        hidden = hidden_beside(self._cards, shown)
        over = number == len(self._moves)
        move = visible_move(self._moves[number - 1], self.viewer, hidden, over=over)
        return move_in_words(self.game, move, self.names, self.currency)

    def seats(self, number: int) -> list[SeatView]:
        """Every seat of the hand as a table shows it, with the stack it plays with."""
        waiting = self.view(number).to_act
        stacks = {stake.seat: stake.stack for stake in self.path[number].stakes}
        bets: Mapping[int, int] = {}
        if not self.results(number):
            bets = family_of(self.game).bets_of_seats(self.game, self.path[number])
        return [
            SeatView(
                number=row.number,
                player=self.names.get(row.number, str(row.number)),
                is_bot=row.player.is_bot,
                strength="",
                stack=stacks[row.number],
                bet=bets.get(row.number, 0),
                sits_out=False,
                absent=False,
                auto_play=False,
                leaves=False,
                to_act=row.number in waiting,
                mine=row.number == self.seat,
                face=self._face(row),
            )
            for row in self.rows
        ]

    def _face(self, row: HandSeat) -> int:
        """The face next to a name; a seat without a name has no face."""
        name = player_title(row.player.username, row.player.is_bot)
        return row.player.face if self.names.get(row.number) == name else NOBODY

    def results(self, number: int) -> dict[int, int]:
        """The result of each seat, once the hand is over."""
        if number < self.last or self.hand.status != Hand.Status.FINISHED:
            return {}
        return {row.number: row.net for row in self.rows}

    def phase(self, number: int) -> str:
        return str(getattr(self.path[number], "phase", ""))

    def phase_words(self, number: int) -> str:
        return phase_name(self.phase(number))

    def marks(self) -> list[Mark]:
        """Every step, for the line of time and the list of moves."""
        marks, before, dealt = list[Mark](), "", 0
        for number, state in enumerate(self.path):
            phase, shown, dealt_before = self.phase(number), self._seen(state), dealt
            dealt, move, drew = self.game.dealt(state), None, list[Card | None]()
            if number:
                move = self._move(number, shown)
                drawn = range(dealt_before, dealt)
                drew = [self._cards[at] if at in shown else None for at in drawn]
            marks.append(Mark(number, phase_name(phase) if phase != before else "", move, drew))
            before = phase
        return marks

    def _seen(self, state: State) -> frozenset[int]:
        """The places of the cards that the viewer sees in a state."""
        if self.viewer == AUDITOR:
            return frozenset(range(self.game.dealt(state)))
        return self.game.shown(state, self.seat)

    def held(self, number: int) -> list[HiddenCards]:
        """The viewer's own cards in order; for an auditor all that were hidden from a player."""
        if self.viewer == AUDITOR:
            return list(self._hidden_from_some(number))
        view: object = self.view(number)
        cards = getattr(view, "hand", None)
        on_the_board = getattr(view, "arranged", None) or getattr(view, "shown", None)
        if not isinstance(cards, tuple) or not cards or on_the_board:
            return []
        return [HiddenCards(_("My cards"), tuple(family_of(self.game).in_hand(cards)))]

    def _hidden_from_some(self, number: int) -> Iterator[HiddenCards]:
        state, game = self.path[number], self.game
        public = game.shown(state, None)
        unseen = frozenset(range(game.dealt(state))) - public
        for stake in state.stakes:
            own = game.shown(state, stake.seat) - public
            unseen -= own
            if own:
                name = self.names.get(stake.seat, str(stake.seat))
                yield HiddenCards(_("Seen by {name}").format(name=name), self._at(own))
        if unseen:
            yield HiddenCards(_("Not seen yet"), self._at(unseen))

    def _at(self, places: frozenset[int]) -> tuple[Card, ...]:
        return tuple(family_of(self.game).in_hand([self._cards[place] for place in sorted(places)]))
