"""The exact odds of the bonus bet and of insurance, in the first round of a full shoe.

Where the third card is the player's own, how often there is one depends on how hands are played:
these are the odds of basic strategy, which surrenders or splits some sevens and stands on some
sixes and eights. The house pays the pools' share of each bonus bet, which changes nothing.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Final, NamedTuple

from games.rules.blackjack.analysis.strategy import (
    CARDS,
    COUNTS,
    DECKS,
    FIRST,
    VALUES,
    Rules,
    best_move,
    held_of,
    rules_of,
)
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.paying import INSURANCE, combination
from games.rules.blackjack.totals import POINTS, is_blackjack
from games.rules.cards import DECK, Card
from games.rules.errors import Unreadable
from games.rules.house.sides import BONUS_CARD, Combination, weight_of

# The sixes, sevens and eights, of which three cards of the table are made.
MIDDLE: Final = tuple(card for card in DECK if 6 <= card.rank <= 8)
NO_JACKPOT: Final = Fraction(0)


class Case(NamedTuple):
    """A combination, and how many different cards the first two of it are."""

    combination: Combination
    different: int


def bonus_lines(game: Blackjack) -> dict[Combination, Fraction]:
    """Every line of the bonus table as this table pays it, and how likely it is."""
    lines: dict[Combination, Fraction] = {}
    for case, chance in _chances(game).items():
        lines[case.combination] = lines.get(case.combination, Fraction(0)) + chance
    return lines


def bonus_edge(game: Blackjack, jackpot: Fraction = NO_JACKPOT) -> Fraction:
    """Return what the house keeps of a bonus bet on average, with the features that the table has.

    The jackpot is what its pool holds, in bonus bets; a hit on an empty one keeps its stake.
    """
    weights = weight_of(game.wheel_segments)
    paid = sum(segment.weight * segment.multiple for segment in game.wheel_segments)
    spun = sum(segment.weight for segment in game.wheel_segments if segment.multiple)
    chances = _chances(game)
    kept = Fraction(0)
    for case, chance in chances.items():
        odds, share_bp = case.combination.odds, case.combination.share_bp
        least = Fraction(*case.combination.least) if case.combination.least else Fraction(0)
        share = max(least, jackpot * Fraction(share_bp, 10_000))
        kept -= chance * (Fraction(*odds) if odds else share)
    for different, share in _different_cards().items():
        named = Fraction(different, len(DECK))
        # The two cards are named independently of each other, and may be the same.
        missed = 1 - named if game.bonus_card else Fraction(1)
        if game.bonus_card:
            kept -= share * named * BONUS_CARD.pays
        if game.wheel:
            kept -= share * named * Fraction(paid, weights)
            missed *= 1 - named * Fraction(spun, weights)
        nothing = share - sum(
            chance for case, chance in chances.items() if case.different == different
        )
        kept += nothing * missed
    return kept


def _different_cards() -> dict[int, Fraction]:
    """Return how likely the first two cards are to be one card twice, and two different ones."""
    twice = Fraction(DECKS - 1, CARDS - 1)
    return {1: twice, 2: 1 - twice}


def _chances(game: Blackjack) -> Counter[Case]:
    """Return how likely each combination is."""
    ways: Counter[Case] = Counter()
    for two in product(DECK, repeat=2):
        if is_blackjack(two):
            combo = combination(two, None, game.jackpot_shares)
            assert combo is not None
            ways[Case(combo, 2)] += DECKS**2 * (CARDS - 2) * (CARDS - 3)
    for three in product(MIDDLE, repeat=3):
        combo = combination(three[:2], three[2], game.jackpot_shares)
        if combo:
            case = Case(combo, len({*three[:2]}))
            if game.third_card == "dealer_up":
                ways[case] += _orders(three) * (CARDS - 3)
            else:
                ways[case] += _orders(three) * sum(_drawn_against(rules_of(game), three))
    orders = CARDS * (CARDS - 1) * (CARDS - 2) * (CARDS - 3)
    return Counter({case: Fraction(count, orders) for case, count in ways.items()})


def _orders(cards: Sequence[Card]) -> int:
    """In how many ways these cards can come out of the shoe in this order."""
    ways = 1
    for place, card in enumerate(cards):
        ways *= DECKS - cards[:place].count(card)
    return ways


def _drawn_against(rules: Rules, cards: Sequence[Card]) -> Iterator[int]:
    """Yield how many up cards there are of each value against which the third card is drawn."""
    values = [POINTS[card] for card in cards]
    for up in VALUES:
        if best_move(rules, held_of(cards[:2]), up, FIRST) in ("hit", "double"):
            yield COUNTS[up] - values.count(up)


def insurance_edge(left: Sequence[Card]) -> Fraction:
    """Return what the house keeps of insurance, with these cards left besides all that are seen."""
    if not left:
        raise Unreadable("too_few_cards", "the dealer needs a card")
    tens = sum(POINTS[card] == 10 for card in left)
    return 1 - Fraction(tens, len(left)) * (1 + INSURANCE.pays)
