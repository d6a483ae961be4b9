"""No player waits without need: ready players, the last bets once more, bets together."""

import json
import re
from typing import Any, Final

import pytest

from games.models import Hand, Move, Table
from games.rules.errors import Illegal
from games.tables import hand_verbs, ready_players
from games.tables.decisions import Decision
from tests.games.commit_reveal import commit, reveal
from tests.games.evenings import Evening, played_once
from tests.games.house import House
from tests.games.markup import words as text_of
from tests.people import HTMX, client_of
from wallets.values.errors import Refused

BET: Final[dict[str, Any]] = {"do": "bet", "box": 1, "amount": 500}


def bets(hand: Hand | None, seat: int = 1) -> list[dict[str, Any]]:
    moves = Move.objects.filter(hand=hand, seat=seat).order_by("number")
    return [move.action for move in moves if move.action["do"] in ready_players.BETS]


def to_the_result(house: House, table: Table) -> None:
    hand = table.hand_id
    house.until(table, lambda table: table.hand_id != hand)
    assert table.phase == Table.Phase.PAUSE


def play_a_round(house: House) -> Table:
    """A table where alice, alone, looks at the result of a round."""
    table = house.dealt_in("blackjack", "alice")
    house.act(table, "alice", BET)
    house.act(table, "alice", {"do": "done"})
    to_the_result(house, table)
    return table


evening = played_once(play_a_round)


@pytest.fixture
def blackjack(tonight: Evening[Table]) -> Table:
    return tonight.made


@pytest.mark.always
def test_who_is_alone_and_ready_waits_for_nothing(house: House, blackjack: Table) -> None:
    table = ready_players.say_ready(house.person("alice"), blackjack.pk, 1, house.now)
    assert (table.phase, table.hands_dealt) == (Table.Phase.PLAY, 2)
    assert bets(table.hand) == []


def test_the_last_bets_are_placed_and_dealt_with_one_request(
    house: House, blackjack: Table
) -> None:
    before = house.now
    table = ready_players.bet_again(house.person("alice"), blackjack.pk, 1, before)
    hand = Hand.objects.get(table=table, number=2)
    assert bets(hand) == bets(Hand.objects.get(table=table, number=1)) != []
    assert hand.moves.filter(seat=1, action__do="done").count() == 1
    assert hand.started_at == before
    # Sent twice it is done once, whether the hand runs or is over.
    for _again in range(2):
        made = Move.objects.count()
        ready_players.bet_again(house.person("alice"), blackjack.pk, 1, house.now)
        assert Move.objects.count() == made
        house.until(table, lambda table: table.phase == Table.Phase.PAUSE)


@pytest.mark.always
def test_bets_that_cannot_be_repeated_are_refused_at_once(house: House, blackjack: Table) -> None:
    Table.objects.update(options=blackjack.options | {"max": BET["amount"] - 100})
    with pytest.raises(Illegal):
        ready_players.bet_again(house.person("alice"), blackjack.pk, 1, house.now)
    blackjack.refresh_from_db()
    assert (blackjack.phase, house.seat(blackjack, "alice").next_bets) == (Table.Phase.PAUSE, None)
    smaller = [BET | {"amount": 100}]
    ready_players.bet_next(house.person("alice"), blackjack.pk, 1, smaller, house.now)
    blackjack.refresh_from_db()
    assert bets(Hand.objects.get(table=blackjack, number=2)) == [smaller[0] | {"bonus": 0}]


@pytest.mark.always
def test_whoever_has_not_bet_has_nothing_to_repeat(house: House, blackjack: Table) -> None:
    bob = house.player("bob")
    house.sit(bob, blackjack, 2)
    ready_players.say_ready(house.person("alice"), blackjack.pk, 1, house.now)
    with pytest.raises(Refused) as refusal:
        ready_players.bet_again(bob, blackjack.pk, 1, house.now)
    assert refusal.value.code == "no_last_bets"


def test_an_old_tap_ends_no_later_pause(house: House, blackjack: Table) -> None:
    table = ready_players.bet_again(house.person("alice"), blackjack.pk, 1, house.now)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    table = ready_players.say_ready(house.person("alice"), table.pk, 1, house.now)
    assert (table.phase, table.hands_dealt) == (Table.Phase.PAUSE, 2)


def test_no_bet_is_kept_for_a_round_that_could_not_be_played(
    house: House, blackjack: Table
) -> None:
    """Neither more than the stack, nor at a table among players."""
    alice = house.person("alice")
    with pytest.raises(Illegal):
        ready_players.bet_next(alice, blackjack.pk, 1, [BET | {"amount": 90_000}], house.now)
    assert house.seat(blackjack, "alice").next_bets is None
    other = house.dealt_in("chinese_poker", "bob", "carol")
    to_the_result(house, other)
    ready_players.bet_next(house.person("bob"), other.pk, 1, [BET], house.now)
    assert house.seat(other, "bob").next_bets is None


