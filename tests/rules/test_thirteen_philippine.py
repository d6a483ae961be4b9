"""Philippine thirteen cards: the Hong Kong manner for four, with the banker's exchanges.

Seat 4 is the banker; seats 1 to 4 hold all clubs, diamonds, hearts and spades, and the bet is 1.
"""

from typing import Any

import msgspec
import pytest

from games.rules.cards import DECK, cards_text, parse_cards
from games.rules.contract import Action, Choice, action_decoder
from games.rules.thirteen.banking import ThirteenHongkong, ThirteenPhilippine
from games.rules.thirteen.state import Arrange, Bet, Direction, Exchange, Give, ThirteenState
from tests.rules.cases import each, every, illegal
from tests.rules.thirteen_table import SUITED, opened

GAME = ThirteenPhilippine(bet_min=1)
HANDS = [SUITED[suit] for suit in ("clubs", "diamonds", "hearts", "spades")]
SUIT_OF = dict(zip((1, 2, 3, 4), "cdhs", strict=True))
# Who gets the cards of whom.
GIVERS = {
    "clockwise": {1: 4, 2: 1, 3: 2, 4: 3},
    "anticlockwise": {1: 2, 2: 3, 3: 4, 4: 1},
    "opposite": {1: 3, 2: 4, 3: 1, 4: 2},
}
EACH_DIRECTION = each(*GIVERS.items())


def dealt(**where: Any) -> ThirteenState:
    """The hand once the bets are placed."""
    state: ThirteenState = opened(GAME, *HANDS, **where)
    for seat in sorted(seat for seat in state.seats if seat != state.banker):
        state = GAME.apply(state, seat, Bet(1))
    return state


def ordered(rounds: int, direction: Any = "clockwise") -> ThirteenState:
    return GAME.apply(dealt(), 4, Exchange(rounds, direction))


def everyone_gives(state: ThirteenState, ranks: str, suit_of: dict[int, str]) -> ThirteenState:
    """All seats give the cards of these ranks in their suits, the last seat first."""
    for seat in (4, 3, 2, 1):
        state = GAME.apply(state, seat, Give(of_suit(ranks, suit_of[seat])))
    return state


def of_suit(ranks: str, suit: str) -> tuple[Any, ...]:
    return parse_cards("".join(rank + suit for rank in ranks))


def hand(state: ThirteenState, seat: int) -> set[str]:
    return {card.text for card in GAME.view(state, seat).hand}


def cards(ranks: str, suit: str) -> set[str]:
    return {rank + suit for rank in ranks}


def test_bets_then_the_bankers_order_then_giving_then_arranging() -> None:
    state = opened(GAME, *HANDS)
    assert (state.phase, GAME.to_act(state)) == ("bet", {1, 2, 3})
    state = dealt()
    assert (state.phase, GAME.to_act(state)) == ("exchange", {4})
    # The cards are seen before the order.
    assert hand(state, 4) == cards("23456789TJQKA", "s")
    assert hand(state, 1) == cards("23456789TJQKA", "c")
    directions = ("clockwise", "opposite", "anticlockwise")
    assert GAME.choices(state, 4) == (Choice("exchange", least=0, most=2, among=directions),)
    for punter in (1, 2, 3):
        illegal("not_your_turn", GAME.apply, state, punter, Exchange(1))
    state = ordered(1)
    assert (state.phase, GAME.to_act(state)) == ("give", {1, 2, 3, 4})
    state = everyone_gives(state, "234", SUIT_OF)
    assert (state.phase, GAME.to_act(state)) == ("arrange", {1, 2, 3, 4})


def test_without_an_exchange_everybody_arranges_the_cards_dealt() -> None:
    state = ordered(0)
    assert (state.phase, state.hands) == ("arrange", dealt().hands)
    assert GAME.view(state, 1).exchanges == 0


