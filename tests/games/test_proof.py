"""What a finished hand's proof adds to its record."""

import pytest
from django.test import Client

from games.models import Hand, Table
from games.records.proof import proof_for
from games.records.record import AUDITOR
from games.shoes import chain
from tests.games.house import House


def played(house: House, game: str, hands: int, *names: str) -> list[Hand]:
    """A table's first hands, to their end."""
    table = house.dealt_in(game, *names)
    house.until(table, lambda table: finished(table) >= hands)
    chain.link()
    return list(table.hands.exclude(status=Hand.Status.LIVE).order_by("number"))


def finished(table: Table) -> int:
    return table.hands.filter(status=Hand.Status.FINISHED).count()


def test_the_timeline_goes_from_the_seal_to_the_end(house: House) -> None:
    (hand,) = played(house, "doudizhu", 1, "alice", "bob", "carol")[:1]
    proof = proof_for(hand, 1)
    times = [event.at for event in proof.events]
    assert None not in times
    assert times == sorted(times, key=str)
    assert proof.events[0].value == hand.shoe.seal
    assert [given.player for given in proof.events[1].given] == ["alice", "bob", "carol"]
    assert any("names the first caller" in event.value for event in proof.events)
    assert proof.result is not None
    assert [entry.kind for entry in proof.entries] == ["seal", "lock", "reveal", "hand"]


@pytest.mark.always
def test_the_hands_of_a_lasting_shoe_are_links_for_those_who_may_see_them(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    house.until(table, lambda table: finished(table) >= 1)
    house.sit(house.player("bob"), table, 2)
    house.until(table, lambda table: finished(table) >= 3)
    first, *_, last = table.hands.exclude(status=Hand.Status.LIVE).order_by("number")
    assert last.shoe == first.shoe
    seat = last.seats.get(player__username="bob").number
    assert [hand.may_see for hand in proof_for(last, 1).hands] == [True] * finished(table)
    assert not proof_for(last, seat).hands[0].may_see
    assert all(hand.may_see for hand in proof_for(last, AUDITOR).hands)
    shared = proof_for(last, None)
    assert [hand.hand.pk for hand in shared.hands if hand.may_see] == [last.pk]


def test_a_shared_hand_names_nobody(house: House) -> None:
    (hand,) = played(house, "chinese_poker", 1, "alice", "bob")[:1]
    assert {given.player for event in proof_for(hand, None).events for given in event.given} == {""}


def test_a_result_that_is_not_linked_yet_is_said_to_be(house: House, client: Client) -> None:
    table = house.dealt_in("baccarat", "alice")
    house.until(table, lambda table: finished(table) >= 1)
    hand = table.hands.earliest("number")
    assert proof_for(hand, 1).result is None
    client.force_login(house.person("alice"))
    assert b"within a minute" in client.get(f"/history/{hand.pk}/").content


def test_a_hand_taken_back_says_why(house: House) -> None:
    table = house.dealt_in("chinese_poker", "alice", "bob")
    hand = house.void(table, "a spilt drink")
    hand.refresh_from_db()
    assert proof_for(hand, 1).events[-1].value.endswith("a spilt drink")
