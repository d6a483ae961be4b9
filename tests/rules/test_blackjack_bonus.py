"""The bonus of blackjack: every line in both readings of the third card, named cards, the pools."""

from games.rules.blackjack.game import WHEEL, Blackjack
from games.rules.blackjack.state import Bet
from games.rules.cards import Card
from games.rules.contract import HOUSE
from games.rules.house.actions import Pool
from games.rules.house.sides import SideContext
from games.rules.messages import sentence
from tests.rules.blackjack_table import closed, moved, settle
from tests.rules.cases import each, every

OWN = Blackjack()
UP = Blackjack(third_card="dealer_up")
BONUS = [(1, Bet(1, 100, 100))]


def bonus_won(
    cards: str, words: str, game: Blackjack = OWN, context: SideContext | None = None
) -> int:
    """What a bonus of 100 wins beside whatever the hand does; a jackpot holds 10,000."""
    without = settle(cards, words, [(1, Bet(1, 100))], game).net[1]
    state = moved(closed(cards, BONUS, game, context=context or SideContext()), words, game)
    if state.phase == "pool":
        state = game.apply(state, HOUSE, Pool("progressive", 10_000))
    return game.settle(state).net[1] - without


@each(
    # The first two cards.
    ("Ac9dTc", "", 1_000, 1_000),
    ("Qs9dAs", "", 1_000, 1_000),
    ("Ac9dTd", "", 500, 500),
    ("Kh9dAs", "", 500, 500),
    ("AcTdThAs", "", 500, 500),
    ("Tc9d9hTs", "stand", -100, -100),
    # 21 after a split is no blackjack of the bonus.
    ("Ac6dAdTcThTsTd", "split", -100, -100),
    # Six, seven and eight, the third card drawn by a hit or a double.
    ("6c9d7c8cTs", "hit", 24_000, -100),
    ("8cTd6c7cTs", "double", 24_000, -100),
    ("6c9d7d8cTs", "hit", 6_000, -100),
    ("7h9d8s6hTs", "double", 6_000, -100),
    # Sevens, of mixed suits and of one.
    ("7c9d7d7hTs", "hit", 12_000, -100),
    ("7c9d7c7hTs", "hit", 12_000, -100),
    ("7c9d7c7cTs", "hit", 1_000, -100),
    ("7h9d7h7hTs", "double", 1_000, -100),
    ("7s9d7s7sTs", "hit", 2_000, -100),
    # A fourth card comes too late.
    ("6c9d7d2c8h", "hit hit", -100, -100),
    # After a split no hand has a third card.
    ("7c6d7d7hTsTdTc", "split stand stand", -100, -100),
    ("7c6d7d2h7sTsTdTc", "split hit stand stand", -100, -100),
    # The dealer's first card as the third.
    ("6c7c8cTs", "stand", -100, 24_000),
    ("6c7d8cTs", "stand", -100, 6_000),
    ("7c7d7hTs", "stand", -100, 12_000),
    ("7c7c7cTs", "stand", -100, 1_000),
    ("7s7s7sTs", "stand", -100, 2_000),
    ("7s7s7sTcTdTh", "split stand stand", -100, 2_000),
    ("6c7c8c", "surrender", -100, 24_000),
)
def test_winnings_of_a_bonus_of_a_hundred(cards: str, words: str, own: int, up: int) -> None:
    assert bonus_won(cards, words, OWN) == own
    assert bonus_won(cards, words, UP) == up


@every(options=[{"jackpot_bp": 0}, {"tournament": True}], cards=["7c9d7c7cTs", "7s9d7s7sTs"])
def test_without_a_jackpot_suited_sevens_pay_like_mixed_ones(
    cards: str, options: dict[str, bool]
) -> None:
    assert bonus_won(cards, "hit", Blackjack(**options)) == 12_000  # type: ignore[arg-type]


