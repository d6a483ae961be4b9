"""Russian poker: what is offered, what the house plays, and who sees what."""

import msgspec

from games.rules.cards import Card, parse_cards
from games.rules.contract import HOUSE, Choice, SeatStack
from games.rules.house.actions import Close, Done
from games.rules.house.antes import Ante, Fold
from games.rules.house.sides import SideContext
from games.rules.russian_poker.boxes import Accept, Bet, Buy, BuyDealer, Exchange, Insure
from tests.rules.harness import Moves
from tests.rules.russian_poker_round import (
    ACE_KING,
    GAME,
    NOTHING,
    OTHER,
    PAIR,
    REST,
    THREE,
    UNQUALIFIED,
    dealt,
    one_box,
    opened,
)

BLIND: Moves = [(1, Ante(1, 100)), (1, Ante(2, 100, blind=True))]


# What is offered, and what the house plays.


def test_choices_of_an_open_box() -> None:
    state = opened(dealt([THREE], ACE_KING, REST), one_box())
    assert GAME.choices(state, 1) == (
        Choice("exchange", 1, None, 100, 2, 5, ("9c", "9d", "9h", "5s", "3c")),
        Choice("buy", box=1, cost=100),
        Choice("insure", box=1, least=50, most=600),
        Choice("bet", box=1, cost=200),
        Choice("fold", box=1),
    )
    assert GAME.choices(state, HOUSE) == ()
    bought = GAME.apply(state, 1, Buy(1))
    assert [choice.do for choice in GAME.choices(bought, 1)] == ["insure", "bet", "fold"]
    insured = GAME.apply(state, 1, Insure(1, 50))
    assert [choice.do for choice in GAME.choices(insured, 1)] == ["bet", "fold"]


def test_choices_for_a_blind_box() -> None:
    state = opened([], BLIND)
    assert GAME.choices(state, 1)[-4:] == (
        Choice("buy", box=2, cost=100),
        Choice("insure", box=2, least=50, most=99_600),
        Choice("remove", box=2),
        Choice("done"),
    )
    bought = GAME.apply(state, 1, Buy(2))
    assert GAME.choices(bought, 1)[-3:-1] == (
        Choice("insure", box=2, least=50, most=99_500),
        Choice("remove", box=2),
    )
    insured = GAME.apply(state, 1, Insure(2, 50))
    assert [choice.do for choice in GAME.choices(insured, 1)][-3:] == ["buy", "remove", "done"]
    assert all(choice.do == "ante" for choice in GAME.choices(state, 2)[:-1])


def test_choices_when_the_dealer_does_not_qualify() -> None:
    moves: Moves = [*BLIND, (HOUSE, Close()), (1, Bet(1))]
    cards = dealt([PAIR, OTHER], UNQUALIFIED, REST)
    state = opened(cards, moves)
    assert GAME.choices(state, 1) == (
        Choice("accept", box=1),
        Choice("buy_dealer", box=1, cost=100),
        Choice("accept", box=2),
        Choice("buy_dealer", box=2, cost=100),
    )
    short = opened(cards, moves, stakes=[SeatStack(1, 699)])
    assert [choice.do for choice in GAME.choices(short, 1)] == ["accept", "accept"]
    enough = opened(cards, moves, stakes=[SeatStack(1, 700)])
    assert len(GAME.choices(enough, 1)) == 4


def test_fallbacks() -> None:
    state = GAME.open([SeatStack(1, 1_000)], dealt([THREE], UNQUALIFIED), SideContext())
    assert GAME.fallback(state, 1) == Done()
    assert GAME.fallback(state, HOUSE) == Close()
    for seat, action in one_box():
        state = GAME.apply(state, seat, action)
    assert GAME.fallback(state, 1) == Fold(1)
    assert GAME.fallback(GAME.apply(state, 1, Insure(1, 50)), 1) == Fold(1)
    assert GAME.fallback(GAME.apply(state, 1, Bet(1)), 1) == Accept(1)
    # The bet of a blind box is in already.
    moves: Moves = [*BLIND, (HOUSE, Close()), (1, Fold(1))]
    blind = opened(dealt([THREE, OTHER], UNQUALIFIED), moves)
    assert GAME.fallback(blind, 1) == Accept(2)


# Who sees what.


OPEN, BLIND_HAND, OTHERS = THREE, "Tc Ts Qh 5h 3s", "Js Jd 7h 2c 8h"
THREE_BOXES: Moves = [
    (1, Ante(1, 100)),
    (1, Ante(2, 100, blind=True)),
    (2, Ante(3, 100)),
    (HOUSE, Close()),
]
BOTH_BET: Moves = [(1, Bet(1)), (2, Bet(3))]


def text(cards: tuple[Card, ...]) -> str:
    return " ".join(card.text for card in cards)


def seen(
    moves: Moves, seat: int | None, dealer: str = UNQUALIFIED
) -> tuple[dict[int, tuple[str, str]], str]:
    """By box the dealt and the held cards that a seat sees, and what it sees of the dealer."""
    state = opened(dealt([OPEN, BLIND_HAND, OTHERS], dealer, REST), moves)
    view = GAME.view(state, seat)
    assert view.dealer_qualifies is (None if len(view.dealer) < 5 else dealer == ACE_KING)
    hands = {hand.box: (text(hand.dealt), text(hand.cards)) for hand in view.hands}
    return hands, text(view.dealer)


