"""Russian poker: what is refused, and why."""

import msgspec
import pytest

from games.rules.cards import parse_cards
from games.rules.contract import HOUSE, Action, Party, SeatStack, action_decoder
from games.rules.errors import Illegal
from games.rules.house.actions import Close, Done
from games.rules.house.antes import Ante, Fold
from games.rules.russian_poker.boxes import Accept, Bet, Buy, BuyDealer, Exchange, Insure
from games.rules.russian_poker.game import RussianPoker
from tests.rules.cases import each, every, illegal, unreadable
from tests.rules.harness import Moves
from tests.rules.russian_poker_round import (
    ACE_KING,
    GAME,
    OTHER,
    PAIR,
    REST,
    THREE,
    UNQUALIFIED,
    dealt,
    one_box,
    opened,
)

TWO_BOXES: Moves = [(1, Ante(1, 100)), (2, Ante(3, 100)), (HOUSE, Close())]


def refused(
    moves: Moves,
    seat: Party,
    action: Action,
    hands: list[str] | None = None,
    dealer: str = ACE_KING,
) -> tuple[str, str]:
    """The code and the sentence of a refusal after these moves."""
    state = opened(dealt(hands or [THREE, OTHER], dealer, REST), moves)
    with pytest.raises(Illegal) as refusal:
        GAME.apply(state, seat, action)
    return refusal.value.code, refusal.value.sentence


@each(
    ([], 1, Ante(1, 100_001), "above_purse"),
    ([], 1, Ante(1, 100, 10_001), "bet_too_large"),
    ([], 1, Ante(5, 100), "no_such_box"),
    ([(1, Ante(1, 99_000))], 1, Ante(2, 99_000, blind=True), "above_purse"),
    ([], 3, Ante(1, 100), "not_seated"),
    # Before the deal cards and insurance are for blind boxes of one's own.
    ([(1, Ante(1, 100))], 1, Buy(1), "not_blind"),
    ([(1, Ante(1, 100))], 1, Insure(1, 50), "not_blind"),
    ([(1, Ante(1, 100))], 1, Buy(2), "no_bet_on_box"),
    ([(1, Ante(1, 100))], 2, Buy(1), "box_taken"),
    ([(1, Ante(1, 100)), (1, Done())], 1, Buy(1), "no_more_bets"),
    ([], HOUSE, Buy(1), "house_bets_not"),
    ([], 3, Insure(1, 50), "not_seated"),
    ([(1, Ante(1, 100))], 1, Bet(1), "not_now"),
    ([(1, Ante(1, 100))], 1, Fold(1), "not_now"),
    ([(1, Ante(1, 100))], 1, Exchange(1, parse_cards("9c9d")), "not_now"),
    ([(1, Ante(1, 100))], 1, Accept(1), "not_now"),
    ([(1, Ante(1, 100))], 1, BuyDealer(1), "not_now"),
)
def test_refused_while_betting(moves: Moves, seat: Party, action: Action, code: str) -> None:
    assert refused(moves, seat, action)[0] == code


BLIND: Moves = [(1, Ante(1, 100)), (1, Ante(2, 100, blind=True))]


@each(
    ([(1, Buy(2))], Buy(2), "drawn_once"),
    ([(1, Insure(2, 50))], Insure(2, 50), "insured_once"),
    ([], Insure(2, 49), "bet_too_small"),
    ([], Insure(2, 5_000_001), "bet_too_large"),
    ([], Insure(2, 99_601), "above_purse"),
    ([], Ante(1, 1), "ante_matched"),
    ([(1, Insure(2, 99_550))], Buy(2), "above_purse"),
)
def test_refused_on_blind_boxes(moves: Moves, action: Action, code: str) -> None:
    assert refused([*BLIND, *moves], 1, action)[0] == code


