"""The odds of baccarat: the figures that are known, and small shoes dealt out in every order."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from random import Random

import pytest

from games.rules.baccarat.game import SPOTS, Baccarat, BaccaratCommission, BaccaratTable, Bet
from games.rules.baccarat.odds import exact_odds
from games.rules.cards import Card, parse_cards
from games.rules.contract import HOUSE, Context, SeatStack, replay
from games.rules.house.actions import Close
from tests.rules.cases import each, every, unreadable
from tests.rules.conftest import Share
from tests.rules.harness import Moves

FULL = Baccarat().composition()


def rounded(value: Fraction, digits: int) -> str:
    return f"{float(value):.{digits}f}"


def test_probabilities_of_a_full_shoe() -> None:
    odds = exact_odds(Baccarat(), FULL)
    assert rounded(odds.banker, 7) == "0.4585974"
    assert rounded(odds.player, 7) == "0.4462466"
    assert rounded(odds.tie, 7) == "0.0951560"
    assert odds.player + odds.banker + odds.tie == 1
    # Of 415 cards 31 have the rank of the first.
    assert odds.pair == Fraction(31, 415)


@each(
    (Baccarat(), ("1.2351", "1.4581", "14.3596", "10.3614", "10.3614")),
    (BaccaratCommission(), ("1.2351", "1.0579", "14.3596", "10.3614", "10.3614")),
    (Baccarat(banker_note_literal=True), ("-4.1932", "6.8864", "22.4971", "10.3614", "10.3614")),
)
def test_edges_of_a_full_shoe(game: BaccaratTable, percent: tuple[str, ...]) -> None:
    edges = exact_odds(game, FULL).edges
    assert tuple(rounded(100 * edges[spot], 4) for spot in SPOTS) == percent


SMALL_SHOES = ("2c3d6hKs9c4d", "4c4d5h5s6cKd", "9c8d7h3s3c3d8h", "AcTdTh6s2c7d7c")


@pytest.mark.long
def test_small_shoes_dealt_in_every_order(
    share: Share[tuple[str, type[BaccaratTable], bool]],
) -> None:
    """The settlements of all orders of cards add up to the stated odds."""
    games = (Baccarat, BaccaratCommission)
    for left, game, note_literal in share(product(SMALL_SHOES, games, (False, True)), least=3):
        table = game(min=2_000, max=2_000, banker_note_literal=note_literal)
        cards = parse_cards(left)
        net: Counter[str] = Counter()
        winners: Counter[str] = Counter()
        # Equal cards differ by their places, so that every order counts once.
        orders = list(permutations(cards, 6))
        for spot, order in product(SPOTS, orders):
            moves: Moves = [(1, Bet(spot, 2_000)), (HOUSE, Close())]
            state = replay(table, [SeatStack(1, 2_000)], order, Context(), moves)
            net[spot] += table.settle(state).net[HOUSE]
            assert state.coup is not None
            winners[state.coup.winner] += spot == "tie"
        odds = exact_odds(table, cards)
        assert odds.edges == {spot: Fraction(net[spot], 2_000 * len(orders)) for spot in SPOTS}
        for winner in ("player", "banker", "tie"):
            assert getattr(odds, winner) == Fraction(winners[winner], len(orders))


@pytest.mark.release
def test_odds_of_a_random_remainder_agree_with_dealing() -> None:
    """Twenty thousand coups out of half a shoe, within four standard errors."""
    random = Random(7)
    left: list[Card] = random.sample(FULL, 60)
    odds = exact_odds(Baccarat(), left)
    coups, wins = 20_000, 0
    for _ in range(coups):
        moves: Moves = [(1, Bet("player", 100)), (HOUSE, Close())]
        dealt = random.sample(left, 6)
        state = replay(Baccarat(), [SeatStack(1, 100)], dealt, Context(), moves)
        assert state.coup is not None
        wins += state.coup.winner == "player"
    probability = float(odds.player)
    error = (probability * (1 - probability) / coups) ** 0.5
    assert abs(wins / coups - probability) < 4 * error


@every(count=[0, 5])
def test_too_few_cards_for_a_coup(count: int) -> None:
    unreadable("too_few_cards", exact_odds, Baccarat(), FULL[:count])