@pytest.mark.always
def test_the_page_takes_bets_beside_the_result_and_deals_them_at_once(
    house: House, blackjack: Table
) -> None:
    alice = client_of(house.person("alice"))
    closed = alice.get(f"/tables/{blackjack.pk}/board/", headers=HTMX).text
    assert 'href="?open=ahead"' in closed
    assert "data-spot" not in closed
    page = alice.get(f"/tables/{blackjack.pk}/board/?open=ahead", headers=HTMX).text
    opened = alice.get(f"/tables/{blackjack.pk}/board/", headers=HTMX | {"Opened": "ahead"}).text
    assert opened.count('data-spot="box-') == 2 * 7
    assert 'id="outcome"' in page
    assert 'data-hand="after 1"' in page
    assert "Bet and deal" in page
    assert page.count('data-spot="box-') == 2 * 7
    fields = {"after": "1", "spots": json.dumps({"box-3": 700})}
    for _again in range(2):
        sent = alice.post(f"/tables/{blackjack.pk}/next-bets/", fields, headers=HTMX)
        assert sent.status_code == 200
    [bet] = bets(Hand.objects.get(table=blackjack, number=2))
    assert (bet["box"], bet["amount"]) == (3, 700)
    huge = {"after": "2", "spots": json.dumps({"box-3": 90_000_000})}
    house.until(blackjack, lambda table: table.phase == Table.Phase.PAUSE)
    refused = alice.post(f"/tables/{blackjack.pk}/next-bets/", huge, headers=HTMX)
    assert (refused.status_code, 'id="refused"' in refused.text) == (409, True)


# Who is waited for.


def test_the_result_stands_until_all_are_ready(house: House) -> None:
    table = house.dealt_in("blackjack", "alice", "bob")
    house.act(table, "alice", BET)
    house.act(table, "bob", BET | {"box": 2})
    for name in ("alice", "bob"):
        house.act(table, name, {"do": "done"})
    to_the_result(house, table)
    table = ready_players.say_ready(house.person("alice"), table.pk, 1, house.now)
    assert table.phase == Table.Phase.PAUSE
    page = client_of(house.person("alice")).get(f"/tables/{table.pk}/board/", headers=HTMX).text
    assert "Waiting for bob" in " ".join(page.split())
    table = ready_players.say_ready(house.person("bob"), table.pk, 1, house.now)
    assert table.phase == Table.Phase.PLAY


def test_a_showdown_ends_when_all_are_ready_and_have_committed(house: House) -> None:
    """A mix must not lose a part because a player taps quickly."""
    table = house.dealt_in("chinese_poker", "alice", "bob")
    to_the_result(house, table)
    for name in ("alice", "bob"):
        ready_players.say_ready(house.person(name), table.pk, 1, house.now)
    table.refresh_from_db()
    assert table.phase == Table.Phase.PAUSE
    for name in ("alice", "bob"):
        commit(house, table, name)
    table = ready_players.say_ready(house.person("bob"), table.pk, 1, house.now)
    assert table.phase == Table.Phase.REVEAL


# Bets of several boxes.


def test_bets_are_placed_together_or_not_at_all(house: House) -> None:
    table = house.dealt_in("blackjack", "alice")
    assert table.hand_id is not None
    answered, alice = Decision(table.hand_id, house.turn(table, 1)), house.person("alice")
    huge = BET | {"box": 2, "amount": 10**9}
    with pytest.raises(Illegal):
        hand_verbs.act_all(alice, table.pk, answered, [BET, huge], house.now)
    assert Move.objects.count() == 0
    second = BET | {"box": 2}
    for _again in range(2):
        hand_verbs.act_all(alice, table.pk, answered, [BET, second], house.now)
    assert [bet["box"] for bet in bets(table.hand)] == [1, 2]


def send(house: House, table: Table, **fields: Any) -> Any:
    table.refresh_from_db()
    fields |= {"played_hand": table.hand_id, "turn": table.turns["1"]}
    alice = client_of(house.person("alice"))
    return alice.post(f"/tables/{table.pk}/act/", fields, headers=HTMX)


def test_a_page_sends_the_bets_of_all_boxes_and_has_them_dealt(house: House) -> None:
    table = house.dealt_in("blackjack", "alice")
    boxes = json.dumps({"box-1": 500, "box-2": 500})
    assert send(house, table, spots=boxes, deal="yes").status_code == 200
    hand = Hand.objects.get(table=table)
    assert [(bet["box"], bet["amount"]) for bet in bets(hand)] == [(1, 500), (2, 500)]
    assert hand.moves.filter(seat=1, action__do="done").exists()


