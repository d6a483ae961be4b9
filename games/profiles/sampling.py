"""Playing hands, or rounds of one player against the house: what the house takes as rake, and how
many decisions there are."""

import hashlib
from math import sqrt
from typing import Any, Final, NamedTuple

from games.bots.simulate import Strategy, play_hand, strategies
from games.rules.contract import Action, AnyGame, Party, SeatStack, View
from games.rules.house.actions import Done
from games.rules.house.figure import Progress
from wallets.values import AMOUNT_MAX

RAKE: Final = "rake_per_hand"
DECISIONS: Final = "decisions_per_hand"
EVERY: Final = 20


class Mean(NamedTuple):
    mean: float
    error: float


class Sum:
    """A mean and its standard error, one value after the other."""

    def __init__(self) -> None:
        self._count, self._sum, self._squares = 0, 0, 0

    def add(self, value: int) -> None:
        self._count += 1
        self._sum += value
        self._squares += value * value

    def mean(self) -> Mean:
        count, total = self._count, self._sum
        # Whole numbers up to the last step: squares of amounts outgrow what a float holds.
        spread = (self._squares * count - total * total) / count**2
        return Mean(total / count, sqrt(spread / count))


class Waits:
    """Counts how often a hand waits for players; those who decide at once are one wait.

    Betting against the house has a time of its own, so it does not count.
    """

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self.count = 0
        self._left: frozenset[Party] = frozenset()

    def __call__(self, game: AnyGame, view: Any) -> Action:
        seen: View = view
        action = self._strategy(game, view)
        if isinstance(action, Done) or type(action) is game.bet_action:
            return action
        waiting = frozenset(seen.to_act)
        if not waiting or waiting != self._left:
            self.count += 1
        self._left = waiting - {seen.seat} if seen.seat is not None else waiting
        return action


def _bot(game: AnyGame) -> Strategy:
    """The bot with the rule that players learn, if there is one; the best one thinks for long."""
    known = strategies(game)
    return known.get("rule", known["best"])


def sample_hands(
    game: AnyGame, stack: int, hands: int, seed: str, tell: Progress
) -> dict[str, Mean]:
    """Bots play so many hands with these stacks; the same seed gives the same hands.

    Against the house one bot makes the smallest bet, and has money for all that may follow.
    """
    waits = Waits(_bot(game))
    alone = game.against_house
    seats, held = (1, AMOUNT_MAX) if alone else (game.seats[-1], stack)
    stakes = [SeatStack(seat, held) for seat in range(1, seats + 1)]
    players: dict[int, Strategy] = {one.seat: waits for one in stakes}
    key = hashlib.sha256(seed.encode()).digest()
    rake, decisions = Sum(), Sum()
    for number in range(hands):
        waits.count = 0
        played = play_hand(game, stakes, players, key, number)
        rake.add(sum(played.settlement.rake.values()))
        decisions.add(waits.count)
        if (number + 1) % EVERY == 0:
            tell(number + 1)
    return {RAKE: rake.mean(), DECISIONS: decisions.mean()}
