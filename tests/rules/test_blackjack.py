"""What a hand of blackjack is worth and pays: totals, the dealer, splits, lines."""

from collections.abc import Iterable
from itertools import product
from random import Random

from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.state import Bet
from games.rules.blackjack.totals import dealer_hand, is_blackjack, points_of, total_of
from games.rules.cards import DECK, Card, parse_cards
from games.rules.contract import HOUSE
from games.rules.messages import sentence
from tests.rules.blackjack_table import settle
from tests.rules.cases import each

SOFT = Blackjack(hit_soft_17=True)


ORIGINAL = Blackjack(original_bets_only=True)


@each(
    ("2c3d", 5, False),
    ("9c8d", 17, False),
    ("Tc9d", 19, False),
    ("JcQd", 20, False),
    ("KcTd", 20, False),
    ("Ac", 11, True),
    ("AcAd", 12, True),
    ("Ac6d", 17, True),
    ("AcKd", 21, True),
    ("Ac6dTh", 17, False),
    ("Ac9dAh", 21, True),
    ("AcAdTh9s", 21, False),
    ("AcAdTh", 12, False),
    ("Tc5d6h", 21, False),
    ("Tc5d7h", 22, False),
    ("TcKdQhJs", 40, False),
    ("AcAdAhAsAcAdAhAsAcAdAh", 21, True),
)
def test_totals(cards: str, points: int, soft: bool) -> None:
    assert total_of(parse_cards(cards)) == (points, soft)


@each(
    ("AcTd", True),
    ("JdAc", True),
    ("AcQc", True),
    ("KsAs", True),
    ("Ac9d", False),
    ("TcTd", False),
    ("AcAd", False),
    ("5c6dTh", False),
    ("Ac", False),
)
def test_blackjack_is_an_ace_and_a_ten_value(cards: str, blackjack: bool) -> None:
    assert is_blackjack(parse_cards(cards)) is blackjack


@each(
    # The dealer's hand when it stands on every 17, and when it hits a soft one.
    ("Tc7d2h", "Tc7d", "Tc7d"),
    ("Tc6d5h2c", "Tc6d5h", "Tc6d5h"),
    ("Tc6dTh", "Tc6dTh", "Tc6dTh"),
    ("6cAd4h2c", "6cAd", "6cAd4h"),
    ("Ac6dTh5c2d", "Ac6d", "Ac6dTh"),
    ("Ac7d2h", "Ac7d", "Ac7d"),
    ("AcAd5hTc", "AcAd5h", "AcAd5hTc"),
    ("AcKd2c", "AcKd", "AcKd"),
    ("AcAdTh9s2c", "AcAdTh9s", "AcAdTh9s"),
    ("2c2d2h2s2c2d5h", "2c2d2h2s2c2d5h", "2c2d2h2s2c2d5h"),
    ("2cAd4hTc2d", "2cAd4h", "2cAd4hTc"),
    ("9c2dTh", "9c2dTh", "9c2dTh"),
)
def test_the_dealer_draws_to_sixteen(cards: str, hard: str, soft: str) -> None:
    up, *rest = parse_cards(cards)
    for hits, expected in ((False, hard), (True, soft)):
        assert dealer_hand(tuple(rest), 0, up, hits_soft_17=hits) == parse_cards(expected)


def counted(cards: Iterable[Card]) -> set[int]:
    """Every total that the cards can have, each ace as one or as eleven."""
    values = [(1, 11) if card.text[0] == "A" else (min(card.rank, 10),) for card in cards]
    return {sum(way) for way in product(*values)}


def plain_dealer(cards: list[Card], *, hits_soft_17: bool) -> list[Card]:
    """The dealer's hand, each card drawn only when all totals so far have been looked at."""
    hand = cards[:1]
    while True:
        within = [total for total in counted(hand) if total <= 21]
        soft = len(within) > 1
        if not within or max(within) >= (18 if soft and hits_soft_17 else 17):
            return hand
        hand = cards[: len(hand) + 1]


def test_totals_and_the_dealer_are_what_counting_every_ace_both_ways_gives() -> None:
    for seed in range(1_000):
        cards = Random(seed).sample(DECK, 12)
        for count in (2, 3, 5):
            totals = counted(cards[:count])
            best = max([total for total in totals if total <= 21], default=min(totals))
            assert points_of(cards[:count]) == best
            assert is_blackjack(cards[:count]) == (count == 2 and best == 21)
        for hits in (False, True):
            hand = dealer_hand(tuple(cards), 1, cards[0], hits_soft_17=hits)
            assert list(hand) == plain_dealer(cards, hits_soft_17=hits)


