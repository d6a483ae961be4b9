"""Russian poker case by case: what a round pays, what can be bought, and who sees what."""

import json
from typing import Any

import msgspec
import pytest
from msgspec import convert
from msgspec.structs import replace

from games.rules.cards import parse_cards
from games.rules.contract import HOUSE, Action, Party, Stake
from games.rules.errors import Illegal, Unreadable
from games.rules.house.actions import Close, Done, Pool
from games.rules.house.antes import Ante, Fold
from games.rules.house.sides import Segment, SideContext
from games.rules.messages import sentence
from games.rules.russian_poker.actions import Accept, Bet, Buy, BuyDealer, Exchange, Insure
from games.rules.russian_poker.boxes import RussianState
from tests.rules.russian_poker_round import (
    ACE_KING,
    GAME,
    NOTHING,
    PAIR,
    PAIR_OF_TWOS,
    THREE,
    UNQUALIFIED,
    dealt,
    one_box,
    opened,
    settled,
)


def net(cards: str, dealer: str, *actions: Action, rest: str = "", **more: Any) -> int:
    """What seat 1 wins with these cards in box 1, at an ante of 100."""
    return settled(dealt([cards], dealer, rest), one_box(*actions), **more).net[1]


# Ante and bet.


@pytest.mark.parametrize(
    ("cards", "dealer", "won"),
    [
        # Below a dealer who qualifies.
        (NOTHING, ACE_KING, -300),
        (NOTHING, PAIR_OF_TWOS, -300),
        ("Ac Kd 7c 6s 3c", ACE_KING, -300),
        (PAIR, "Th Td 8s 6h 4d", -300),
        ("Ac Kd Qc Js 9c", PAIR_OF_TWOS, -300),
        # Equal.
        ("Ac Kd 8c 6s 4c", ACE_KING, 0),
        ("9c 9d Qh 5s 3c", "9h 9s Qd 5h 3d", 0),
        ("Tc 9d 8h 7s 6c", "Td 9c 8s 7h 6d", 0),
        # Above, by the paytable: the bet of 200 wins, and the ante comes back.
        ("Ac Kd 9c 6s 4c", ACE_KING, 200),
        (PAIR, ACE_KING, 200),
        ("Qc Qd Qh 5s 3c", ACE_KING, 600),
        ("9c 9d 5h 5s 3c", ACE_KING, 400),
        ("9c 8d 7h 6s 5c", ACE_KING, 800),
        ("9c 8c 2c 6c 5c", ACE_KING, 1_000),
        ("9c 9d 9h 5s 5c", ACE_KING, 1_400),
        ("9c 9d 9h 9s 5c", ACE_KING, 4_000),
        ("9c 8c 7c 6c 5c", ACE_KING, 10_000),
        ("Ac Kc Qc Jc Tc", ACE_KING, 20_000),
        # With a second combination.
        ("Ac Kd Kc 5s 3c", ACE_KING, 400),
        ("9c 9d 9h As Kc", ACE_KING, 800),
        # The second is paid where the main one wins, and not by itself.
        ("9c 9d Ah Ks 3c", "Th Td 8s 6h 4d", -300),
        ("9c 9d Ah Ks 3c", "9h 9s Ad Kh 3d", 0),
    ],
)
def test_a_dealer_who_qualifies(cards: str, dealer: str, won: int) -> None:
    assert net(cards, dealer, Bet(1)) == won


@pytest.mark.parametrize("cards", [NOTHING, PAIR, THREE, "Ac Kc Qc Jc Tc"])
def test_a_dealer_who_does_not_qualify_pays_the_ante_whatever_the_box_holds(cards: str) -> None:
    assert net(cards, UNQUALIFIED, Bet(1), Accept(1)) == 100


@pytest.mark.parametrize("dealer", [UNQUALIFIED, ACE_KING])
def test_a_fold_loses_the_ante_and_ends_the_round(dealer: str) -> None:
    settlement = settled(dealt([NOTHING], dealer), one_box(Fold(1)))
    assert settlement.net == {1: -100, 2: 0, "house": 100}
    assert [sentence(line) for line in settlement.lines] == ["1 loses the ante on box 1"]


