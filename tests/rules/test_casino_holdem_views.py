"""The refusals of casino hold'em, and what each viewer may see."""

import json

import msgspec
import pytest
from msgspec import ValidationError, convert

from games.rules.cards import Card, cards_text
from games.rules.casino_holdem.game import Call, CasinoHoldem, HoldemView
from games.rules.contract import HOUSE, Action, Party
from games.rules.house.actions import Close, Done, Pool
from games.rules.house.antes import Ante, Fold
from games.rules.house.sides import SideContext
from tests.rules.cases import each, every, illegal
from tests.rules.casino_holdem_round import ALL_BOXES, BOXES, GAME, dealing, played, settled
from tests.rules.harness import Moves

TWO: Moves = [(1, Ante(2, 100)), (2, Ante(5, 100))]
CLOSED: Moves = [*TWO, (HOUSE, Close())]


@each(
    ([(1, Ante(8, 100))], "no_such_box"),
    ([(1, Ante(1, 100_000)), (1, Ante(1, 1))], "above_purse"),
    ([(1, Ante(1, 100, 99))], "bet_too_small"),
    ([(1, Ante(1, 100, 10_001))], "bet_too_large"),
    ([(1, Call(1))], "not_now"),
    ([(1, Fold(1))], "not_now"),
    ([(4, Call(1))], "not_seated"),
    ([*TWO, (1, Done()), (1, Call(2))], "not_your_turn"),
    ([*CLOSED, (1, Ante(2, 100))], "no_more_bets"),
    ([*CLOSED, (1, Done())], "no_more_bets"),
    ([*CLOSED, (HOUSE, Close())], "not_your_turn"),
    ([*CLOSED, (1, Call(5))], "not_that_box"),
    ([*CLOSED, (1, Fold(5))], "not_that_box"),
    ([*CLOSED, (1, Call(3))], "not_that_box"),
    ([*CLOSED, (2, Call(5))], "not_your_turn"),
    ([*CLOSED, (3, Call(2))], "not_your_turn"),
    ([*CLOSED, (HOUSE, Fold(2))], "not_your_turn"),
    ([*CLOSED, (1, Call(2)), (1, Call(2))], "not_your_turn"),
    ([*CLOSED, (1, Call(2)), (2, Fold(2))], "not_that_box"),
    ([*CLOSED, (1, Call(2)), (2, Fold(5)), (2, Call(5))], "hand_over"),
    ([*CLOSED, (HOUSE, Pool("progressive", 1))], "not_your_turn"),
)
def test_refusals(moves: Moves, code: str) -> None:
    cards = dealing(["AcKd", "QcQd"], "TcTd", "Kh8s3c 6h9d")
    state = played(moves[:-1], cards)
    illegal(code, GAME.apply, state, *moves[-1])


def test_an_action_that_means_nothing_here_is_refused_while_boxes_decide() -> None:
    state = played(CLOSED, dealing(["AcKd", "QcQd"], "TcTd", "Kh8s3c"))

    class Stand(Action, frozen=True):
        pass

    illegal("not_now", GAME.apply, state, 1, Stand())


def test_a_round_is_not_settled_before_its_end() -> None:
    for moves in (TWO, CLOSED):
        state = played(moves, dealing(["AcKd", "QcQd"], "TcTd", "Kh8s3c"))
        illegal("hand_not_over", GAME.settle, state)


def test_a_round_without_bets_is_over_and_not_dealt() -> None:
    settlement = settled([(HOUSE, Close())], "")
    assert settlement.net == {1: 0, 2: 0, 3: 0, HOUSE: 0}
    assert settlement.lines == ()
    view = GAME.view(played([(HOUSE, Close())]), None)
    assert (view.phase, view.board, view.dealer) == ("over", (), ())


@every(
    options=[
        {"straight_flush_share_bp": 1_499},
        {"straight_flush_share_bp": 10_001},
        {"royal_share_bp": 4_999},
        {"royal_share_bp": 10_001},
        {"min": 200, "max": 100},
        {"bonus_min": 200, "bonus_max": 100},
        {"boxes": 7},
    ]
)
def test_options_that_cannot_be_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        convert(options, CasinoHoldem)


def seen(moves: Moves, seat: int | None) -> tuple[dict[int, str], str, str]:
    """The cards of the boxes, the dealer's and the board's in a view of the round."""
    view = GAME.view(played(moves, BOXES), seat)
    assert isinstance(view, HoldemView)
    shown = {box.box: cards_text(box.cards) for box in view.boxes if box.cards}
    return shown, cards_text(view.dealer), cards_text(view.board)


