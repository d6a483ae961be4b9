"""What the thirteen-card games share: arranging by default, refusals, bets, and who sees what.

Dealing, the order of payment and stacks stand in `test_thirteen_stacks.py`.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from games.rules.cards import DECK, Card, cards_text, parse_cards
from games.rules.contract import Action, AnyGame, Choice, SeatStack
from games.rules.errors import Illegal, Unreadable
from games.rules.thirteen.banking import ThirteenHongkong, ThirteenPhilippine
from games.rules.thirteen.chinese_poker import ChinesePoker
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.state import Arrange, Bet, Exchange, ThirteenContext, ThirteenState
from tests.rules.cases import each, every, illegal, unreadable
from tests.rules.thirteen_table import SUITED, opened, read_hand

CHINESE = ChinesePoker(point=1)
HONGKONG = ThirteenHongkong(bet_min=1)
PHILIPPINE = ThirteenPhilippine(bet_min=1)
EACH_GAME = every(game=[CHINESE, HONGKONG, PHILIPPINE])
FROM_TWO_SEATS = every(game=[CHINESE, HONGKONG])
HANDS = [SUITED[suit] for suit in ("clubs", "diamonds", "hearts", "spades")]
CLUBS = HANDS[0]


def arranging(game: AnyGame, *hands: str) -> ThirteenState:
    """The hand at the moment when everybody arranges."""
    state: ThirteenState = opened(game, *(hands or HANDS))
    while state.phase != "arrange":
        for seat in sorted(game.to_act(state), key=str):
            state = game.apply(state, seat, game.fallback(state, seat))
    return state


def rows(text: str) -> Arrange:
    front, middle, back = (parse_cards(row) for row in text.split("/"))
    return Arrange(front=front, middle=middle, back=back)


def code_of(game: AnyGame, state: ThirteenState, seat: int, action: Action) -> str:
    before = msgspec.json.encode(state)
    with pytest.raises(Illegal) as refusal:
        game.apply(state, seat, action)
    assert msgspec.json.encode(state) == before
    return refusal.value.code


# Out of time: the house arranges


LOW_AND_HIGH_STRAIGHT = "Ac2d3h4s5c8d9sThJcQd2s3cJs"
NINE_OF_CLUBS_OR_DIAMONDS = "KsQhJsTd9c9d2h2c3c5d6h7h7d"


def by_default(game: Any, text: str) -> str:
    hand = parse_cards(text)
    left = [card for card in DECK if card not in hand]
    others = [left[13 * place : 13 * place + 13] for place in range(game.seats[-1] - 1)]
    state = arranging(game, as_rows(hand), *map(as_rows, others))
    action = game.fallback(state, 1)
    assert isinstance(action, Arrange)
    assert action.declare is None
    assert game.out_of_order([game.rank_row(row) for row in action.rows]) is None
    assert game.apply(state, 1, action).arranged[0] == action
    return " / ".join(cards_text(sorted(row, key=height, reverse=True)) for row in action.rows)


def as_rows(cards: Sequence[Card]) -> str:
    return " / ".join(cards_text(part) for part in (cards[:3], cards[3:8], cards[8:]))


def height(card: Card) -> tuple[int, int]:
    return card.rank, card.suit


@EACH_GAME
# Thirteen cards, and the rows made of them; in a row the highest card stands first.
@each(
    # best five behind, best of the rest in the middle
    ("KsKhKd4s4h9s8h7d6c5sAc2d3h", "Ac3h2d / 9s8h7d6c5s / KsKhKd4s4h"),
    # the highest pair joins the three of a kind
    ("AsAhAcKsKd2c2d5h7s9cJd3h4s", "5h4s3h / Jd9c7s2d2c / AsAhAcKsKd"),
    # the highest card joins the four
    ("7s7h7d7cAsKdQh9c8d5s4h3c2d", "4h3c2d / KdQh9c8d5s / As7s7h7d7c"),
    # three of a kind is left for the front
    ("AsKsQsJs9s2h4h6h8hTh3c3d3s", "3s3d3c / Th8h6h4h2h / AsKsQsJs9s"),
    # of flushes with equal ranks the one in spades
    ("AhKh9h7h3hAsKs9s7s3s2c4d6c", "6c4d2c / AhKh9h7h3h / AsKs9s7s3s"),
    ("2c3d4c5d6c7d8c9dTcJdQcKdAc", "4c3d2c / KdJd9d7d5d / AcQcTc8c6c"),  # a natural is laid in rows
)
def test_the_house_arranges(hand: str, arranged: str, game: AnyGame) -> None:
    assert by_default(game, hand) == arranged
    turned = "".join(card.text for card in reversed(parse_cards(hand)))
    assert by_default(game, turned) == arranged


@each(
    # Chinese poker: A-2-3-4-5 is the lowest straight
    (CHINESE, LOW_AND_HIGH_STRAIGHT, "Jc3c2d / Ac5c4s3h2s / QdJsTh9s8d"),
    # Hong Kong: A-2-3-4-5 is the second highest
    (HONGKONG, LOW_AND_HIGH_STRAIGHT, "Jc3c2d / QdJsTh9s8d / Ac5c4s3h2s"),
    # Chinese poker: of equal fives clubs before diamonds
    (CHINESE, NINE_OF_CLUBS_OR_DIAMONDS, "6h5d3c / 9d7h7d2h2c / KsQhJsTd9c"),
    # Hong Kong: of equal fives diamonds before clubs
    (HONGKONG, NINE_OF_CLUBS_OR_DIAMONDS, "6h5d3c / 9c7h7d2h2c / KsQhJsTd9d"),
)
def test_the_house_arranges_by_the_order_of_the_game(
    game: AnyGame, hand: str, arranged: str
) -> None:
    assert by_default(game, hand) == arranged


# Arranging


@EACH_GAME
@each(
    (Arrange(), "row_sizes"),  # nothing
    ("2c3c4c5c / 6c7c8c9c / TcJcQcKcAc", "row_sizes"),  # four in front
    ("2c3c4c / 5c6c7c8c / TcJcQcKcAc", "row_sizes"),  # a row too short
    (Arrange(middle=parse_cards("5c6c7c8c9c")), "row_sizes"),  # a row missing
    # a declaration with some rows
    (Arrange(front=parse_cards("2c3c4c"), declare=Natural.DRAGON), "row_sizes"),
    ("2c3c4d / 5c6c7c8c9c / TcJcQcKcAc", "card_not_held"),  # a card of another seat
    ("2c3cBJ / 5c6c7c8c9c / TcJcQcKcAc", "card_not_held"),  # a card in no seat's hand
    ("2c2c4c / 5c6c7c8c9c / TcJcQcKcAc", "card_twice"),  # a card twice in a row
    ("2c3cAc / 5c6c7c8c9c / TcJcQcKcAc", "card_twice"),  # a card in two rows
    # a declaration with a card twice
    (Arrange(*rows("2c2c4c / 5c6c7c8c9c / TcJcQcKcAc").rows, declare=Natural.DRAGON), "card_twice"),
    (Arrange(declare=Natural.TWELVE_ROYALS), "natural_not_played"),  # a natural of other tables
)
def test_arrangements_refused(action: Arrange | str, code: str, game: AnyGame) -> None:
    arranged = rows(action) if isinstance(action, str) else action
    assert code_of(game, arranging(game), 1, arranged) == code


@EACH_GAME
def test_a_foul_is_not_refused(game: AnyGame) -> None:
    state = game.apply(arranging(game), 1, rows("2c3c4c / TcJcQcKcAc / 5c6c7c8c9c"))
    assert 1 not in game.to_act(state)


@EACH_GAME
def test_an_arrangement_is_final(game: AnyGame) -> None:
    state = game.apply(arranging(game), 1, rows(CLUBS))
    assert code_of(game, state, 1, rows(CLUBS)) == "not_your_turn"


@EACH_GAME
def test_seats_arrange_at_once_in_any_order(game: AnyGame) -> None:
    state = arranging(game)
    for seat, waiting in ((3, {1, 2, 4}), (1, {2, 4}), (4, {2}), (2, set())):
        state = game.apply(state, seat, rows(HANDS[seat - 1]))
        assert game.to_act(state) == waiting


@EACH_GAME
def test_moves_out_of_place(game: AnyGame) -> None:
    state = arranging(game)
    assert code_of(game, state, 1, Bet(1)) == "not_now"
    assert code_of(game, state, 1, Exchange(1)) == "not_now"
    assert code_of(game, state, 7, rows(CLUBS)) == "not_seated"
    illegal("hand_not_over", game.settle, state)
    for seat in (1, 2, 3, 4):
        state = game.apply(state, seat, rows(HANDS[seat - 1]))
    assert code_of(game, state, 1, rows(CLUBS)) == "hand_over"


@each(
    # Chinese poker
    (CHINESE, ("thirteen_suited", "dragon", "twelve_one", "three_straights", "three_flushes")),
    (HONGKONG, ("pure_dragon", "dragon", "three_straights", "three_flushes")),  # Hong Kong
)
def test_the_naturals_held_are_offered(game: AnyGame, among: tuple[str, ...]) -> None:
    assert game.choices(arranging(game), 1) == (Choice("arrange", among=among),)


# Opening a hand


@each(
    ((1,), DECK, {}, "seat_count"),  # too few seats
    ((1, 2, 3, 4, 5), DECK, {}, "seat_count"),  # too many seats
    ((1, 1), DECK, {}, "seat_twice"),  # a seat twice
    ((1, 2), DECK[:25], {}, "too_few_cards"),  # 25 cards for two
    ((1, 2), DECK + DECK[:1], {}, "card_not_in_shoe"),  # a card twice
    ((1, 2), parse_cards("BJ") + DECK, {}, "card_not_in_shoe"),  # a joker
    ((1, 2), DECK, {"button": 3}, "context_seat"),  # button at no seat
    ((1, 2), DECK, {"banker": 3}, "context_seat"),  # banker at no seat
)
@FROM_TWO_SEATS
def test_hands_that_cannot_be_opened(
    seats: tuple[int, ...], cards: Sequence[Card], context: dict[str, int], code: str, game: AnyGame
) -> None:
    unreadable(
        code, game.open, [SeatStack(seat, 100) for seat in seats], cards, ThirteenContext(**context)
    )


@each(
    ((0, 2), (100, 100)),  # seat 0
    ((1, 256), (100, 100)),  # seat 256
    ((1, 2), (100, 0)),  # an empty stack
    ((1, 2), (10**15 + 1, 100)),  # a stack above 10^15
)
@FROM_TWO_SEATS
def test_seats_and_stacks_out_of_bounds_are_refused(
    seats: tuple[int, ...], stacks: tuple[int, ...], game: AnyGame
) -> None:
    with pytest.raises(Unreadable) as refusal:
        game.open(list(map(SeatStack, seats, stacks)), DECK, ThirteenContext())
    assert (refusal.value.code, refusal.value.path) == ("stake", "$.stakes")


@FROM_TWO_SEATS
def test_the_bounds_of_seats_and_stacks_are_inside(game: AnyGame) -> None:
    stakes = (SeatStack(1, 1), SeatStack(255, 10**15))
    assert game.open(stakes, DECK, ThirteenContext()).stakes == stakes


def test_two_seats_need_26_cards() -> None:
    state = CHINESE.open([SeatStack(1, 100), SeatStack(2, 100)], DECK[:26], ThirteenContext())
    assert [len(hand) for hand in state.hands] == [13, 13]


# Bets


@each(
    (10**6, 100, 5_000),  # the limits of the table
    (1_234, 100, 1_234),  # not more than the stack
    (100, 100, 100),  # just the smallest bet
    (40, 40, 40),  # a stack below the smallest bet goes in whole
)
@every(kind=[ThirteenHongkong, ThirteenPhilippine])
def test_bounds_of_a_bet(
    stack: int, least: int, most: int, kind: type[ThirteenHongkong] | type[ThirteenPhilippine]
) -> None:
    game = kind(bet_min=100, bet_max=5_000)
    state = opened(game, *HANDS, stacks=[stack, 10**6, 10**6, 10**6])
    assert game.choices(state, 1) == (Choice("bet", least=least, most=most),)
    assert code_of(game, state, 1, Bet(least - 1)) == "bet_too_small"
    assert code_of(game, state, 1, Bet(most + 1)) == "bet_too_large"
    for amount in (least, most):
        assert game.apply(state, 1, Bet(amount)).bets == (amount, 0, 0, 0)
    assert game.fallback(state, 1) == Bet(least)


def test_the_json_of_a_choice_holds_its_bounds_and_nothing_else() -> None:
    bet = HONGKONG.choices(opened(HONGKONG, *HANDS), 1)
    assert bet[0].cost == 0
    assert msgspec.to_builtins(bet) == ({"do": "bet", "least": 1, "most": HONGKONG.bet_max},)
    (arrange,) = msgspec.to_builtins(CHINESE.choices(opened(CHINESE, *HANDS), 1))
    assert list(arrange) == ["do", "among"]


@every(game=[HONGKONG, PHILIPPINE])
def test_every_punter_bets_once_and_the_banker_never(game: Any) -> None:
    state = opened(game, *HANDS)
    assert game.to_act(state) == {1, 2, 3}
    assert code_of(game, state, 4, Bet(1)) == "not_your_turn"
    assert game.choices(state, 4) == ()
    state = game.apply(state, 2, Bet(5))
    assert code_of(game, state, 2, Bet(6)) == "not_your_turn"
    assert code_of(game, state, 1, rows(CLUBS)) == "not_now"
    state = game.apply(game.apply(state, 3, Bet(6)), 1, Bet(7))
    assert state.phase != "bet"
    assert game.view(state, None).bets == {1: 7, 2: 5, 3: 6}


# Who sees what


def visible_cards(game: AnyGame, state: ThirteenState, viewer: int | None) -> set[Card]:
    """The cards that stand anywhere in a view."""
    text = msgspec.json.encode(game.view(state, viewer)).decode()
    return {card for card in DECK if f'"{card.text}"' in text}


@every(game=[HONGKONG, PHILIPPINE])
def test_nobody_sees_a_card_before_the_last_bet(game: AnyGame) -> None:
    state = game.apply(game.apply(opened(game, *HANDS), 1, Bet(1)), 3, Bet(1))
    for viewer in (None, 1, 2, 3, 4, 9):
        assert visible_cards(game, state, viewer) == set()


@EACH_GAME
def test_own_cards_only_until_the_last_has_arranged(game: Any) -> None:
    state = arranging(game)
    for arranged in (0, 2, 4, 1):
        if arranged:
            state = game.apply(state, arranged, rows(HANDS[arranged - 1]))
        for seat in (1, 2, 3, 4):
            assert visible_cards(game, state, seat) == set(read_hand(HANDS[seat - 1]).cards)
        for stranger in (None, 9):
            assert visible_cards(game, state, stranger) == set()
    assert game.view(state, 1).arranged == rows(CLUBS)
    assert game.view(state, 3).arranged is None
    # That a seat has arranged is no secret.
    assert game.view(state, None).to_act == (3,)


@EACH_GAME
def test_the_json_of_a_view_says_of_what_kind_of_game_it_is(game: AnyGame) -> None:
    view = msgspec.to_builtins(game.view(opened(game, *HANDS), 1))
    assert (view["game"], view["seat"]) == ("thirteen", 1)


@EACH_GAME
def test_everybody_sees_all_rows_at_the_end(game: Any) -> None:
    state = arranging(game)
    for seat, hand in enumerate(HANDS, start=1):
        state = game.apply(state, seat, rows(hand))
    for viewer in (None, 1, 2, 3, 4, 9):
        shown = game.view(state, viewer).shown
        assert [shown_hand.seat for shown_hand in shown] == [1, 2, 3, 4]
        assert [shown_hand.arranged for shown_hand in shown] == [rows(hand) for hand in HANDS]


@EACH_GAME
def test_a_declared_natural_shows_its_cards(game: Any) -> None:
    state = game.apply(arranging(game), 1, Arrange(declare=Natural.DRAGON))
    for seat in (2, 3, 4):
        state = game.apply(state, seat, rows(HANDS[seat - 1]))
    shown = game.view(state, None).shown[0]
    assert (shown.natural, shown.foul) == (Natural.DRAGON, False)
    assert set(shown.hand) == set(read_hand(CLUBS).cards)
