"""What a player at blackjack may choose: moves that are offered, refused, made in time and read."""

from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.state import (
    Bet,
    Double,
    EvenMoney,
    Follow,
    Hit,
    Insure,
    Split,
    Stand,
    Surrender,
)
from games.rules.cards import parse_cards
from games.rules.contract import HOUSE, Action, Choice, Party, SeatStack
from games.rules.house.actions import Close, Done, Pool
from games.rules.house.sides import SideContext
from tests.rules.action_text import action_text, read_action
from tests.rules.blackjack_table import SMALL, THREE, TWO, closed, moved
from tests.rules.cases import each, illegal, unreadable
from tests.rules.harness import Moves

SHORT = [SeatStack(1, 350), SeatStack(2, 300), SeatStack(3, 1_000), SeatStack(4, 1_000)]


@each(
    (
        "8c9d8h",
        "",
        1,
        (
            Choice("hit", 1, 0),
            Choice("stand", 1, 0),
            Choice("double", 1, 0, cost=100),
            Choice("split", 1, 0, cost=100),
            Choice("surrender", 1),
        ),
    ),
    ("8c9d9h2s", "hit", 1, (Choice("hit", 1, 0), Choice("stand", 1, 0))),
    ("8c9d8h", "split", 2, (Choice("follow", 1, 0, cost=200, among=("no",)),)),
    ("5c9d6h", "double", 2, (Choice("follow", 1, 0, cost=200, among=("no",)),)),
    ("5c9d6h", "double", 3, (Choice("follow", 1, 0, cost=50, among=("yes", "no")),)),
    ("8c9d8h", "split", 3, (Choice("follow", 1, 0, cost=50, among=("yes", "no")),)),
    # 100 of 350 staked, 100 added and 100 doubled: nothing is left for more.
    (
        "8c9d8h3sTd3h",
        "split 2=no 3=no double 2=no 3=no",
        1,
        (Choice("hit", 1, 1), Choice("stand", 1, 1)),
    ),
    # Of the controller's 250 left no more than half of the stake can insure.
    (
        "TcAd9h",
        "2=stand 3=stand",
        1,
        (
            Choice("insure", 1, least=25, most=50),
            Choice("hit", 1, 0),
            Choice("stand", 1, 0),
            Choice("double", 1, 0, cost=100),
        ),
    ),
    ("TcAd9h", "", 2, (Choice("insure", 1, least=25, most=100), Choice("stand", 1, 0))),
    ("TcAd9h", "", 3, (Choice("insure", 1, least=25, most=25), Choice("stand", 1, 0))),
    (
        "AcAdTh",
        "",
        1,
        (Choice("insure", 1, least=25, most=50), Choice("even_money", 1), Choice("stand", 1, 0)),
    ),
)
def test_choices(cards: str, words: str, seat: int, choices: tuple[Choice, ...]) -> None:
    state = moved(closed(cards, THREE, SMALL, SHORT), words, SMALL)
    assert SMALL.choices(state, seat) == choices


def test_a_fourth_split_is_not_offered() -> None:
    state = moved(closed("8c9d8h8s8d8c"), "split split")
    offered = [choice.do for choice in Blackjack().choices(state, 1)]
    assert offered == ["hit", "stand", "double", "split"]
    state = moved(state, "split")
    assert len(state.box.hands) == 4
    offered = [choice.do for choice in Blackjack().choices(state, 1)]
    assert offered == ["hit", "stand", "double"]


def test_choices_of_bets() -> None:
    game = Blackjack(boxes=2, max=1_000)
    state = game.open([SeatStack(1, 500), SeatStack(2, 10_000)], (), SideContext())
    state = game.apply(state, 1, Bet(2, 200))
    assert game.choices(state, 1) == (
        Choice("bet", 1, least=100, most=300),
        Choice("bet", 2, least=1, most=300),
        Choice("bet", 2, least=100, most=300, among=("bonus",)),
        Choice("remove", 2),
        Choice("done"),
    )
    assert game.choices(state, 2) == (
        Choice("bet", 1, least=100, most=1_000),
        Choice("bet", 2, least=100, most=1_000),
        Choice("done"),
    )
    state = game.apply(state, 1, Bet(2, 200, 100))
    assert game.choices(state, 1) == (Choice("remove", 2), Choice("done"))


