"""Blackjack players. Each bets the table's least on one box, once; `bonus` on the bonus too.

The boxes fill in the order of the seats, so that the first seats are controllers and the later ones
guests; who finds no place, or has too short a stack, is done at once. `best` plays basic strategy,
computed for the table's options, and as a guest follows a double or split that is worth something.
No bot insures: what a box shows says too little of the cards that are left.
"""

import hashlib
from typing import Final

from msgspec import json

from games.bots.simulate import Bot
from games.rules.blackjack.analysis.strategy import best_move, held_of, rules_of, worths
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.refusals import Choice, open_moves
from games.rules.blackjack.state import (
    PLAYERS,
    Bet,
    BlackjackView,
    Box,
    Decline,
    Double,
    Follow,
    Hand,
    Hit,
    Split,
    Stand,
    Surrender,
    committed,
    place_of,
)
from games.rules.blackjack.totals import DEALER_STANDS, POINTS, total_of
from games.rules.cards import ACE
from games.rules.contract import Action
from games.rules.house.actions import Done, stack_of


class Seen:
    """The view of a player who has to decide about a hand."""

    def __init__(self, game: Blackjack, view: BlackjackView) -> None:
        self.game = game
        self.view = view

    @property
    def box(self) -> Box:
        return next(box for box in self.view.boxes if box.number == self.view.box)

    @property
    def hand(self) -> Hand:
        assert self.view.hand is not None
        return self.box.hands[self.view.hand]

    @property
    def free(self) -> int:
        """The part of the stack that is not bet yet."""
        view = self.view
        assert view.seat is not None
        return stack_of(view.stakes, view.seat) - committed(view.boxes, view.seat)

    @property
    def moves(self) -> list[Choice]:
        """The actions open to the hand that the stack can pay for."""
        ace_up = self.view.dealer[0].rank == ACE
        return open_moves(self.box, self.hand, ace_up=ace_up, free=self.free)

    def bet(self, *, bonus: bool = False) -> Action:
        """The least on the box whose turn it is among the seats, if it has a place."""
        game, view = self.game, self.view
        least = game.min + (game.bonus_min if bonus else 0)
        seats = [stake.seat for stake in view.stakes]
        assert view.seat is not None
        number = seats.index(view.seat) % game.boxes + 1
        box = next((box for box in view.boxes if box.number == number), Box(number))
        short = stack_of(view.stakes, view.seat) < least
        placed = any(player.seat == view.seat for player in box.players)
        if short or placed or len(box.players) == PLAYERS:
            return Done()
        return Bet(number, game.min, least - game.min)

    def play(self, move: Choice) -> Action:
        number, hand = self.box.number, self.view.hand or 0
        if move == "surrender":
            return Surrender(number)
        return {"hit": Hit, "stand": Stand, "double": Double, "split": Split}[move](number, hand)

    def follow(self, yes: bool) -> Action:
        """Whether to follow as a guest; not where the stack is too short for it."""
        assert self.view.seat is not None
        stake = self.hand.bets[place_of(self.box, self.view.seat)]
        return Follow(self.box.number, yes and stake <= self.free)


def best(game: Blackjack, view: BlackjackView) -> Action:
    """Basic strategy; a guest follows if that has a positive value."""
    seen = Seen(game, view)
    phase = seen.view.phase
    if phase == "bet":
        return seen.bet()
    if phase == "insurance":
        return seen.play("stand")
    if phase == "offer":
        return Decline()
    rules, up = rules_of(seen.game), POINTS[seen.view.dealer[0]]
    held = held_of(seen.hand.cards)
    if phase == "double":
        return seen.follow(worths(rules, held, up)["double"] > 0)
    if phase == "split":
        return seen.follow(worths(rules, held, up)["split"] > 0)
    return seen.play(best_move(rules, held, up, frozenset(seen.moves)))


def bonus(game: Blackjack, view: BlackjackView) -> Action:
    """Basic strategy, with the least bonus bet and the main bet."""
    seen = Seen(game, view)
    return seen.bet(bonus=True) if seen.view.phase == "bet" else best(game, view)


def mimic(game: Blackjack, view: BlackjackView) -> Action:
    """Play as the dealer does: draw to 17, and do nothing else."""
    seen = Seen(game, view)
    return _to_a_total(seen, DEALER_STANDS)


def never_bust(game: Blackjack, view: BlackjackView) -> Action:
    """Take no card that could bust the hand."""
    return _to_a_total(Seen(game, view), 12)


def _to_a_total(seen: Seen, least: int) -> Action:
    """Cards up to a total, on which a hand stands; one that is soft cannot bust, and goes to 17."""
    if seen.view.phase == "bet":
        return seen.bet()
    if seen.view.phase in ("double", "split"):
        return seen.follow(False)
    if seen.view.phase == "insurance":
        return seen.play("stand")
    if seen.view.phase == "offer":
        return Decline()
    total = total_of(seen.hand.cards)
    enough = DEALER_STANDS if total.soft else least
    return seen.play("stand" if total.points >= enough else "hit")


def legal(game: Blackjack, view: BlackjackView) -> Action:
    """Anything that is allowed, as the hash of the view says."""
    seen = Seen(game, view)
    chance = int.from_bytes(hashlib.sha256(json.encode(view)).digest(), "big")
    if seen.view.phase == "bet":
        return seen.bet()
    if seen.view.phase in ("double", "split"):
        return seen.follow(chance % 2 == 1)
    if seen.view.phase == "insurance":
        return seen.play("stand")
    if seen.view.phase == "offer":
        return Decline()
    moves = seen.moves
    return seen.play(moves[chance % len(moves)])


def house(game: Blackjack, view: BlackjackView) -> Action:
    """The house's move for an absent player: no bet."""
    return Done()


STRATEGIES: Final[dict[str, Bot[Blackjack, BlackjackView]]] = {
    "best": best,
    "bonus": bonus,
    "mimic": mimic,
    "never_bust": never_bust,
    "legal": legal,
    "house": house,
}
QUICK: Final = ("mimic",)
