"""The odds of Russian poker: exact figures, and decisions against counting card by card."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from msgspec.structs import replace

from games.rules.cards import DECK, Card, parse_cards
from games.rules.russian_poker.best_play import (
    bonus_edge,
    finish,
    five_card_counts,
    qualifying_by_up_card,
    qualifying_probability,
)
from games.rules.russian_poker.game import RussianPoker
from games.rules.russian_poker.hands import qualifies, read_hand, value_of
from games.rules.russian_poker.outlook import (
    LOST,
    Unseen,
    most_insurance,
    outlook,
    purchase,
    rank_sum,
)
from tests.rules.cases import each, every
from tests.rules.conftest import Share
from tests.rules.russian_poker_odds import GAME, card, left_after

# Exact figures.


def test_five_card_counts() -> None:
    counts = five_card_counts()
    assert sum(counts.values()) == 2_598_960
    # Of the hands below a pair those with ace and king: 11 choose 3 kickers, less the straight, in
    # 4**5 suits, less the 4 flushes.
    ace_king = (165 - 1) * (4**5 - 4)
    assert counts == {
        "nothing": 1_302_540 - ace_king,
        "ace_king": ace_king,
        "pair": 1_098_240,
        "two_pair": 123_552,
        "three": 54_912,
        "straight": 10_200,
        "flush": 5_108,
        "full_house": 3_744,
        "four": 624,
        "straight_flush": 36,
        "royal_flush": 4,
    }


def test_how_often_the_dealer_qualifies() -> None:
    chance = qualifying_probability()
    assert chance == Fraction(1_463_700, 2_598_960)
    assert f"{float(chance):.7f}" == "0.5631868"
    by_up_card = qualifying_by_up_card()
    assert sum(by_up_card.values()) / 13 == chance
    assert by_up_card["A"] == by_up_card["K"] == max(by_up_card.values())


def test_the_edge_of_the_bonus() -> None:
    """Of 2,598,960 hands these win, and all others lose; a jackpot hit keeps its stake."""
    won = 54_912 * 10 + 10_200 * 21 + 5_108 * 40 + 3_744 * 60 + 624 * 150
    lost = 2_598_960 - 54_912 - 10_200 - 5_108 - 3_744 - 624 - 36 - 4
    assert bonus_edge(GAME) == Fraction(lost - won, 2_598_960)
    # A jackpot of 10,000 bonus bets pays 1,500 of them 36 times, 5,000 of them 4 times.
    jackpot = 36 * 1_500 + 4 * 5_000
    assert bonus_edge(GAME, Fraction(10_000)) == Fraction(lost - won - jackpot, 2_598_960)
    assert bonus_edge(replace(GAME, jackpot_bp=0), Fraction(10_000)) == Fraction(
        lost - won - 40 * 150, 2_598_960
    )


def test_the_edge_of_the_bonus_with_named_cards() -> None:
    """A named card lies in the box with 5 in 52; a box that holds one does not lose its bet."""
    plain = 54_912 * 10 + 10_200 * 21 + 5_108 * 40 + 3_744 * 60 + 624 * 150
    lost = Fraction(2_598_960 - 74_628, 2_598_960)
    won, named = Fraction(plain, 2_598_960), Fraction(5, 52)
    assert bonus_edge(GAME, bonus_card=True) == lost * (1 - named) - won - named * 10
    wheel = Fraction(60 * 1 + 30 * 2 + 8 * 3 + 2 * 5, 100)
    assert bonus_edge(GAME, wheel=True) == lost * (1 - named) - won - named * wheel
    prizes = Fraction(80 * 1 + 15 * 2 + 5 * 4, 100)
    assert bonus_edge(GAME, lucky_game=True) == lost * (1 - named) - won - named * prizes
    everything = bonus_edge(GAME, bonus_card=True, wheel=True, lucky_game=True)
    assert everything == lost * (1 - named) ** 3 - won - named * (10 + wheel + prizes)


# Counting draws.


def test_draws_by_ranks_are_those_of_the_cards() -> None:
    seen = parse_cards("AcAdKh7s2c9d")
    unseen = Unseen(seen)
    for size, draw in enumerate(unseen.rank_draws(3)):
        counted = Counter(rank_sum(cards) for cards in combinations(left_after(seen), size))
        assert dict(zip(draw.sums, draw.ways, strict=True)) == counted
    clubs = [club for club in left_after(seen) if club.suit == 0]
    assert sorted(unseen.suit_draws(0, 2)) == sorted(map(rank_sum, combinations(clubs, 2)))


# The dealer and the bet.


def test_the_dealers_hand_is_counted_exactly() -> None:
    """With 36 cards seen, every dealer's hand is run through."""
    up, hand = card("9d"), read_hand(parse_cards("TcTdAh5s2c"))
    left = left_after(Random(3).sample(DECK, 36), [up], parse_cards("TcTdAh5s2c"))
    seen = left_after(left, [up])
    expected = outlook(GAME, 100, up, seen)
    results = [value_of((up, *four)) for four in combinations(left, 4)]
    qualified = [value for value in results if qualifies(value)]
    dealer = expected.dealer
    assert (dealer.total, dealer.qualified) == (len(results), len(qualified))
    assert dealer.below([0]) == dealer.not_above([0]) == [0]
    assert dealer.below([hand.value]) == [sum(value < hand.value for value in qualified)]
    assert dealer.not_above([hand.value]) == [sum(value <= hand.value for value in qualified)]
    # A pair wins one bet of two antes, and 1:1 on the ante against a dealer who does not qualify.
    below = sum(value < hand.value for value in qualified)
    above = sum(value > hand.value for value in qualified)
    won = (len(results) - len(qualified)) + 2 * below - LOST * above
    assert expected.bet(hand) == pytest.approx(won / len(results))
    assert expected.insurance_rate == pytest.approx(1 - 2 * len(qualified) / len(results))


