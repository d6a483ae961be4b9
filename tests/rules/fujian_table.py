"""A table of Fujian thirteen cards, and hands with each special."""

from collections.abc import Sequence
from typing import Any

from games.rules.cards import DECK, Card
from games.rules.contract import SeatStack
from games.rules.thirteen.fujian import ThirteenFujian
from games.rules.thirteen.state import ThirteenContext, ThirteenState
from tests.rules.thirteen_table import FOUR_HANDS

TOP, SECOND, THIRD, LOW = FOUR_HANDS


def table(**options: Any) -> ThirteenFujian:
    return ThirteenFujian(**{"point": 1, "rake_bp": 0, **options})


ALL = table()

# Each special, in the printed order.
SPECIALS = {
    "pure dragon": ("pure_dragon: 2s3s4s5s6s7s8s9sTsJsQsKsAs", 52),
    "dragon": ("dragon: 2c3d4h5c6d7h8c9dThJcQdKhAc", 26),
    "twelve royals": ("twelve_royals: JcJdJhJs QcQdQhQs KcKdKhKs Ac", 24),
    "three straight flushes": ("three_straight_flushes: 2c3c4c 5d6d7d8d9d 6h7h8h9hTh", 18),
    "three fours": ("three_fours: 2c2d2h2s 5c5d5h5s 9c9d9h9s Kc", 16),
    "all big": ("all_big: 8c8d8h 9c9d TcTd JhJs Qc KdKh As", 10),
    "all small": ("all_small: 2c2d 3h3s 4c4d 5h5s 6c6d 7h 8s8d", 10),
    "one colour, black": ("one_colour: 2c2s4c4s5c6s7c9c9sJcKcKsAc", 10),
    "one colour, red": ("one_colour: 2d2h4d4h5d6h7d9d9hJdKdKhAd", 10),
    "two full houses and a pair": ("double_full_house: 2c2d2h3c3d 5c5d5h6c6d 8c8d 9h", 8),
    "four trips": ("four_trips: 2c2d2h 5c5d5h 8c8d8h JcJdJh Ks", 6),
    "trips and five pairs": ("trips_five_pairs: 2c2d2h 4c4d 6c6d 8c8d TcTd QcQd", 5),
    "six and a half pairs": ("six_pairs: 2c2d 4c4d 6c6d 8c8d TcTd QcQd Ks", 3),
    "three straights": ("three_straights: 2c3d4h 3c4c5d6h7s 8c9dThJcQd", 3),
    "three straights with Q-K-A in front": ("three_straights: QcKdAh 2c3d4h5c6d 2s3h4c5d6h", 3),
    "three flushes": ("three_flushes: 2c5c9c 3d4d8dTdQd 2h6h7hJhKh", 3),
}


# Special against special, the winner first

BLACK = "one_colour: 2c2s4c4s5c6s7c9c9sJcKcKsAc"


RED_SMALL = "all_small: 2d2h3d3h4d4h5d5h6d6h7d7h8d"


RED_BIG = "all_big: 8h9d9hTdThJdJhQdQhKdKhAdAh"


def dealt_to_first(cards: Sequence[Card]) -> ThirteenState:
    """Seat 1 holds these cards, the others what there is, and all are to arrange."""
    left = iter(card for card in DECK if card not in cards)
    order = [card for own in cards for card in (own, next(left), next(left), next(left))]
    stakes = [SeatStack(seat, 1_000) for seat in (1, 2, 3, 4)]
    return ALL.open(stakes, order, ThirteenContext(button=4))
