"""A round of blackjack: the order of boxes, the cards it needs, and what is seen when."""

from random import Random

import pytest

from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.state import Bet
from games.rules.blackjack.totals import total_of
from games.rules.cards import parse_cards
from games.rules.contract import HOUSE, SeatStack
from games.rules.errors import Unreadable
from games.rules.house.actions import Close, Done
from games.rules.house.sides import SideContext
from games.rules.messages import sentence
from tests.rules.blackjack_table import STAKES, closed, moved, settle
from tests.rules.cases import each, every, unreadable


def test_boxes_are_dealt_and_played_in_their_order() -> None:
    """One card to boxes 2, 5 and 7, the dealer's, a second to each, then as drawn."""
    bets = [(3, Bet(7, 100)), (1, Bet(2, 100)), (1, Bet(5, 300)), (2, Bet(5, 100))]
    state = closed("2c3c4c9d2h3h4hTsTcThTd8s8c", bets)
    assert [box.number for box in state.boxes] == [2, 5, 7]
    assert [box.hands[0].cards for box in state.boxes] == [
        parse_cards("2c2h"),
        parse_cards("3c3h"),
        parse_cards("4c4h"),
    ]
    assert (state.dealer, state.waiting) == (parse_cards("9d"), (1,))
    state = moved(state, "1=hit 1=stand")
    assert (state.box.number, state.waiting) == (5, (1,))
    state = moved(state, "1=hit 1=stand")
    assert (state.box.number, state.waiting) == (7, (3,))
    state = moved(state, "hit hit")
    # 14, 16 and, with a bust, nothing against the dealer's 17.
    assert Blackjack().settle(state).net == {1: -400, 2: -100, 3: -100, 4: 0, HOUSE: 600}


def test_boxes_stand_in_their_order_however_they_are_bet_on() -> None:
    state = closed("2c3c9d2h3h", [(2, Bet(5, 100)), (1, Bet(4, 100))])
    assert [(box.number, box.hands[0].cards[0].text) for box in state.boxes] == [
        (4, "2c"),
        (5, "3c"),
    ]


def test_up_to_twenty_one_seats_play() -> None:
    stakes = [SeatStack(seat, 100) for seat in range(1, 23)]
    assert len(Blackjack().open(stakes[:21], (), SideContext()).stakes) == 21
    with pytest.raises(Unreadable) as refusal:
        Blackjack().open(stakes, (), SideContext())
    assert str(refusal.value) == "Blackjack is played by 1 to 21 seats, not 22."


def test_a_player_may_bet_on_several_boxes() -> None:
    settlement = settle("TcAc9d9hKd8c", "stand", [(1, Bet(1, 100)), (1, Bet(4, 200))])
    assert settlement.net[1] == 100 + 300
    assert [sentence(line) for line in settlement.lines] == [
        "1 is paid 1:1 on the hand of 100 on box 1",
        "1 is paid 3:2 on the blackjack of 200 on box 4",
    ]


def test_each_box_answers_an_ace_when_its_turn_comes() -> None:
    bets = [(1, Bet(1, 100)), (2, Bet(2, 100)), (3, Bet(3, 100))]
    state = closed("AcTcKcAdThTdAh9h", bets)
    for box, seat, phase in ((1, 1, "insurance"), (2, 2, "play"), (3, 3, "insurance")):
        assert (state.box.number, state.waiting, state.phase) == (box, (seat,), phase)
        state = moved(state, "stand")
    # The dealer has 20: two blackjacks win and the other twenty is a stand-off.
    assert Blackjack().settle(state).net == {1: 150, 2: 0, 3: 150, 4: 0, HOUSE: -300}


def test_a_blackjack_paid_at_once_leaves_the_dealer_alone_but_for_others() -> None:
    bets = [(1, Bet(1, 100)), (2, Bet(2, 100))]
    # Box 1 has blackjack; box 2 has 16, draws a five, and wins against 16 and a ten.
    settlement = settle("AcTc9dTh6h5s7cTd", "hit", bets)
    assert (settlement.net[1], settlement.net[2]) == (150, 100)


