"""Taiwanese and Fujianese thirteen cards, which four play for units: what they have in common.

A gun, winning all three rows, doubles three units in Taiwan and the whole score in Fujian; a home
run, winning all nine, adds six or doubles once more.
"""

from typing import Any, NamedTuple

from games.rules.cards import DECK, Card, cards_text, parse_cards
from games.rules.contract import SeatStack
from games.rules.settlement import Settlement
from games.rules.thirteen.fujian import ThirteenFujian
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.state import Arrange, ThirteenContext
from games.rules.thirteen.taiwan import ThirteenTaiwan
from tests.rules.cases import each, every
from tests.rules.thirteen_table import (
    EIGHTEEN,
    FOUR_HANDS,
    ORDINARY,
    PRICED_ROWS,
    ROYAL_BACK,
    passed,
    read_hand,
    reasons,
    row_results,
    settle,
)

TOP, SECOND, THIRD, LOW = FOUR_HANDS
# The lowest of the four with its back in the middle.
FOULED = "2c3d4h / 3c3sTcTdKd / 2d2h5c6dKc"
ROWS = [("row", 1)] * 3
GUN = [*ROWS, ("gun", 3)]
HOME_RUN = [*GUN, ("home_run", 6)]
FOUL = [("foul_row", 1)] * 3
# Three hands that the best of four beats in each row, with three flushes in the last seat.
BESIDE_FLUSHES = (
    TOP,
    "2s3s7c / 8c8d9cJdQh / 7dTcTdKcKd",
    "4s6s9d / 8h8sThJcKh / TsQcQdAhAs",
    "three_flushes: 2c3c4c5c6c 2d3d4d5d6d 2h4h6h",
)


def taiwan(**options: Any) -> ThirteenTaiwan:
    return ThirteenTaiwan(**{"point": 1, "bet_min": 1, "rake_bp": 0, **options})


def fujian(**options: Any) -> ThirteenFujian:
    return ThirteenFujian(**{"point": 1, "rake_bp": 0, **options})


TAIWAN, FUJIAN = taiwan(), fujian(allow_foul=True)
BOTH = every(game=(TAIWAN, FUJIAN))


def from_each(settlement: Settlement, winner: int) -> list[int]:
    """What passes to a seat from each other."""
    return [passed(settlement, winner, other) for other in (1, 2, 3, 4) if other != winner]


# Dealing and paying


@every(kind=[ThirteenTaiwan, ThirteenFujian])
def test_four_play(kind: type[ThirteenGame]) -> None:
    assert list(kind.seats) == [4]


@BOTH
def test_everyone_meets_everyone_in_the_order_of_the_table(game: ThirteenGame) -> None:
    def moved(**where: int) -> list[tuple[object, object]]:
        lines = settle(game, *FOUR_HANDS, **where).transfers  # type: ignore[arg-type]
        return [(line.source, line.target) for line in lines]

    assert moved() == [(2, 1), (3, 1), (4, 1), (3, 2), (4, 2), (4, 3)]
    # From the left of the button: seats 3, 4, 1, 2.
    assert moved(button=2) == [(4, 3), (3, 1), (3, 2), (4, 1), (4, 2), (2, 1)]


@every(table=[taiwan, fujian])
def test_a_stack_wins_and_pays_no_more_than_itself_in_that_order(table: Any) -> None:
    rich = 10**6
    for tournament, won in ((False, [1_500, 1_019, 0]), (True, [1_500] * 3)):
        game = table(point=125, tournament=tournament)
        result = settle(game, *FOUR_HANDS, stacks=(2_519, rich, rich, rich))
        assert from_each(result, 1) == won
        assert tournament or reasons(result, 1, 3)[-1] == ("purse_limit", -481)
        result = settle(game, *FOUR_HANDS, stacks=(rich, rich, rich, 2_000))
        assert from_each(result, 4) == [-1_500, -500, 0]


