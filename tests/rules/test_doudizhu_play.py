"""Bidding, playing and passing; what is refused, what lies open, and what the house plays."""

from collections.abc import Iterable

import msgspec
import pytest

from games.rules.cards import Card
from games.rules.contract import SeatStack
from games.rules.doudizhu.combinations import SENTENCES, Kind, Reading, no_combination, readings
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.ranks import in_order
from games.rules.doudizhu.state import Call, DoudizhuContext, DoudizhuState, Pass, Play
from games.rules.errors import Illegal
from tests.rules.cases import each, every
from tests.rules.doudizhu_table import after, dealt, ranks

GAME = Doudizhu()
TOURNAMENT = Doudizhu(tournament=True)
ANY = [SeatStack(seat, 1_000) for seat in (2, 5, 9)]


def texts(cards: Iterable[Card]) -> str:
    return " ".join(card.text for card in cards)


# The deal.


def test_cards_go_one_at_a_time_from_the_left_of_the_button_and_three_stay() -> None:
    cards = GAME.composition()
    state = GAME.open(ANY, cards, DoudizhuContext(button=5, wild=1))
    assert (
        [set(hand) for hand in state.hands]
        == [
            set(cards[1:51:3]),  # seat 2
            set(cards[2:51:3]),  # seat 5, the button, is last
            set(cards[0:51:3]),  # seat 9
        ]
    )
    assert state.middle == cards[51:]
    assert state.first_caller == 2


@each((2, 0, 5), (2, 50, 2), (5, 3, 9), (9, 4, 5))
def test_the_seat_that_is_dealt_the_wild_card_calls_first(
    button: int, wild: int, first: int
) -> None:
    state = GAME.open(ANY, GAME.composition(), DoudizhuContext(button=button, wild=wild))
    assert state.first_caller == first
    assert GAME.to_act(state) == {first}
    hand = state.hands[state.place(first)]
    assert GAME.composition()[wild] in hand


def test_without_a_draw_the_left_of_the_button_calls_first_and_the_last_seat_has_the_button() -> (
    None
):
    state = GAME.open(ANY, GAME.composition(), DoudizhuContext())
    assert (state.button, state.first_caller) == (9, 2)


# The bidding.


@each(
    (("1 call 1", "2 call 0", "3 call 0"), 1, 1),
    (("1 call 0", "2 call 0", "3 call 1"), 3, 1),
    (("1 call 1", "2 call 2", "3 call 0"), 2, 2),
    (("1 call 1", "2 call 2", "3 call 3"), 3, 3),
    (("1 call 2", "2 call 0", "3 call 3"), 3, 3),
    (("1 call 3",), 1, 3),
    (("1 call 0", "2 call 3"), 2, 3),
)
def test_the_highest_call_takes_the_middle_and_leads(
    moves: tuple[str, ...], landlord: int, call: int
) -> None:
    before = dealt()
    state = after(before, *moves)
    assert (state.phase, state.landlord, state.call) == ("play", landlord, call)
    assert GAME.to_act(state) == {landlord}
    place = landlord - 1
    assert state.hands[place] == in_order((*before.hands[place], *before.middle))
    assert [len(hand) for hand in state.hands].count(17) == 2


@each((("1 call 1", "2 call 1"), 1), (("1 call 2", "2 call 1"), 2))
def test_a_call_must_be_higher(moves: tuple[str, ...], points: int) -> None:
    with pytest.raises(Illegal) as refused:
        after(dealt(), *moves)
    assert refused.value.code == "call_too_low"
    assert str(refused.value) == f"A call must be higher than {points}."


def test_choices_name_the_calls_left() -> None:
    state = dealt()
    assert [choice.among for choice in GAME.choices(state, 1)] == [("0", "1", "2", "3")]
    state = after(state, "1 call 2")
    assert [choice.among for choice in GAME.choices(state, 2)] == [("0", "3")]
    assert GAME.choices(state, 1) == ()


NOBODY = ("1 call 0", "2 call 0", "3 call 0")


@each((GAME, 0), (GAME, 2), (GAME, 9), (TOURNAMENT, 0), (TOURNAMENT, 1))
def test_a_hand_nobody_calls_ends_with_nothing_paid_and_nothing_shown(
    game: Doudizhu, redeals: int
) -> None:
    state = after(dealt(redeals=redeals), *NOBODY, game=game)
    assert game.to_act(state) == frozenset()
    settlement = game.settle(state)
    assert set(settlement.net.values()) == {0}
    assert settlement.transfers == settlement.lines == ()
    view = game.view(state, None)
    assert view.opened == view.middle == ()


