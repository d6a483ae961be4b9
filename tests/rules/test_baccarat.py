"""Baccarat case by case: the draw, the paytables, the limits, the money and what is refused."""

from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec import to_builtins

from games.rules.baccarat.coup import deal_coup
from games.rules.baccarat.game import SPOTS, Baccarat, BaccaratCommission, BaccaratTable, Bet, Spot
from games.rules.cards import DECK, Card, parse_cards
from games.rules.catalogue import game_type
from games.rules.contract import HOUSE, Context, SeatStack, replay
from games.rules.errors import Unreadable
from games.rules.house.actions import Close, Done
from games.rules.messages import sentence
from games.rules.settlement import Settlement
from tests.rules.cases import each, every, illegal, unreadable
from tests.rules.harness import Moves

ONE = [SeatStack(1, 1_000_000)]
PLAYER_WINS = "9cKcTh2d"
BANKER_WINS = "KcKd2h7d"
TIE = "4cKc2h6d"
# Player 3 draws a nine and has 2; banker 3 draws on it and has 6.
BANKER_SIX_IN_THREE = "AcKc2h3d9c3s"
BANKER_SIX_IN_TWO = "KcKdTc6dAc"
PAIRS_AND_TIE = "4c4d4h4c9dKs"


def coup_of(text: str, note_literal: bool = False) -> tuple[str, str, str]:
    """Both hands as text and who won; the hands must use up the cards."""
    cards = parse_cards(text)
    coup = deal_coup(cards, note_literal)
    assert len(coup.player) + len(coup.banker) == len(cards)
    return "".join(map(str, coup.player)), "".join(map(str, coup.banker)), coup.winner


def settle(
    game: BaccaratTable,
    cards: str,
    *bets: tuple[Spot, int],
    stakes: list[SeatStack] = ONE,
    seat: int = 1,
) -> Settlement:
    moves: Moves = [(seat, Bet(on, amount)) for on, amount in bets]
    moves.append((HOUSE, Close()))
    return game.settle(replay(game, stakes, parse_cards(cards), Context(), moves))


# The table of the third card as casinos print it: on this total of two cards the banker draws when
# the player's third card is one of these. Naturals and 7 are missing: there it stands.
BANKER_DRAWS_ON = {
    0: "A23456789T",
    1: "A23456789T",
    2: "A23456789T",
    3: "A2345679T",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}
TOTAL_CARDS = "TA23456789"


@every(banker=range(8), third=list(TOTAL_CARDS))
def test_banker_draws_by_the_players_third_card(banker: int, third: str) -> None:
    for player in range(6):
        two = f"{TOTAL_CARDS[player]}c{TOTAL_CARDS[banker]}cTcKc{third}d"
        draws = third in BANKER_DRAWS_ON[banker]
        _, hand, _ = coup_of(two + ("5h" if draws else ""))
        assert len(hand) == (6 if draws else 4)


@each(*list(product((6, 7), range(8))))
def test_banker_draws_as_the_player_does_when_the_player_stands(player: int, banker: int) -> None:
    two = f"{TOTAL_CARDS[player]}c{TOTAL_CARDS[banker]}cTcKc"
    drawn = "5h" if banker <= 5 else ""
    assert [len(hand) for hand in coup_of(two + drawn)[:2]] == [4, 4 + len(drawn)]
    assert [len(hand) for hand in coup_of(two, note_literal=True)[:2]] == [4, 4]


@each(*list(product(range(10), (8, 9))))
def test_a_natural_ends_the_draw(player: int, banker: int) -> None:
    for first, second in ((player, banker), (banker, player)):
        two = f"{TOTAL_CARDS[first]}c{TOTAL_CARDS[second]}cTcKc"
        player_hand, banker_hand, winner = coup_of(two)
        assert len(player_hand) == len(banker_hand) == 4
        assert deal_coup(parse_cards(two), False).natural
        expected = "tie" if first == second else "player" if first > second else "banker"
        assert winner == expected