@every(table=[taiwan, fujian])
def test_a_seat_that_has_won_its_stack_takes_no_further_payments(table: Any) -> None:
    hands, stacks = (SECOND, THIRD, TOP, LOW), (600, *[10**6] * 3)
    assert from_each(settle(table(point=100), *hands, stacks=stacks), 1) == [600, 0, 0]
    tournament = settle(table(point=100, tournament=True), *hands, stacks=stacks)
    assert from_each(tournament, 1) == [600, -1_200, 600]


@each(
    (ThirteenTaiwan(point=1), {1: 1}, {1: 36 - 1, 2: 0, 3: -12, 4: -24}),
    (ThirteenFujian(point=10), {1: 18}, {1: 360 - 18, 2: 0, 3: -120, 4: -240}),
    (ThirteenTaiwan(point=1, tournament=True), {}, {1: 36, 2: 0, 3: -12, 4: -24}),
)
def test_rake_is_a_share_of_what_a_seat_has_won_rounded_down(
    game: ThirteenGame, rake: dict[int, int], net: dict[int, int]
) -> None:
    result = settle(game, *FOUR_HANDS)
    assert (result.rake, result.net) == (rake, net)


# Prices of rows: what each earns the first hand.


@each(
    ("front trips", (3, -1, -1), (3, -1, -1)),
    # And a full house in the back earns nothing.
    ("middle full house", (-1, 2, -1), (-1, 2, -1)),
    ("back four", (-1, -1, 4), (-1, -1, 3)),
    ("middle four, and a back four", (-1, 8, -4), (-1, 4, -3)),
    ("back straight flush", (-1, -1, 5), (-1, -1, 4)),
    ("middle straight flush, and a back straight flush", (-1, 10, -5), (-1, 5, -4)),
)
def test_price_of_a_row(case: str, high: tuple[int, ...], low: tuple[int, ...]) -> None:
    """Fujian has the high prices of Taiwan."""
    for game, expected in ((TAIWAN, high), (FUJIAN, high), (taiwan(prices="low"), low)):
        result = settle(game, *PRICED_ROWS[case])
        assert tuple(row_results(result, 1, 2).values()) == expected
        keys = [key for key, _ in reasons(result, 1, 2)]
        assert keys == ["royalty" if abs(points) > 1 else "row" for points in expected]


@every(game=[TAIWAN, FUJIAN, taiwan(prices="low")])
def test_any_other_row_is_one_unit(game: ThirteenGame) -> None:
    first = "2c3c4d / 5c5d8c8dTc / 6c7d8h9sTs"
    second = "AsKsQd / 9c9d9h3dJd / 3s5s7sJsQs"
    assert reasons(settle(game, first, second), 2, 1) == GUN


def test_prices_are_high_unless_said_otherwise() -> None:
    assert ThirteenTaiwan().prices == "high"


@BOTH
def test_suits_do_not_count(game: ThirteenGame) -> None:
    first = "2s3s5s / TsJs9d4d2d / AsKs9s8s6s"
    second = "2h3h5h / ThJh9c4c2c / AhKh9h8h6h"
    assert reasons(settle(game, first, second), 1, 2) == []


# Guns and home runs


@BOTH
def test_a_gun_doubles_three_plain_rows(game: ThirteenGame) -> None:
    assert reasons(settle(game, *FOUR_HANDS), 2, 3) == GUN


@each((TAIWAN, 18, 3), (taiwan(prices="low"), 12, 3), (FUJIAN, 18, 18))
def test_premiums_under_a_gun(game: ThirteenGame, rows: int, gun: int) -> None:
    """Trips and two straight flushes earn 3, 10 and 5, or at low prices 3, 5 and 4."""
    payments = reasons(settle(game, EIGHTEEN, ORDINARY, ROYAL_BACK), 1, 2)
    assert [key for key, _ in payments] == ["royalty", "royalty", "royalty", "gun"]
    assert (sum(points for _, points in payments[:3]), payments[3][1]) == (rows, gun)


@BOTH
def test_a_home_run_is_twelve_from_each_from_any_seat(game: ThirteenGame) -> None:
    for place in (1, 2, 3, 4):
        hands = [SECOND, THIRD, LOW]
        hands.insert(place - 1, TOP)
        result = settle(game, *hands)
        assert from_each(result, place) == [12, 12, 12]
        loser = 2 if place == 1 else 1
        assert reasons(result, place, loser) == HOME_RUN


