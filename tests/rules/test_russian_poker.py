"""Russian poker case by case: what an open box wins, and what it can buy."""

import pytest
from msgspec.structs import replace

from games.rules.cards import parse_cards
from games.rules.contract import HOUSE, Action
from games.rules.errors import Illegal
from games.rules.house.actions import Close
from games.rules.house.antes import Ante, Fold
from games.rules.messages import sentence
from games.rules.russian_poker.boxes import Accept, Bet, Buy, BuyDealer, Exchange, Insure
from tests.rules.cases import each, every
from tests.rules.harness import Moves
from tests.rules.russian_poker_round import (
    ACE_KING,
    GAME,
    NOTHING,
    PAIR,
    PAIR_OF_TWOS,
    THREE,
    UNQUALIFIED,
    dealt,
    net,
    one_box,
    opened,
    settled,
)

# Ante and bet.


@each(
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
)
def test_a_dealer_who_qualifies(cards: str, dealer: str, won: int) -> None:
    assert net(cards, dealer, Bet(1)) == won


@every(cards=[NOTHING, PAIR, THREE, "Ac Kc Qc Jc Tc"])
def test_a_dealer_who_does_not_qualify_pays_the_ante_whatever_the_box_holds(cards: str) -> None:
    assert net(cards, UNQUALIFIED, Bet(1), Accept(1)) == 100


@every(dealer=[UNQUALIFIED, ACE_KING])
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


@each((99, 99), (799, 799), (800, 800), (600, 600), (601, 601), (10**6, 800))
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
    moves: Moves = [(1, Ante(1, 100)), (1, Ante(2, 100, blind=True)), (HOUSE, Close()), (1, Bet(1))]
    cards = dealt([PAIR, "Tc Td Js 5h 3s"], ACE_KING)
    assert settled(cards, moves, game).net[1] == 300


# Exchanging and buying.


@each(
    # Three nines, four of them, and the pair that stays what it was.
    ("5s 3c", "9h 7c", -100 + 600),
    ("5s 3c", "9h 9s", -100 + 4_000),
    ("Qh 5s 3c", "7c 8c 2d", -100 + 200),
    ("9d Qh 5s 3c", "2c 4c 7d 8c", -100 - 300),
    ("9c 9d Qh 5s 3c", "Ac Kc Qc Jc Tc", -100 + 20_000),
)
def test_exchanging_cards_for_an_ante(given: str, rest: str, won: int) -> None:
    exchange = Exchange(1, parse_cards(given))
    assert net(PAIR, ACE_KING, exchange, Bet(1), rest=rest) == won


@each(
    (NOTHING, "2c", -100 - 300),
    (NOTHING, "Kd", -100 + 200),
    (PAIR, "9h", -100 + 600),
    ("9c 8d 7h 6s 5c", "5d", -100 + 2 * 800),
    ("9c 9d 9h 9s 5c", "5d", -100 + 4_000 + 1_400),
    # The best five of six play: the sixth card adds a kicker.
    ("Ac Kd 5s 3c 2c", "9c", -100 + 200),
)
def test_buying_a_sixth_card_for_an_ante(cards: str, sixth: str, won: int) -> None:
    assert net(cards, ACE_KING, Buy(1), Bet(1), rest=sixth) == won


def test_purchases_are_lost_after_a_fold_too() -> None:
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


@each(
    (UNQUALIFIED, [Insure(1, 50), Bet(1), Accept(1)], 100 + 50),
    (UNQUALIFIED, [Insure(1, 600), Bet(1), Accept(1)], 100 + 600),
    (ACE_KING, [Insure(1, 600), Bet(1)], 600 - 600),
    ("Th Td Ts 6h 4d", [Insure(1, 600), Bet(1)], -300 - 600),
    # It is a bet of its own: a fold leaves it.
    (UNQUALIFIED, [Insure(1, 50), Fold(1)], -100 + 50),
    (ACE_KING, [Insure(1, 50), Fold(1)], -100 - 50),
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


@each(
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


@each(
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
)
def test_buying_the_dealer_a_card(cards: str, rest: str, won: int) -> None:
    assert net(cards, UNQUALIFIED, Bet(1), BuyDealer(1), rest=rest) == won


@each(
    (UNQUALIFIED, "Kd2h3d", "Kd2h"),
    (UNQUALIFIED, "KdKs3d", "KdKs"),
    (UNQUALIFIED, "Qd2h3d", "Qd"),
    # Another ace where the ace was highest; a king beside it would not have counted.
    ("Ah Td 8s 6h 4d", "Ad2h", "Ad2h"),
    ("Ah Td 8s 6h 4d", "Kd2h", "Kd"),
    # The same rank once more, but now a flush: the dealer qualifies.
    ("Kh Td 8d 6d 4d", "Kd2h", "Kd"),
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
    moves: Moves = [
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
    answers: Moves = [(1, BuyDealer(3)), (2, Accept(2)), (1, BuyDealer(1))]
    settlement = settled(cards, [*moves, *answers])
    # Box 1 wins 600 with three, box 3 wins 200 with a pair of jacks, each for 100.
    assert settlement.net == {1: 500 + 100, 2: 200, "house": -800}


def test_no_card_is_drawn_if_nobody_buys() -> None:
    state = opened(dealt([THREE], UNQUALIFIED), one_box(Bet(1), Accept(1)))
    assert (state.phase, state.dealer_draws, state.taken) == ("over", (), 10)


def test_the_draw_waits_for_the_last_answer() -> None:
    moves: Moves = [
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
