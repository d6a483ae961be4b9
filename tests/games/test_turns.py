"""Whose turn it is, until when, and what becomes of a move that comes late, twice or wrongly."""

import re
from datetime import timedelta
from typing import Any

import pytest

from games.models import Hand, Move, Table
from games.models.tables import TIME_BANK
from games.rules.cards import parse_cards
from games.rules.errors import Illegal, Unreadable
from games.shoes import custody
from games.tables import autoplay, clock, hand_verbs, seating
from tests.games.evenings import Evening, played_once
from tests.games.house import House
from tests.people import client_of
from wallets.values.errors import Refused, Stale

NAMES = ("alice", "bob", "carol")
TENS = parse_cards("TcTdTh")


evening = played_once(lambda house: house.dealt_in("doudizhu", *NAMES))


@pytest.fixture
def table(tonight: Evening[Table]) -> Table:
    """Three people at Dou Dizhu, the bidding begun."""
    return tonight.made


def caller(table: Table) -> str:
    (number,) = table.turns
    return NAMES[int(number) - 1]


def moves(table: Table) -> list[tuple[int, Any, str]]:
    return list(Move.objects.order_by("number").values_list("seat", "action__points", "by"))


def test_a_move_is_stored_and_the_turn_goes_on(house: House, table: Table) -> None:
    name = caller(table)
    house.act(table, name, {"do": "call", "points": 1})
    table.refresh_from_db()
    assert moves(table) == [(NAMES.index(name) + 1, 1, "player")]
    assert caller(table) != name
    assert table.turns == {str(NAMES.index(caller(table)) + 1): 1}


def test_the_same_move_sent_twice_is_made_once(house: House, table: Table) -> None:
    name = caller(table)
    turn = house.turn(table, NAMES.index(name) + 1)
    for _ in range(2):
        house.act(table, name, {"do": "call", "points": 1}, turn)
    assert len(moves(table)) == 1


def test_a_move_sent_twice_is_known_when_the_hand_is_over(house: House, table: Table) -> None:
    for _ in range(3):
        table.refresh_from_db()
        name = caller(table)
        turn = house.turn(table, NAMES.index(name) + 1)
        house.act(table, name, {"do": "call", "points": 0}, turn)
    table.refresh_from_db()
    assert table.hand_id is None
    house.act(table, name, {"do": "call", "points": 0}, turn)
    with pytest.raises(Stale) as refused:
        house.act(table, name, {"do": "call", "points": 2}, turn)
    assert refused.value.code == "hand_over"
    assert len(moves(table)) == 3


@pytest.mark.always
def test_a_move_for_another_turn_is_stale(house: House, table: Table) -> None:
    for turn in (1, 7, -1):
        with pytest.raises(Stale) as refused:
            house.act(table, caller(table), {"do": "call", "points": 1}, turn)
        assert refused.value.code == "turn_over"
        assert moves(table) == []


def test_another_move_for_a_turn_that_is_over_is_stale(house: House, table: Table) -> None:
    name = caller(table)
    house.act(table, name, {"do": "call", "points": 1}, 0)
    house.until(table, lambda table: name in caller(table) or table.moves_made == 3)
    with pytest.raises((Stale, Illegal)):
        house.act(table, name, {"do": "call", "points": 2}, 0)


@pytest.mark.always
def test_acting_out_of_turn_is_refused(house: House, table: Table) -> None:
    name = next(name for name in NAMES if name != caller(table))
    with pytest.raises(Illegal) as refused:
        house.act(table, name, {"do": "call", "points": 1}, 0)
    assert refused.value.code == "not_your_turn"
    assert moves(table) == []


def test_a_stranger_cannot_move(house: House, table: Table) -> None:
    assert table.hand_id is not None
    with pytest.raises(Refused) as refused:
        hand_verbs.act(
            house.player("stranger"), table.pk, table.hand_id, 0, {"do": "pass"}, house.now
        )
    assert refused.value.code == "not_seated_here"


def test_malformed_actions_are_unreadable(house: House, table: Table) -> None:
    malformed: list[Any] = [{"do": "call", "points": points} for points in (4, 1.0, "1")]
    for sent in (*malformed, {"do": "fly"}, {"do": "play", "cards": ["1x"]}, {}, [], None):
        with pytest.raises(Unreadable):
            house.act(table, caller(table), sent)
        assert moves(table) == []


def test_another_tables_hand_is_not_played_here(house: House, table: Table) -> None:
    other = house.dealt_in("baccarat", "dave")
    assert other.hand_id is not None
    seat = house.seat(table, caller(table))
    with pytest.raises(Stale) as refused:
        hand_verbs.act(
            seat.player, table.pk, other.hand_id, 0, {"do": "call", "points": 1}, house.now
        )
    assert refused.value.code == "no_such_hand"


@pytest.mark.always
def test_at_the_deadline_the_house_plays_once(house: House, table: Table) -> None:
    name = caller(table)
    assert table.deadline is not None
    house.now = table.deadline + timedelta(seconds=TIME_BANK)
    for _ in range(20):
        clock.tick(table.pk, house.now)
    assert moves(table) == [(NAMES.index(name) + 1, 0, "timeout")]
    with pytest.raises((Stale, Illegal)):
        house.act(table, name, {"do": "call", "points": 1}, 0)


def test_before_the_deadline_the_house_waits(house: House, table: Table) -> None:
    assert table.deadline is not None
    house.now = table.deadline
    house.pass_time(-0.001)
    clock.tick(table.pk, house.now)
    assert moves(table) == []


@pytest.mark.always
def test_auto_play_goes_on_until_the_player_takes_over(house: House, table: Table) -> None:
    name = caller(table)
    house.change(table, name, auto_play=True)
    house.until_due(table)
    assert [by for _, _, by in moves(table)] == ["bot"]
    assert table.deadline is not None
    assert house.now < table.deadline