def test_the_lines_of_a_win_name_both_combinations() -> None:
    settlement = settled(dealt(["Ac Kd Kc 5s 3c"], ACE_KING), one_box(Bet(1)))
    assert [sentence(line) for line in settlement.lines] == [
        "1 is paid 1:1 on the bet of 200 on box 1: pair",
        "1 is paid 1:1 on the bet of 200 on box 1 for a second combination: ace_king",
    ]
    assert [transfer.reason for transfer in settlement.transfers] == ["hand_won", "second_won"]


def test_the_lines_of_a_loss_and_of_an_unqualified_dealer() -> None:
    lost = settled(dealt([NOTHING], ACE_KING), one_box(Bet(1))).lines
    assert [sentence(line) for line in lost] == [
        "1 loses the ante on box 1",
        "1 loses the bet on box 1",
    ]
    won = settled(dealt([NOTHING], UNQUALIFIED), one_box(Bet(1), Accept(1))).lines
    assert [sentence(line) for line in won] == ["1 is paid 1:1 on the ante of 100 on box 1"]


@pytest.mark.parametrize(
    ("max_payout", "won"), [(99, 99), (799, 799), (800, 800), (600, 600), (601, 601), (10**6, 800)]
)
def test_the_maximum_payout_cuts_main_and_second_together(max_payout: int, won: int) -> None:
    game = replace(GAME, max_payout=max_payout)
    assert net("9c 9d 9h As Kc", ACE_KING, Bet(1), game=game) == won


def test_the_maximum_payout_cuts_the_ante_too() -> None:
    game = replace(GAME, max_payout=60)
    settlement = settled(dealt([PAIR], UNQUALIFIED), one_box(Bet(1), Accept(1)), game)
    assert settlement.net[1] == 60
    assert settlement.lines[-1].key == "box_payout_cap"


def test_the_maximum_payout_is_for_each_box() -> None:
    game = replace(GAME, max_payout=150)
    moves: list[tuple[Party, Action]] = [
        (1, Ante(1, 100)),
        (1, Ante(2, 100, blind=True)),
        (HOUSE, Close()),
        (1, Bet(1)),
    ]
    cards = dealt([PAIR, "Tc Td Js 5h 3s"], ACE_KING)
    assert settled(cards, moves, game).net[1] == 300


# Exchanging and buying.


@pytest.mark.parametrize(
    ("given", "rest", "won"),
    [
        # Three nines, four of them, and the pair that stays what it was.
        ("5s 3c", "9h 7c", -100 + 600),
        ("5s 3c", "9h 9s", -100 + 4_000),
        ("Qh 5s 3c", "7c 8c 2d", -100 + 200),
        ("9d Qh 5s 3c", "2c 4c 7d 8c", -100 - 300),
        ("9c 9d Qh 5s 3c", "Ac Kc Qc Jc Tc", -100 + 20_000),
    ],
)
def test_exchanging_cards_for_an_ante(given: str, rest: str, won: int) -> None:
    exchange = Exchange(1, parse_cards(given))
    assert net(PAIR, ACE_KING, exchange, Bet(1), rest=rest) == won


@pytest.mark.parametrize(
    ("cards", "sixth", "won"),
    [
        (NOTHING, "2c", -100 - 300),
        (NOTHING, "Kd", -100 + 200),
        (PAIR, "9h", -100 + 600),
        ("9c 8d 7h 6s 5c", "5d", -100 + 2 * 800),
        ("9c 9d 9h 9s 5c", "5d", -100 + 4_000 + 1_400),
        # The best five of six play: the sixth card adds a kicker.
        ("Ac Kd 5s 3c 2c", "9c", -100 + 200),
    ],
)
def test_buying_a_sixth_card_for_an_ante(cards: str, sixth: str, won: int) -> None:
    assert net(cards, ACE_KING, Buy(1), Bet(1), rest=sixth) == won


def test_what_was_bought_is_lost_after_a_fold_too() -> None:
    settlement = settled(dealt([NOTHING], ACE_KING, "2c"), one_box(Buy(1), Fold(1)))
    assert [sentence(line) for line in settlement.lines] == [
        "1 pays an ante for a sixth card on box 1",
        "1 loses the ante on box 1",
    ]
    exchange = Exchange(1, parse_cards("5s3c"))
    settlement = settled(dealt([NOTHING], ACE_KING, "2c4c"), one_box(exchange, Fold(1)))
    assert sentence(settlement.lines[0]) == "1 pays an ante for exchanging cards of box 1"
    assert settlement.net[1] == -200