@every(redeals=[2, 3])
def test_in_a_tournament_the_first_caller_of_the_third_round_plays_for_one_point(
    redeals: int,
) -> None:
    state = dealt(redeals=redeals, wild=1)
    state = after(state, "2 call 0", "3 call 0", "1 call 0", game=TOURNAMENT)
    assert (state.phase, state.landlord, state.call) == ("play", 2, 1)
    assert len(state.hands[1]) == 20


# The play. Seat 1 is landlord for three points.

HANDS = (
    "3c3d3h4c4d4h5c6d7h8c9cTcJcQcKcAc2c",
    "5d5h6c6h7c7d8d8h9d9hTdJdQdKdAd2dBJ",
    "3s4s5s6s7s8s9sTsJsQsKsAs2sAhKhQhRJ",
)
MIDDLE = "2hThJh"


def landlord_leads() -> DoudizhuState:
    return after(dealt(HANDS, MIDDLE), "1 call 3")


def test_the_lead_goes_round_until_two_have_passed() -> None:
    state = after(landlord_leads(), "1 play 5c", "2 play 6c", "3 pass", "1 play 7h", "2 pass")
    assert [choice.do for choice in GAME.choices(state, 3)] == ["play", "pass"]
    state = after(state, "3 pass")
    assert GAME.to_act(state) == {1}
    assert [choice.do for choice in GAME.choices(state, 1)] == ["play"]
    assert GAME.view(state, 2).to_beat is None
    state = after(state, "1 play 3c3d3h4c4d4h8c9c")
    assert state.turns[-1].reading == Reading(Kind.AIRPLANE_SINGLES, 1, 2)


def test_player_who_passed_may_play_later() -> None:
    state = after(landlord_leads(), "1 play 5c", "2 pass", "3 play 7s", "1 pass", "2 play 8d")
    assert GAME.to_act(state) == {3}


def test_the_first_without_cards_ends_the_hand() -> None:
    state = landlord_leads()
    lead = "5c6d7h8c9cTcJcQcKcAc"
    state = after(state, f"1 play {lead}", "2 pass", "3 pass")
    state = after(state, "1 play 3c3d3h4c4d4hThJh", "2 pass", "3 pass", "1 play 2c2h")
    assert state.phase == "over"
    assert GAME.to_act(state) == frozenset()
    with pytest.raises(Illegal, match="The hand is over"):
        after(state, "2 pass")


def test_a_follower_with_several_readings_stands_as_the_first_that_wins() -> None:
    hands = ("3c3d3h4c4d4h5c5d5h7c8c9c", "6c6d6h7d7h7s8d8h8s9d9h9s", "")
    state = after(dealt(hands, ""), "1 call 3", "1 play 3c3d3h4c4d4h5c5d5h7c8c9c")
    state = after(state, "2 play 6c6d6h7d7h7s8d8h8s9d9h9s")
    assert state.turns[-1].reading == Reading(Kind.AIRPLANE_SINGLES, 6, 3)


def test_the_suits_are_the_players_own() -> None:
    state = after(landlord_leads(), "1 play 4h4c")
    assert texts(state.turns[-1].cards) == "4c 4h"
    assert "4d" in texts(state.hands[0])


@each(
    ("1 pass", "must_lead", "You lead, and cannot pass."),
    ("2 play 5d", "not_your_turn", "It is not your turn."),
    ("2 pass", "not_your_turn", "It is not your turn."),
    ("4 pass", "not_seated", "Seat 4 takes no part in this hand."),
    ("1 call 3", "called", "The bidding is over."),
    ("1 play 5d", "not_held", "You do not hold 5d."),
    ("1 play 3c3c", "card_twice", "3c appears twice."),
    ("1 play 3c4c", "no_combination", "These cards are no combination."),
    ("1 play TcJcQcKcAc2c", "straight_two", "A straight cannot hold a 2."),
    ("1 play 5c6d7h8c", "straight_short", "A straight needs at least five cards."),
    ("1 play 4c5c6d7h9c", "straight_gap", "A straight cannot leave out a rank."),
    ("1 play 3c3d4c4d", "pairs_short", "Consecutive pairs need at least three pairs."),
    ("1 play 3c3d4c4dThTc", "pairs_gap", "Consecutive pairs cannot leave out a rank."),
    ("1 play 2c2hTcThJcJh", "pairs_two", "Consecutive pairs cannot hold a 2."),
    ("1 play 3c3d3h4c4d4h5c", "airplane_carries", SENTENCES["airplane_carries"]),
    ("1 play 3c3d3h4c5c", "trio_carries", SENTENCES["trio_carries"]),
)
def test_a_lead_is_refused_with_a_reason(move: str, code: str, sentence: str) -> None:
    state = landlord_leads()
    before = msgspec.json.encode(state)
    with pytest.raises(Illegal) as refused:
        after(state, move)
    assert (refused.value.code, str(refused.value)) == (code, sentence)
    assert msgspec.json.encode(state) == before