@each(
    ([(1, Bet(1, 99))], "bet_too_small"),
    ([(1, Bet(1, 1_001))], "bet_too_large"),
    ([(1, Bet(1, 900)), (1, Bet(1, 101))], "bet_too_large"),
    ([(1, Bet(1, 0))], "nothing_bet"),
    ([(1, Bet(1, 0, 100))], "bet_too_small"),
    ([(1, Bet(1, 100, 99))], "bet_too_small"),
    ([(1, Bet(1, 100, 501))], "bet_too_large"),
    ([(1, Bet(1, 100, 400)), (1, Bet(1, 0, 101))], "bet_too_large"),
    ([(1, Bet(6, 100))], "closed_box"),
    ([(2, Bet(1, 1_000)), (2, Bet(2, 1_000, 1))], "above_purse"),
    ([(2, Bet(1, 1_000, 500)), (2, Bet(2, 501))], "above_purse"),
    ([(seat, Bet(1, 100)) for seat in (1, 2, 3, 4)], "box_full"),
    ([(9, Bet(1, 100))], "not_seated"),
    ([(HOUSE, Bet(1, 100))], "house_bets_not"),
    ([(1, Close())], "house_only"),
    ([(1, Done()), (1, Bet(1, 100))], "no_more_bets"),
    ([(1, Bet(1, 100)), (HOUSE, Close()), (1, Bet(1, 100))], "no_more_bets"),
    ([(1, Bet(1, 100)), (HOUSE, Close()), (2, Bet(1, 100))], "no_more_bets"),
    ([(1, Bet(1, 100)), (HOUSE, Close()), (HOUSE, Close())], "not_your_turn"),
    ([(1, Hit(1, 0))], "not_now"),
    ([(1, Follow(1, True))], "not_now"),
    ([(HOUSE, Pool("progressive", 5))], "pool_not_hit"),
)
def test_bets_that_are_refused(moves: Moves, code: str) -> None:
    game = Blackjack(boxes=5, max=1_000, bonus_max=500)
    stakes = [SeatStack(1, 10_000), SeatStack(2, 2_000), SeatStack(3, 10_000), SeatStack(4, 10_000)]
    state = game.open(stakes, parse_cards("Tc9d6h"), SideContext())
    for seat, action in moves[:-1]:
        state = game.apply(state, seat, action)
    illegal(code, game.apply, state, *moves[-1])


