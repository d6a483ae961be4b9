"""Dealing order, the order of payment and short stacks, where they are the same in three games."""

from itertools import combinations
from typing import Any

from games.rules.cards import DECK
from games.rules.contract import AnyGame, SeatStack
from games.rules.settlement import Settlement
from games.rules.thirteen.banking import ThirteenHongkong, ThirteenPhilippine
from games.rules.thirteen.chinese_poker import ChinesePoker
from games.rules.thirteen.state import ThirteenContext
from tests.rules.cases import each, every
from tests.rules.thirteen_table import SUITED, passed, settle

CHINESE = ChinesePoker(point=1)
HONGKONG = ThirteenHongkong(bet_min=1)
PHILIPPINE = ThirteenPhilippine(bet_min=1)
SPADES, HEARTS, CLUBS, DIAMONDS = SUITED.values()
DRAGONS = [f"dragon: {hand.replace(' / ', '')}" for hand in SUITED.values()]
RICH = 10**6


@each(
    (CHINESE, (1, 2), 2, (1, 2)),
    # The button is the highest seat, one in the middle, and the lowest.
    (CHINESE, (2, 5, 9), 9, (2, 5, 9)),
    (CHINESE, (2, 5, 9), 5, (9, 2, 5)),
    (CHINESE, (2, 5, 9), 2, (5, 9, 2)),
    (CHINESE, (1, 3, 4, 8), 4, (8, 1, 3, 4)),
    # From the left of the banker.
    (HONGKONG, (2, 5, 9), 5, (9, 2, 5)),
    (PHILIPPINE, (1, 2, 3, 4), 2, (3, 4, 1, 2)),
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
    ({"button": 5}, 5, 5),
    ({"banker": 2}, 2, 2),
    ({"button": 5, "banker": 2}, 5, 2),
)
def test_button_and_banker(context: dict[str, int], button: int, banker: int) -> None:
    stakes = [SeatStack(seat, 100) for seat in (2, 5, 9)]
    state = HONGKONG.open(stakes, DECK, ThirteenContext(**context))
    assert (state.button, state.banker) == (button, banker)
    # The banker gets the last card of each round.
    assert state.hands[state.place(banker)][0] is DECK[2]


# Chinese poker pays from the left of the button; elsewhere the banker pays and is paid so.
@each(
    (CHINESE, 2, 2, "12"),
    (CHINESE, 3, 3, "12 13 23"),
    (CHINESE, 3, 1, "23 12 13"),
    (CHINESE, 3, 2, "13 23 12"),
    (CHINESE, 4, 4, "12 13 14 23 24 34"),
    (CHINESE, 4, 2, "34 13 23 14 24 12"),
    *((game, 4, 4, "14 24 34") for game in (HONGKONG, PHILIPPINE)),
    *((game, 4, 2, "23 24 12") for game in (HONGKONG, PHILIPPINE)),
    *((game, 4, 1, "12 13 14") for game in (HONGKONG, PHILIPPINE)),
)
def test_the_order_of_payment(game: AnyGame, count: int, button: int, order: str) -> None:
    hands = list(SUITED.values())[:count] if game is CHINESE else DRAGONS
    paid = settle(game, *hands, button=button).transfers
    pairs = ["".join(sorted((str(transfer.source), str(transfer.target)))) for transfer in paid]
    assert pairs == order.split()


@each((False, [1500, 1019, 0]), (True, [1500, 1500, 1500]))
def test_the_printed_stack_of_25_19(tournament: bool, collected: list[int]) -> None:
    """Three flushes win 3 points at 5.00 each from everyone: 15, then 10.19, then nothing."""
    flushes = "three_flushes: 2s3s4s5s6s7s8s9sTsJsQsKsAs"
    game = ChinesePoker(point=500, tournament=tournament)
    settlement = settle(game, flushes, HEARTS, CLUBS, DIAMONDS, stacks=[2519, RICH, RICH, RICH])
    assert [passed(settlement, 1, seat) for seat in (2, 3, 4)] == collected
    cut = [line for line in settlement.lines if line.key == "purse_limit"]
    if tournament:
        assert (settlement.net[1], cut) == (4500, [])
        return
    assert settlement.rake[1] == 125  # 5% of 25.19 is 1.2595
    assert [(line.amount, line.values) for line in cut] == [
        (481, {"due": 1500, "paid": 1019, "seat": 1}),
        (1500, {"due": 1500, "paid": 0, "seat": 1}),
    ]


