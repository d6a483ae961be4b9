"""Records and chain entries as the house hands them out, held against each other at home."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.test import Client

from casino.accounts.staff import appoint
from games.models import ChainEntry, Hand, Table
from games.records import reversals
from games.records.record import AUDITOR, record
from games.rules.catalogue import game_type
from games.rules.record import digest_for_reader
from games.rules.shoe import CHAIN_START, chain_on
from games.shoes import chain
from games.shoes.custody import secret_of
from tests.games.house import House
from tests.rules.verdicts import holds, verdict

NAMES = ("alice", "bob", "carol", "dave")


def played(house: House, game: str) -> Hand:
    """A hand that has ended, as a table's people would play it."""
    table = house.dealt_in(game, *NAMES[: max(game_type(game).seats[0], 2)])
    hand_id = table.hand_id
    house.until(table, lambda table: table.hand_id != hand_id)
    return Hand.objects.select_related("shoe", "table").get(pk=hand_id)


def with_digest(hand: Hand, viewer: int | str | None) -> dict[str, Any]:
    """The record of a reader, with its digest, as JSON has it."""
    times = {"started": hand.started_at, "ended": hand.ended_at}
    whole, seen = (
        msgspec.to_builtins(record(hand, reader) | times, str_keys=True)
        for reader in (AUDITOR, viewer)
    )
    whole.pop("digest", None)
    players = {str(row.number): row.player_id for row in hand.seats.all()}
    names = viewer == AUDITOR
    seen["digest"] = digest_for_reader(
        whole, seen, players, secret_of(hand.shoe), names_players=names
    )
    return msgspec.json.decode(msgspec.json.encode(seen))


@pytest.mark.always
def test_the_entry_of_a_hand_is_public(house: House, client: Client, tmp_path: Path) -> None:
    hand = played(house, "baccarat")
    address = f"/fairness/hands/{hand.code}.json"
    waiting = client.get(address)
    assert (waiting.status_code, waiting.json()["code"]) == (404, "not_linked_yet")
    chain.link()
    entry = client.get(address).json()
    assert entry["format"] == "chain-entry/1"
    assert chain_on(bytes.fromhex(entry["previous"]), entry["entry"]).hex() == entry["head"]
    lines = b"".join(client.get("/fairness/chain.jsonl").streaming_content)  # type: ignore[attr-defined]
    assert entry["head"] in lines.decode().splitlines()[entry["position"]]
    held, said = verdict(tmp_path, record(hand, 1), entry)
    assert held, said
    assert "Result: proved" in said


def test_the_first_entry_of_all_follows_nothing(house: House, client: Client) -> None:
    hand = played(house, "baccarat")
    ChainEntry.objects.exclude(kind="hand").delete()
    chain.link()
    entry = client.get(f"/fairness/hands/{hand.code}.json").json()
    assert (entry["position"], entry["previous"]) == (0, CHAIN_START.hex())


def test_a_hand_that_is_not_there_has_no_entry(house: House, client: Client) -> None:
    played(house, "baccarat")
    chain.link()
    for code in ("T1-H99", "T0-H1", "T01-H1", "T1-H01", "9" * 40, "T1-H" + "9" * 30):
        answer = client.get(f"/fairness/hands/{code}.json")
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_hand"), code


def test_a_hand_that_runs_or_was_never_paid_has_no_entry(house: House, client: Client) -> None:
    table = house.dealt_in("chinese_poker", "alice", "bob")
    hand = Hand.objects.get()
    chain.link()
    for _ in range(2):
        answer = client.get(f"/fairness/hands/{hand.code}.json")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_in_chain")
        if hand.status == Hand.Status.LIVE:
            hand = house.void(table, "a spilt drink")


def test_a_hand_taken_back_has_both_its_entries(
    house: House, client: Client, tmp_path: Path
) -> None:
    hand = played(house, "doudizhu")
    chain.link()
    before, address = record(hand, 1), f"/fairness/hands/{hand.code}.json"
    olga = house.player("olga", 0)
    appoint(olga, "managers")
    Table.objects.filter(pk=hand.table_id, hand__isnull=False).update(due_at=None)
    later = house.now + timedelta(hours=2)
    reversals.void(type(olga).objects.get(pk=olga.pk), hand.pk, "a card was seen", later)
    assert client.get(address).json()["code"] == "not_linked_yet"
    chain.link()
    entry = client.get(address).json()
    assert entry["taken_back"]["entry"]["kind"] == "hand_void"
    hand.refresh_from_db()
    assert holds(tmp_path, record(hand, 1), entry)
    assert not holds(tmp_path, before, entry)
