"""Dealing order, the order of payment and short stacks, where they are the same in three games."""

from itertools import combinations

from games.rules.cards import DECK
from games.rules.contract import AnyGame, SeatStack
from games.rules.settlement import Settlement
from games.rules.thirteen.chinese_poker import ChinesePoker
from games.rules.thirteen.hongkong import ThirteenHongkong
from games.rules.thirteen.philippine import ThirteenPhilippine
from games.rules.thirteen.state import ThirteenContext
from tests.rules.cases import each, every
from tests.rules.thirteen_table import SUITED, passed, settle

CHINESE = ChinesePoker(point=1)
HONGKONG = ThirteenHongkong(bet_min=1)
PHILIPPINE = ThirteenPhilippine(bet_min=1)
SPADES, HEARTS, CLUBS, DIAMONDS = SUITED.values()
DRAGONS = [f"dragon: {hand.replace(' / ', '')}" for hand in SUITED.values()]


# Dealing


@each(
    (CHINESE, (1, 2), 2, (1, 2)),  # two seats
    (CHINESE, (2, 5, 9), 9, (2, 5, 9)),  # the button is the highest seat
    (CHINESE, (2, 5, 9), 5, (9, 2, 5)),  # wrapping behind the highest seat
    (CHINESE, (2, 5, 9), 2, (5, 9, 2)),  # the button is the lowest seat
    (CHINESE, (1, 3, 4, 8), 4, (8, 1, 3, 4)),  # four seats
    (HONGKONG, (2, 5, 9), 5, (9, 2, 5)),  # from the left of the banker
    (PHILIPPINE, (1, 2, 3, 4), 2, (3, 4, 1, 2)),  # Philippine
)
def test_one_card_at_a_time_from_the_left(
    game: AnyGame, seats: tuple[int, ...], dealer: int, order: tuple[int, ...]
) -> None:
    stakes = [SeatStack(seat, 100) for seat in seats]
    state = game.open(stakes, DECK, ThirteenContext(button=dealer))
    for turn, seat in enumerate(order):
        dealt = state.hands[state.place(seat)]
        assert dealt == tuple(DECK[turn + len(seats) * round_] for round_ in range(13))


@each(
    ({}, 9, 9),  # unsaid, it is the last seat
    ({"button": 5}, 5, 5),  # the banker is who holds the button
    ({"banker": 2}, 2, 2),  # the button is the banker's
    ({"button": 5, "banker": 2}, 5, 2),  # a fixed banker
)
def test_button_and_banker(context: dict[str, int], button: int, banker: int) -> None:
    stakes = [SeatStack(seat, 100) for seat in (2, 5, 9)]
    state = HONGKONG.open(stakes, DECK, ThirteenContext(**context))
    assert (state.button, state.banker) == (button, banker)
    # The banker gets the last card of each round.
    assert state.hands[state.place(banker)][0] is DECK[2]


# The order of payment


def order_of_payment(settlement: Settlement) -> list[tuple[int, ...]]:
    return [tuple(sorted((int(one.source), int(one.target)))) for one in settlement.transfers]


@each(
    (2, 2, [(1, 2)]),  # two
    (3, 3, [(1, 2), (1, 3), (2, 3)]),  # as printed: A-B, A-C, B-C, button at C
    (3, 1, [(2, 3), (1, 2), (1, 3)]),  # button at A: B-C, B-A, C-A
    (3, 2, [(1, 3), (2, 3), (1, 2)]),  # button at B: C-A, C-B, A-B
    (4, 4, [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]),  # 1-2 to 3-4
    # button at 2: 3-4, 3-1, 3-2, 4-1, 4-2, 1-2
    (4, 2, [(3, 4), (1, 3), (2, 3), (1, 4), (2, 4), (1, 2)]),
)
def test_chinese_poker_pays_from_the_left_of_the_button(
    count: int, button: int, order: list[tuple[int, int]]
) -> None:
    settlement = settle(CHINESE, *list(SUITED.values())[:count], button=button)
    assert order_of_payment(settlement) == order


