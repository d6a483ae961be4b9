"""Dou Dizhu on its page: what ticked cards are, passing, the card counter, and the multiplier."""

import gzip
import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from games.boards.pieces.assembly import NOT_LIVE
from games.boards.pieces.engine import rendered
from games.families.doudizhu.help import (
    counter_of,
    hint_of,
    multiplier_of,
    nothing_beats,
    plays_said,
    ticked,
    words_of,
)
from games.families.doudizhu.tags import doublings, reason_to_double
from games.families.doudizhu.tags import short_name as play_name
from games.models import Hand, HandSeat, Move, Table
from games.models.tables import TIME_BANK
from games.rules.cards import Card, parse_cards
from games.rules.contract import SeatStack
from games.rules.doudizhu.combinations import readings
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.ranks import rank_set
from games.rules.doudizhu.state import Call, DoudizhuContext, DoudizhuState, Pass, Play
from tests.games.evenings import played_once
from tests.games.house import House
from tests.games.markup import Page, cards_in
from tests.people import client_of
from wallets.models import Currency
from wallets.values.amounts import show_signed

GAME = Doudizhu()
NAMES = {1: "alice", 2: "bob", 3: "carol"}
# Alice holds two bombs and the rocket; the three middle cards are low.
ALICE = "3c3d3h3s9c9d9h9sBJRJ4c5c6c7c8cTcJc"
BOB = "4d5d6d7d8dTdJdQdKdAd2dThJhQhKhAh2h"
MIDDLE = "4h5h6h"
# After so many hands at the latest everything has been seen that a test looks for.
HANDS_MAX = 10


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """Whatever language an earlier request has left behind."""
    with translation.override("en"):
        yield


def opened() -> DoudizhuState:
    """A hand in which seat 1 is dealt Alice's cards, seat 2 Bob's, and seat 3 the rest."""
    alice, bob, middle = map(parse_cards, (ALICE, BOB, MIDDLE))
    carol = [card for card in Card if card not in {*alice, *bob, *middle}]
    dealt = [card for three in zip(alice, bob, carol, strict=True) for card in three]
    stakes = tuple(SeatStack(seat, 100_000) for seat in (1, 2, 3))
    return GAME.open(stakes, (*dealt, *middle), DoudizhuContext(button=3, wild=0))


def played(*plays: str) -> DoudizhuState:
    """Seat 1 calls three; then these are played, nothing being a pass."""
    state = GAME.apply(opened(), 1, Call(3))
    for play in plays:
        action = Play(parse_cards(play)) if play else Pass()
        state = GAME.apply(state, state.turn, action)
    return state


def reading_of(state: DoudizhuState, seat: int, cards: str) -> tuple[str, bool, str]:
    return tuple(ticked(GAME, GAME.view(state, seat), parse_cards(cards)))  # type: ignore[return-value]


# What plays are called


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("9c", "a single 9"),
        ("Tc", "a single 10"),
        ("BJ", "the small joker"),
        ("9c9d", "a pair of nines"),
        ("9c9d9h", "three nines"),
        ("9c9d9h3c", "three nines with a single card"),
        ("9c9d9h3c3d", "three nines with a pair"),
        ("3c4c5c6c7c", "a straight from 3 to 7"),
        ("TcTdJcJdQcQd", "consecutive pairs from 10 to Q"),
        ("3c3d3h4c4d4h", "an airplane from 3 to 4"),
        ("3c3d3h4c4d4h9c2c", "an airplane from 3 to 4 with single cards"),
        ("9c9d9h9s", "a bomb of nines"),
        ("9c9d9h9s3c4c", "four nines with two single cards"),
        ("BJRJ", "the rocket"),
    ],
)
def test_plays_have_the_names_players_give_them(cards: str, words: str) -> None:
    assert words_of(readings(rank_set(parse_cards(cards)))[0]) == words


# Ticked cards


def test_leader_learns_the_name_of_the_cards_or_why_they_have_none() -> None:
    state = played()
    assert reading_of(state, 1, "") == ("", False, "You lead: play what you like.")
    assert reading_of(state, 1, "9c9d") == ("a pair of nines", True, "")
    assert reading_of(state, 1, "9cTcJc") == ("", False, "A straight needs at least five cards.")
    assert reading_of(state, 1, "Kd") == ("", False, "You do not hold K♦.")