def test_before_the_deal_nothing_lies() -> None:
    assert seen(THREE_BOXES[:-1], 1) == ({}, "")


def test_only_the_owner_sees_an_open_box_and_nobody_a_blind_one() -> None:
    up = UNQUALIFIED[:2]
    assert seen(THREE_BOXES, 1) == ({1: (OPEN, OPEN)}, up)
    assert seen(THREE_BOXES, 2) == ({3: (OTHERS, OTHERS)}, up)
    assert seen(THREE_BOXES, None) == ({}, up)
    drawn = [*THREE_BOXES, (1, Exchange(1, parse_cards("5s3c")))]
    assert seen(drawn, 1) == ({1: (OPEN, "9c 9d 9h 2h 7c")}, up)
    assert seen(drawn, 2) == ({3: (OTHERS, OTHERS)}, up)


def test_the_dealer_is_turned_when_all_have_decided_and_the_boxes_are_not() -> None:
    moves = [*THREE_BOXES, *BOTH_BET]
    assert seen(moves, 1) == ({1: (OPEN, OPEN)}, UNQUALIFIED)
    assert seen(moves, None) == ({}, UNQUALIFIED)


def test_at_the_end_what_is_in_lies_open() -> None:
    moves = [*THREE_BOXES, *BOTH_BET]
    for seat, mine in ((1, (OPEN, BLIND_HAND, "")), (2, ("", "", OTHERS)), (None, ("", "", ""))):
        hands, dealer = seen(moves, seat, ACE_KING)
        assert dealer == ACE_KING
        assert hands == {
            box: (mine[box - 1], held) for box, held in ((1, OPEN), (2, BLIND_HAND), (3, OTHERS))
        }


def test_exchanged_cards_stay_with_their_owner() -> None:
    exchange: Moves = [(1, Exchange(1, parse_cards("5s3c")))]
    moves = [*THREE_BOXES, *exchange, *BOTH_BET]
    held = "9c 9d 9h 2h 7c"
    assert seen(moves, 1, ACE_KING)[0][1] == (OPEN, held)
    assert seen(moves, 2, ACE_KING)[0][1] == ("", held)
    state = opened(dealt([OPEN, BLIND_HAND, OTHERS], ACE_KING, REST), moves)
    boxes = GAME.view(state, None).boxes
    assert [(box.drawn, box.exchanged) for box in boxes] == [("exchange", 2), ("", 0), ("", 0)]


def test_only_its_owner_sees_a_folded_hand_unless_it_has_a_bonus() -> None:
    for bonus, shown in ((0, None), (50, (OPEN, ""))):
        moves: Moves = [
            (1, Ante(1, 100, bonus)),
            (2, Ante(3, 100)),
            (HOUSE, Close()),
            (1, Buy(1)),
            (1, Fold(1)),
        ]
        state = opened(dealt([OPEN, OTHERS], ACE_KING, REST), [*moves, (2, Fold(3))])
        hands = {hand.box: hand for hand in GAME.view(state, 2).hands}
        view = hands.get(1)
        assert (view and (text(view.dealt), text(view.cards))) == shown
        own = GAME.view(state, 1).hands[0]
        assert (text(own.dealt), text(own.cards)) == (OPEN, OPEN + " 2h")


def test_the_dealer_is_not_turned_where_all_have_folded_uninsured() -> None:
    fold: Moves = [(HOUSE, Close()), (1, Fold(1))]
    state = opened(dealt([OPEN], ACE_KING), [(1, Ante(1, 100)), *fold])
    assert text(GAME.view(state, 1).dealer) == ACE_KING[:2]
    insured = opened(dealt([OPEN], ACE_KING), one_box(Insure(1, 50), Fold(1)))
    assert text(GAME.view(insured, 1).dealer) == ACE_KING


def test_hands_lie_open_while_a_pool_is_awaited() -> None:
    royal = "Ac Kc Qc Jc Tc"
    state = opened(dealt([royal], ACE_KING), one_box(Bet(1), bonus=50))
    assert state.phase == "pool"
    (hand,) = GAME.view(state, None).hands
    assert (text(hand.dealt), text(hand.cards)) == (royal, royal)


def test_a_view_names_what_is_held_and_counts_what_is_bet() -> None:
    moves = one_box(Buy(1), Insure(1, 60), Bet(1), BuyDealer(1), bonus=20)
    state = opened(dealt(["9c 9d 9h As Kc"], UNQUALIFIED, REST), moves)
    view = GAME.view(state, None)
    (hand,), (box,) = view.hands, view.boxes
    assert (hand.main, hand.second) == ("three", "ace_king")
    assert (box.ante, box.bet, box.bonus, box.insurance) == (100, 200, 20, 60)
    assert (box.drawn, box.answer, box.committed) == ("buy", "buy_dealer", 580)
    assert view.dealer_draws == parse_cards("7c")
    nothing = opened(dealt([NOTHING], ACE_KING), one_box())
    assert (GAME.view(nothing, 1).hands[0].main, GAME.view(nothing, 1).to_act) == (None, (1,))
    assert msgspec.to_builtins(GAME.view(nothing, 1))["game"] == "russian_poker"