@EACH_DIRECTION
def test_three_cards_go_on_to_one_seat(direction: str, givers: dict[int, int]) -> None:
    state = everyone_gives(ordered(1, direction), "234", SUIT_OF)
    for seat, giver in givers.items():
        arrived = cards("234", SUIT_OF[giver])
        assert hand(state, seat) == cards("56789TJQKA", SUIT_OF[seat]) | arrived
        assert {card.text for card in GAME.view(state, seat).received} == arrived


@EACH_DIRECTION
def test_seats_far_apart_count_as_neighbours(direction: Direction, givers: dict[int, int]) -> None:
    seats = (2, 5, 6, 9)
    state = GAME.apply(dealt(seats=seats, button=6), 6, Exchange(1, direction))
    for place, seat in enumerate(seats, start=1):
        state = GAME.apply(state, seat, Give(of_suit("JQK", SUIT_OF[place])))
    for place, seat in enumerate(seats, start=1):
        received = {card.text for card in GAME.view(state, seat).received}
        assert received == cards("JQK", SUIT_OF[givers[place]])


@EACH_DIRECTION
def test_the_same_direction_serves_both_rounds(direction: str, givers: dict[int, int]) -> None:
    first = everyone_gives(ordered(2, direction), "234", SUIT_OF)
    assert (first.phase, GAME.to_act(first)) == ("give", {1, 2, 3, 4})
    assert GAME.view(first, 1).exchanges_left == 1
    second = everyone_gives(first, "JQK", SUIT_OF)
    assert second.phase == "arrange"
    # What came in the first round may be passed on in the second.
    came = {seat: SUIT_OF[giver] for seat, giver in givers.items()}
    passed_on = everyone_gives(first, "234", came)
    for seat, giver in givers.items():
        arrived = cards("234JQK", SUIT_OF[giver])
        assert hand(second, seat) == cards("56789TA", SUIT_OF[seat]) | arrived
        # The cards of the giver's giver; across the table that is one's own.
        arrived = cards("234", SUIT_OF[givers[giver]])
        assert hand(passed_on, seat) == cards("56789TJQKA", SUIT_OF[seat]) | arrived


def test_no_card_is_lost_or_doubled() -> None:
    state = everyone_gives(everyone_gives(ordered(2), "234", SUIT_OF), "AKQ", SUIT_OF)
    assert sorted(card.text for held in state.hands for card in held) == sorted(
        card.text for card in DECK
    )


def test_everybody_gives_before_anybody_receives() -> None:
    state = ordered(1)
    for seat in (2, 4, 1):
        state = GAME.apply(state, seat, Give(of_suit("234", SUIT_OF[seat])))
        assert seat not in GAME.to_act(state)
        for other in (1, 2, 3, 4):
            assert hand(state, other) == cards("23456789TJQKA", SUIT_OF[other])
    assert GAME.to_act(state) == {3}


def test_a_gift_is_seen_by_its_giver_only_until_it_arrives() -> None:
    state = GAME.apply(ordered(1), 1, Give(of_suit("234", "c")))
    assert cards_text(GAME.view(state, 1).gift) == "2c3c4c"
    for viewer in (None, 2, 3, 4):
        text = msgspec.json.encode(GAME.view(state, viewer)).decode()
        assert not any(f'"{card}"' in text for card in ("2c", "3c", "4c"))
    for seat in (2, 3, 4):
        state = GAME.apply(state, seat, Give(of_suit("234", SUIT_OF[seat])))
    assert cards_text(GAME.view(state, 2).received) == "2c3c4c"
    for viewer in (None, 1, 3, 4):
        assert '"2c"' not in msgspec.json.encode(GAME.view(state, viewer)).decode()


@each(
    ("2c3c4d", "card_not_held"),  # a card of another seat
    ("2c3c3c", "card_twice"),  # the same card twice
    ("2c3c", "gift_size"),  # two cards, built by a program
    ("2c3c4c5c", "gift_size"),  # four cards, built by a program
)
def test_gifts_refused(given: str, code: str) -> None:
    illegal(code, GAME.apply, ordered(1), 1, Give(parse_cards(given)))