def test_a_follower_hears_what_must_be_beaten() -> None:
    state = played("9c9d")
    must = "You must beat a pair of nines."
    assert reading_of(state, 2, "") == ("", False, must)
    assert reading_of(state, 2, "TdTh") == ("a pair of tens", True, "")
    assert reading_of(state, 2, "4d") == ("a single 4", False, must)
    # Who waits hears what cards are, and cannot play them.
    assert reading_of(state, 1, "TcJc")[1] is False
    assert reading_of(state, 1, "9h9s") == ("a pair of nines", False, "")


def test_exactly_the_plays_called_playable_are_accepted() -> None:
    state = played("9c9d", "TdTh")
    view = GAME.view(state, 3)
    for first, second in pairwise(view.hand):
        try:
            GAME.apply(state, 3, Play((first, second)))
        except Exception:
            accepted = False
        else:
            accepted = True
        assert ticked(GAME, view, (first, second)).playable is accepted


def test_hints_go_round_and_say_what_they_are() -> None:
    view = GAME.view(played("9c9d"), 2)
    first = hint_of(GAME, view, 0)
    count = int(first.words.split(" of ", 1)[1].split(":")[0])
    hinteds = [hint_of(GAME, view, number) for number in range(count)]
    assert len({hinted.cards for hinted in hinteds}) == count
    assert hint_of(GAME, view, count) == first
    assert all(
        ticked(GAME, view, tuple(hinted.cards)).playable for hinted in hinteds if not hinted.passes
    )
    (passing,) = (hinted for hinted in hinteds if hinted.passes)
    assert passing.cards == frozenset()
    assert passing.words.endswith("pass (your partner can answer)")
    assert hint_of(GAME, GAME.view(played("9c9d"), 3), 0).cards == frozenset()


def test_pass_is_suggested_only_when_no_cards_beat_the_lead() -> None:
    assert nothing_beats(GAME, GAME.view(played("BJRJ"), 2))
    assert not nothing_beats(GAME, GAME.view(played("9c9d"), 2))
    # Neither a leader, nor one who waits.
    assert not nothing_beats(GAME, GAME.view(played(), 1))
    assert not nothing_beats(GAME, GAME.view(played("BJRJ"), 3))


# What everybody could know


def test_the_counter_counts_what_is_neither_held_nor_played() -> None:
    counted = {counted.rank: counted.left for counted in counter_of(GAME.view(played("9c9d"), 2))}
    assert counted["9"] == 2
    assert counted["BJ"] == counted["RJ"] == 1
    assert counted["10"] == 2
    assert sum(counted.values()) == 54 - 17 - 2
    assert len(counted) == 15


def test_the_counter_of_a_seat_does_not_know_who_holds_what() -> None:
    """Hidden cards are dealt anew between the others: the view, and so the counter, is the same."""
    state = played("9c9d")
    hands = list(state.hands)
    carol, alice = hands[2], hands[0]
    state_mixed = type(state)(
        **{
            **{name: getattr(state, name) for name in state.__struct_fields__},
            "hands": (carol[: len(alice)], hands[1], (*alice, *carol)[-len(carol) :]),
        }
    )
    for seat in (2, None):
        assert counter_of(GAME.view(state, seat)) == counter_of(GAME.view(state_mixed, seat))
    unseen = counter_of(GAME.view(state, None))
    assert sum(counted.left for counted in unseen) == 54 - 2


def test_the_multiplier_says_how_it_came_about() -> None:
    assert multiplier_of(GAME, GAME.view(opened(), 1)) is None
    view = GAME.view(played("9c9d9h9s", "", "", "BJRJ"), 2)
    multiplier = multiplier_of(GAME, view)
    assert multiplier is not None
    assert (multiplier.points, multiplier.call) == (12, 3)
    assert [(doubling["key"], doubling["values"]["points"]) for doubling in multiplier.doubled] == [
        ("bomb", 6),
        ("rocket", 12),
    ]


@pytest.mark.parametrize(("answer", "springs"), [("", True), ("Td", False)])
def test_a_spring_is_called_out_when_the_hand_is_over(answer: str, springs: bool) -> None:
    alone = ["9c9d9h9s", "3c3d3h3s", "BJRJ", "4c5c6c7c8c", "5h", "6h", "Tc", "Jc"]
    plays = ["4h", answer, ""]
    for play in alone:
        plays += [play, "", ""]
    view = GAME.view(played(*plays[:-2]), 2)
    context = {
        **NOT_LIVE,
        "view": view,
        "names": NAMES,
        "multiplier": multiplier_of(GAME, view),
        "currency": Currency(code="PLAY", exponent=2),
    }
    text = rendered("families/doudizhu/board.html", context)
    assert view.phase == "over"
    assert ('data-moment="spring">Spring</b>' in text) == springs