@each(
    # Higher wins, lower loses, equal is a stand-off.
    ("Tc9dTh8s", "stand", 100),
    ("Tc9d7h9s", "stand", -100),
    ("Tc9d8h9s", "stand", 0),
    ("Tc9d8hTs", "stand", -100),
    ("Tc9d9hTs", "stand", 0),
    # A bust dealer pays all hands that still stand.
    ("Tc6d2hTsTd", "stand", 100),
    ("2c6d3hTsTd", "stand", 100),
    # Bust loses at once, and the dealer does not draw.
    ("Tc9d6hTs", "hit", -100),
    ("2c9d3h4sTdKc", "hit hit hit", -100),
    # 21 stands by itself, in two cards more as well.
    ("5c9d6hTs8c", "hit", 100),
    ("2c9d3h6sTd8c", "hit hit", 100),
    ("5c9d6hTs2cTd", "hit", 0),
    # A soft hand goes on as a hard one.
    ("Ac9d6hTs8c", "hit stand", 0),
    ("Ac9d6h4s8c", "hit", 100),
    # The dealer stands on a soft 17.
    ("Tc6d8hAs", "stand", 100),
    ("Tc6d7hAs", "stand", 0),
    # Blackjack is paid at once against two to nine.
    ("Ac9dTh", "", 150),
    ("Kc2dAh", "", 150),
    # Against a ten-value or an ace it waits for one card.
    ("AcTdTh9s", "", 150),
    ("AcTdThAs", "", 0),
    ("AcKdQhAs", "", 0),
    ("AcAdTh9s", "stand", 150),
    ("AcAdThTs", "stand", 0),
    # Even money is paid at once.
    ("AcAdTh", "even", 100),
    # Insured, it is paid besides, or loses the insurance.
    ("AcAdThTs", "insure:50", 100),
    ("AcAdTh9s", "insure:50", 100),
    # A dealer's blackjack beats 21.
    ("5cTd6hTsAc", "hit", -100),
    ("5cAd6hTsTc", "hit", -100),
    # But 21 of three cards of the dealer's is a stand-off with 21.
    ("5c5d6hTs6cTd", "hit", 0),
    # Insurance saves the stake against blackjack and is lost against all else.
    ("TcAd9hTs", "insure:50 stand", 0),
    ("TcAd9h7s", "insure:50 stand", 50),
    ("TcAd9h9s", "insure:50 stand", -150),
    ("TcAd9h9s", "stand", -100),
    # A bust hand's insurance is decided with one card, and no more.
    ("TcAd6hTs5h", "insure:50 hit", -150),
    ("TcAd6hTsTh", "insure:50 hit", 0),
    # Doubled: twice the stake, one card, no further draw.
    ("5c9d6hTs8c", "double", 200),
    ("5c9d6h4s8c", "double", -200),
    ("5c9d6h6s8c", "double", 0),
    ("5c9d6h2s8c", "double", -200),
    ("Tc9d6hTs", "double", -200),
    ("Ac6d6hTs9cTd", "double", 200),
    # The dealer's blackjack takes all that was doubled.
    ("5cTd6hTsAc", "double", -200),
    # Surrender gives half back at once, but not against an ace.
    ("Tc9d6h", "surrender", -50),
    ("TcTd6h", "surrender", -50),
    ("8cTd8h", "surrender", -50),
)
def test_winnings_of_a_bet_of_a_hundred(cards: str, words: str, won: int) -> None:
    settlement = settle(cards, words)
    assert settlement.net == {1: won, 2: 0, 3: 0, 4: 0, HOUSE: -won}
    assert settlement.rake == {}


@each(
    # Each hand plays on by itself; the second gets its card when it is reached.
    ("8c6d8hTs9dTcTh", "split stand stand", 200),
    ("8c9d8hTs9dTc", "split stand stand", -200),
    ("8c9d8hAs9d9c", "split stand stand", 0),
    ("8c7d8h3sTcThTd", "split hit stand", 200),
    # Ten-values of different ranks can be split.
    ("Kc6dTh9sTsTcTd", "split stand stand", 200),
    ("Jc6dQh5s5dTcTh", "split stand stand", 200),
    # Double after a split.
    ("8c6d8h3sTd9cThTs", "split double stand", 300),
    ("8c6d8h9s3dTdTcTs", "split stand double", 300),
    # Aces get one card each and are not split again.
    ("Ac6dAhTs9dTcTh", "split", 200),
    ("Ac6dAhAs2dTcTh", "split", 200),
    # With a ten-value they are 21, and no blackjack.
    ("Ac6dAhKs9dTc5s", "split", -100),
    ("AcTdAhKsQdTc", "split", 200),
    ("Tc6dKhAs9dTcTh", "split stand", 200),
    ("TcTdKhAs9dTs", "split stand", 0),
    ("TcTdKhAs9dAh", "split stand", -200),
    # Split again, up to four hands: the new hand comes right behind.
    ("8c6d8h8sTs9dTdTcTh", "split split stand stand stand", 300),
    ("8c9d8hTs8sTdAdTc", "split stand split stand stand", -200),
    ("8c6d8h8s8dTs9sTdThTcJc", "split split split stand stand stand stand", 400),
    # A hand that is bust loses even where the dealer is bust.
    ("8c6d8h5sTd9sTcTh", "split hit stand", 0),
    # All hands bust: the dealer does not draw.
    ("8c6d8h5sTd6sTc", "split hit hit", -200),
    # The dealer's blackjack takes all that was split and doubled.
    ("8cTd8h3sTc9dAs", "split double stand", -300),
    ("8cTd8hTs9dAs", "split stand stand", -200),
)
def test_splits(cards: str, words: str, won: int) -> None:
    assert settle(cards, words).net[1] == won


