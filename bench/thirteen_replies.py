"""How far the bots of thirteen cards are from the exact best reply to one another.

    python -m bench.thirteen_replies [HANDS [GAME ...]]

For each hand the other cards are dealt many times to three bots. The reply that is best against
half of what they show is found among all arrangements of the hand, and then held, beside the bot's
own choice, against the other half. What it gains there is a lower bound of what the exact best
reply would gain, since it was chosen by a sample; what it gains on its own half is an upper bound.
Points are those of a comparison with one opponent; games with a banker have their own bets and are
left out. The seed of a hand is its number.
"""

import hashlib
import sys
from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import mean, stdev
from typing import Final

from bench.calibration import additions_per_second
from games.rules.analysis.thirteen_coach import RankedRows
from games.rules.cards import Card
from games.rules.catalogue import game_type
from games.rules.poker import holds_joker
from games.rules.shoe import perm
from games.rules.thirteen.actions import Arrange
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.showdown import Shown
from games.rules.thirteen.suggest import suggest_best

HANDS: Final = 60
DEALS: Final = 100
GAMES: Final = ("chinese_poker", "thirteen_taiwan", "thirteen_fujian")
HAND, OTHERS = 13, 3
# What is aimed at, in points a hand and opponent.
POINTS_MAX: Final = 0.02
ME, THEM = 0, 1


def shuffled(cards: Sequence[Card], seed: str) -> list[Card]:
    order = perm(hashlib.sha256(seed.encode()).digest(), b"", len(cards))
    return [cards[at] for at in order]


def shown(game: ThirteenGame, hand: Sequence[Card], action: Arrange, seat: int) -> Shown:
    if action.declare is not None:
        return Shown(seat, (), False, action.declare, holds_joker(hand))
    rows = (action.front, action.middle, action.back)
    return Shown(seat, tuple(game.rank_row(row) for row in rows), False, None, False)


def by_a_bot(game: ThirteenGame, hand: Sequence[Card], seat: int) -> Shown:
    return shown(game, hand, suggest_best(game, hand).action, seat)


def replies(game: ThirteenGame, hand: Sequence[Card], others: Sequence[Shown]) -> Iterator[Shown]:
    """Everything that a hand can show, one of each sort that these others tell apart."""
    for natural in game.held_naturals(hand):
        yield Shown(ME, (), False, natural, holds_joker(hand))
    ranked = RankedRows(game, hand, others)
    for indexes in ranked.different():
        yield Shown(ME, ranked.values(indexes), False, None, False)


def points(game: ThirteenGame, mine: Shown, others: Sequence[Shown]) -> float:
    """The mean of the points against each of them, as if nobody else sat there."""
    return mean(
        sum(score.points for score in game.compare(mine, theirs, (mine, theirs)))
        for theirs in others
    )


def gains(game: ThirteenGame, number: int) -> tuple[float, float]:
    """What the best reply to a sample gains over the bot: elsewhere, and on that sample."""
    cards = shuffled(game.composition(), f"{game.key} {number}")
    hand, rest = cards[:HAND], cards[HAND:]
    crowd = [
        by_a_bot(game, dealt[at * HAND : (at + 1) * HAND], THEM)
        for deal in range(DEALS)
        for dealt in [shuffled(rest, f"{game.key} {number} {deal}")]
        for at in range(OTHERS)
    ]
    half = len(crowd) // 2
    sample, elsewhere = crowd[:half], crowd[half:]
    bot = by_a_bot(game, hand, ME)
    best = max(replies(game, hand, sample), key=lambda one: points(game, one, sample))
    return (
        points(game, best, elsewhere) - points(game, bot, elsewhere),
        points(game, best, sample) - points(game, bot, sample),
    )


def main(hands: int, keys: Sequence[str]) -> int:
    print(f"{additions_per_second() / 1e6:.1f} million additions a second")
    worst = 0.0
    for key in keys:
        game = game_type(key)()
        assert isinstance(game, ThirteenGame)
        found = [gains(game, number) for number in range(hands)]
        least, most = ([one[side] for one in found] for side in (0, 1))
        error = stdev(least) / sqrt(hands)
        print(
            f"{key}: the best reply to a sample gains {mean(least):+.3f} ± {error:.3f} points a "
            f"hand and opponent elsewhere, {mean(most):+.3f} on the sample ({hands} hands)",
            flush=True,
        )
        worst = max(worst, mean(least) - 2 * error)
    return int(worst > POINTS_MAX)


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(main(int(given[0]) if given else HANDS, given[1:] or GAMES))
