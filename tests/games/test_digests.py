"""The digest of a hand's record: in the chain as it ends, and in the record of every reader."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.accounts.models import Player
from games.models import ChainEntry, Hand, Table
from games.records.record import AUDITOR, record
from games.records.reversals import void
from games.rules.record import digest_over, leaf_of, parts_of, read_record
from games.shoes import custody
from games.tables import clock
from tests.games.evenings import played_once
from tests.games.house import MONEY, House


def play(house: House, game: str) -> Hand:
    table = house.among_bots(game, "alice", 3, buy_in_max=MONEY)
    house.until(table, lambda table: table.hands_dealt == 2)
    return Hand.objects.get(table=table, number=1)


evening = played_once(play, ["doudizhu", "thirteen_philippine", "blackjack", "russian_poker"])


def entry_of(hand: Hand, kind: str = "hand") -> dict[str, Any]:
    body: dict[str, Any] = ChainEntry.objects.get(kind=kind, body__hand=hand.code).body
    return body


def digest_again(seen: dict[str, Any]) -> str:
    """The digest as a reader of a record makes it."""
    shoe, digest = seen["shoe"]["id"], seen["digest"]
    parts = parts_of(seen, digest.get("players", {}))
    leaves = {
        name: leaf_of(shoe, name, parts[name], bytes.fromhex(salt))
        for name, salt in digest.get("salts", {}).items()
    }
    leaves |= {name: bytes.fromhex(leaf) for name, leaf in digest.get("leaves", {}).items()}
    return digest_over(shoe, leaves).hex()


def test_every_reader_can_make_the_digest_of_the_chain_again(hand: Hand) -> None:
    due = entry_of(hand)["digest"]
    for reader in (None, *hand.seats.values_list("number", flat=True), AUDITOR):
        seen = record(hand, reader)
        assert seen["digest"]["value"] == due
        assert digest_again(seen) == due
        parts = parts_of(seen, {})
        assert set(seen["digest"]["salts"]) | set(seen["digest"].get("leaves", ())) >= set(parts)


def test_only_an_auditors_record_says_who_sat_where(hand: Hand) -> None:
    players = dict(hand.seats.values_list("number", "player_id"))
    digest = record(hand, AUDITOR)["digest"]
    assert digest["players"] == {str(number): player for number, player in players.items()}
    assert not digest.get("leaves")
    for reader in (None, 1):
        digest = record(hand, reader)["digest"]
        assert "players" not in digest
        assert {f"player/{number}" for number in players} <= digest["leaves"].keys()
        assert not any(name.startswith("player/") for name in digest["salts"])


def test_a_part_that_is_not_shown_whole_has_no_salt(house: House) -> None:
    """An arrangement that others see in part, say: a salt would let them guess the rest."""
    table = house.among_bots("thirteen_philippine", "alice", 3)
    house.until(table, lambda table: table.hand_id is not None)
    hand = house.void(table, "a test")
    whole, seen = record(hand, AUDITOR), record(hand, 1)
    for number, (move, shown) in enumerate(zip(whole["moves"], seen["moves"], strict=True)):
        assert (f"move/{number}" in seen["digest"]["salts"]) == (move == shown)


@pytest.mark.always
def test_a_record_with_its_digest_can_be_read(hand: Hand) -> None:
    assert read_record(json.dumps(record(hand, AUDITOR))).digest is not None


def test_a_hand_taken_back_while_it_runs_has_an_entry(house: House) -> None:
    table = house.among_bots("doudizhu", "alice")
    # A hand that no player calls is over after three moves.
    house.until(table, lambda table: table.hand_id is not None and table.moves_made > 2)
    hand = house.void(table, "somebody fell ill")
    entry = entry_of(hand)
    assert entry["settlement"] is None
    assert digest_again(record(hand, 1)) == entry["digest"]
    assert "fell" not in str(entry)


def test_a_hand_taken_back_after_it_was_paid_has_another(house: House, hand: Hand) -> None:
    table = hand.table
    house.until(table, lambda table: table.hand_id is None)
    Table.objects.update(status=Table.Status.CLOSING)
    operator = Player.objects.create_superuser("olga")
    void(operator, hand.pk, "dealt twice", house.now, house_pays=True)
    seen = record(Hand.objects.get(pk=hand.pk), AUDITOR)
    assert entry_of(hand)["digest"] == entry_of(hand, "hand_void")["digest"] == digest_again(seen)
    assert "twice" not in str(entry_of(hand, "hand_void"))


def test_a_hand_that_can_no_longer_be_read_is_taken_back_all_the_same(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    Hand.objects.filter(pk=table.hand_id).update(options={"none": "of these"})
    hand = house.void(table, "after a new version")
    assert entry_of(hand)["digest"] is None


def reads_of(table: str, queries: CaptureQueriesContext) -> int:
    """How many statements read this table."""
    read = f'FROM "{table}"'
    return sum(query["sql"].startswith("SELECT") and read in query["sql"] for query in queries)


def test_the_last_move_of_a_hand_reads_its_moves_once(house: House) -> None:
    """A process that does not know the hand yet reads them to go on with it, and not again."""
    table = house.dealt_in("baccarat", "alice")
    hand = table.hand_id
    house.act(table, "alice", {"do": "bet", "on": "player", "amount": 500})
    table.refresh_from_db()
    assert table.deadline is not None
    with CaptureQueriesContext(connection) as queries:
        clock.tick(table.pk, table.deadline)
    assert entry_of(Hand.objects.get(pk=hand))["digest"]
    assert reads_of("games_move", queries) == 1


def test_a_record_reads_moves_seats_and_the_parts_of_its_shoe_once(hand: Hand) -> None:
    read = Hand.objects.get(pk=hand.pk)
    with CaptureQueriesContext(connection) as queries:
        record(read, AUDITOR)
    tables = ("games_move", "games_handseat", "games_shoeseat")
    assert [reads_of(table, queries) for table in tables] == [1, 1, 1]


def test_a_lock_says_who_sat_where_without_telling_it(house: House) -> None:
    table = house.dealt_in("baccarat", "alice", "bob")
    shoe = table.shoe
    assert shoe is not None
    entry = ChainEntry.objects.get(kind="lock", shoe=shoe.pk)
    parts = list(shoe.seats.all())
    assert entry.body["players"] == custody.players_leaf(shoe, custody.secret_of(shoe), parts)
    parts[0].player_id, parts[1].player_id = parts[1].player_id, parts[0].player_id
    assert entry.body["players"] != custody.players_leaf(shoe, custody.secret_of(shoe), parts)