@each((TAIWAN, 18 + 3 + 6), (FUJIAN, 18 * 2 * 2))
def test_premiums_in_a_home_run(game: ThirteenGame, points: int) -> None:
    royal = "AdAhAs / 4h5h6h7h8h / TcJcQcKcAc"
    others = ("2c3c4s / 2d2h5s7s9c / JsJhTsThKd", "3d3h6d / 4d4c9s8sQd / 5d5c7d7cQs")
    assert from_each(settle(game, royal, *others), 1) == [points] * 3


@BOTH
def test_no_home_run_when_an_opponent_has_reported(game: ThirteenGame) -> None:
    result = settle(game, *BESIDE_FLUSHES)
    assert reasons(result, 1, 2) == reasons(result, 1, 3) == GUN
    assert [reasons(result, 4, loser) for loser in (1, 2, 3)] == [[("natural", 3)]] * 3


@each((TAIWAN, []), (FUJIAN, [("roll_over", 2)]))
def test_a_draw_among_nine_rows_is_no_home_run(
    game: ThirteenGame, more: list[tuple[str, int]]
) -> None:
    """And no gun; in Fujian winning two and losing none rolls over."""
    drawn = "AhAsQd / 6h6s7c8h8s / 2sTcTdKcKd"
    others = ("2c3d4h / 5c5d8c9dQh / 2h6c6dJcJd", "2d7d9c / 3c3s4c8dKh / 4d4sThTsQc")
    result = settle(game, TOP, drawn, *others)
    assert reasons(result, 1, 2) == [("row", 1), ("row", 1), *more]
    assert reasons(result, 1, 3) == reasons(result, 1, 4) == GUN


# In Fujian, the first hand against others of the same front, the same middle, or neither.
LEADER = "2s3s5s / TsJs9d4d2d / AsKs9s8s6s"
TWO_WON_ONE_DRAWN = "2h3h5h / ThJh8c4c2c / AhQh9h8h6h"


@each(
    ("2h3h5h / ThJh9c4c2c / AhQh9h8h6h", [("row", 1), ("roll_over", 1)]),
    (TWO_WON_ONE_DRAWN, [("row", 1), ("row", 1), ("roll_over", 2)]),
    ("2h3h6h / ThJh9c4c2c / AhQh9h8h7h", [("row", -1), ("row", 1)]),
    ("2h3h6h / ThJh8c4c2c / AhQh9h8h7h", [("row", -1), ("row", 1), ("row", 1)]),
    ("2h3h5h / ThJh9c4c2c / AhKh9h8h6h", []),
)
def test_winning_a_row_and_losing_none_rolls_over(
    other: str, expected: list[tuple[str, int]]
) -> None:
    assert reasons(settle(FUJIAN, LEADER, other), 1, 2) == expected
    mirrored = [(key, -points) for key, points in expected]
    assert reasons(settle(FUJIAN, other, LEADER), 1, 2) == mirrored


def test_a_roll_over_doubles_premiums_too() -> None:
    leader = "2s3s5s / TsJs9d4d2d / 8c8d8h8sAs"
    other = "2h3h5h / ThJh9c4c2c / QcQdQhKcKd"
    assert reasons(settle(FUJIAN, leader, other), 1, 2) == [("royalty", 4), ("roll_over", 4)]


@each(
    (TAIWAN, FOUR_HANDS, "home_run"),
    (FUJIAN, FOUR_HANDS, "home_run"),
    (FUJIAN, (LEADER, TWO_WON_ONE_DRAWN), "roll_over"),
)
def test_the_lines_say_how_many_units_they_move(
    game: ThirteenGame, hands: tuple[str, ...], key: str
) -> None:
    for order in (hands, hands[::-1]):
        lines = settle(game, *order).lines
        assert key in {line.key for line in lines}
        assert all(line.values["points"] == line.amount for line in lines)


# Fouls


class Fouls(NamedTuple):
    game: ThirteenGame
    # What is added where a foul loses all rows.
    gun: list[tuple[str, int]]


