"""Fujian thirteen cards: jokers, and what happens to a foul where none is allowed."""

import pytest

from games.rules.cards import DECK, JOKERS, parse_cards
from games.rules.contract import SeatStack
from games.rules.errors import Illegal
from games.rules.thirteen.fujian import ThirteenFujian
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.state import ThirteenContext
from tests.rules.cases import each, unreadable
from tests.rules.test_thirteen_four import FALSE, FOULED, FUJIAN, LOW, SECOND, THIRD, TOP, fujian
from tests.rules.thirteen_table import FOUR_HANDS, opened, passed, read_hand, row_results, settle

NO_FOULS = fujian()


def test_two_jokers_make_54_cards_of_which_two_are_not_dealt() -> None:
    assert ThirteenFujian().jokers == 2
    assert FUJIAN.composition() == (*DECK, *JOKERS)
    shoe = (*JOKERS, *DECK)
    stakes = [SeatStack(seat, 1_000) for seat in (1, 2, 3, 4)]
    state = FUJIAN.open(stakes, shoe, ThirteenContext(button=2))
    for number, card in enumerate(shoe):
        holders = [seat for seat, hand in enumerate(state.hands, 1) if card in hand]
        assert holders == ([(3, 4, 1, 2)[number % 4]] if number < 52 else [])
    views = [FUJIAN.view(state, seat) for seat in (None, 1, 2, 3, 4)]
    assert all(card not in view.hand for view in views for card in shoe[52:])


def test_a_table_without_jokers() -> None:
    game = fujian(jokers=0)
    assert game.composition() == DECK
    unreadable("card_not_in_shoe", opened, game, SECOND, THIRD, LOW, TOP.replace("Ac", "BJ"))
    assert passed(settle(game, *FOUR_HANDS), 1, 2) == 12


def test_five_of_a_kind_is_ten_in_the_back_and_twenty_in_the_middle() -> None:
    fives = "2c3d5h / 4c4d4h4sBJ / 9c9d9h9sRJ"
    other = "AsKsQd / 2s3s6s7sTs / JcJdJhQcQs"
    assert row_results(settle(FUJIAN, fives, other), 1, 2) == {
        "front": -1,
        "middle": 20,
        "back": 10,
    }


def test_a_wild_row_is_worth_what_the_real_one_is() -> None:
    wild = "2cBJRJ / 3c4d5h6s7c / 5d6c7h8s9c"
    other = "AsKsQd / 4c5s6h7s8c / 2s3s4s9sTs"
    assert row_results(settle(FUJIAN, wild, other), 1, 2) == {"front": 3, "middle": -1, "back": -1}


@each(
    (FOULED, "middle_too_high", "The middle row is higher than the back row allows."),
    (
        "2d2h5c / 3d4h6dKdTc / 2c3c3sTdKc",
        "front_too_high",
        "The front row is not lower than the middle row.",
    ),
    (FALSE, "natural_not_held", "You do not hold that natural."),
)
def test_a_foul_is_refused_with_its_reason_and_may_be_mended(
    hand: str, code: str, sentence: str
) -> None:
    state = opened(NO_FOULS, LOW, SECOND, THIRD, TOP)
    arranged = read_hand(hand).arranged
    assert arranged is not None
    with pytest.raises(Illegal) as refusal:
        NO_FOULS.apply(state, 1, arranged)
    assert (refusal.value.code, refusal.value.sentence) == (code, sentence)
    mended = read_hand(LOW).arranged
    assert mended is not None
    assert NO_FOULS.to_act(NO_FOULS.apply(state, 1, mended)) == {2, 3, 4}
    # Where fouls are allowed the same is taken as it is.
    assert FUJIAN.to_act(FUJIAN.apply(state, 1, arranged)) == {2, 3, 4}


def test_fouls_are_refused_unless_the_table_allows_them() -> None:
    assert not ThirteenFujian().allow_foul


# Jokers in specials: any card, one already held included.
@each(
    ("pure_dragon", "2s3s4s5s6s7s8s9sTsJsQsBJRJ"),
    ("dragon", "2c3d4h5c6d7h8c9dThJcQdKhBJ"),
    ("twelve_royals", "JcJdJhJs QcQdQhQs KcKdKh BJRJ"),
    ("three_straight_flushes", "2c3cBJ 5d6d7d8d9d 6h7h8h9hRJ"),
    ("three_fours", "2c2d2h2s 5c5d5h5s 9c9dBJRJ Kc"),
    ("all_big", "8c8d8h 9c9d TcTd JhJs Qc KdKh BJ"),
    ("all_small", "2c2d 3h3s 4c4d 5h5s 6c6d BJ 8s8d"),
    ("one_colour", "2c2s4c4s5c6s7c9c9sJcKcKsRJ"),
    ("double_full_house", "2c2d2h3c3d 5c5dBJ6c6d 8cRJ 9h"),
    ("four_trips", "2c2d2h 5c5d5h 8c8dBJ JcJdRJ Ks"),
    ("trips_five_pairs", "2c2dRJ 4c4d 6c6d 8c8d TcTd QcBJ"),
    ("six_pairs", "2c2d 4c4d 6c6d 8c8d TcTd QcBJ Ks"),
    ("three_straights", "2c3dBJ 3c4c5d6h7s 8c9dThJcRJ"),
    ("three_flushes", "2c5cBJ 3d4d8dTdQd 2h6h7hJhRJ"),
    # Five fours are two pairs and one over.
    ("six_pairs", "2c2d 3c 4c4d4h4s 6c6d 7h BJ 8c8d"),
)
def test_jokers_complete_a_special(special: str, cards: str) -> None:
    assert Natural(special) in FUJIAN.held_naturals(parse_cards(cards))
