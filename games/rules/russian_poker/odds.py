"""The odds of Russian poker: what can be counted exactly, and an average over dealt hands.

How often hands of five come, and how often the dealer qualifies, is counted over all of them by
their ranks. The bonus bet is exact too: a named card is among the five cards of a box with 5 in 52,
for any cards, and independently of the other named cards. Edges are shares of a bet that the
house keeps on average, for bets on which nothing is lost by rounding down.

The value of a whole box with the best play can only be averaged over deals (`average_worth`): the
worth of the best decision is known before a card is drawn, so that far fewer hands are needed than
by playing them out.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import sqrt
from typing import Final, NamedTuple

from games.rules.cards import DECK, RANKS, Card
from games.rules.house.sides import BONUS_CARD, Combination, Segment
from games.rules.poker import CATEGORY_NAMES, category
from games.rules.russian_poker.best_play import draws
from games.rules.russian_poker.bonus import BONUS_TABLE, JACKPOT_HANDS
from games.rules.russian_poker.draws import Unseen, plain_values, suited_value
from games.rules.russian_poker.game import HAND, RussianPoker
from games.rules.russian_poker.hands import ACE_KING, qualifies, value_of
from games.rules.russian_poker.outlook import DealerOdds

NOTHING: Final = "nothing"
# The kinds of hands that `average_worth` tells apart, the last for all that is higher.
_KINDS: Final = (NOTHING, ACE_KING, "pair", "two_pair", "three", "higher")
# The probability that a named card is among the five of a box.
NAMED: Final = Fraction(HAND, len(DECK))


def five_card_counts() -> dict[str, int]:
    """Return how many of all hands of five are what, hands below a pair parted at ace-king."""
    unseen, values = Unseen(()), plain_values()
    counts: Counter[str] = Counter()
    sums, ways = unseen.rank_draws(HAND)[HAND]
    for ranks, count in zip(sums, ways, strict=True):
        counts[_name(values[ranks])] += count
    for suit in range(4):
        for ranks in unseen.suit_draws(suit, HAND):
            counts[_name(values[ranks])] -= 1
            counts[_name(suited_value(ranks))] += 1
    return dict(counts)


def _name(value: int) -> str:
    name = CATEGORY_NAMES[category(value)]
    if name != "high_card":
        return name
    return ACE_KING if qualifies(value) else NOTHING


def qualifying_probability() -> Fraction:
    """The chance that a dealer without a visible card qualifies."""
    counts = five_card_counts()
    return 1 - Fraction(counts[NOTHING], sum(counts.values()))


def qualifying_by_up_card() -> dict[str, Fraction]:
    """The same by the rank of the card up, where no other card is seen."""
    chances = {}
    for card, rank in zip(DECK, RANKS, strict=False):
        unseen = Unseen((card,))
        odds = DealerOdds(card, unseen, unseen.rank_draws(4)[4])
        chances[rank] = Fraction(odds.qualified, odds.total)
    return chances


def bonus_edge(
    game: RussianPoker,
    jackpot: Fraction = Fraction(0),
    *,
    bonus_card: bool = False,
    wheel: bool = False,
    lucky_game: bool = False,
) -> Fraction:
    """The edge of the bonus bet, with the jackpot in bonus bets and the features that are on.

    Payments of a feature or the jackpot are money of the house here; the share of the bets that
    feeds the jackpot is not taken off.
    """
    counts = five_card_counts()
    hands = sum(counts.values())
    shares = {
        "straight_flush": game.straight_flush_share_bp,
        "royal_flush": game.royal_share_bp,
    }
    won, kept = Fraction(0), Fraction(1)
    for name in (*BONUS_TABLE, *JACKPOT_HANDS):
        chance = Fraction(counts[name], hands)
        kept -= chance
        if name in JACKPOT_HANDS and game.has_jackpot:
            share = jackpot * Fraction(shares[name], 10_000)
            least = Fraction(*game.share_least) if game.share_least else Fraction(0)
            won += chance * max(share, least)
        else:
            won += chance * BONUS_TABLE.get(name, BONUS_TABLE["four"]).pays
    played: list[tuple[Fraction, Sequence[Segment]]] = []
    if bonus_card:
        named = Fraction(game.bonus_cards_counted, len(DECK))
        played.append((named, (Segment(1, BONUS_CARD.pays),)))
    if wheel:
        played.append((NAMED, game.wheel_segments))
    if lucky_game:
        played.append((NAMED, game.lucky_prizes))
    for named, segments in played:
        weights = sum(segment.weight for segment in segments)
        multiples = sum(segment.weight * segment.multiple for segment in segments)
        paying = sum(segment.weight for segment in segments if segment.multiple)
        won += named * Fraction(multiples, weights)
        kept *= 1 - named * Fraction(paying, weights)
    return kept - won


def jackpot_ways(game: RussianPoker) -> dict[Combination, Fraction]:
    """How likely the lines are that share the jackpot."""
    counts, shares = five_card_counts(), game.jackpot_shares
    hands = sum(counts.values())
    return {
        Combination(name, None, shares[name], game.share_least): Fraction(counts[name], hands)
        for name in JACKPOT_HANDS
        if name in shares
    }


class Average(NamedTuple):
    """An average over deals, and how far off it may be."""

    mean: float
    standard_error: float


def average_worth(
    game: RussianPoker, ante: int, deals: Iterable[Sequence[Card]], most: int
) -> Average:
    """Return the worth of an open box in antes with the best play; a deal has the up card last.

    Deals are counted by what the five cards are, `most` of each kind, and each kind weighs as often
    as it comes; so rare hands that win much do not drown the others.
    """
    worths: dict[str, list[float]] = {kind: [] for kind in _KINDS}
    for deal in deals:
        found = worths[_kind(_name(value_of(deal[:HAND])))]
        if len(found) < most:
            found.append(draws(game, ante, deal[:HAND], deal[HAND])[0].worth)
    counts = five_card_counts()
    mean = error = 0.0
    for kind, found in worths.items():
        of_kind = sum(count for name, count in counts.items() if _kind(name) == kind)
        weight = of_kind / sum(counts.values())
        average = sum(found) / len(found)
        variance = sum((worth - average) ** 2 for worth in found) / len(found)
        mean += weight * average
        error += weight**2 * variance / len(found)
    return Average(mean, sqrt(error))


def _kind(name: str) -> str:
    return name if name in _KINDS else _KINDS[-1]