def test_a_gift_is_given_once_and_not_of_what_is_gone() -> None:
    state = GAME.apply(ordered(1), 1, Give(of_suit("234", "c")))
    illegal("not_your_turn", GAME.apply, state, 1, Give(of_suit("567", "c")))
    state = everyone_gives(ordered(2), "234", SUIT_OF)
    illegal("card_not_held", GAME.apply, state, 1, Give(of_suit("234", "c")))


@every(
    text=[
        '{"do":"exchange","rounds":3}',  # three rounds
        '{"do":"exchange","rounds":-1}',  # fewer than none
        '{"do":"exchange"}',  # an order without its rounds
        '{"do":"exchange","rounds":1,"direction":"across"}',  # no such way
        '{"do":"give","cards":["2c","3c"]}',  # two cards
        '{"do":"give","cards":["2c","3c","4c","5c"]}',  # four cards
    ]
)
def test_orders_and_gifts_that_cannot_be_read(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        action_decoder(ThirteenPhilippine).decode(text)


@each(
    (None, 4, Give(of_suit("234", "s"))),  # a gift before the order
    (None, 4, Arrange()),  # rows before the order
    (1, 4, Exchange(1)),  # a second order
    (1, 1, Arrange()),  # rows before the gifts
    (0, 1, Give(of_suit("234", "c"))),  # a gift without an exchange
    (0, 4, Exchange(1)),  # an order after the order
)
def test_not_now(rounds: int | None, seat: int, action: Action) -> None:
    state = dealt() if rounds is None else ordered(rounds)
    illegal("not_now", GAME.apply, state, seat, action)


def test_the_hongkong_table_has_no_exchange() -> None:
    with pytest.raises(msgspec.ValidationError):
        action_decoder(ThirteenHongkong).decode('{"do":"exchange","rounds":1}')


def test_out_of_time_the_banker_orders_nothing_and_a_seat_gives_its_three_lowest() -> None:
    assert GAME.fallback(dealt(), 4) == Exchange(0)
    for seat in (1, 2, 3, 4):
        assert GAME.fallback(ordered(1), seat) == Give(of_suit("234", SUIT_OF[seat]))


def test_the_lowest_three_in_the_second_round_may_be_what_came_first() -> None:
    state = everyone_gives(ordered(2), "AKQ", SUIT_OF)
    for seat in (1, 2, 3, 4):
        state = GAME.apply(state, seat, GAME.fallback(state, seat))
    # The twos, threes and fours moved; aces are high.
    assert hand(state, 2) == cards("AKQ", "c") | cards("234", "c") | cards("56789TJ", "d")


def test_equal_ranks_are_ordered_clubs_diamonds_hearts_spades() -> None:
    # Seat 1 holds the twos of all suits: the two of spades stays.
    swapped = "2c2s2h / 2d6c7c8c9c / TcJcQcKcAc"
    others = ["3d4d5d / 5c6d7d8d9d / TdJdQdKdAd", "3h4h5h / 3c6h7h8h9h / ThJhQhKhAh"]
    state = opened(GAME, swapped, *others, "3s4s5s / 4c6s7s8s9s / TsJsQsKsAs")
    for seat in (1, 2, 3):
        state = GAME.apply(state, seat, Bet(1))
    state = GAME.apply(state, 4, Exchange(1))
    assert GAME.fallback(state, 1) == Give(parse_cards("2c2d2h"))


@every(rounds=[-1, 3])
def test_an_order_that_a_program_built_out_of_bounds_is_refused(rounds: int) -> None:
    illegal("exchange_rounds", ordered, rounds)


def test_a_view_tells_how_many_exchanges_were_ordered_and_are_left() -> None:
    view = GAME.view(dealt(), 1)
    assert (view.exchanges, view.exchanges_left, view.direction) == (0, 0, None)
    state = ordered(2, "opposite")
    view = GAME.view(state, 1)
    assert (view.exchanges, view.exchanges_left, view.direction) == (2, 2, "opposite")
    view = GAME.view(everyone_gives(state, "234", SUIT_OF), 1)
    assert (view.exchanges, view.exchanges_left) == (2, 1)
