"""Three players on a box: who follows what, who insures, and what their stacks allow."""

from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.state import Bet, Double, Follow, Insure, Split
from games.rules.cards import parse_cards
from games.rules.contract import Action, SeatStack
from games.rules.house.sides import SideContext
from tests.rules.blackjack_table import SMALL, STAKES, THREE, TWO, closed, moved, settle
from tests.rules.cases import each, illegal


@each(
    # The guests go with the hand.
    ("Tc9dTh8s", "stand", (100, 200, 50)),
    ("Tc9d6hTs", "hit", (-100, -200, -50)),
    ("Tc9d9hTs", "stand", (0, 0, 0)),
    # Blackjack is everybody's.
    ("Ac9dTh", "", (150, 300, 75)),
    ("AcTdThAs", "", (0, 0, 0)),
    # A surrender gives up all stakes on the box.
    ("TcTd6h", "surrender", (-50, -100, -25)),
    # Who follows a double doubles; who does not still has the hand with the card.
    ("5c9d6hTs8c", "double 2=yes 3=no", (200, 400, 50)),
    ("5c9d6hTs8c", "double 3=yes 2=no", (200, 200, 100)),
    ("5c9d6hTs8c", "double 2=no 3=no", (200, 200, 50)),
    ("5c9d6h2s8c", "double 2=yes 3=no", (-200, -400, -50)),
    ("Tc9d6hTs", "double 2=yes 3=no", (-200, -400, -50)),
    # Who does not follow a split stays on the first hand: 18 wins, 15 loses against 17.
    ("8c9d8hTs7d8c", "split 2=yes 3=no stand stand", (0, 0, 50)),
    ("8c9d8hTs7d8c", "split 2=no 3=yes stand stand", (0, 200, 0)),
    # The first hand loses, the second wins.
    ("8c9d8h7sTd8c", "split 2=yes 3=no stand stand", (0, 0, -50)),
    # Aces, and the second hand's card without any player's decision.
    ("Ac9dAhTs5d8c", "split 2=no 3=yes", (0, 200, 0)),
    # A double on the first hand is offered to all, on the second to those who are there.
    ("8c9d8h3sTs7d8c", "split 2=yes 3=no double 2=no 3=yes stand", (100, 0, 100)),
    ("8c9d8hTs3dTh8c", "split 2=yes 3=no stand double 2=yes", (300, 600, 50)),
    ("8c9d8hTs3dTh8c", "split 2=no 3=no stand double", (300, 200, 50)),
    # The first hand is split again: 18, 17 and 15 against 17.
    ("8c9d8h8sTs9d7d8c", "split 2=yes 3=yes split 2=no 3=yes stand stand stand", (0, 0, 0)),
    # The second hand is split again; seat 3 is not there and is not asked.
    ("8c9d8hTs8sTd9s8c", "split 2=yes 3=no stand split 2=yes stand stand", (200, 400, 50)),
)
def test_winnings_of_all_players_of_a_box(
    cards: str, words: str, won: tuple[int, int, int]
) -> None:
    assert tuple(settle(cards, words, THREE, SMALL).net[seat] for seat in (1, 2, 3)) == won


@each(
    # Guests are asked first, in any order, then the controller.
    ("TcAd9hTs", "2=insure:100 3=insure:25 1=insure:50 stand", (0, 0, 0)),
    ("TcAd9hTs", "3=stand 2=insure:100 stand", (-100, 0, -50)),
    ("TcAd9hTs", "2=stand 3=stand 1=insure:50 stand", (0, -200, -50)),
    ("TcAd9h9s", "2=insure:100 3=stand stand", (-100, -300, -50)),
    # A hit does not change what is insured.
    ("5cAd6hTsTc", "2=insure:60 3=stand hit", (-100, -80, -50)),
    # With a blackjack each decides alone, the controller among them, in any order.
    ("AcAdThTs", "1=even 2=stand 3=insure:25", (100, 0, 50)),
    ("AcAdTh9s", "3=insure:25 1=stand 2=even", (150, 200, 50)),
    ("AcAdTh", "2=even 3=even 1=even", (100, 200, 50)),
)
def test_guests_insure_and_take_even_money_by_themselves(
    cards: str, words: str, won: tuple[int, int, int]
) -> None:
    assert tuple(settle(cards, words, THREE, SMALL).net[seat] for seat in (1, 2, 3)) == won


@each(
    ("5cTd6hTsAc", "double 2=yes 3=no", (-100, -200, -50)),
    ("8cTd8hTs9dAs", "split 2=no 3=yes stand stand", (-100, -200, -50)),
)
def test_original_bets_only_holds_for_guests(
    cards: str, words: str, won: tuple[int, int, int]
) -> None:
    settlement = settle(cards, words, THREE, Blackjack(min=50, original_bets_only=True))
    assert tuple(settlement.net[seat] for seat in (1, 2, 3)) == won