def test_what_are_no_bets_is_refused(house: House) -> None:
    table = house.dealt_in("blackjack", "alice")
    for sent in ("", "[]", "{}", '{"box-1": "5"}', '{"box-1": -5}', '{"box-9": 500}', "{1: 2}"):
        answer = send(house, table, spots=sent)
        assert (answer.status_code, Move.objects.count()) == (400, 0), sent
        assert "not bets" in answer.text


# What lies on the spots, step by step: what the page wants there, and what then is bet.
LAID: dict[str, list[tuple[dict[str, int], dict[str, int]]]] = {
    "blackjack": [
        ({"box-2": 500, "box-2-bonus": 100}, {"box-2": 500, "box-2-bonus": 100}),
        ({"box-2": 300}, {"box-2": 300, "box-2-bonus": 100}),
        ({"box-2-bonus": 0, "box-4": 200}, {"box-2": 300, "box-4": 200}),
        ({"box-2": 0, "box-4": 0}, {}),
    ],
    "baccarat": [
        ({"player": 500, "tie": 100}, {"player": 500, "tie": 100}),
        ({"player": 700, "tie": 0}, {"player": 700}),
    ],
    "casino_holdem": [
        # The box that was put first is the open one.
        ({"box-3": 500, "box-1": 500}, {"box-3": 500, "box-1": 500}),
        ({"box-3": 900, "box-1": 900}, {"box-3": 900, "box-1": 900}),
        ({"box-1": 0, "box-3-bonus": 100}, {"box-3": 900, "box-3-bonus": 100}),
        ({"box-3": 0}, {}),
    ],
}


@pytest.mark.always
@pytest.mark.parametrize("game", LAID)
def test_what_lies_on_a_spot_is_bet_until_it_is_taken_back(house: House, game: str) -> None:
    table = house.dealt_in(game, "alice")
    client = client_of(house.person("alice"))
    for wanted, lies in LAID[game]:
        turn = house.turn(table, 1)
        for _again in range(2):
            fields = {"played_hand": table.hand_id, "turn": turn, "spots": json.dumps(wanted)}
            answer = client.post(f"/tables/{table.pk}/act/", fields, headers=HTMX)
            assert answer.status_code == 200
            spots = re.findall(r'data-spot="([^"]+)".*?data-standing="(\d+)"', answer.text)
            assert {key: int(lying) for key, lying in spots if lying != "0"} == lies
    table.refresh_from_db()
    assert (table.deadline is None) == (not lies)
    if not lies:
        return
    send(house, table, spots=json.dumps(wanted), deal="yes")
    late = {"played_hand": Hand.objects.get(table=table).pk, "spots": json.dumps({"tie": 100})}
    for turn, status in ((0, 200), (99, 409)):
        answer = client.post(f"/tables/{table.pk}/act/", late | {"turn": turn}, headers=HTMX)
        assert (answer.status_code, "No more bets." in answer.text) == (status, status != 200)


def test_the_last_bets_are_those_that_were_not_taken_back(house: House) -> None:
    table = house.dealt_in("blackjack", "alice", "bob")
    house.act(table, "bob", BET | {"box": 1})
    for action in (BET | {"box": 3}, BET | {"box": 4}, {"do": "remove", "box": 3}):
        house.act(table, "alice", action)
    house.act(table, "bob", {"do": "remove", "box": 1})
    house.act(table, "alice", {"do": "done"})
    hand = Hand.objects.get(table=table)
    house.until(table, lambda table: table.hand_id is None)
    latest = ready_players.latest_moves(table)
    assert [bet["box"] for bet in ready_players.last_bets(house.seat(table, "alice"), latest)] == [
        4
    ]
    assert ready_players.last_bets(house.seat(table, "bob"), latest) == []
    seats = hand.seats.all()
    assert ready_players.readers_in(table, seats, hand.moves.all()) == {
        house.seat(table, "alice").pk
    }


# Bets for the next round.