def test_exchanged_cards_make_way_for_the_next_of_the_shoe() -> None:
    exchange = Exchange(1, parse_cards("3c9d"))
    state = opened(dealt([PAIR], ACE_KING, "7c2c8h"), one_box(exchange))
    assert state.boxes[0].cards == parse_cards("9cQh5s7c2c")
    assert state.boxes[0].dealt == parse_cards(PAIR)
    assert (state.boxes[0].exchanged, state.taken) == (2, 12)


# Insurance.


@pytest.mark.parametrize(
    ("dealer", "actions", "won"),
    [
        (UNQUALIFIED, [Insure(1, 50), Bet(1), Accept(1)], 100 + 50),
        (UNQUALIFIED, [Insure(1, 600), Bet(1), Accept(1)], 100 + 600),
        (ACE_KING, [Insure(1, 600), Bet(1)], 600 - 600),
        ("Th Td Ts 6h 4d", [Insure(1, 600), Bet(1)], -300 - 600),
        # It is a bet of its own: a fold leaves it.
        (UNQUALIFIED, [Insure(1, 50), Fold(1)], -100 + 50),
        (ACE_KING, [Insure(1, 50), Fold(1)], -100 - 50),
    ],
)
def test_insurance_wins_where_the_dealer_does_not_qualify(
    dealer: str, actions: list[Action], won: int
) -> None:
    assert net(THREE, dealer, *actions) == won


def test_the_lines_of_insurance() -> None:
    won = settled(dealt([THREE], UNQUALIFIED), one_box(Insure(1, 70), Bet(1), Accept(1))).lines
    assert sentence(won[-1]) == (
        "the dealer does not qualify: the insurance of 1 on box 1 wins 1:1"
    )
    lost = settled(dealt([THREE], ACE_KING), one_box(Insure(1, 70), Bet(1))).lines
    assert sentence(lost[-1]) == "1 loses the insurance on box 1"


def test_insurance_looks_at_the_first_five_whatever_is_bought() -> None:
    actions = [Insure(1, 50), Bet(1), BuyDealer(1)]
    # The king makes way for a ten: a pair, which three nines beat.
    assert net(THREE, UNQUALIFIED, *actions, rest="Th") == -100 + 600 + 50


def test_insurance_is_not_cut_by_the_maximum_payout_again() -> None:
    game = replace(GAME, max_payout=100)
    assert net(THREE, UNQUALIFIED, Insure(1, 100), Bet(1), Accept(1), game=game) == 200


@pytest.mark.parametrize(
    ("cards", "options", "ante", "bounds"),
    [
        (THREE, {}, 100, (50, 600)),
        (THREE, {}, 101, (51, 606)),
        ("9c 9d 9h As Kc", {}, 100, (50, 800)),
        ("9c 8d 7h 6s 5c", {}, 100, (50, 800)),
        (THREE, {"max_insurance": 250}, 100, (50, 250)),
        (THREE, {"max_insurance": 50}, 100, (50, 50)),
        (THREE, {"max_payout": 300}, 100, (50, 300)),
        (THREE, {"max_payout": 300, "max_insurance": 400}, 100, (50, 300)),
        (THREE, {"max_insurance": 49}, 100, None),
        ("2c 2d 2h 3s 4c", {}, 100, (50, 600)),
        ("Ac Ad Kd Ks Qc", {}, 100, None),
        ("9c 9d 5h 5s Kc", {}, 100, None),
    ],
)
def test_bounds_of_insurance(
    cards: str, options: dict[str, int], ante: int, bounds: tuple[int, int] | None
) -> None:
    game = replace(GAME, **options)
    state = opened(dealt([cards], ACE_KING), one_box(ante=ante), game)
    offered = [
        (choice.least, choice.most) for choice in game.choices(state, 1) if choice.do == "insure"
    ]
    assert offered == ([bounds] if bounds else [])
    if bounds:
        for amount in bounds:
            game.apply(state, 1, Insure(1, amount))
        for amount in (bounds[0] - 1, bounds[1] + 1):
            with pytest.raises(Illegal):
                game.apply(state, 1, Insure(1, amount))


# Buying the dealer a card. The dealer has K-T-8-6-4.


