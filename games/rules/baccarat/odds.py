"""The exact odds of baccarat, for any options and any rest of a shoe.

Only what cards count decides who wins, so for that a shoe is ten numbers: how many cards are left
that count 0 to 9. Every pair of hands of two cards is run through, the order within a hand aside,
and every third card that the draw asks for. Each is weighed by the number of ways in which six
cards can be taken from the shoe so; the weights are whole numbers and every probability is exact.

Odds are for bets that the maximum payout does not reach, and of amounts on which nothing is lost by
rounding down.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement

from msgspec import Struct

from games.rules.baccarat.coup import Winner, banker_draws, player_draws, points, winner_of
from games.rules.baccarat.game import PAIR, SPOTS, BaccaratTable, Spot
from games.rules.cards import Card
from games.rules.errors import Unreadable

CARDS_LEAST = 6
COUNTS = range(10)
KEPT = 32

# How often, of all ways to take six cards, a coup ends with this winner and this total of banker.
Outcomes = Counter[tuple[Winner, int]]


class BaccaratOdds(Struct, frozen=True):
    """The probabilities of a coup, and the share of each bet that the house keeps on average."""

    player: Fraction
    banker: Fraction
    tie: Fraction
    pair: Fraction
    edges: dict[Spot, Fraction]


def exact_odds(game: BaccaratTable, cards_left: Sequence[Card]) -> BaccaratOdds:
    """The odds of the next coup out of the cards left in the shoe, whose order is unknown."""
    if len(cards_left) < CARDS_LEAST:
        raise Unreadable(
            "too_few_cards",
            "the hand needs {needed} cards, not {count}",
            needed=CARDS_LEAST,
            count=len(cards_left),
        )
    outcomes = count_outcomes(cards_left, game.banker_note_literal)
    ways = outcomes.total()
    of_winner: Counter[Winner] = Counter()
    for (winner, _), count in outcomes.items():
        of_winner[winner] += count
    pair = pair_probability(cards_left)
    return BaccaratOdds(
        player=Fraction(of_winner["player"], ways),
        banker=Fraction(of_winner["banker"], ways),
        tie=Fraction(of_winner["tie"], ways),
        pair=pair,
        edges={spot: _edge(game, spot, outcomes, pair) for spot in SPOTS},
    )


def pair_probability(cards_left: Sequence[Card]) -> Fraction:
    """Return how likely the first two cards of either side are to be of one rank."""
    ranks = Counter(card.rank for card in cards_left)
    pairs = sum(count * (count - 1) for count in ranks.values())
    return Fraction(pairs, len(cards_left) * (len(cards_left) - 1))


def count_outcomes(cards_left: Sequence[Card], note_literal: bool) -> Outcomes:
    """The number of ways to take six cards that lead to each outcome."""
    left = [0] * 10
    for card in cards_left:
        left[points(card)] += 1
    return _counted(tuple(left), note_literal)


# Most of those who ask mean a whole shoe.
@lru_cache(maxsize=KEPT)
def _counted(left: Sequence[int], note_literal: bool) -> Outcomes:
    outcomes: Outcomes = Counter()
    for player, player_ways, after_player in _twos(left):
        for banker, banker_ways, rest in _twos(after_player):
            ways = player_ways * banker_ways
            _count_thirds(outcomes, player, banker, ways, rest, note_literal)
    return outcomes


def _twos(left: Sequence[int]) -> Iterator[tuple[int, int, list[int]]]:
    """Each hand of two: its total, the ways to take it, and what is left then."""
    for first, second in combinations_with_replacement(COUNTS, 2):
        rest = list(left)
        ways = rest[first]
        rest[first] -= 1
        ways *= rest[second] * (1 if first == second else 2)
        rest[second] -= 1
        if ways:
            yield (first + second) % 10, ways, rest


def _count_thirds(
    outcomes: Outcomes, player: int, banker: int, ways: int, rest: Sequence[int], literal: bool
) -> None:
    """Count the coups that begin with these totals, over all third cards of both sides.

    A card that is not drawn is any of those still left, so that all coups take six.
    """
    size = sum(rest)
    thirds: Sequence[tuple[int | None, int]] = [(None, size)]
    if player_draws(player, banker):
        thirds = list(enumerate(rest))
    for third, third_ways in thirds:
        player_total = (player + (third or 0)) % 10
        if not banker_draws(banker, player, third, literal):
            outcome = winner_of(player_total, banker), banker
            outcomes[outcome] += ways * third_ways * (size - 1)
            continue
        for last in COUNTS:
            # Where the player stood, the card not drawn is taken after the banker's.
            pairs = rest[last] * (size - 1)
            if third is not None:
                pairs = third_ways * (rest[last] - (last == third))
            banker_total = (banker + last) % 10
            outcomes[winner_of(player_total, banker_total), banker_total] += ways * pairs


def _edge(game: BaccaratTable, spot: Spot, outcomes: Outcomes, pair: Fraction) -> Fraction:
    """Return what the house keeps of a bet on average; negative where the bet is good."""
    if spot in ("player_pair", "banker_pair"):
        return 1 - pair * (1 + Fraction(*PAIR))
    kept = Fraction(0)
    for (winner, banker_total), ways in outcomes.items():
        if spot == winner:
            win = Fraction(*game.side_odds(winner, banker_total))
            commission = Fraction(game.commission_bp if spot == "banker" else 0, 10_000)
            kept -= ways * win * (1 - commission)
        elif winner != "tie":
            kept += ways
    return kept / outcomes.total()