@pytest.mark.parametrize(
    ("plays", "name"),
    [
        ("4d", "Single · 4"),
        ("BJ", "The small joker"),
        ("TcTd", "Pair · 10"),
        ("JcJdJh6c", "Three with one · J"),
        ("3c4c5c6c7c", "Straight · 3 to 7"),
        ("9c9d9h9s", "Bomb · 9"),
        ("BJRJ", "Rocket"),
    ],
)
def test_a_play_has_a_short_name_below_it(plays: str, name: str) -> None:
    (first, *_) = readings(rank_set(parse_cards(plays)), GAME.wings)
    assert play_name(first) == name


def test_the_multiplier_explains_itself_beside_the_middle_cards() -> None:
    called = multiplier_of(GAME, GAME.view(played("4h"), 2))
    assert called is not None
    assert doublings(called) == "Call 3 · no bomb"
    view = GAME.view(played("9c9d9h9s", "", "", "BJRJ"), 1)
    blown = multiplier_of(GAME, view)
    assert blown is not None
    assert doublings(blown) == "Call 3 · 1 bomb · Rocket"
    doubled: Any = blown.doubled
    assert [reason_to_double(line) for line in doubled] == ["Bomb (9)", "Rocket"]
    # The landlord wins or loses it twice, a farmer once.
    farmer = multiplier_of(GAME, GAME.view(played("9c9d9h9s", "", "", "BJRJ"), 2))
    assert farmer is not None
    assert blown.amount == 2 * farmer.amount == 2 * 12 * GAME.point


def test_each_play_is_said_with_what_is_left() -> None:
    view = GAME.view(played("9c9d", "TdTh", ""), 3)
    assert plays_said(view, NAMES) == (
        "alice plays a pair of nines, 18 cards left",
        "bob plays a pair of tens, 15 cards left",
        "carol passes",
    )


# Pages


def play(house: House) -> Table:
    """A table whose three players have just come to play."""
    return house.dealt_in("doudizhu", "alice", "bob", "carol", grace_seconds=30_000)


evening = played_once(play)


def until_play(house: House, table: Table) -> str:
    """The bidding ends; the name of the landlord, who leads."""
    while True:
        _hand, state = house.state(table)
        if state.phase == "play":
            return NAMES[int(next(iter(table.turns)))]
        house.let_people_act(table)
        table.refresh_from_db()
        if table.hand_id is None:
            house.until(table, lambda table: table.hand_id is not None)


def read(client: Client, table: Table, *cards: str) -> Any:
    answer = client.post(f"/tables/{table.pk}/reading/", {"cards": cards})
    assert answer.status_code == 200
    return json.loads(answer.content)


def test_the_page_asks_what_ticked_cards_are(house: House, table: Table) -> None:
    leader = until_play(house, table)
    _hand, state = house.state(table)
    number = int(next(iter(table.turns)))
    lowest = state.hands[number - 1][0]
    client = client_of(house.person(leader))
    assert read(client, table, lowest.text)["playable"] is True
    assert read(client, table)["reason"] == "You lead: play what you like."
    assert read(client, table, "no card") == read(client, table)
    # A waiting player learns only the name of the cards; a spectator learns nothing.
    other = next(name for name in NAMES.values() if name != leader)
    assert read(client_of(house.person(other)), table)["playable"] is False
    nothing = {"words": "", "playable": False, "reason": ""}
    assert read(Client(), table, lowest.text) == nothing
    house.player("eve", 0)
    assert read(client_of(house.person("eve")), table, lowest.text) == nothing
    assert client.get(f"/tables/{table.pk}/reading/").status_code == 405
    assert client.post("/tables/999999/reading/").status_code == 404


def test_a_private_table_reads_nothing_to_strangers(house: House, table: Table) -> None:
    Table.objects.filter(pk=table.pk).update(private=True)
    assert Client().post(f"/tables/{table.pk}/reading/").status_code == 404


def test_the_page_shows_backs_until_there_is_a_landlord(house: House, table: Table) -> None:
    text = client_of(house.person("alice")).get(f"/tables/{table.pk}/").text
    middle = text[text.index('class="middle"') :]
    assert middle[: middle.index("</div>")].count("not seen") == 3
    leader = until_play(house, table)
    text = client_of(house.person(leader)).get(f"/tables/{table.pk}/").text
    middle = text[text.index('class="middle"') :]
    assert len(cards_in(middle[: middle.index("</div>")])) == 3