def test_a_controller_who_adds_to_the_bet_remains_the_controller() -> None:
    bets = [(2, Bet(3, 100)), (1, Bet(3, 100)), (2, Bet(3, 50))]
    state = closed("Tc9dTh8s", bets)
    assert [(player.seat, player.bet) for player in state.box.players] == [(2, 150), (1, 100)]
    assert state.waiting == (2,)


def test_guests_answer_before_the_card_is_drawn() -> None:
    state = moved(closed("8c9d8hTs7d8c", THREE, SMALL), "split")
    assert (state.phase, state.waiting) == ("split", (2, 3))
    assert state.drawn == 3
    assert state.hand.cards == parse_cards("8c8h")
    state = moved(state, "3=no")
    assert (state.phase, state.waiting, state.drawn) == ("split", (2,), 3)
    state = moved(state, "2=yes")
    assert (state.phase, state.waiting, state.drawn) == ("play", (1,), 4)
    assert [hand.bets for hand in state.box.hands] == [(100, 200, 50), (100, 200, 0)]


@each(
    ("8c9d8h", "", 1, Double(1, 0)),
    ("8c9d8h", "", 1, Split(1, 0)),
    ("TcAd9h", "2=stand", 1, Insure(1, 50)),
    ("TcAd9h", "", 2, Insure(1, 50)),
    ("AcAdTh", "", 2, Insure(1, 50)),
)
def test_whatever_is_added_must_be_in_the_stack(
    cards: str, words: str, seat: int, action: Action
) -> None:
    """Both seats have bet all but 49 of their stacks, on two boxes and a bonus."""
    game = Blackjack()
    stakes = [SeatStack(1, 449), SeatStack(2, 249)]
    bets = [(1, Bet(1, 100, 100)), (2, Bet(1, 200)), (1, Bet(2, 200))]
    first, second = cards[:2] + "2c" + cards[2:6], "3c"
    state = moved(closed(first + second, bets, game, stakes), words, game)
    illegal("above_purse", game.apply, state, seat, action)
    offered = {choice.do for choice in game.choices(state, seat)}
    assert offered <= {"hit", "stand", "surrender", "even_money"}


def test_a_full_box_is_open_only_to_those_on_it() -> None:
    game = Blackjack(boxes=1)
    state = game.open(STAKES, (), SideContext())
    for seat in (1, 2, 3):
        state = game.apply(state, seat, Bet(1, 100))
    assert [choice.do for choice in game.choices(state, 4)] == ["done"]
    assert [choice.do for choice in game.choices(state, 3)] == ["bet", "bet", "remove", "done"]
    assert game.apply(state, 3, Bet(1, 100)).boxes[0].players[2].bet == 200


def test_insurance_is_counted_against_the_stack() -> None:
    game = Blackjack()
    for stack, offered in ((249, False), (250, True)):
        state = moved(
            closed("5cAd6h", [(1, Bet(1, 100))], game, [SeatStack(1, stack)]), "insure:50"
        )
        assert ("double" in {choice.do for choice in game.choices(state, 1)}) is offered


def test_a_guest_with_exactly_enough_may_follow() -> None:
    game = Blackjack()
    stakes = [SeatStack(1, 1_000), SeatStack(2, 400)]
    state = moved(closed("5c9d6hTs8c", TWO, game, stakes), "double", game)
    assert game.choices(state, 2)[0].among == ("yes", "no")
    assert game.settle(moved(state, "yes", game)).net[2] == 400


def test_a_guest_whose_stack_is_too_short_does_not_follow() -> None:
    game = Blackjack()
    stakes = [SeatStack(1, 1_000), SeatStack(2, 399)]
    state = moved(closed("5c9d6hTs8c", TWO, game, stakes), "double", game)
    illegal("above_purse", game.apply, state, 2, Follow(1, True))
    assert game.fallback(state, 2) == Follow(1, False)
    assert game.settle(moved(state, "no", game)).net[2] == 200


@each(
    ("half", 100, 100, (50, 50)),
    ("half", 100, 333, (50, 166)),
    ("whole", 100, 333, (50, 333)),
    # Half of an odd least bet is rounded up, so that it is no less.
    ("half", 101, 303, (51, 151)),
)
def test_bounds_of_insurance(
    insurance: str, least: int, stake: int, bounds: tuple[int, int]
) -> None:
    game = Blackjack(insurance=insurance, min=least)  # type: ignore[arg-type]
    state = closed("TcAd9h", [(1, Bet(1, stake))], game)
    choice = game.choices(state, 1)[0]
    assert (choice.do, choice.least, choice.most) == ("insure", *bounds)
    for amount, code in ((bounds[0] - 1, "insurance_small"), (bounds[1] + 1, "insurance_large")):
        illegal(code, game.apply, state, 1, Insure(1, amount))


def test_a_stake_too_small_to_be_insured() -> None:
    game = Blackjack(min=1)
    state = closed("TcAd9h", [(1, Bet(1, 1))], game)
    assert "insure" not in {choice.do for choice in game.choices(state, 1)}
    illegal("insurance_none", game.apply, state, 1, Insure(1, 1))