@each(
    ("3333455", "four_carries"),
    ("3456BJ", "straight_joker"),
    ("222333", "airplane_two"),
    ("22233345", "airplane_two"),
    ("333555", "airplane_gap"),
    ("BJ3", "pair_joker"),
    ("33BJ", "pair_joker"),
    ("RJ", None),
    ("333BJRJ", "trio_carries"),
    ("BJRJ3", "no_combination"),
    ("KKAA22", "pairs_two"),
    ("3344556", "no_combination"),
)
def test_the_likeliest_mistake_is_named(cards: str, code: str | None) -> None:

    assert bool(readings(ranks(cards))) is (code is None)
    if code is not None:
        assert no_combination(ranks(cards), "literal").code == code


@each(
    ("3333BJRJ", "both_jokers"),
    ("QQQKKKAAABJRJ3", "both_jokers"),
    ("3334445555", "four_equal"),
    ("33334444", "four_equal"),
    ("3334445556667779", "trio_beside"),
)
def test_strict_wings_say_what_they_refuse(cards: str, code: str) -> None:

    refusal = no_combination(ranks(cards), "strict")
    assert (refusal.code, str(refusal)) == (code, SENTENCES[code])


@every(sentence=SENTENCES.values())
def test_every_reason_is_a_sentence(sentence: str) -> None:
    assert sentence[0].isupper()
    assert sentence.endswith(".")


@every(cards=["5d", "5d5h", "BJ6c", "5d6c7c8d9d"])
def test_a_follower_must_beat_what_lies_there(cards: str) -> None:
    state = after(landlord_leads(), "1 play 5c")
    with pytest.raises(Illegal) as refused:
        after(state, f"2 play {cards}")
    expected = "pair_joker" if cards == "BJ6c" else "beats_nothing"
    assert refused.value.code == expected
    if expected == "beats_nothing":
        assert str(refused.value) == "This beats nothing on the table."


@every(move=["1 play 3c", "1 pass"])
def test_nothing_is_played_during_the_bidding(move: str) -> None:
    with pytest.raises(Illegal) as refused:
        after(dealt(HANDS, MIDDLE), move)
    assert (refused.value.code, str(refused.value)) == ("calling", "The bidding is not over.")


# What the house plays for one who is not there.


def test_the_house_calls_nothing_leads_the_lowest_card_and_passes() -> None:
    assert GAME.fallback(dealt(), 1) == Call(0)
    state = landlord_leads()
    lead = GAME.fallback(state, 1)
    assert isinstance(lead, Play)
    assert texts(lead.cards) == "3c"
    assert GAME.fallback(after(state, "1 play 5c"), 2) == Pass()


# What lies open.


def test_a_view_holds_the_own_cards_and_how_many_the_others_have() -> None:
    state = after(landlord_leads(), "1 play 5c", "2 play 6c")
    view = GAME.view(state, 3)
    assert view.hand == state.hands[2]
    assert view.cards_left == {1: 19, 2: 16, 3: 17}
    assert texts(view.middle) == "2h Th Jh"
    assert view.opened == ()
    assert [texts(turn.cards) for turn in view.turns] == ["5c", "6c"]
    assert view.to_beat == view.turns[-1]
    assert view.to_act == (3,)
    text = msgspec.json.encode(GAME.view(state, None)).decode()
    hidden = [card.text for hand in state.hands for card in hand if card not in state.middle]
    assert not [card for card in hidden if f'"{card}"' in text]


def test_the_middle_is_closed_until_there_is_a_landlord() -> None:
    state = after(dealt(HANDS, MIDDLE), "1 call 1")
    assert all(GAME.view(state, seat).middle == () for seat in (None, 1, 2, 3))


def test_remaining_cards_are_opened_at_the_end() -> None:
    state = landlord_leads()
    moves = "1 play 5c6d7h8c9cTcJcQcKcAc", "2 pass", "3 pass", "1 play 3c3d3h4c4d4hThJh"
    state = after(state, *moves, "2 pass", "3 pass")
    assert GAME.view(state, None).opened == ()
    state = after(state, "1 play 2c2h")
    opened = GAME.view(state, None).opened
    assert {hand.seat: hand.cards for hand in opened} == {2: state.hands[1], 3: state.hands[2]}