@pytest.mark.always
def test_the_page_offers_to_pass_by_itself_only_where_nothing_beats(
    house: House, table: Table
) -> None:
    seen = set()
    # In one hand of a thousand everybody can beat everything.
    for _ in range(HANDS_MAX):
        house.until(table, lambda table: table.hand_id is not None)
        until_play(house, table)
        hand = table.hand_id
        while table.hand_id == hand:
            number = int(next(iter(table.turns)))
            _hand, state = house.state(table)
            view = game_view(state, number)
            text = client_of(house.person(NAMES[number])).get(f"/tables/{table.pk}/").text
            assert ('id="only-pass"' in text) is nothing_beats(GAME, view)
            assert ("act-pass" in Page(text).forms) is (view.to_beat is not None)
            seen.add('id="only-pass"' in text)
            house.let_people_act(table)
            table.refresh_from_db()
        if seen == {True, False}:
            break
    assert seen == {True, False}


def game_view(state: Any, number: int) -> Any:
    return GAME.view(state, number)


def test_the_arithmetic_ends_with_what_was_paid(house: House) -> None:
    """A point is worth so much that no stack can pay what the score says."""
    table = house.dealt_in("doudizhu", *NAMES.values(), options={"point": 40_000})
    until_play(house, table)
    hand = table.hand_id
    house.until(table, lambda table: table.hand_id != hand)
    for seat in HandSeat.objects.filter(hand=hand).select_related("player"):
        text = client_of(seat.player).get(f"/tables/{table.pk}/").text
        sums = text[text.index('id="worth-copy"') :]
        sums = sums[: sums.index("</dl>")]
        assert show_signed(seat.net, house.currency) in sums
        assert "By the score" in sums
        # In one word over the felt, for its reader alone.
        assert ("Victory" if seat.net > 0 else "Defeat") in text


def test_timed_out_move_is_marked(house: House, table: Table) -> None:
    leader = until_play(house, table)
    house.pass_time(table.decision_seconds + TIME_BANK + 1)
    house.until_due(table)
    assert Move.objects.filter(by=Move.By.TIMEOUT).exists()
    text = client_of(house.person(leader)).get(f"/tables/{table.pk}/").text
    assert "out of time" in text


@pytest.mark.always
def test_the_part_asks_the_database_little_and_travels_small(house: House, table: Table) -> None:
    until_play(house, table)
    client = client_of(house.person("alice"))
    address = f"/tables/{table.pk}/board/"
    headers = {"HX-Request": "true", "Accept-Encoding": "gzip"}
    client.get(address, headers=headers)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address, headers=headers)
    assert len(queries) <= 5, [query["sql"] for query in queries]
    assert answer["Content-Encoding"] == "gzip"
    assert len(answer.content) <= 5 * 1024
    assert "my-cards" in gzip.decompress(answer.content).decode()


def test_the_page_asks_the_database_little(house: House, table: Table) -> None:
    client = client_of(house.person("alice"))
    client.get(f"/tables/{table.pk}/")
    with CaptureQueriesContext(connection) as queries:
        client.get(f"/tables/{table.pk}/")
    assert len(queries) <= 18, [query["sql"] for query in queries]


def test_board_is_current_after_every_move(house: House, table: Table) -> None:
    """No page shows a cached state from before the latest move."""
    until_play(house, table)
    clients = {name: client_of(house.person(name)) for name in NAMES.values()}
    hand = table.hand_id
    for _ in range(12):
        if table.hand_id != hand:
            break
        _hand, state = house.state(table)
        for name, client in clients.items():
            text = client.get(f"/tables/{table.pk}/board/", headers={"HX-Request": "true"}).text
            own = {card.text for card in state.hands[house.seat(table, name).number - 1]}
            assert own <= cards_in(text)
        house.let_people_act(table)
        table.refresh_from_db()
    assert Hand.objects.get(pk=hand).moves.count() > 3


def test_dou_dizhu_is_dealt_from_a_deck_and_not_from_a_shoe(house: House, table: Table) -> None:
    assert table.shoe
    client = client_of(house.person("alice"))
    page = client.get(f"/tables/{table.pk}/").text
    assert f"deck {table.shoe.code} is sealed" in page
    client.cookies["django_language"] = "zh-hans"
    assert f"牌 {table.shoe.code} 已封存" in client.get(f"/tables/{table.pk}/").text
