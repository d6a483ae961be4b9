"""Russian poker: the bonus bet, its cards and its share of the jackpot."""

from msgspec import convert
from msgspec.structs import replace

from games.rules.cards import parse_cards
from games.rules.contract import HOUSE, Action
from games.rules.house.actions import Close, Pool
from games.rules.house.antes import Ante, Fold
from games.rules.house.sides import Segment, SideContext
from games.rules.russian_poker.boxes import Bet, Buy, Exchange
from tests.rules.cases import each, every
from tests.rules.harness import Moves
from tests.rules.russian_poker_round import (
    ACE_KING,
    GAME,
    PAIR,
    THREE,
    dealt,
    net,
    one_box,
    settled,
)


@each(
    (PAIR, -50),
    ("9c 9d 5h 5s 3c", -50),
    (THREE, 500),
    ("9c 8d 7h 6s 5c", 1_050),
    ("9c 8c 2c 6c 5c", 2_000),
    ("9c 9d 9h 5s 5c", 3_000),
    ("9c 9d 9h 9s 5c", 7_500),
)
@every(fold=[True, False])
def test_a_bonus_of_fifty(cards: str, won: int, fold: bool) -> None:
    main = net(cards, ACE_KING, Fold(1) if fold else Bet(1))
    moves = one_box(Fold(1) if fold else Bet(1), bonus=50)
    assert settled(dealt([cards], ACE_KING), moves).net[1] == main + won


def test_the_bonus_is_for_the_first_five_cards() -> None:
    exchanged = [Exchange(1, parse_cards("9d9h")), Bet(1)]
    with_bonus = settled(dealt([THREE], ACE_KING, "2c4c"), one_box(*exchanged, bonus=50)).net[1]
    assert with_bonus == -100 - 300 + 500
    bought = [Buy(1), Bet(1)]
    assert settled(dealt([PAIR], ACE_KING, "9h"), one_box(*bought, bonus=50)).net[1] == 500 - 50


@each(
    ("9c 8c 7c 6c 5c", {}, 1_500),
    ("Ac Kc Qc Jc Tc", {}, 5_000),
    ("9c 8c 7c 6c 5c", {"straight_flush_share_bp": 2_000}, 2_000),
    ("Ac Kc Qc Jc Tc", {"royal_share_bp": 10_000}, 10_000),
)
def test_the_jackpot(cards: str, options: dict[str, int], share_bp: int) -> None:
    game = replace(GAME, **options)
    moves = [*one_box(Fold(1), bonus=50), (HOUSE, Pool("progressive", 10_000))]
    settlement = settled(dealt([cards], ACE_KING), moves, game)
    assert settlement.net[1] == -100 + share_bp
    assert settlement.pools == {"progressive": 5 - share_bp}


def test_without_a_jackpot_its_hands_pay_like_four() -> None:
    game = replace(GAME, jackpot_bp=0)
    settlement = settled(dealt(["9c 8c 7c 6c 5c"], ACE_KING), one_box(Fold(1), bonus=50), game)
    assert settlement.net[1] == -100 + 7_500


@each(
    ({"bonus_card": "9c"}, 500),
    ({"bonus_card": "9s"}, -50),
    ({"wheel_card": "3c", "wheel": 0}, 350),
    ({"lucky_card": "5s", "lucky_game": 0}, 150),
    ({"lucky_card": "5s", "lucky_game": 5}, 200),
    # All that is named may lie in one box, and on one card.
    (
        {"bonus_card": "9c", "wheel_card": "9c", "wheel": 0, "lucky_card": "9c", "lucky_game": 0},
        1_000,
    ),
    # Cards that come later do not count.
    ({"bonus_card": "2c", "wheel_card": "2c", "wheel": 0}, -50),
)
@every(action=[Buy(1), Exchange(1, parse_cards("9c5s3c"))])
def test_named_cards_count_among_the_first_five(
    draws: dict[str, object], won: int, action: Action
) -> None:
    game = replace(
        GAME, wheel_segments=(Segment(1, 7),), lucky_prizes=(Segment(5, 3), Segment(1, 4))
    )
    moves = one_box(action, Fold(1), bonus=50)
    cards = dealt([PAIR], ACE_KING, "2c4c7d")
    settlement = settled(cards, moves, game, context=convert(draws, SideContext))
    assert settlement.net[1] == -200 + won


def test_a_blind_box_has_its_own_bonus() -> None:
    before: Moves = [
        (1, Ante(2, 100)),
        (1, Ante(1, 100, 50, blind=True)),
        (HOUSE, Close()),
        (1, Fold(2)),
    ]
    cards = dealt([THREE, "Jc Ts 8d 5d 2c"], ACE_KING)
    assert settled(cards, before).net[1] == -100 + 600 + 500