@pytest.mark.parametrize(
    ("cards", "rest", "won"),
    [
        # The king makes way. Still nothing: 1:1, which pays the price.
        (THREE, "2h", -100 + 100),
        (THREE, "Ad", -100 + 100),
        # A pair: below three nines, above a pair of nines, equal to a pair of tens.
        (THREE, "Th", -100 + 600),
        ("9c 9d Qh 5s 3c", "Th", -100 - 300),
        ("9c 9d Qh 5s 3c", "4s", -100 + 200),
        ("Tc Ts 8d 6c 4c", "Th", -100 + 0),
        # A second combination is paid as well.
        ("9c 9d 9h As Kc", "Th", -100 + 800),
        # Another king: the change is free once more, and that is the end of it.
        (THREE, "Kd 2h", -100 + 100),
        (THREE, "Kd Th", -100 + 600),
        (THREE, "Kd Ks Th", -100 + 100),
    ],
)
def test_buying_the_dealer_a_card(cards: str, rest: str, won: int) -> None:
    assert net(cards, UNQUALIFIED, Bet(1), BuyDealer(1), rest=rest) == won


@pytest.mark.parametrize(
    ("dealer", "rest", "drawn"),
    [
        (UNQUALIFIED, "Kd2h3d", "Kd2h"),
        (UNQUALIFIED, "KdKs3d", "KdKs"),
        (UNQUALIFIED, "Qd2h3d", "Qd"),
        # Another ace where the ace was highest; a king beside it would not have counted.
        ("Ah Td 8s 6h 4d", "Ad2h", "Ad2h"),
        ("Ah Td 8s 6h 4d", "Kd2h", "Kd"),
        # The same rank once more, but now a flush: the dealer qualifies.
        ("Kh Td 8d 6d 4d", "Kd2h", "Kd"),
    ],
)
def test_the_cards_the_dealer_draws(dealer: str, rest: str, drawn: str) -> None:
    state = opened(dealt([THREE], dealer, rest), one_box(Bet(1), BuyDealer(1)))
    assert state.dealer_draws == parse_cards(drawn)


def test_the_lines_of_a_purchase() -> None:
    lines = settled(dealt([THREE], UNQUALIFIED, "Th"), one_box(Bet(1), BuyDealer(1))).lines
    assert [sentence(line) for line in lines] == [
        "1 pays an ante for the dealer's next card against box 1",
        "1 is paid 3:1 on the bet of 200 on box 1: three",
    ]


def test_one_draw_for_all_who_buy_and_the_first_five_for_the_others() -> None:
    moves: list[tuple[Party, Action]] = [
        (1, Ante(1, 100)),
        (2, Ante(2, 200)),
        (1, Ante(3, 100, blind=True)),
        (HOUSE, Close()),
        (1, Bet(1)),
        (2, Bet(2)),
    ]
    cards = dealt([THREE, "Qc Qd 7s 5h 2c", "Jc Jd 7h 5d 2s"], UNQUALIFIED, "Th")
    state = opened(cards, moves)
    assert GAME.to_act(state) == {1, 2}
    answers: list[tuple[Party, Action]] = [
        (1, BuyDealer(3)),
        (2, Accept(2)),
        (1, BuyDealer(1)),
    ]
    settlement = settled(cards, [*moves, *answers])
    # Box 1 wins 600 with three, box 3 wins 200 with a pair of jacks, each for 100.
    assert settlement.net == {1: 500 + 100, 2: 200, "house": -800}


def test_nothing_is_drawn_where_nobody_buys() -> None:
    state = opened(dealt([THREE], UNQUALIFIED), one_box(Bet(1), Accept(1)))
    assert (state.phase, state.dealer_draws, state.taken) == ("over", (), 10)


def test_the_draw_waits_for_the_last_answer() -> None:
    moves: list[tuple[Party, Action]] = [
        (1, Ante(1, 100)),
        (2, Ante(2, 200)),
        (HOUSE, Close()),
        (1, Bet(1)),
        (2, Bet(2)),
        (2, BuyDealer(2)),
    ]
    state = opened(dealt([THREE, "Qc Qd 7s 5h 2c"], UNQUALIFIED, "Th"), moves)
    assert (state.phase, state.dealer_draws) == ("dealer", ())
    assert GAME.to_act(state) == {1}
    assert GAME.view(state, 2).dealer_draws == ()


# Blind boxes.