def test_only_the_last_digit_of_a_sum_counts() -> None:
    counts = {rank: count for count, rank in enumerate("A23456789", start=1)}
    dealt = set()
    for seed in range(400):
        coup = deal_coup(tuple(Random(seed).sample(DECK, 6)), False)
        for hand, total in ((coup.player, coup.player_total), (coup.banker, coup.banker_total)):
            points = sum(counts.get(card.text[0], 0) for card in hand)
            assert total == points % 10
            dealt.add((len(hand), points // 10))
    assert dealt == {(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)}


def test_a_total_of_nine_in_three_cards_is_no_natural() -> None:
    coup = deal_coup(parse_cards("2cKc3dTd4hQs"), False)
    assert (coup.player_total, coup.banker_total, coup.natural) == (9, 0, False)


@each(
    (PLAYER_WINS, "player", 100, 100),
    (PLAYER_WINS, "banker", -100, -100),
    (PLAYER_WINS, "tie", -100, -100),
    (PLAYER_WINS, "player_pair", -100, -100),
    (PLAYER_WINS, "banker_pair", -100, -100),
    ("9cKcTh9d", "player", 0, 0),
    ("9cKcTh9d", "banker", 0, 0),
    (BANKER_WINS + "Th", "player", -100, -100),
    (BANKER_WINS + "Th", "banker", 100, 95),
    (BANKER_SIX_IN_TWO, "banker", 50, 95),
    (BANKER_SIX_IN_TWO, "player", -100, -100),
    (BANKER_SIX_IN_THREE, "banker", 50, 95),
    (TIE, "player", 0, 0),
    (TIE, "banker", 0, 0),
    (TIE, "tie", 800, 800),
    ("6cKc9h6dTs", "player", -100, -100),
    ("4cKc4hTd", "player_pair", 1_100, 1_100),
    ("4cKc4hTd", "banker_pair", -100, -100),
    ("4cKc4hKd", "banker_pair", 1_100, 1_100),
    # Ranks make a pair, not points.
    ("TcKcKh9d", "player_pair", -100, -100),
    ("4c4d4h4c", "tie", 800, 800),
    ("4c4d4h4c", "player_pair", 1_100, 1_100),
    ("4c4d4h4c", "banker_pair", 1_100, 1_100),
    ("4c4c4c4c", "player_pair", 1_100, 1_100),
    ("4c4d4h4c", "player", 0, 0),
)
def test_winnings_of_a_bet_of_a_hundred(
    cards: str, spot: Spot, plain: int, commission: int
) -> None:
    for game, won in ((Baccarat(), plain), (BaccaratCommission(), commission)):
        settlement = settle(game, cards, (spot, 100))
        assert settlement.net == {1: won, "house": -won}
        assert settlement.rake == {}


@each(
    # What is paid is rounded down: 95% of 101, 1 and 119; half of 101 and of 1.
    (BaccaratCommission(min=1), BANKER_WINS + "Th", "banker", 101, 95),
    (BaccaratCommission(min=1), BANKER_WINS + "Th", "banker", 1, 0),
    (BaccaratCommission(min=1), BANKER_WINS + "Th", "banker", 119, 113),
    (Baccarat(min=1), BANKER_SIX_IN_TWO, "banker", 101, 50),
    (Baccarat(min=1), BANKER_SIX_IN_TWO, "banker", 1, 0),
    (Baccarat(rake_bp=500), PLAYER_WINS, "player", 1_010, 960),
    (Baccarat(rake_bp=500, tournament=True), PLAYER_WINS, "player", 1_010, 1_010),
)
def test_rounding_and_rake(
    game: BaccaratTable, cards: str, spot: Spot, stake: int, won: int
) -> None:
    settlement = settle(game, cards, (spot, stake))
    assert settlement.net[1] == won
    assert sum(settlement.net.values()) + sum(settlement.rake.values()) == 0


def test_the_lines_explain_each_chip() -> None:
    settlement = settle(
        BaccaratCommission(max_payout=1_000),
        "4cKc2h7d",
        ("banker", 1_000),
        ("tie", 300),
        ("player_pair", 200),
    )
    assert [sentence(line) for line in settlement.lines] == [
        "1 is paid 1:1 on 1000 on banker",
        "1 pays the commission of 5% of the win on banker",
        "1 loses the bet on tie",
        "1 loses the bet on player_pair",
    ]
    assert settlement.net == {1: 950 - 500, "house": -450}


def test_the_maximum_payout_cuts_all_wins_of_a_seat_together() -> None:
    game = Baccarat(max_payout=10_000)
    stakes = [SeatStack(1, 50_000), SeatStack(2, 50_000)]
    moves: Moves = [
        (1, Bet("banker_pair", 500)),
        (1, Bet("tie", 600)),
        (1, Bet("player_pair", 400)),
        (2, Bet("tie", 1_000)),
        (HOUSE, Close()),
    ]
    cards = parse_cards("4c4d4h4c")
    settlement = game.settle(replay(game, stakes, cards, Context(), moves))
    # The tie pays 4,800 and the player's pair 4,400; of the banker's 5,500 only 800 are left.
    assert settlement.net == {1: 10_000, 2: 8_000, "house": -18_000}
    cut = [line for line in settlement.lines if line.key == "payout_cap"]
    assert [(line.source, line.amount, line.values) for line in cut] == [
        (1, 4_700, {"won": 14_700, "most": 10_000})
    ]


def test_losing_bets_do_not_make_room_under_the_maximum_payout() -> None:
    game = Baccarat(max_payout=500)
    assert settle(game, PLAYER_WINS, ("player", 800), ("banker", 700)).net[1] == 500 - 700


def test_bets_on_one_spot_add_up() -> None:
    game = Baccarat(min=100, max=300)
    state = replay(
        game,
        ONE,
        (),
        Context(),
        [(1, Bet("tie", 100)), (1, Bet("player", 200)), (1, Bet("tie", 1))],
    )
    assert {wager.on: wager.amount for wager in state.wagers} == {"player": 200, "tie": 101}
    offered = [choice for choice in game.choices(state, 1) if choice.do == "bet"]
    choices = {choice.among: (choice.least, choice.most) for choice in offered}
    assert choices[("tie",)] == (1, 199)
    assert choices[("banker",)] == (100, 300)
    assert settle(game, TIE, ("tie", 100), ("tie", 200)).net[1] == 2_400


def test_each_spot_has_its_own_most() -> None:
    game = Baccarat(max=1_000, max_tie=500, max_pair=250)
    state = game.open(ONE, (), Context())
    most = {choice.among: choice.most for choice in game.choices(state, 1) if choice.do == "bet"}
    assert most == {
        ("player",): 1_000,
        ("banker",): 1_000,
        ("tie",): 500,
        ("player_pair",): 250,
        ("banker_pair",): 250,
    }


def test_seats_are_paid_in_order_and_each_spot_by_spot() -> None:
    bets: Moves = [
        (2, Bet("tie", 100)),
        (1, Bet("tie", 100)),
        (1, Bet("player", 100)),
        (HOUSE, Close()),
    ]
    for moves in (bets, bets[:2] + bets[3:], bets[1:]):
        stakes = [SeatStack(1, 1_000), SeatStack(2, 1_000)]
        state = replay(Baccarat(), stakes, parse_cards(BANKER_SIX_IN_TWO), Context(), moves)
        paid = [(line.source, line.values["bet"]) for line in Baccarat().settle(state).lines]
        placed = [(seat, bet.on) for seat, bet in moves if isinstance(bet, Bet)]
        assert paid == sorted(placed, key=lambda one: (one[0], SPOTS.index(one[1])))


def test_in_a_tournament_no_rake_is_taken() -> None:
    for tournament, rake in ((True, {}), (False, {1: 50_000})):
        game = Baccarat(max=10**6, rake_bp=500, tournament=tournament)
        assert settle(game, PLAYER_WINS, ("player", 10**6)).rake == rake


@every(key=["baccarat", "baccarat_commission"])
def test_the_games_by_their_names(key: str) -> None:
    game = game_type(key)()
    assert game.key == key
    assert isinstance(game, BaccaratTable)
    assert game.cut_cards == 14
    view = game.view(game.open(ONE, (), Context()), 1)
    assert to_builtins(view)["game"] == "baccarat"


@each(
    ([(1, Bet("player", 99))], "bet_too_small"),
    ([(1, Bet("player", 1_001))], "bet_too_large"),
    ([(1, Bet("player", 900)), (1, Bet("player", 101))], "bet_too_large"),
    ([(1, Bet("tie", 501))], "bet_too_large"),
    ([(1, Bet("player_pair", 251))], "bet_too_large"),
    ([(1, Bet("banker_pair", 251))], "bet_too_large"),
    ([(1, Bet("player", 10**15))], "above_purse"),
    ([(2, Bet("player", 700)), (2, Bet("banker", 601))], "above_purse"),
    ([(2, Bet("player", 1_000)), (2, Bet("tie", 200)), (2, Bet("tie", 101))], "above_purse"),
    ([(3, Bet("player", 100))], "not_seated"),
    ([(3, Done())], "not_seated"),
    ([(HOUSE, Bet("player", 100))], "house_bets_not"),
    ([(HOUSE, Done())], "house_bets_not"),
    ([(1, Close())], "house_only"),
    ([(1, Done()), (1, Bet("player", 100))], "no_more_bets"),
    ([(1, Done()), (1, Done())], "no_more_bets"),
    ([(1, Bet("player", 100)), (HOUSE, Close()), (1, Bet("player", 100))], "no_more_bets"),
    ([(1, Bet("player", 100)), (HOUSE, Close()), (2, Bet("tie", 100))], "no_more_bets"),
    ([(1, Bet("player", 100)), (HOUSE, Close()), (2, Done())], "no_more_bets"),
    ([(HOUSE, Close()), (HOUSE, Close())], "hand_over"),
    ([(1, Done()), (2, Done()), (HOUSE, Close())], "hand_over"),
)
def test_refusals(moves: Moves, code: str) -> None:
    game = Baccarat(max=1_000, max_tie=500, max_pair=250)
    stakes = [SeatStack(1, 10_000), SeatStack(2, 1_300)]
    state = replay(game, stakes, parse_cards(PLAYER_WINS), Context(), moves[:-1])
    illegal(code, game.apply, state, *moves[-1])


def test_the_betting_ends_when_every_seat_is_done() -> None:
    game = Baccarat()
    stakes = [SeatStack(4, 1_000), SeatStack(7, 1_000)]
    cards = parse_cards(PLAYER_WINS)
    moves: Moves = [(7, Done()), (4, Bet("player", 500))]
    state = replay(game, stakes, cards, Context(), moves)
    assert game.to_act(state) == {4, HOUSE}
    state = game.apply(state, 4, Done())
    assert game.to_act(state) == frozenset()
    assert game.settle(state).net == {4: 500, 7: 0, "house": -500}


@every(moves=[[(HOUSE, Close())], [(1, Done())]])
def test_a_round_without_bets_is_not_dealt(moves: Moves) -> None:
    game = Baccarat()
    state = replay(game, ONE, (), Context(), moves)
    assert game.to_act(state) == frozenset()
    assert state.coup is None
    settlement = game.settle(state)
    assert settlement.net == {1: 0, "house": 0}
    assert settlement.lines == settlement.transfers == ()


@each(
    ("", "too_few_cards"),
    ("9cKcTh", "too_few_cards"),
    # The player draws, and the banker on 4 draws on a five.
    ("AcKc2h4d", "too_few_cards"),
    ("AcKc2h4d5d", "too_few_cards"),
)
def test_a_hand_needs_the_cards_it_draws(cards: str, code: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        settle(Baccarat(), cards, ("player", 100))
    assert refusal.value.code == code
    assert refusal.value.path == "$.cards"


@every(cards=["BJ9cKcTh", "9cKcThRJ", "2c" * 9])
def test_cards_that_no_shoe_of_eight_decks_holds_are_refused(cards: str) -> None:
    unreadable("card_not_in_shoe", Baccarat().open, ONE, parse_cards(cards), Context())


def test_eight_equal_cards_are_in_the_shoe() -> None:
    assert settle(Baccarat(), "4c" * 8, ("player_pair", 100)).net[1] == 1_100


@every(options=[{"max": 50}, {"max_tie": 50}, {"max_pair": 99}])
def test_limits_that_leave_no_bet_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="smallest bet"):
        Baccarat(**options)


def test_a_spot_may_take_bets_of_one_size_only() -> None:
    game = Baccarat(min=100, max=100, max_tie=100, max_pair=100)
    state = game.open(ONE, (), Context())
    assert {choice.most for choice in game.choices(state, 1) if choice.do == "bet"} == {100}


def test_nobody_sees_a_card_before_the_betting_has_ended() -> None:
    """Whatever the shoe holds, the views are the same until the close; then all see the coup."""
    game = Baccarat()
    stakes = [SeatStack(1, 1_000), SeatStack(2, 1_000)]
    before: Moves = [(1, Bet("player", 100)), (2, Bet("tie", 100))]
    for number in range(len(before) + 1):
        views = set()
        for cards in (PLAYER_WINS, TIE, BANKER_SIX_IN_TWO):
            state = replay(game, stakes, parse_cards(cards), Context(), before[:number])
            views.add(repr([game.view(state, seat) for seat in (None, 1, 2)]))
        assert len(views) == 1
    state = replay(game, stakes, parse_cards(TIE + "9h9h"), Context(), [*before, (HOUSE, Close())])
    for seat in (None, 1, 2):
        coup = game.view(state, seat).coup
        assert coup is not None
        assert coup.player + coup.banker == (Card.C4, Card.H2, Card.CK, Card.D6)


@every(cut_cards=[11, 14, 208])
def test_a_shoe_never_runs_out_before_its_last_round(cut_cards: int) -> None:
    game = Baccarat(cut_cards=cut_cards)
    for seed in range(40):
        shoe = list(game.composition())
        Random(seed).shuffle(shoe)
        while not game.is_last_round(len(shoe)):
            coup = deal_coup(tuple(shoe), False)
            del shoe[: len(coup.player) + len(coup.banker)]
        assert 6 <= len(shoe) <= cut_cards
        deal_coup(tuple(shoe), False)