@each(
    ([], 1, Ante(2, 100), "no_more_bets", "No more bets."),
    ([], 2, Bet(3), "not_your_turn", "It is not your turn."),
    ([], 1, Bet(3), "not_that_box", "It is box 1's turn."),
    ([], 1, Bet(4), "not_that_box", "It is box 1's turn."),
    ([], 1, Exchange(1, ()), "exchange_count", "Two to five cards can be exchanged."),
    ([], 1, Exchange(1, parse_cards("9c")), "exchange_count", ""),
    ([], 1, Exchange(1, parse_cards("9c9d9h5s3c2c")), "exchange_count", ""),
    (*([], 1, Exchange(1, parse_cards("9c9c")), "card_twice"), "Each card can be exchanged once."),
    ([], 1, Exchange(1, parse_cards("9c2c")), "card_not_held", "Box 1 has no 2c."),
    ([], 1, Exchange(1, parse_cards("9cTc")), "card_not_held", "Box 1 has no Tc."),
    (*([(1, Buy(1))], 1, Buy(1), "drawn_once"), "Box 1 has exchanged or bought already."),
    ([(1, Buy(1))], 1, Exchange(1, parse_cards("9c9d")), "drawn_once", ""),
    ([(1, Exchange(1, parse_cards("5s3c")))], 1, Buy(1), "drawn_once", ""),
    (
        *([(1, Insure(1, 50))], 1, Buy(1), "draw_before_insurance"),
        "After the insurance no card is drawn.",
    ),
    (*([(1, Insure(1, 50))], 1, Exchange(1, parse_cards("5s3c"))), *("draw_before_insurance", "")),
    ([(1, Insure(1, 50))], 1, Insure(1, 50), "insured_once", "Box 1 is insured already."),
    ([], 1, Insure(1, 49), "bet_too_small", "The smallest bet is 50."),
    ([], 1, Insure(1, 601), "bet_too_large", "The largest bet is 600."),
    (
        *([(1, Fold(1))], 2, Insure(3, 50), "not_insurable"),
        "Only three of a kind or better can be insured.",
    ),
    ([], 1, Accept(1), "not_now", "That cannot be done at this point of the hand."),
    ([], 1, BuyDealer(1), "not_now", ""),
    ([], 1, Done(), "no_more_bets", ""),
    ([], HOUSE, Close(), "not_your_turn", ""),
    ([(1, Bet(1)), (2, Fold(3))], 1, Bet(1), "hand_over", "The hand is over."),
)
def test_refused_while_deciding(
    moves: Moves, seat: Party, action: Action, code: str, said: str
) -> None:
    refusal, sentence = refused([*TWO_BOXES, *moves], seat, action)
    assert refusal == code
    assert said in ("", sentence)


@each(
    ([], 1, Bet(1), "not_now"),
    ([], 1, Fold(1), "not_now"),
    ([], 1, Buy(1), "not_now"),
    ([], 1, Insure(1, 50), "not_now"),
    ([], 1, Accept(3), "box_taken"),
    ([], 1, Accept(2), "no_bet_on_box"),
    ([(1, Accept(1))], 1, BuyDealer(1), "not_your_turn"),
    ([(1, BuyDealer(1))], 1, Accept(1), "not_your_turn"),
)
def test_refused_when_the_dealer_does_not_qualify(
    moves: Moves, seat: Party, action: Action, code: str
) -> None:
    both_in: Moves = [*TWO_BOXES, (1, Bet(1)), (2, Bet(3))]
    assert refused([*both_in, *moves], seat, action, dealer=UNQUALIFIED)[0] == code


def test_a_box_that_has_answered_or_folded_has_nothing_to_decide() -> None:
    moves: Moves = [*BLIND, (HOUSE, Close()), (1, Fold(1))]
    hands = [PAIR, OTHER]
    assert refused(moves, 1, Accept(1), hands, UNQUALIFIED)[0] == "box_answered"
    moves = [*BLIND, (HOUSE, Close()), (1, Bet(1)), (1, Accept(1))]
    code, sentence = refused(moves, 1, BuyDealer(1), hands, UNQUALIFIED)
    assert (code, sentence) == ("box_answered", "Box 1 has nothing to decide.")


@each((199, Buy(1)), (199, Exchange(1, parse_cards("9c9d"))), (299, Bet(1)), (149, Insure(1, 50)))
def test_refused_above_the_stack(stack: int, action: Action) -> None:
    for coin, allowed in ((0, False), (1, True)):
        stakes = [SeatStack(1, stack + coin)]
        state = opened(dealt([THREE], ACE_KING, REST), one_box(), stakes=stakes)
        do = str(action.__struct_config__.tag)
        assert (do in [choice.do for choice in GAME.choices(state, 1)]) is allowed
        if allowed:
            GAME.apply(state, 1, action)
        else:
            illegal("above_purse", GAME.apply, state, 1, action)


@every(
    text=[
        '{"do":"exchange","box":1,"cards":["9c","1d"]}',
        '{"do":"exchange","box":1}',
        '{"do":"insure","box":1,"amount":0}',
        '{"do":"insure","box":1,"amount":2.5}',
        '{"do":"buy","box":0}',
        '{"do":"buydealer","box":1}',
        '{"do":"check","box":1}',
        '{"do":"bet","box":1,"amount":200}',
    ]
)
def test_unreadable_actions(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        action_decoder(RussianPoker).decode(text)


def test_too_few_cards_for_the_deal_and_for_a_draw() -> None:
    for cards, moves in (
        (dealt([THREE], ACE_KING)[:9], one_box()),
        (dealt([THREE], ACE_KING), one_box(Buy(1))),
        (dealt([THREE], ACE_KING, "2c"), one_box(Exchange(1, parse_cards("9c9d")))),
        (dealt([THREE], UNQUALIFIED), one_box(Bet(1), BuyDealer(1))),
        (dealt([THREE], UNQUALIFIED, "Kd"), one_box(Bet(1), BuyDealer(1))),
    ):
        unreadable("too_few_cards", opened, cards, moves)


@every(
    options=[
        {"straight_flush_share_bp": 1_499},
        {"royal_share_bp": 4_999},
        {"royal_share_bp": 10_001},
        {"max_insurance": 0},
        {"min": 200, "max": 100},
        {"bonus_min": 200, "bonus_max": 100},
    ]
)
def test_options_that_cannot_be(options: dict[str, int]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, RussianPoker)