def blind_round(*actions: Action, open_ends: Action | None = None) -> list[tuple[Party, Action]]:
    """Seat 1 plays box 2 open and box 1 blind, with what it does before the deal."""
    before: list[tuple[Party, Action]] = [(1, Ante(2, 100)), (1, Ante(1, 100, blind=True))]
    return [
        *before,
        *[(1, action) for action in actions],
        (HOUSE, Close()),
        (1, open_ends or Fold(2)),
    ]


@pytest.mark.parametrize(
    ("blind", "actions", "won"),
    [
        (PAIR, [], -100 + 200),
        (NOTHING, [], -100 - 300),
        (PAIR, [Buy(1)], -100 - 100 + 600),
        (NOTHING, [Buy(1)], -100 - 100 + 200),
        # Insured before the deal: it stands beside three of a kind or better, up to its win.
        (THREE, [Insure(1, 50)], -100 + 600 - 50),
        (THREE, [Insure(1, 5_000)], -100 + 600 - 600),
        (PAIR, [Insure(1, 50)], -100 + 200),
        # What the sixth card makes counts.
        (PAIR, [Insure(1, 700), Buy(1)], -100 - 100 + 600 - 600),
    ],
)
def test_blind_boxes_against_a_dealer_who_qualifies(
    blind: str, actions: list[Action], won: int
) -> None:
    cards = dealt([blind, "Jc Ts 8d 5d 2c"], ACE_KING, "9s")
    if blind == THREE:
        cards = dealt([blind, "Jc Ts 8d 5d 2c"], ACE_KING)
    assert settled(cards, blind_round(*actions)).net[1] == won


@pytest.mark.parametrize(
    ("blind", "actions", "answer", "won"),
    [
        (NOTHING, [], Accept(1), -100 + 100),
        (THREE, [Insure(1, 80)], Accept(1), -100 + 100 + 80),
        (PAIR, [Insure(1, 80)], Accept(1), -100 + 100),
        (THREE, [Insure(1, 5_000)], Accept(1), -100 + 100 + 600),
        (THREE, [], BuyDealer(1), -100 - 100 + 600),
    ],
)
def test_blind_boxes_against_a_dealer_who_does_not_qualify(
    blind: str, actions: list[Action], answer: Action, won: int
) -> None:
    cards = dealt([blind, "Jc Ts 8d 5d 2c"], UNQUALIFIED, "4h")
    moves = [*blind_round(*actions), (1, answer)]
    assert settled(cards, moves).net[1] == won


def test_a_blind_box_draws_in_its_turn() -> None:
    """Boxes 1 and 4 are blind with a sixth card, 2 and 3 are open and draw between them."""
    moves: list[tuple[Party, Action]] = [
        (1, Ante(2, 100)),
        (1, Ante(1, 100, blind=True)),
        (1, Ante(4, 100, blind=True)),
        (2, Ante(3, 100)),
        (1, Buy(4)),
        (1, Buy(1)),
        (HOUSE, Close()),
        (1, Exchange(2, parse_cards("5d2c"))),
        (1, Bet(2)),
        (2, Buy(3)),
        (2, Bet(3)),
    ]
    hands = [PAIR, "Jc Ts 8d 5d 2c", "Jd Tc 8h 5h 2h", "Js 7d 7s 4h 2s"]
    state = opened(dealt(hands, ACE_KING, "As Ad Kd Qc Ks"), moves)
    assert [box.cards[-1].text for box in state.boxes] == ["As", "Kd", "Qc", "Ks"]
    assert state.boxes[1].cards == parse_cards("JcTs8dAdKd")
    assert state.taken == 30


# Dealing.


def test_dealing_goes_round_the_boxes_and_ends_with_the_dealer() -> None:
    moves: list[tuple[Party, Action]] = [(2, Ante(4, 100)), (1, Ante(2, 100)), (HOUSE, Close())]
    cards = list(GAME.composition())[:15]
    state = opened(cards, moves)
    assert [(box.box, box.cards) for box in state.boxes] == [
        (2, tuple(cards[0::3])),
        (4, tuple(cards[1::3])),
    ]
    assert state.dealer == tuple(cards[2::3])
    assert GAME.view(state, None).dealer == (cards[2],)


def test_a_round_without_bets_is_not_dealt() -> None:
    state = opened([], [(1, Done()), (2, Done())])
    assert (state.phase, state.boxes, state.dealer) == ("over", (), ())
    assert GAME.settle(state).net == {1: 0, 2: 0, "house": 0}


