"""Figures of a game's options: shares of bets, rake by playing hands; and how they read.

Against the house the rules say it (`games.rules.analysis.figures`); among players it is averaged
over hands of bots, as are the decisions of a round against the house, and its rake if it has any.
"""

import hashlib
from collections.abc import Iterator
from math import sqrt
from typing import Any, Final, NamedTuple

from games.bots.simulate import Strategy, play_hand, strategies
from games.rules.analysis.figures import bank_figures, exact_bets, samples_of
from games.rules.contract import Action, AnyGame, Party, SeatStack, View
from games.rules.house.actions import Done
from games.rules.house.figure import MAIN, Figure, Progress
from wallets.models import Currency
from wallets.values import AMOUNT_MAX
from wallets.values.amounts import show_amount

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
    players: dict[int, Strategy] = {stake.seat: waits for stake in stakes}
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


__all__ = ["MAIN", "Figure", "exact_bets", "figures", "wanted"]

# How many hands among players a figure is averaged over.
HANDS: Final = 2_000
# And how many rounds against the house: Russian poker takes a worker half a minute for so many.
ROUNDS: Final = 400


def wanted(game: AnyGame) -> int:
    """Return the number of steps for the progress bar while figures are calculated."""
    return samples_of(game) + ROUNDS if game.against_house else HANDS


def figures(game: AnyGame, stack: int, seed: str, tell: Progress) -> list[Figure]:
    """All figures of a game; `tell` gets the number of finished steps, and may stop it."""
    if game.against_house:
        computed_figures, before = list(bank_figures(game, seed, tell)), samples_of(game)
        rounds = _sampled(game, stack, ROUNDS, seed, lambda done: tell(before + done))
        # Without a rake there is nothing to say of it.
        return [
            *computed_figures,
            *(figure for figure in rounds if figure.key != RAKE or figure.mean),
        ]
    return list(_sampled(game, stack, HANDS, seed, tell))


def _sampled(game: AnyGame, stack: int, hands: int, seed: str, tell: Progress) -> Iterator[Figure]:
    for key, mean in sample_hands(game, stack, hands, seed, tell).items():
        yield Figure(key, mean.mean, mean.error, hands)


def figure_text(figure: Figure, currency: Currency) -> str:
    """A figure as people read it: a share in percent, an amount, or a number, with its error."""
    if figure.key == RAKE:
        amounts = [figure.mean] if figure.error is None else [figure.mean, figure.error]
        return " ± ".join(show_amount(round(amount), currency) for amount in amounts)
    scale, unit = (1.0, "") if figure.key == DECISIONS else (100.0, " %")
    mean = f"{scale * figure.mean:.2f}".replace("-", "\N{MINUS SIGN}")
    if figure.error is None:
        return f"{mean}{unit}"
    return f"{mean} ± {scale * figure.error:.2f}{unit}"