@every(game=[HONGKONG, PHILIPPINE])
@each(
    (4, [(1, 4), (2, 4), (3, 4)]),  # banker 4: 1, 2, 3
    (2, [(2, 3), (2, 4), (1, 2)]),  # banker 2: 3, 4, 1
    (1, [(1, 2), (1, 3), (1, 4)]),  # banker 1: 2, 3, 4
)
def test_the_banker_pays_and_is_paid_from_the_left(
    banker: int, order: list[tuple[int, int]], game: AnyGame
) -> None:
    assert order_of_payment(settle(game, *DRAGONS, button=banker)) == order


# Short stacks

# A hand with three flushes wins 3 points at 5.00 each from everyone.
PRINTED = ("three_flushes: 2s3s4s5s6s7s8s9sTsJsQsKsAs", HEARTS, CLUBS, DIAMONDS)


def test_the_printed_stack_of_25_19_winning_15_from_each_collects_15_and_10_19_and_0() -> None:
    game = ChinesePoker(point=500)
    settlement = settle(game, *PRINTED, stacks=[2519, 10**6, 10**6, 10**6])
    assert [passed(settlement, 1, seat) for seat in (2, 3, 4)] == [1500, 1019, 0]
    assert settlement.rake[1] == 125  # 5% of 25.19 is 1.2595
    cut = [line for line in settlement.lines if line.key == "purse_limit"]
    assert [(line.amount, line.values) for line in cut] == [
        (481, {"due": 1500, "paid": 1019, "seat": 1}),
        (1500, {"due": 1500, "paid": 0, "seat": 1}),
    ]


def test_the_printed_stack_in_a_tournament_collects_15_from_each() -> None:
    game = ChinesePoker(point=500, tournament=True)
    settlement = settle(game, *PRINTED, stacks=[2519, 10**6, 10**6, 10**6])
    assert [passed(settlement, 1, seat) for seat in (2, 3, 4)] == [1500, 1500, 1500]
    assert settlement.net[1] == 4500


# Spades win 4 from the rest, hearts from clubs, clubs from diamonds; seat 1 meets 2, then 3, and
# then 2 meets 3. Each row names the seats' hands, seat 1's stack, and what seats 1-2, 1-3 and 2-3
# move to the first of the two, in cash and in a tournament.
THREE = {
    "wins all it may, so pays nothing later": ((HEARTS, CLUBS, SPADES), 4, (4, 0, -4), (4, -4, -4)),
    "wins all it may in part, so pays nothing later": (
        (HEARTS, CLUBS, SPADES),
        1,
        (1, 0, -4),
        (4, -4, -4),
    ),
    "wins less than it may, so pays later": ((HEARTS, CLUBS, SPADES), 5, (4, -4, -4), (4, -4, -4)),
    "loses all it has, so wins nothing later": ((HEARTS, SPADES, CLUBS), 4, (-4, 0, 4), (-4, 4, 4)),
    "loses all it has in part, so wins nothing later": (
        (HEARTS, SPADES, CLUBS),
        3,
        (-3, 0, 4),
        (-3, 4, 4),
    ),
    "loses less than it has, so wins later": ((HEARTS, SPADES, CLUBS), 5, (-4, 4, 4), (-4, 4, 4)),
    "loses what it has and has won": (
        (HEARTS, CLUBS, "thirteen_suited: 2s3s4s5s6s7s8s9sTsJsQsKsAs"),
        6,
        (4, -10, -13),
        (4, -10, -13),
    ),
    "wins twice up to its stack": ((SPADES, HEARTS, CLUBS), 7, (4, 3, 4), (4, 4, 4)),
    "loses twice down to nothing": ((CLUBS, HEARTS, SPADES), 7, (-4, -3, -4), (-4, -3, -4)),
}
CASES = [
    (*case[:2], case[3 if tournament else 2], tournament)
    for case in THREE.values()
    for tournament in (False, True)
]


@each(*CASES)
def test_a_short_stack(
    hands: tuple[str, ...], stack: int, moved: tuple[int, ...], tournament: bool
) -> None:
    game = ChinesePoker(point=1, tournament=tournament)
    settlement = settle(game, *hands, stacks=[stack, 1000, 1000])
    between = [passed(settlement, *pair) for pair in combinations((1, 2, 3), 2)]
    assert between == list(moved)


