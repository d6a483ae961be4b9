"""The best decisions at Russian poker, and the odds of the house against them.

A hand may be played as it is, be given a sixth card, or exchange any two to five of its cards; the
worth of each way is the average over all cards it can draw of what the finished hand is worth
(`russian_poker_outlook.py`), less the ante it costs. All draws are run through, by their ranks.
Approximate is only that the cards drawn are not taken out of those the dealer may hold, and what a
purchase will bring; the last decision, to bet, insure or fold, is made anew with all cards seen.

Worths are in antes and count the box from its ante on: folding is worth -1.

How often hands of five come, and how often the dealer qualifies, is counted over all of them by
their ranks. The bonus bet is exact too: a named card is among the five cards of a box with 5 in 52,
for any cards, and independently of the other named cards. Edges are shares of a bet that the
house keeps on average, for bets on which nothing is lost by rounding down.

The value of a whole box with the best play can only be averaged over deals (`average_worth`): the
worth of the best decision is known before a card is drawn, so that far fewer hands are needed than
by playing them out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import sqrt
from operator import mul
from typing import Final, Literal, NamedTuple

from games.rules.cards import DECK, RANKS, Card
from games.rules.house.sides import BONUS_CARD, Combination, Segment
from games.rules.poker import CATEGORY_NAMES, category
from games.rules.russian_poker.game import EXCHANGES, HAND, RussianPoker
from games.rules.russian_poker.hands import (
    ACE_KING,
    BONUS_TABLE,
    JACKPOT_HANDS,
    Hand,
    qualifies,
    read_hand,
    value_of,
)
from games.rules.russian_poker.outlook import (
    FOLDED,
    DealerOdds,
    Lines,
    Outlook,
    RankDraws,
    Unseen,
    most_insurance,
    outlook,
    plain_lines,
    plain_values,
    rank_sum,
    suited_lines,
    suited_value,
)

DRAW_PRICE: Final = 1.0

Way = Literal["play", "buy", "exchange"]


class Draw(NamedTuple):
    """A way to play a hand on: what it does, with which cards, and what it is worth."""

    do: Way
    cards: tuple[Card, ...]
    worth: float


class Finish(NamedTuple):
    """The last decision: what betting is worth, and the insurance that is worth its stake."""

    bet: float
    insurance: int
    unqualified_chance: float

    @property
    def folds(self) -> bool:
        return self.bet < FOLDED


def finish(game: RussianPoker, ante: int, hand: Hand, up: Card, seen: Sequence[Card]) -> Finish:
    """Whether to bet and to insure a hand that draws no more; `seen` are the owner's cards."""
    expected = outlook(game, ante, up, seen)
    insurance = most_insurance(game, ante, hand) if expected.insurance_rate > 0 else 0
    return Finish(expected.bet(hand), insurance, expected.dealer.unqualified_chance)


def draws(game: RussianPoker, ante: int, cards: Sequence[Card], up: Card) -> list[Draw]:
    """All ways to play five cards on, the best first."""
    unseen = Unseen((*cards, up))
    hand = read_hand(cards)
    rank_draws = unseen.rank_draws(HAND)
    expected = Outlook(game, ante, DealerOdds(up, unseen, rank_draws[4]), unseen)
    draws = [Draw("play", (), expected.finished(hand))]
    draws.append(Draw("buy", (), _sixth_card(expected, unseen, cards) - DRAW_PRICE))
    draws += _exchanges(expected, unseen, cards, rank_draws)
    return sorted(draws, key=lambda draw: -draw.worth)


def _sixth_card(expected: Outlook, unseen: Unseen, cards: Sequence[Card]) -> float:
    """Return what the hand is worth with a sixth card, on average."""
    hands = [read_hand((*cards, card)) for card in unseen.cards]
    return sum([expected.finished(hand) for hand in hands]) / len(hands)


def _worths(expected: Outlook, groups: Iterable[Lines]) -> dict[int, float]:
    """Return what finished hands of five are worth, by rank sum."""
    worths: dict[int, float] = {}
    for lines in groups:
        worths.update(
            zip(lines.ranks, expected.all_finished(lines.values, lines.pays), strict=True)
        )
    return worths


def _exchanges(
    expected: Outlook, unseen: Unseen, cards: Sequence[Card], rank_draws: Sequence[RankDraws]
) -> Iterator[Draw]:
    """Every exchange: the worth of its draws by ranks, corrected for those of one suit."""
    worths = _worths(expected, plain_lines())
    gains = {
        ranks: worth - worths[ranks] for ranks, worth in _worths(expected, suited_lines()).items()
    }
    for count in EXCHANGES:
        sums, ways = rank_draws[count]
        total = sum(ways)
        for kept in combinations(cards, HAND - count):
            held = rank_sum(kept)
            worth = sum(map(mul, ways, [worths[held + drawn] for drawn in sums]))
            for suit in range(4):
                if all(card.suit == suit for card in kept):
                    suited = unseen.suit_draws(suit, count)
                    worth += sum([gains[held + drawn] for drawn in suited])
            given = tuple([card for card in cards if card not in kept])
            yield Draw("exchange", given, worth / total - DRAW_PRICE)


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
        sample = worths[_kind(_name(value_of(deal[:HAND])))]
        if len(sample) < most:
            sample.append(draws(game, ante, deal[:HAND], deal[HAND])[0].worth)
    counts = five_card_counts()
    mean = error = 0.0
    for kind, sample in worths.items():
        of_kind = sum(count for name, count in counts.items() if _kind(name) == kind)
        weight = of_kind / sum(counts.values())
        average = sum(sample) / len(sample)
        variance = sum((worth - average) ** 2 for worth in sample) / len(sample)
        mean += weight * average
        error += weight**2 * variance / len(sample)
    return Average(mean, sqrt(error))


def _kind(name: str) -> str:
    return name if name in _KINDS else _KINDS[-1]