def test_nobody_decides_where_all_boxes_are_done_with_a_dealer_who_qualifies() -> None:
    state = opened(dealt([PAIR], ACE_KING), one_box(Bet(1)))
    assert GAME.to_act(state) == frozenset()


# The bonus.


@pytest.mark.parametrize(
    ("cards", "won"),
    [
        (PAIR, -50),
        ("9c 9d 5h 5s 3c", -50),
        (THREE, 500),
        ("9c 8d 7h 6s 5c", 1_050),
        ("9c 8c 2c 6c 5c", 2_000),
        ("9c 9d 9h 5s 5c", 3_000),
        ("9c 9d 9h 9s 5c", 7_500),
    ],
)
@pytest.mark.parametrize("fold", [True, False])
def test_a_bonus_of_fifty(cards: str, won: int, fold: bool) -> None:
    main = net(cards, ACE_KING, Fold(1) if fold else Bet(1))
    moves = one_box(Fold(1) if fold else Bet(1), bonus=50)
    assert settled(dealt([cards], ACE_KING), moves).net[1] == main + won


def test_the_bonus_is_for_the_first_five_cards() -> None:
    exchanged = [Exchange(1, parse_cards("9d9h")), Bet(1)]
    with_bonus = settled(dealt([THREE], ACE_KING, "2c4c"), one_box(*exchanged, bonus=50)).net[1]
    assert with_bonus == -100 - 300 + 500
    bought = [Buy(1), Bet(1)]
    assert settled(dealt([PAIR], ACE_KING, "9h"), one_box(*bought, bonus=50)).net[1] == 500 - 50


@pytest.mark.parametrize(
    ("cards", "options", "share_bp"),
    [
        ("9c 8c 7c 6c 5c", {}, 1_500),
        ("Ac Kc Qc Jc Tc", {}, 5_000),
        ("9c 8c 7c 6c 5c", {"straight_flush_share_bp": 2_000}, 2_000),
        ("Ac Kc Qc Jc Tc", {"royal_share_bp": 10_000}, 10_000),
    ],
)
def test_the_jackpot(cards: str, options: dict[str, int], share_bp: int) -> None:
    game = replace(GAME, **options)
    moves = [*one_box(Fold(1), bonus=50), (HOUSE, Pool("progressive", 10_000))]
    settlement = settled(dealt([cards], ACE_KING), moves, game)
    assert settlement.net[1] == -100 + share_bp
    assert settlement.pools == {"progressive": 5 - share_bp}


def test_without_a_jackpot_its_hands_pay_like_four() -> None:
    game = replace(GAME, jackpot_bp=0)
    settlement = settled(dealt(["9c 8c 7c 6c 5c"], ACE_KING), one_box(Fold(1), bonus=50), game)
    assert settlement.net[1] == -100 + 7_500


@pytest.mark.parametrize(
    ("draws", "won"),
    [
        ({"bonus_card": "9c"}, 500),
        ({"bonus_card": "9s"}, -50),
        ({"wheel_card": "3c", "wheel": 0}, 350),
        ({"lucky_card": "5s", "lucky_game": 0}, 150),
        ({"lucky_card": "5s", "lucky_game": 5}, 200),
        # All that is named may lie in one box, and on one card.
        (
            {
                "bonus_card": "9c",
                "wheel_card": "9c",
                "wheel": 0,
                "lucky_card": "9c",
                "lucky_game": 0,
            },
            1_000,
        ),
        # Cards that come later do not count.
        ({"bonus_card": "2c", "wheel_card": "2c", "wheel": 0}, -50),
    ],
)
@pytest.mark.parametrize("action", [Buy(1), Exchange(1, parse_cards("9c5s3c"))])
def test_named_cards_count_among_the_first_five(
    draws: dict[str, Any], won: int, action: Action
) -> None:
    game = replace(
        GAME,
        wheel_segments=(Segment(1, 7),),
        lucky_prizes=(Segment(5, 3), Segment(1, 4)),
    )
    moves = one_box(action, Fold(1), bonus=50)
    cards = dealt([PAIR], ACE_KING, "2c4c7d")
    settlement = settled(cards, moves, game, context=convert(draws, SideContext))
    assert settlement.net[1] == -200 + won