@pytest.mark.always
def test_bets_are_kept_while_others_look_at_the_result_and_placed_with_the_next_round(
    house: House,
) -> None:
    table = house.dealt_in("blackjack", "alice", "bob")
    for name, box in (("alice", 1), ("bob", 2)):
        house.act(table, name, BET | {"box": box})
    for name in ("alice", "bob"):
        house.act(table, name, {"do": "done"})
    to_the_result(house, table)
    alice = house.person("alice")
    for amount in (400, 300):
        # What is said last counts.
        ready_players.bet_next(alice, table.pk, 1, [BET | {"amount": amount}], house.now)
    table.refresh_from_db()
    kept = house.seat(table, "alice").next_bets
    assert kept is not None
    assert (table.phase, [bet["amount"] for bet in kept]) == (Table.Phase.PAUSE, [300])
    table = ready_players.say_ready(house.person("bob"), table.pk, 1, house.now)
    hand = Hand.objects.get(table=table, number=2)
    assert [bet["amount"] for bet in bets(hand)] == [300]
    assert house.seat(table, "alice").next_bets is None
    # The table does not wait for bob, who has not bet; and he can bet on the round after this one.
    if table.hand_id == hand.pk:
        ready_players.bet_next(house.person("bob"), table.pk, 2, [BET | {"box": 3}], house.now)
        house.until(table, lambda table: table.hands_dealt == 3)
        assert bets(Hand.objects.get(table=table, number=3), seat=2)


def test_bets_before_a_fresh_deck_is_mixed_come_with_the_deal(house: House) -> None:
    """Every round of casino hold'em has a deck of its own: one request is enough there, too."""
    table = house.dealt_in("casino_holdem", "alice")
    house.act(table, "alice", {"do": "ante", "box": 1, "amount": 500})
    house.act(table, "alice", {"do": "done"})
    to_the_result(house, table)
    began, octets = house.now, commit(house, table, "alice")
    table = ready_players.bet_again(house.person("alice"), table.pk, 1, house.now)
    assert table.phase == Table.Phase.REVEAL
    reveal(house, table, "alice", octets)
    hand = Hand.objects.get(table=table, number=2)
    assert (bets(hand)[0]["amount"], hand.started_at) == (500, began)
    assert hand.moves.filter(seat=1, action__do="done").exists()


def test_a_newcomer_who_bets_waits_for_nothing_but_their_own_commit(house: House) -> None:
    table = house.table("blackjack")
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    ready_players.bet_next(house.person("alice"), table.pk, 0, [BET], house.now)
    began, octets = house.now, commit(house, table, "alice")
    reveal(house, table, "alice", octets)
    table.refresh_from_db()
    assert (table.phase, house.now) == (Table.Phase.PLAY, began)


def test_before_the_first_hand_others_have_time_to_sit_down(house: House) -> None:
    table = house.table("blackjack")
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    commit(house, table, "alice")
    table.refresh_from_db()
    assert table.phase == Table.Phase.PAUSE


def test_a_coup_follows_a_coup_with_one_request_each(house: House) -> None:
    """At baccarat nothing is decided: a round that opens with its bets is over at once."""
    table = house.dealt_in("baccarat", "alice")
    house.act(table, "alice", {"do": "bet", "on": "player", "amount": 500})
    house.act(table, "alice", {"do": "done"})
    began = house.now
    for after in (1, 2):
        table = ready_players.bet_again(house.person("alice"), table.pk, after, house.now)
        assert (table.phase, table.hands_dealt) == (Table.Phase.PAUSE, after + 1)
        assert Hand.objects.get(table=table, number=after + 1).started_at == began


@pytest.mark.always
def test_a_rebet_is_offered_when_the_stack_can_pay_it(house: House) -> None:
    table = house.table("casino_holdem")
    house.sit(house.player("alice"), table, 1, 10_000)
    client = client_of(house.person("alice"))
    dead = "Rebet and deal 20 You have already bet in this round."
    cases = ((2_000, "", "Rebet and deal 20"), (6_000, dead, "Top up needs 60, you have 20"))
    for ante, beside_a_bet, words in cases:
        house.until(table, lambda table: table.phase == Table.Phase.PLAY)
        house.act(table, "alice", {"do": "ante", "box": 1, "amount": ante})
        page = client.get(f"/tables/{table.pk}/board/", headers=HTMX).text
        # Beside a bet it keeps its place, or the spots would move.
        form = page.partition('<form id="between"')[2].partition("</form>")[0]
        assert text_of(form.partition(">")[2]) == beside_a_bet
        house.act(table, "alice", {"do": "done"})
        house.act(table, "alice", {"do": "fold", "box": 1})
        page = client.get(f"/tables/{table.pk}/board/", headers=HTMX).text
        form = page.partition('<form id="between"')[2].partition("</form>")[0]
        assert words in text_of(form)
        assert ("do-again" in form) == words.startswith("Rebet")
    table.refresh_from_db()
    fields = {"after": str(table.hands_dealt)}
    refused = client.post(f"/tables/{table.pk}/again/", fields, headers=HTMX)
    assert "That needs 60, but only 20 of your stack is free." in refused.text