# Spades win 4 from the rest, hearts from clubs, clubs from diamonds; seat 1 meets 2, then 3, and
# then 2 meets 3. Each row names the seats' hands, seat 1's stack, and what seats 1-2, 1-3 and 2-3
# move to the first of the two, in cash and in a tournament.
@each(
    # Wins all it may, in part or whole, so pays nothing later; wins less, so pays later.
    ((HEARTS, CLUBS, SPADES), 4, (4, 0, -4), (4, -4, -4)),
    ((HEARTS, CLUBS, SPADES), 1, (1, 0, -4), (4, -4, -4)),
    ((HEARTS, CLUBS, SPADES), 5, (4, -4, -4), (4, -4, -4)),
    # Loses all it has, so wins nothing later; loses less, so wins later.
    ((HEARTS, SPADES, CLUBS), 4, (-4, 0, 4), (-4, 4, 4)),
    ((HEARTS, SPADES, CLUBS), 3, (-3, 0, 4), (-3, 4, 4)),
    ((HEARTS, SPADES, CLUBS), 5, (-4, 4, 4), (-4, 4, 4)),
    # Loses what it has and has won; wins twice up to its stack; loses twice down to nothing.
    (
        (HEARTS, CLUBS, "thirteen_suited: 2s3s4s5s6s7s8s9sTsJsQsKsAs"),
        6,
        (4, -10, -13),
        (4, -10, -13),
    ),
    ((SPADES, HEARTS, CLUBS), 7, (4, 3, 4), (4, 4, 4)),
    ((CLUBS, HEARTS, SPADES), 7, (-4, -3, -4), (-4, -3, -4)),
)
def test_a_short_stack(
    hands: tuple[str, ...], stack: int, cash: tuple[int, ...], chips: tuple[int, ...]
) -> None:
    for tournament, moved in ((False, cash), (True, chips)):
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


BANKED = every(kind=[ThirteenHongkong, ThirteenPhilippine])
BANKER_WINS = [SPADES, HEARTS, CLUBS, DRAGONS[3]]


def bank(game: AnyGame, hands: list[str], **stacks: int) -> Settlement:
    """Each punter bets its seat's number in tens, and a dragon is worth thirteen bets."""
    held = [stacks.get(f"seat{seat}", RICH) for seat in (1, 2, 3, 4)]
    return settle(game, *hands, stacks=held, bets=[10, 20, 30])


@each(
    # A short banker pays the punters in turn, and in cash collects as much as the stack.
    (DRAGONS, {"seat4": 300}, [-130, -170, 0], [-130, -170, 0]),
    (BANKER_WINS, {"seat4": 300}, [130, 170, 0], [130, 260, 390]),
    # Broken by the first punter, the banker is out in cash.
    ([DRAGONS[0], HEARTS, CLUBS, DRAGONS[3]], {"seat4": 130}, [-130, 0, 0], [-130, 260, 390]),
    # A punter loses no more than the stack, and in cash wins no more.
    (BANKER_WINS, {"seat2": 45}, [130, 45, 390], [130, 45, 390]),
    (DRAGONS, {"seat2": 45}, [-130, -45, -390], [-130, -260, -390]),
)
@BANKED
def test_short_stacks_against_a_banker(
    hands: list[str], stacks: dict[str, int], cash: list[int], chips: list[int], kind: Any
) -> None:
    for tournament, collected in ((False, cash), (True, chips)):
        settlement = bank(kind(bet_min=1, tournament=tournament), hands, **stacks)
        assert [passed(settlement, 4, punter) for punter in (1, 2, 3)] == collected


@each((500, 6), (0, 0), (250, 3))
@BANKED
def test_rake_of_a_punters_win(rake_bp: int, rake: int, kind: Any) -> None:
    """5% of 130 is 6.5, 2.5% of it is 3.25; the banker, who loses, pays none."""
    settlement = bank(kind(bet_min=1, rake_bp=rake_bp), [DRAGONS[0], HEARTS, CLUBS, DIAMONDS])
    assert settlement.rake == ({1: rake} if rake else {})
    assert settlement.net == {1: 130 - rake, 2: 0, 3: 0, 4: -130}
    tournament = bank(kind(bet_min=1, rake_bp=rake_bp, tournament=True), DRAGONS)
    assert (tournament.rake, tournament.net) == ({}, {1: 130, 2: 260, 3: 390, 4: -780})