@each((None, {}), (1, {3: "QcQd"}), (2, {6: "JcJd"}), (3, {4: "7c2d"}))
def test_players_see_their_open_box_and_the_flop_while_boxes_decide(
    seat: int | None, shown: dict[int, str]
) -> None:
    assert seen(ALL_BOXES[:-1], seat) == ({}, "", "")
    decisions: Moves = [(1, Call(3)), (3, Fold(4))]
    for count in range(3):
        assert seen([*ALL_BOXES, *decisions[:count]], seat) == (shown, "", "Kh8s3c")


@every(seat=[None, 1, 2, 3])
def test_at_the_end_all_is_open_but_what_was_folded_without_a_bonus(seat: int | None) -> None:
    moves: Moves = [*ALL_BOXES, (1, Call(3)), (3, Fold(4)), (2, Call(6))]
    shown = {1: "AcKd", 3: "QcQd", 6: "JcJd"} | ({4: "7c2d"} if seat == 3 else {})
    assert seen(moves, seat) == (shown, "TcTd", "Kh8s3c6h9d")
    with_bonus: Moves = [*moves[:4], (3, Ante(4, 0, 100)), *moves[4:]]
    assert seen(with_bonus, seat)[0] == {1: "AcKd", 3: "QcQd", 4: "7c2d", 6: "JcJd"}


def test_the_final_hands_are_named() -> None:
    moves: Moves = [*ALL_BOXES, (1, Call(3)), (3, Fold(4)), (2, Call(6))]
    view = GAME.view(played(moves, BOXES), 3)
    assert {box.box: box.hand for box in view.boxes} == {1: "pair", 3: "pair", 4: None, 6: "pair"}
    assert (view.dealer_hand, view.dealer_qualifies) == ("pair", True)
    before = GAME.view(played(ALL_BOXES, BOXES), 1)
    assert [box.hand for box in before.boxes] == [None] * 4
    assert before.dealer_hand is None


def test_a_dealer_who_does_not_play_says_so() -> None:
    moves: Moves = [(1, Ante(1, 100)), (HOUSE, Close()), (1, Call(1))]
    view = GAME.view(played(moves, dealing(["AcKd"], "QhJs", "9s7c5d 4h2c")), None)
    assert (view.dealer_hand, view.dealer_qualifies) == ("high_card", False)


def test_the_wheel_card_is_shown_when_the_betting_has_ended() -> None:
    context = SideContext(wheel_card=Card.C2, wheel=0)
    cards = dealing(["AcKd", "QcQd"], "TcTd", "Kh8s3c 6h9d")
    before = played(TWO, cards, context=context)
    assert GAME.view(before, 1).sides is None
    sides = GAME.view(played(CLOSED, cards, context=context), 1).sides
    assert msgspec.to_builtins(sides) == {"wheel_card": "2c"}
    over = played([*CLOSED, (1, Fold(2)), (2, Fold(5))], cards, context=context)
    assert msgspec.to_builtins(GAME.view(over, None).sides) == {
        "wheel_card": "2c",
        "wheel_multiple": 1,
    }


def test_the_view_tells_the_bets_and_who_is_done() -> None:
    moves: Moves = [*TWO, (1, Ante(3, 100, 100, blind=True)), (2, Done())]
    view = GAME.view(played(moves), 1)
    seen: dict[int, tuple[Party, bool, int, int, int]] = {
        box.box: (box.seat, box.blind, box.ante, box.bonus, box.bet) for box in view.boxes
    }
    assert seen == {2: (1, False, 100, 0, 0), 3: (1, True, 100, 100, 200), 5: (2, False, 100, 0, 0)}
    assert (view.phase, view.done, view.to_act) == ("bet", (2,), (1, 3, HOUSE))


def test_the_view_as_a_page_gets_it() -> None:
    moves: Moves = [*TWO, (HOUSE, Close()), (1, Call(2)), (2, Fold(5))]
    cards = dealing(["AcKd", "QcQd"], "TcTd", "Kh8s3c 6h9d")
    data = json.loads(msgspec.json.encode(GAME.view(played(moves, cards), 1)))
    bets = {"blind": False, "ante": 100, "bonus": 0}
    assert data["game"] == "casino_holdem"
    # What a reader may not see is not there: no cards and no hand beside a box that folded.
    assert data["boxes"] == [
        {"seat": 1, "box": 2, **bets, "bet": 200, "folded": False}
        | {"cards": ["Ac", "Kd"], "hand": "pair"},
        {"seat": 2, "box": 5, **bets, "bet": 0, "folded": True},
    ]