EACH_FOULS = every(table=[Fouls(TAIWAN, [("gun", 3)]), Fouls(FUJIAN, [])])
FALSE = "dragon: " + cards_text(read_hand(LOW).cards)


@EACH_FOULS
@every(foul=[FOULED, FALSE])
def test_a_foul_pays_the_rows_that_it_stood_against(table: Fouls, foul: str) -> None:
    result = settle(table.game, SECOND, THIRD, foul, TOP)
    assert reasons(result, 1, 3) == reasons(result, 2, 3) == [*FOUL, *table.gun]


@EACH_FOULS
def test_a_foul_pays_the_price_of_each_row_that_it_stood_against(table: Fouls) -> None:
    rich = "3h4s6h / 5h5d5s8c8d / 9c9d9h9sTh"
    prices = [("foul_row", points) for points in (1, 2, 4)]
    result = settle(table.game, rich, FOULED.replace("Td", "7d"))
    assert reasons(result, 1, 2)[: 3 + len(table.gun)] == [*prices, *table.gun]


def test_only_in_taiwan_a_foul_is_three_of_the_nine_rows_of_a_home_run() -> None:
    hands = (TOP, SECOND, THIRD, FOULED)
    result = settle(TAIWAN, *hands)
    assert reasons(result, 1, 2) == HOME_RUN
    assert reasons(result, 1, 4) == [*FOUL, ("gun", 3), ("home_run", 6)]
    result = settle(FUJIAN, *hands)
    assert reasons(result, 1, 2) == reasons(result, 1, 3) == GUN
    assert reasons(result, 1, 4) == FOUL


@BOTH
def test_two_fouls_exchange_nothing(game: ThirteenGame) -> None:
    false = "dragon: " + cards_text(read_hand(THIRD).cards)
    assert reasons(settle(game, SECOND, false, FOULED, TOP), 2, 3) == []
    turned = "5d6c7d / 8c8dThTsKh / 4c4d9cJdQc"
    assert reasons(settle(game, turned, FOULED, SECOND), 1, 2) == []


# Out of time


def dealt_to_first(game: ThirteenGame, cards: tuple[Card, ...]) -> Any:
    """Seat 1 holds these cards, the others what there is, and all are to arrange."""
    left = iter(card for card in DECK if card not in cards)
    order = [card for own in cards for card in (own, next(left), next(left), next(left))]
    stakes = [SeatStack(seat, 1_000) for seat in (1, 2, 3, 4)]
    return game.open(stakes, order, ThirteenContext(button=4))


@each(
    # The best five go back, the best five of the rest in the middle; a dragon is not declared.
    (TAIWAN, "2c3d4h5c6d7h8c9dThJcQdKhAc", "3d4h6d / 7h9dThQdKh / 2c5c8cJcAc"),
    (TAIWAN, "2d2h3s3d3hAcAdAhKs5dQd9h8c", "3d5d8c / 2d2h9hQdKs / 3h3sAcAdAh"),
    # Of equal rows the higher suits go back.
    (TAIWAN, "2h3h4h5h7h 2s3s4s5s7s 9dTcQd", "9dTcQd / 2h3h4h5h7h / 2s3s4s5s7s"),
    (FUJIAN, "2c3d4h5c6d7h8c9dThJcQdKhAc", "3d4h6d / 7h9dThQdKh / 2c5c8cJcAc"),
    (FUJIAN, "4c4d4h4sBJ 9c9d9hRJ 2c3d5hKs", "2c3d5h / 4c4d4h4sKs / 9c9d9hBJRJ"),
    (FUJIAN, "4c4d4h 9c9dBJRJ 2c3d5h7cJdKs", "2c3d5h / 9c9d7cJdKs / 4c4d4hBJRJ"),
)
def test_out_of_time_the_house_arranges(game: ThirteenGame, cards: str, rows: str) -> None:
    state = dealt_to_first(game, parse_cards(cards))
    action = game.fallback(state, 1)
    assert isinstance(action, Arrange)
    assert action.declare is None
    assert [set(row) for row in action.rows] == [set(parse_cards(row)) for row in rows.split("/")]
    assert 1 not in game.to_act(game.apply(state, 1, action))