def test_the_shares_of_the_jackpot_are_options() -> None:
    game = Blackjack(spades_bp=5_000, suited_bp=0)
    assert bonus_won("7s9d7s7sTs", "hit", game) == 5_000
    assert bonus_won("7c9d7c7cTs", "hit", game) == 12_000


def test_the_players_of_a_box_hit_the_jackpot_together() -> None:
    bets = [(2, Bet(1, 100, 100)), (1, Bet(1, 100)), (3, Bet(1, 100, 200))]
    state = moved(closed("7s9d7s7s8d", bets), "hit")
    assert state.phase == "pool"
    settlement = OWN.settle(OWN.apply(state, HOUSE, Pool("progressive", 10_000)))
    # 21 against 17, and a fifth of the pool for each, whatever the bonus bet was.
    assert settlement.net == {1: 100, 2: 100 + 2_000, 3: 100 + 2_000, 4: 0, HOUSE: -4_300}
    assert settlement.pools == {"progressive": 30 - 4_000}
    sentences = [sentence(line) for line in settlement.lines if line.key == "jackpot"]
    assert sentences[0] == "2 wins 20% of the jackpot of 10000 on box 1: spade_777"


@each(
    ("Tc9d6hTs", SideContext(bonus_card=Card.CT), 1_000),
    ("Tc9d6hTs", SideContext(bonus_card=Card.H6), 1_000),
    # Only the first two cards are looked at, by rank and suit.
    ("Tc9d6hTs", SideContext(bonus_card=Card.D9), -100),
    ("Tc9d6hTs", SideContext(bonus_card=Card.ST), -100),
    ("Tc9d6hTs", SideContext(bonus_card=Card.DT), -100),
    ("Tc9dTcTs", SideContext(bonus_card=Card.CT), 1_000),
    ("Ac9dTc", SideContext(bonus_card=Card.CA), 2_000),
    ("Tc9d6hTs", SideContext(wheel_card=Card.H6, wheel=75), 100),
    ("Tc9d6hTs", SideContext(wheel_card=Card.H6, wheel=99), 1_000),
    ("Tc9d6hTs", SideContext(wheel_card=Card.H6, wheel=74), -100),
    ("Tc9d6hTs", SideContext(lucky_card=Card.H6, lucky_game=0), -100),
)
def test_named_cards(cards: str, context: SideContext, won: int) -> None:
    words = "" if cards.startswith("Ac") else "stand"
    assert bonus_won(cards, words, OWN, context) == won


def test_the_named_cards_of_a_split_box_are_its_first_two() -> None:
    state = moved(closed("8c6d8hTs9dTcTh", BONUS, context=SideContext(bonus_card=Card.H8)), "split")
    settlement = OWN.settle(moved(state, "stand stand"))
    assert settlement.net[1] == 200 + 1_000


def test_each_box_has_its_own_first_two_cards() -> None:
    bets = [(1, Bet(2, 100, 100)), (1, Bet(5, 100, 100)), (1, Bet(6, 100, 100))]
    state = closed("2cAc3c9d4cTc5cTs", bets)
    settlement = OWN.settle(moved(state, "stand stand"))
    won = [line.values["box"] for line in settlement.lines if line.key == "bonus_won"]
    assert won == [5]


def test_the_wheel_has_a_hundred_places() -> None:
    assert sum(segment.weight for segment in WHEEL) == 100
    assert OWN.draws() == {"bonus_card": 52, "wheel_card": 52, "wheel": 100}


def test_the_draws_are_shown_when_the_betting_has_ended() -> None:
    drawn = SideContext(bonus_card=Card.CT, wheel_card=Card.H6, wheel=99, mystery_left=7)
    state = closed("Tc9d6hTs", BONUS, context=drawn)
    sides = OWN.view(state, 1).sides
    assert sides is not None
    assert (sides.bonus_card, sides.wheel_card, sides.wheel_multiple) == (Card.CT, Card.H6, None)
    over = OWN.view(moved(state, "stand"), 1).sides
    assert over is not None
    assert over.wheel_multiple == 10