def test_all_who_arrange_have_the_same_time(house: House) -> None:
    table = house.dealt_in("chinese_poker", *NAMES)
    ends = table.deadline
    house.pass_time(3)
    house.let_people_act(table)
    table.refresh_from_db()
    assert table.deadline == ends
    assert set(table.turns.values()) == {0}
    for _usual_time_then_bank in range(2):
        house.until_due(table)
    assert [by for _, _, by in moves(table)] == ["player", "timeout", "timeout"]
    assert Hand.objects.get().status == Hand.Status.FINISHED


def test_absent_player_is_auto_played_at_once_and_sat_out(house: House) -> None:
    table = house.dealt_in("doudizhu", *NAMES, grace_seconds=5)
    name = caller(table)
    house.away.add(name)
    assert table.deadline is not None
    house.pass_time(8)
    house.be_seen(table)
    clock.tick(table.pk, house.now)
    assert moves(table) == [(NAMES.index(name) + 1, 0, "timeout")]
    assert house.now < table.deadline
    house.until(table, lambda table: table.phase != Table.Phase.PLAY)
    house.pass_time(6)
    house.until_due(table)
    assert house.seat(table, name).sits_out
    assert house.total() == 0


def test_a_strategy_that_fails_holds_nobody_up(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.dealt_in("baccarat", "alice", "bob")
    house.change(table, "alice", auto_play=True)
    house.act(table, "bob", {"do": "bet", "on": "player", "amount": 100})
    monkeypatch.setattr(autoplay, "strategies", lambda game: {})
    house.until_due(table)
    house.act(table, "bob", {"do": "done"})
    hand = Hand.objects.get()
    assert hand.status == Hand.Status.FINISHED
    assert (1, "done", "house") in Move.objects.values_list("seat", "action__do", "by")
    assert house.seat(table, "alice").turns_missed == 0
    page = client_of(house.person("alice")).get(f"/history/{hand.pk}/").text
    badges = re.findall(r'badge">(\w+)</small>', page)
    # The cards may be a natural.
    assert [badge for badge in badges if badge != "natural"] == ["house"]


def idle(house: House, table: Table, seconds: int) -> None:
    """Everybody looks at the table, and no player does anything."""
    ends = house.now + timedelta(seconds=seconds)
    while house.now < ends:
        house.until_due(table)


def test_idle_players_do_not_delay_the_next_round(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    idle(house, table, 300)
    assert (table.hands_dealt, table.deadline) == (1, None)
    house.sit(house.player("bob"), table, 2)
    table.refresh_from_db()
    assert table.deadline is not None
    idle(house, table, 60)
    assert {row.player.username for row in Hand.objects.latest("pk").seats.all()} == {
        "alice",
        "bob",
    }


@pytest.mark.always
@pytest.mark.parametrize("how", ["top up", "sit in"])
def test_player_who_missed_the_deal_does_not_wait_for_idle_seats(house: House, how: str) -> None:
    table = house.table("baccarat")
    house.sit(house.player("alice"), table, 1)
    house.sit(house.player("bob"), table, 2)
    house.change(table, "bob", sits_out=True)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    assert table.deadline is None
    if how == "top up":
        seating.top_up(house.person("bob"), table.pk, 1_000, "once", house.now)
    else:
        house.change(table, "bob", sits_out=False)
    table.refresh_from_db()
    assert table.deadline == house.now + timedelta(seconds=table.betting_seconds)


def test_bet_declined_for_an_absent_player_starts_no_countdown(house: House) -> None:
    table = house.dealt_in("baccarat", "alice", "bob", grace_seconds=5)
    house.away.add("alice")
    house.pass_time(6)
    house.until_due(table)
    assert list(Move.objects.values_list("seat", "action__do")) == [(1, "done")]
    assert table.deadline is None


def test_a_round_for_which_the_shoe_does_not_suffice_is_taken_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.dealt_in("blackjack", "alice")
    whole = custody.cards
    monkeypatch.setattr(custody, "cards", lambda shoe: (*TENS, *whole(shoe))[:3])
    house.act(table, "alice", {"do": "bet", "box": 1, "amount": 1_000})
    house.act(table, "alice", {"do": "done"})
    table.refresh_from_db()
    with pytest.raises(Unreadable) as refused:
        house.act(table, "alice", {"do": "stand", "box": 1, "hand": 0})
    assert refused.value.code == "too_few_cards"
    house.until_due(table)
    hand = Hand.objects.get()
    assert (hand.status, hand.void_reason) == (
        Hand.Status.VOID,
        "house: the shoe ran out of cards",
    )
    assert house.stack(table, "alice") == 50_000
    monkeypatch.undo()
    house.until(table, lambda table: table.hands_dealt == 2)


def test_who_has_bet_gets_the_whole_time_to_decide_when_the_betting_ends_by_itself(
    house: House,
) -> None:
    """They could still have bet until then; what they are asked now is another turn."""
    table = house.dealt_in("blackjack", "alice")
    while True:
        house.act(table, "alice", {"do": "bet", "box": 1, "amount": 500, "bonus": 0})
        table.refresh_from_db()
        turn, hand, ends = house.turn(table, 1), table.hand_id, table.deadline
        assert ends is not None
        house.now = ends
        house.until_due(table)
        if table.hand_id == hand and table.turns:
            break
        # A blackjack is decided without a choice: another round.
        house.until(table, lambda table: "0" in table.turns)
    assert table.turns == {"1": turn + 1}
    assert table.deadline == ends + timedelta(seconds=table.decision_seconds)