@each(
    ("Tc9d6h", "", (2, Hit(1, 0)), "not_your_turn"),
    ("Tc9d6h", "", (4, Hit(1, 0)), "not_your_turn"),
    ("Tc9d6h", "", (9, Hit(1, 0)), "not_seated"),
    ("Tc9d6h", "", (HOUSE, Hit(1, 0)), "not_your_turn"),
    ("Tc9d6h", "", (1, Hit(2, 0)), "not_this_box"),
    ("Tc9d6h", "", (1, Surrender(2)), "not_this_box"),
    ("Tc9d6h", "", (1, Stand(1, 1)), "not_this_hand"),
    ("Tc9d6h", "", (1, Split(1, 0)), "no_pair"),
    ("Ac9d6h", "", (1, Split(1, 0)), "no_pair"),
    ("2c9d2h2s", "hit", (1, Split(1, 0)), "no_pair"),
    ("2c9d2h2s", "hit", (1, Double(1, 0)), "not_two_cards"),
    ("8c9d8h8s8d8cTc", "split 2=no split 2=no split 2=no", (1, Split(1, 0)), "hands_full"),
    ("Tc9d6h", "", (1, Insure(1, 50)), "no_ace"),
    ("TcTd6h", "", (1, Insure(1, 50)), "no_ace"),
    ("Tc9d6h", "", (1, EvenMoney(1)), "no_ace"),
    ("Tc9d6h", "", (1, Follow(1, True)), "nothing_to_follow"),
    ("TcAd6h", "2=stand", (1, EvenMoney(1)), "no_blackjack"),
    ("TcAd6h", "2=stand", (1, Insure(1, 49)), "insurance_small"),
    ("TcAd6h", "2=stand", (1, Insure(1, 51)), "insurance_large"),
    ("TcAd6h", "2=stand insure:50", (1, Insure(1, 50)), "insured"),
    ("TcAd6h2s", "2=stand hit", (1, Insure(1, 50)), "insurance_late"),
    ("8cAd8h2s", "2=stand split 2=no", (1, Insure(1, 50)), "insurance_late"),
    ("TcAd6h", "2=stand", (1, Surrender(1)), "surrender_ace"),
    ("2c9d6h2s", "hit", (1, Surrender(1)), "surrender_late"),
    ("8c9d8h2s", "split 2=no", (1, Surrender(1)), "surrender_late"),
    # While guests are asked, no other player acts and they do nothing else.
    ("TcAd6h", "", (1, Insure(1, 50)), "not_your_turn"),
    ("TcAd6h", "", (2, Hit(1, 0)), "guest_plays_not"),
    ("TcAd6h", "", (2, Surrender(1)), "guest_plays_not"),
    ("TcAd6h", "", (2, EvenMoney(1)), "no_blackjack"),
    ("TcAd6h", "", (2, Insure(1, 101)), "insurance_large"),
    ("TcAd6h", "", (2, Follow(1, True)), "guest_plays_not"),
    ("AcAdTh", "", (1, Surrender(1)), "blackjack_waits"),
    ("AcAdTh", "", (1, Hit(1, 0)), "blackjack_waits"),
    ("AcAdTh", "", (2, Double(1, 0)), "blackjack_waits"),
    ("AcAdTh", "1=insure:50", (1, EvenMoney(1)), "not_your_turn"),
    ("AcAdTh", "1=even", (1, Insure(1, 50)), "not_your_turn"),
    ("5c9d6h", "double", (1, Follow(1, True)), "not_your_turn"),
    ("5c9d6h", "double", (2, Stand(1, 0)), "follow_first"),
    ("5c9d6h", "double", (2, Insure(1, 50)), "follow_first"),
    ("5c9d6h", "double", (2, Follow(2, True)), "not_this_box"),
)
def test_moves_that_are_refused(
    cards: str, words: str, move: tuple[Party, Action], code: str
) -> None:
    game = Blackjack()
    state = moved(closed(cards, TWO), words)
    illegal(code, game.apply, state, *move)


@each(
    ("Tc9d6h", "", 1, Stand(1, 0)),
    ("8c9d8hTs7d", "split 2=no stand", 1, Stand(1, 1)),
    ("TcAd6h", "", 2, Stand(1, 0)),
    ("AcAdTh", "", 1, Stand(1, 0)),
    ("5c9d6h", "double", 2, Follow(1, False)),
    ("8c9d8h", "split", 2, Follow(1, False)),
)
def test_out_of_time(cards: str, words: str, seat: int, fallback: Action) -> None:
    assert Blackjack().fallback(moved(closed(cards, TWO), words), seat) == fallback


@each(
    ("bet 7 100 0", Bet(7, 100)),
    ("hit 1 3", Hit(1, 3)),
    ("surrender 2", Surrender(2)),
    ("insure 2 50", Insure(2, 50)),
    ("even_money 3", EvenMoney(3)),
    ("follow 1 yes", Follow(1, True)),
    ("follow 1 no", Follow(1, False)),
)
def test_actions_as_text(text: str, action: Action) -> None:
    assert action_text(action) == text
    assert read_action(Blackjack, text) == action


@each(
    ("follow 1", "action_fields"),
    ("follow 1 maybe", "wrong_shape"),
    ("follow 1 1", "wrong_shape"),
    ("follow 1 -", "wrong_shape"),
    ("follow yes yes", "wrong_shape"),
    ("hit 0 0", "wrong_shape"),
    ("hit 8 0", "wrong_shape"),
    ("hit 1 4", "wrong_shape"),
    ("insure 1 0", "wrong_shape"),
    ("bet 1 -5 0", "wrong_shape"),
    ("bet 1 1000000000000001 0", "wrong_shape"),
    ("peek 1", "no_such_action"),
)
def test_unknown_actions_are_refused(text: str, code: str) -> None:
    unreadable(code, read_action, Blackjack, text)