STRONG = [
    ("AcAdQhQsKc", "2c"),
    ("7c7d7h2sJc", "Ac"),
    ("5c6d7h8s9c", "8c"),
    ("2c5c7cJcQc", "2d"),
    ("3c3d3h8s8c", "Ad"),
    ("9c9d9h9s2d", "Kd"),
    ("9c8d7h6s5c5d", "4c"),
]


@pytest.mark.long
def test_a_strong_bet_with_its_purchases_against_sampling(share: Share[tuple[str, str]]) -> None:
    """The approximate worth is within a fiftieth of the sampled one and its sampling error."""
    for cards, up in share(STRONG):
        held, shown = parse_cards(cards), card(up)
        hand, left, random = read_hand(held), left_after(held, [shown]), Random(5)
        results = []
        for _ in range(1_500):
            dealer = (shown, *random.sample(left, 4))
            value = value_of(dealer)
            if not qualifies(value):
                results.append(max(purchase(GAME, 100, hand, dealer, held)))
            else:
                won = 2 * hand.pays if hand.value > value else -LOST
                results.append(0 if hand.value == value else won)
        mean = sum(results) / len(results)
        error = (sum((result - mean) ** 2 for result in results) / len(results) ** 2) ** 0.5
        worth = outlook(GAME, 100, shown, held).bet(hand)
        assert abs(worth - mean) < 0.02 * mean + 3 * error, cards


def test_a_purchase_against_every_card() -> None:
    """Three nines and K-T-8-6-4: twelve cards make a pair, three kings bring one more change."""
    hand = read_hand(parse_cards("9c9d9h5s3c"))
    dealer = parse_cards("KhTd8s6h4d")
    accepted, bought = purchase(GAME, 100, hand, dealer, parse_cards("9c9d9h5s3c"))
    assert accepted == 1
    # Of 42 cards 12 pair the dealer, who loses 6; of the 41 after a king the same 12 do. The other
    # cards pay 1. No straight and no flush is near; a seven would make it with T-8-6-4 alone.
    king = (12 * 6 + 29) / 41
    assert bought == pytest.approx((12 * 6 + 3 * king + 27 * 1) / 42 - 1)


def test_a_purchase_of_a_low_hand_loses() -> None:
    cards = parse_cards("AcQd9h5s3c")
    accepted, bought = purchase(GAME, 100, read_hand(cards), parse_cards("KhTd8s6h4d"), cards)
    assert bought < 0 < accepted


def test_a_purchase_counts_equal_hands_as_stand_offs() -> None:
    """A dealer with four cards of the box's ranks: the pair of tens is equal, others are below."""
    cards = parse_cards("TcTs8d6c4c")
    dealer = parse_cards("KhTd8s6h4d")
    bought = purchase(GAME, 100, read_hand(cards), dealer, cards).bought
    # One ten is left: a stand-off. Two eights, sixes and fours each are pairs below: two antes won.
    king = (1 * 0 + 6 * 2 + 34) / 41
    assert bought == pytest.approx((1 * 0 + 6 * 2 + 3 * king + 32) / 42 - 1)