def test_a_blind_box_has_its_own_bonus() -> None:
    before: list[tuple[Party, Action]] = [
        (1, Ante(2, 100)),
        (1, Ante(1, 100, 50, blind=True)),
        (HOUSE, Close()),
        (1, Fold(2)),
    ]
    cards = dealt([THREE, "Jc Ts 8d 5d 2c"], ACE_KING)
    assert settled(cards, before).net[1] == -100 + 600 + 500


# Purses.


def test_everything_bought_counts_against_the_purse() -> None:
    """Ante, bonus, sixth card, insurance, bet and the dealer's card: 100 + 50 + 100 + 60 + 200."""
    actions = [Buy(1), Insure(1, 60), Bet(1), BuyDealer(1)]
    cards = dealt([THREE], UNQUALIFIED, "2c 7h")
    moves = one_box(*actions, bonus=50)
    for purse, refused in ((610, None), (609, "buy_dealer"), (509, "bet"), (309, "insure")):
        stakes = [Stake(1, purse)]
        state: RussianState = GAME.open(stakes, cards, SideContext())
        for seat, action in moves:
            do = str(action.__struct_config__.tag)
            if do == refused:
                with pytest.raises(Illegal) as refusal:
                    GAME.apply(state, seat, action)
                assert refusal.value.code == "above_purse"
                offered = [choice for choice in GAME.choices(state, seat) if choice.do == do]
                assert all((choice.most or 0) < 60 and do == "insure" for choice in offered)
                break
            state = GAME.apply(state, seat, action)
        else:
            assert refused is None
            assert GAME.settle(state).net[1] == 50 * 10 - 200 + 100 + 60


def test_a_tournament_takes_no_rake() -> None:
    game = replace(GAME, rake_bp=1_000)
    assert net(PAIR, ACE_KING, Bet(1), game=game) == 180
    royal = net("Ac Kc Qc Jc Tc", ACE_KING, Bet(1), game=replace(game, tournament=True))
    assert royal == 20_000


def test_there_are_no_more_seats_than_boxes() -> None:
    with pytest.raises(Unreadable) as refusal:
        GAME.open([Stake(seat, 100) for seat in range(1, 6)], (), SideContext())
    assert refusal.value.code == "seat_count"


def test_the_view_as_a_page_gets_it() -> None:
    """What has not been done to a box is not there."""
    moves: list[tuple[Party, Action]] = [
        (1, Ante(1, 100)),
        (1, Ante(2, 100, 50, blind=True)),
        (1, Insure(2, 60)),
        (2, Ante(3, 200)),
        (HOUSE, Close()),
        (1, Exchange(1, parse_cards("5s3c"))),
    ]
    cards = dealt([THREE, "Ac Qd Th 4s 8d", "Qc Jc 7s 4h 2c"], ACE_KING, "2s2d")
    told = json.loads(msgspec.json.encode(GAME.view(opened(cards, moves), 1)))
    assert told["game"] == "russian_poker"
    assert told["boxes"] == [
        {"box": 1, "seat": 1, "ante": 100, "drawn": "exchange", "exchanged": 2, "committed": 200},
        # A blind box has its bet on it from the start.
        {"box": 2, "seat": 1, "blind": True, "ante": 100, "bonus": 50, "bet": 200}
        | {"insurance": 60, "committed": 410},
        {"box": 3, "seat": 2, "ante": 200, "committed": 200},
    ]
    (hand,) = told["hands"]
    assert hand == {"box": 1, "main": "full_house"} | {
        "dealt": ["9c", "9d", "9h", "5s", "3c"],
        "cards": ["9c", "9d", "9h", "2s", "2d"],
    }
    moves += [(1, Bet(1)), (2, Fold(3))]
    told = json.loads(msgspec.json.encode(GAME.view(opened(cards, moves), 2)))
    assert told["boxes"][0]["bet"] == 200
    assert told["boxes"][2] == {"box": 3, "seat": 2, "ante": 200, "folded": True, "committed": 200}


def test_before_the_deal_no_card_has_left_the_shoe() -> None:
    state = opened(dealt([THREE], ACE_KING), [(1, Ante(1, 100))])
    assert (GAME.dealt(state), GAME.shown(state, 1)) == (0, frozenset())
    assert GAME.dealt(GAME.apply(state, HOUSE, Close())) == 10