def test_a_limit_on_both_sides_takes_the_smaller() -> None:
    settlement = settle(CHINESE, SPADES, HEARTS, stacks=[3, 2])
    assert settlement.net == {1: 2, 2: -2}
    (line,) = [line for line in settlement.lines if line.key == "purse_limit"]
    assert (line.source, line.target, line.amount) == (1, 2, 2)
    assert line.values == {"due": 4, "paid": 2, "seat": 2}


# Each punter bets its seat's number in tens, and a dragon is worth thirteen bets.
def bank(game: AnyGame, hands: list[str], **stacks: int) -> Settlement:
    held = [stacks.get(f"seat{seat}", 10**6) for seat in (1, 2, 3, 4)]
    return settle(game, *hands, stacks=held, bets=[10, 20, 30])


@every(kind=[ThirteenHongkong, ThirteenPhilippine], tournament=[False, True])
def test_a_short_banker_pays_the_punters_in_turn(
    kind: type[ThirteenHongkong] | type[ThirteenPhilippine], tournament: bool
) -> None:
    game = kind(bet_min=1, tournament=tournament)
    settlement = bank(game, DRAGONS, seat4=300)
    assert [passed(settlement, punter, 4) for punter in (1, 2, 3)] == [130, 170, 0]


@each(
    (False, [130, 170, 0]),  # cash: as much as the stack
    (True, [130, 260, 390]),  # tournament: without a limit
)
@every(kind=[ThirteenHongkong, ThirteenPhilippine])
def test_a_short_banker_collects_from_the_punters_in_turn(
    tournament: bool, collected: list[int], kind: type[ThirteenHongkong] | type[ThirteenPhilippine]
) -> None:
    game = kind(bet_min=1, tournament=tournament)
    settlement = bank(game, [SPADES, HEARTS, CLUBS, DRAGONS[3]], seat4=300)
    assert [passed(settlement, 4, punter) for punter in (1, 2, 3)] == collected


@each(
    (False, [-130, 0, 0]),  # cash: the banker is out after the first
    (True, [-130, 260, 390]),  # tournament: the banker wins on
)
def test_a_banker_broken_by_the_first_punter(tournament: bool, paid: list[int]) -> None:
    game = ThirteenHongkong(bet_min=1, tournament=tournament)
    # Seat 1 reports, and so does the banker, who wins from the others only.
    hands = [DRAGONS[0], HEARTS, CLUBS, DRAGONS[3]]
    settlement = bank(game, hands, seat4=130)
    assert [passed(settlement, 4, punter) for punter in (1, 2, 3)] == paid


@every(tournament=[False, True])
def test_a_punter_loses_no_more_than_the_stack(tournament: bool) -> None:
    game = ThirteenHongkong(bet_min=1, tournament=tournament)
    settlement = bank(game, [SPADES, HEARTS, CLUBS, DRAGONS[3]], seat2=45)
    assert [passed(settlement, 4, punter) for punter in (1, 2, 3)] == [130, 45, 390]


@each((False, 45), (True, 260))
def test_a_punter_wins_no_more_than_the_stack_in_cash(tournament: bool, won: int) -> None:
    game = ThirteenHongkong(bet_min=1, tournament=tournament)
    assert passed(bank(game, DRAGONS, seat2=45), 2, 4) == won


@each((500, 6), (0, 0), (250, 3))
@every(kind=[ThirteenHongkong, ThirteenPhilippine])
def test_rake_of_a_punters_win(
    rake_bp: int, rake: int, kind: type[ThirteenHongkong] | type[ThirteenPhilippine]
) -> None:
    # 5% of 130 is 6.5, 2.5% of it is 3.25; the banker, who loses, pays none.
    settlement = bank(kind(bet_min=1, rake_bp=rake_bp), [DRAGONS[0], HEARTS, CLUBS, DIAMONDS])
    assert settlement.rake == ({1: rake} if rake else {})
    assert settlement.net == {1: 130 - rake, 2: 0, 3: 0, 4: -130}


@every(kind=[ThirteenHongkong, ThirteenPhilippine])
def test_no_rake_in_tournaments(kind: type[ThirteenHongkong] | type[ThirteenPhilippine]) -> None:
    settlement = bank(kind(bet_min=1, tournament=True), DRAGONS)
    assert settlement.rake == {}
    assert settlement.net == {1: 130, 2: 260, 3: 390, 4: -780}