def test_the_maximum_payout_is_reckoned_with() -> None:
    capped = replace(GAME, max_payout=150)
    hand, cards = read_hand(parse_cards("9c9d9h5s3c")), parse_cards("9c9d9h5s3c")
    dealer = parse_cards("KhTd8s6h4d")
    king = (12 * 1.5 + 29) / 41
    offer = purchase(capped, 100, hand, dealer, cards)
    assert offer.bought == pytest.approx((12 * 1.5 + 3 * king + 27) / 42 - 1)
    assert purchase(replace(GAME, max_payout=50), 100, hand, dealer, cards).accepted == 0.5
    full = outlook(GAME, 100, card("2s"), cards).bet(hand)
    assert outlook(capped, 100, card("2s"), cards).bet(hand) < full


@each(
    ("9c9d9h5s3c", {}, 600),
    ("9c9d9h5s3c", {"max_insurance": 200}, 200),
    ("9c9d9h5s3c", {"max_insurance": 50}, 50),
    ("9c9d9h5s3c", {"max_insurance": 49}, 0),
    ("9c9d9h5s3c", {"max_payout": 450}, 450),
    ("9c9d5h5s3c", {}, 0),
)
def test_the_most_a_hand_is_insured_for(cards: str, options: dict[str, int], most: int) -> None:
    assert most_insurance(replace(GAME, **options), 100, read_hand(parse_cards(cards))) == most


def test_insurance_is_taken_where_it_wins_on_average() -> None:
    """Three aces and a king in hand leave the dealer little to qualify with against a low card."""
    good = parse_cards("AcAdAh2sKc")
    last = finish(GAME, 100, read_hand(good), card("2c"), good)
    assert (last.insurance, last.folds) == (800, False)
    assert last.unqualified_chance > 0.5
    last = finish(GAME, 100, read_hand(good), card("Ks"), good)
    assert last.insurance == 0
    assert last.unqualified_chance < 0.5
    nothing = parse_cards("7c5d4h3s2d")
    assert finish(GAME, 100, read_hand(nothing), card("Ks"), nothing).folds


def test_insurance_adds_what_it_wins_to_a_finished_hand() -> None:
    cards = parse_cards("AcAdAh2sKc")
    hand = read_hand(cards)
    expected = outlook(GAME, 100, card("2c"), cards)
    added = expected.insurance_rate * 8
    assert expected.finished(hand) == pytest.approx(expected.bet(hand) + added)
    limited = outlook(replace(GAME, max_insurance=300), 100, card("2c"), cards)
    assert limited.finished(hand) == pytest.approx(limited.bet(hand) + added * 3 / 8)
    refused = outlook(replace(GAME, max_insurance=49), 100, card("2c"), cards)
    assert refused.finished(hand) == refused.bet(hand)


def test_the_lowest_three_of_a_kind_can_be_insured() -> None:
    cards = parse_cards("2c2d2h4s3c")
    hand = read_hand(cards)
    # Nothing pairs the last two, and one card is gone of most others.
    gone = parse_cards("AcAdKcKdQcJcTc9c8c7c6c5c")
    expected = outlook(GAME, 100, card("2s"), (*cards, *gone))
    assert expected.insurance_rate > 0
    added = expected.insurance_rate * 6
    assert expected.finished(hand) == pytest.approx(expected.bet(hand) + added)


def unqualified_worth(game: RussianPoker, cards: Sequence[Card], seen: Sequence[Card]) -> float:
    """What a hand is reckoned to win from dealers who show a nine and do not qualify."""
    hand, expected = read_hand(cards), outlook(game, 100, card("9d"), seen)
    dealer, win = expected.dealer, min(2 * hand.pays, game.max_payout / 100)
    below, not_above = dealer.below([hand.value])[0], dealer.not_above([hand.value])[0]
    qualified = win * below - LOST * (dealer.qualified - not_above)
    return (expected.bet(hand) * dealer.total - qualified) / (dealer.total - dealer.qualified)


@every(cards=["8c8d8h5s3c", "8c7d6h5s4c"])
def test_purchases_are_estimated_to_a_fifth_of_an_ante(cards: str) -> None:
    held, random = parse_cards(cards), Random(5)
    left, won = left_after(held, [card("9d")]), list[float]()
    while len(won) < 300:
        dealer = (card("9d"), *random.sample(left, 4))
        if not qualifies(value_of(dealer)):
            won.append(max(purchase(GAME, 100, read_hand(held), dealer, held)))
    assert unqualified_worth(GAME, held, held) == pytest.approx(sum(won) / len(won), abs=0.2)


def test_a_straight_also_beats_the_straights_that_a_bought_card_makes() -> None:
    """Where both win six antes, the lowest straight wins nine more from a sixtieth of dealers."""
    game = replace(GAME, max_payout=600)
    three, straight = parse_cards("2c2d2h4s3c"), parse_cards("Ac2d3h4s5c")
    seen = (*three, *straight)
    more = unqualified_worth(game, straight, seen) - unqualified_worth(game, three, seen)
    assert 0.1 < more < 0.2