@each(
    ("5cTd6hTsAc", "double", -100),
    ("5cAd6hTsTc", "double", -100),
    ("8cTd8hTs9dAs", "split stand stand", -100),
    ("8cTd8h3sTc9dAs", "split double stand", -100),
    # What is bust was lost before: first the added hand, then the original one.
    ("8cTd8h9s6dTsAs", "split stand hit", -200),
    ("8cTd8h6s9sTdAs", "split hit stand", -100),
)
def test_a_table_may_take_original_bets_only(cards: str, words: str, won: int) -> None:
    assert settle(cards, words, game=ORIGINAL).net[1] == won


def test_original_bets_only_changes_nothing_against_other_hands() -> None:
    assert settle("5c9d6h4s8c", "double", game=ORIGINAL).net[1] == -200
    assert settle("5cTd6h4s8c", "double", game=ORIGINAL).net[1] == -200


@each(
    # What is paid is rounded down: three halves of 101 and 1, the half given back.
    ("Ac9dTh", "", 101, 151),
    ("Ac9dTh", "", 1, 1),
    ("Tc9d6h", "surrender", 101, -51),
    ("Tc9d6h", "surrender", 1, -1),
)
def test_rounding(cards: str, words: str, stake: int, won: int) -> None:
    assert settle(cards, words, [(1, Bet(1, stake))], Blackjack(min=1)).net[1] == won


@each((500, False, 95), (500, True, 100), (0, False, 100))
def test_rake(rake_bp: int, tournament: bool, won: int) -> None:
    game = Blackjack(rake_bp=rake_bp, tournament=tournament)
    assert settle("Tc9dTh8s", "stand", game=game).net[1] == won


def test_a_table_may_hit_soft_17() -> None:
    assert settle("Tc6d8hAs", "stand").net[1] == 100
    assert settle("Tc6d8hAs2c", "stand", game=SOFT).net[1] == -100


def test_every_chip_of_a_split_is_explained() -> None:
    settlement = settle("8c9d8hAs9d9c", "split stand stand")
    assert [sentence(line) for line in settlement.lines] == [
        "1 is paid 1:1 on the hand_1 of 100 on box 1",
        "1 loses the hand_2 on box 1",
    ]
    surrendered = settle("Tc9d6h", "surrender")
    assert [sentence(line) for line in surrendered.lines] == [
        "1 loses the surrendered_half on box 1"
    ]


@each(
    ("AcAdTh", "even", ["1 is paid 1:1 on the even_money of 100 on box 1"]),
    ("AcAdThTs", "insure:50", ["1 is paid 2:1 on the insurance of 50 on box 1"]),
    (
        "TcAd9h9s",
        "insure:50 stand",
        ["1 loses the hand on box 1", "1 loses the insurance on box 1"],
    ),
    ("Tc9d9hTs", "stand", []),
)
def test_settlement_lines_name_each_bet(cards: str, words: str, sentences: list[str]) -> None:
    settlement = settle(cards, words)
    assert [sentence(line) for line in settlement.lines] == sentences
    assert [move.reason for move in settlement.transfers] == [
        str(line.values["bet"]) for line in settlement.lines
    ]


def test_the_maximum_payout_cuts_what_a_box_wins() -> None:
    game = Blackjack(max_payout=250)
    bets = [(1, Bet(1, 100)), (2, Bet(1, 100)), (1, Bet(2, 100))]
    settlement = settle("AcAd9dThTs", "", bets, game)
    assert settlement.net == {1: 150 + 150, 2: 100, 3: 0, 4: 0, HOUSE: -400}
    assert [sentence(line) for line in settlement.lines if line.key == "box_payout_cap"] == [
        "the wins of box 1 come to 300, and the table pays no more than 250"
    ]
