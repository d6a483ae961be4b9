"""The page about fair dealing, open to everybody."""

import json
from pathlib import Path

import pytest
from django.test import Client

from casino.accounts.models import Player
from games.models import ChainEntry
from games.records import proof, reversals
from games.rules.shoe import CHAIN_START, chain_on
from games.shoes import chain, custody
from games.tables.hand_state import game_of
from games.words.refusals import OTHER_CARDS
from tests.games.commit_reveal import commit, sealed_table
from tests.games.house import MONEY, House
from wallets.audit.chains import close_books


def test_the_page_shows_the_heads_of_the_chain(house: House, client: Client) -> None:
    house.dealt_in("baccarat", "alice")
    chain.link()
    answer = client.get("/fairness/")
    assert answer.status_code == 200
    assert ChainEntry.objects.latest("pk").head in answer.content.decode()


def test_the_whole_chain_can_be_taken_away_and_hashed(house: House, client: Client) -> None:
    house.dealt_in("baccarat", "alice")
    count = chain.link()
    answer = client.get("/fairness/chain.jsonl")
    content = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    entries = [json.loads(line) for line in content.decode().splitlines()]
    assert len(entries) == count
    head = CHAIN_START
    for entry in entries:
        head = chain_on(head, entry["entry"])
        assert head.hex() == entry["head"]
    later = client.get(f"/fairness/chain.jsonl?after={count - 2}")
    assert len(b"".join(later.streaming_content).splitlines()) == 1  # type: ignore[attr-defined]


@pytest.mark.always
def test_a_long_chain_is_taken_away_in_parts(
    house: House, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.dealt_in("baccarat", "alice")
    count = chain.link()
    monkeypatch.setattr(chain, "LINES_MAX", 2)
    address, positions = "/fairness/chain.jsonl", []
    while address:
        answer = client.get(address)
        part = b"".join(answer.streaming_content).splitlines()  # type: ignore[attr-defined]
        assert len(part) <= 2
        positions += [json.loads(line)["position"] for line in part]
        address = answer.get("Link", "").partition(">")[0].lstrip("<")
    assert positions == list(range(count))


def test_the_verifier_is_the_one_of_the_documentation(
    house: House, client: Client, repository: Path
) -> None:
    for name in ("verify.py", "verify_package.py", "verify_shoe.py", "verify_signature.py"):
        answer = client.get(f"/fairness/{name}")
        content = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
        assert content == (repository / "docs" / name).read_bytes()


def test_closings_are_published_without_amounts(house: House, client: Client) -> None:
    house.dealt_in("baccarat", "alice")
    closing = close_books()
    page = client.get("/fairness/").content.decode()
    assert closing.hash in page
    assert str(MONEY) not in page


def test_anybody_may_check_a_record_and_nothing_is_taken_in(house: House, client: Client) -> None:
    page = client.get("/verify/").content.decode()
    assert "record-file" in page
    assert "data-record" not in page
    for address in ("/verify/", "/fairness/"):
        assert client.post(address).status_code == 405


def test_the_lock_of_a_live_table_tells_what_is_known(house: House, client: Client) -> None:
    table = house.dealt_in("baccarat", "alice")
    client.force_login(house.person("alice"))
    page = client.get(f"/tables/{table.pk}/board/").content.decode()
    assert table.shoe is not None
    commits = [seat["commit"] for seat in table.shoe.seats.values()]
    for value in (table.shoe.seal, table.shoe.lock, table.shoe.mix, *commits):
        assert value in page


@pytest.mark.always
def test_what_was_given_up_after_the_lock_is_listed(
    house: House, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shoe whose seat withheld, a hand voided while it ran, and one that was reversed."""
    page = client.get("/fairness/voided/")
    assert page.context["rows"] == []
    withheld = sealed_table(house)
    commit(house, withheld, "alice")
    house.until_due(withheld)
    withheld.refresh_from_db()
    shoe = withheld.shoe_id or ""
    house.until_due(withheld)
    live = house.void(house.dealt_in("baccarat", "dave"), "the light went out")
    table = house.dealt_in("chinese_poker", "erin", "frank")
    paid = table.hands.filter(posting__isnull=False)
    house.until(table, lambda _table: paid.exists())
    boss, hand = Player.objects.create_superuser("boss"), paid.earliest("pk")
    reversals.void(boss, hand.pk, "dealt twice", house.now, house_pays=True)
    # A shoe that is taken away before its lock is none of them.
    custody.void(custody.seal(table, game_of(hand), house.now), OTHER_CARDS, house.now)
    while chain.link():
        pass
    rows = client.get("/fairness/voided/").context["rows"]
    assert [(row.hand, row.shoe) for row in rows] == [
        (hand.code, hand.shoe_id), (live.code, live.shoe_id), ("", shoe),
    ]  # fmt: skip
    text = client.get("/fairness/voided/").text
    assert "not revealed by seat 1" in text
    assert "dealt twice" not in text
    monkeypatch.setattr(proof, "SHOWN", 2)
    older = client.get("/fairness/voided/").context["older"]
    (row,) = client.get(f"/fairness/voided/?before={older}").context["rows"]
    assert row.shoe == shoe