def test_a_round_without_bets_is_not_dealt() -> None:
    game = Blackjack()
    state = game.open(STAKES, (), SideContext())
    for seat in (1, 2, 3, 4):
        state = game.apply(state, seat, Done())
    settlement = game.settle(state)
    assert settlement.net == {1: 0, 2: 0, 3: 0, 4: 0, HOUSE: 0}
    assert settlement.lines == settlement.transfers == ()
    assert game.view(state, 1).dealer == ()


@each(("", ""), ("Tc9d", ""), ("Tc9d6h", "hit"), ("Tc9d6h", "stand"), ("8c9d8hTs", "split stand"))
def test_a_hand_needs_the_cards_it_draws(cards: str, words: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        settle(cards, words)
    assert (refusal.value.code, refusal.value.path) == ("too_few_cards", "$.cards")


@every(cards=["BJ", "2c" * 7])
def test_cards_that_no_shoe_of_six_decks_holds_are_refused(cards: str) -> None:
    unreadable("card_not_in_shoe", Blackjack().open, STAKES, parse_cards(cards), SideContext())


def test_six_equal_cards_are_in_the_shoe() -> None:
    assert settle("2c" * 6 + "9c9d6d", "hit hit hit hit stand").net[1] == 100


def test_no_card_is_seen_before_betting_ends_or_before_it_is_drawn() -> None:
    """Whatever the shoe holds, the views are the same until it is drawn."""
    game = Blackjack()
    before, after = set(), set()
    for rest in ("8sTc", "9d2c", "AsKs"):
        state = game.open(STAKES, parse_cards("Tc9d6h" + rest), SideContext())
        state = game.apply(state, 1, Bet(1, 100))
        before.add(repr([game.view(state, seat) for seat in (None, 1, 2)]))
        state = game.apply(state, HOUSE, Close())
        after.add(repr([game.view(state, seat) for seat in (None, 1, 2)]))
    assert len(before) == len(after) == 1
    assert "9d" not in before.pop()


def test_the_view_says_which_hand_is_decided_about() -> None:
    game = Blackjack()
    state = moved(closed("8c6d8hTs9dTcTh"), "split stand")
    view = game.view(state, None)
    assert (view.box, view.hand, view.to_act, view.phase) == (1, 1, (1,), "play")
    assert view.boxes[0].hands[1].cards == parse_cards("8h9d")
    over = game.view(moved(state, "stand"), None)
    assert (over.box, over.hand, over.to_act, over.phase) == (None, None, (), "over")
    assert over.dealer == parse_cards("6dTcTh")


def test_seats_to_act_stand_in_their_order() -> None:
    game = Blackjack()
    state = game.open([SeatStack(seat, 100) for seat in (10, 2, 9)], (), SideContext())
    assert game.view(state, None).to_act == (2, 9, 10, HOUSE)


@each(
    ({}, 312, False),
    ({}, 79, False),
    ({}, 78, True),
    ({}, 20, True),
    ({"cut_percent": 50}, 157, False),
    ({"cut_percent": 50}, 156, True),
    ({"shuffle_every_round": True}, 312, True),
)
def test_the_last_round_of_a_shoe(options: dict[str, int], left: int, last: bool) -> None:
    assert Blackjack(**options).is_last_round(left) is last  # type: ignore[arg-type]


def test_the_cards_behind_the_cut_card_last_for_seven_boxes() -> None:
    """Seven boxes that hit to 17 and split nothing take far fewer."""
    game = Blackjack()
    bets = [(1, Bet(box, 100)) for box in range(1, 8)]
    most = 0
    for seed in range(300):
        shoe = list(game.composition())
        Random(seed).shuffle(shoe)
        state = game.open([SeatStack(1, 10**6)], shoe[:78], SideContext())
        for seat, bet in bets:
            state = game.apply(state, seat, bet)
        state = game.apply(state, HOUSE, Close())
        while state.waiting:
            total = total_of(state.hand.cards).points
            waits = state.phase == "insurance" or total >= 17
            state = moved(state, "stand" if waits else "hit")
        most = max(most, state.drawn)
    assert 25 < most < 50


def test_limits_that_leave_no_bet_are_refused() -> None:
    with pytest.raises(ValueError, match="smallest bet"):
        Blackjack(min=200, max=100)
