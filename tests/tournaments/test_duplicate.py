"""Duplicate rounds: every table plays the same deals, in step, and players rank by match points."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from casino.players.models import Player
from casino.players.staff import appoint
from games.models import ChainEntry, Hand, HandSeat, Move, Seat, Table
from games.records import chain_entries
from games.records import record as records
from games.shoes import chain, custody
from games.tables.held_hands import is_held
from games.tables.presence import seen
from tests.games.program import Program
from tests.people import client_of
from tests.rules.verdicts import run, written
from tests.tournaments.events import Event, plain, structure
from tournaments import audit as audit_of_tournaments
from tournaments import control
from tournaments.models import Deal, Entry
from tournaments.structure import Structure
from wallets.models import Transaction

pytestmark = pytest.mark.django_db(transaction=True)


def duplicate(game: str = "chinese_poker", tables: int = 4, **given: Any) -> Structure:
    size = 3 if game == "doudizhu" else 4
    fields: dict[str, Any] = {
        "kind": "duplicate",
        "game": game,
        "table_size": size,
        "field_min": 2 * size,
        "field_max": size * tables + size - 1,
        "levels": [{"point": 10}],
        "duplicate": {"rounds": 2, "deals": 2},
    }
    return structure(**(fields | given))


# Two tables of two.
SMALL = duplicate(table_size=2, field_min=4)


def hands_of(deal: Deal) -> list[Hand]:
    return list(Hand.objects.filter(shoe__deal=deal.code).order_by("table"))


def test_pages_and_programs_show_the_points_and_the_compared_deals(event: Event) -> None:
    """Round, deal, match points and per cent; nothing of a deal before its last table."""
    players = event.open(SMALL, 4)
    path = f"/tournaments/{event.number}/"
    event.until(event.is_running)
    before = plain(Client().get(f"{path}deals/").text)
    assert "No deal has been compared yet" in before
    assert "more out" not in plain(Client().get(path).text)
    event.until(lambda: Deal.objects.filter(number=1, compared_at__isnull=False).exists())
    entry = Entry.objects.get(tournament=event.number, player=players[0])
    own = client_of(players[0])
    text = plain(own.get(path).text)
    assert "Round 1 of 2" in text
    # At two tables a deal has two points for whoever is better.
    share = {0: "0.0", 1: "50.0", 2: "100.0"}[entry.points]
    assert f"Match points {entry.points} {share} %" in text
    assert "Average" not in text
    deals = plain(own.get(f"{path}deals/").text)
    assert "1 of 2 deals is compared" in deals
    assert "2 match points per deal" in deals
    (hand,) = Hand.objects.filter(seats__player=players[0])
    assert f'href="/history/{hand.pk}/"' in own.get(f"{path}deals/").text
    assert entry.seat
    assert "Match points" in plain(
        own.get(f"/tournaments/tables/{entry.seat.table_id}/heading/").text
    )
    answer = Program(players[0].username).get(f"tournaments/{event.number}/")
    assert answer["progress"]["rounds"] == 2
    assert answer["mine"]["points"] == entry.points
    places = Program().get(f"tournaments/{event.number}/places/")["places"]
    assert sum(one["points"] for one in places) == 4
    assert {one["share_bp"] for one in places} <= {0, 5_000, 10_000}
    hands = Program(players[0].username).get(f"tournaments/{event.number}/hands/")["hands"]
    assert [(one["code"], one["round"], one["net"]) for one in hands] == [
        (hand.code, 1, entry.chips_won)
    ]


def records_of(event: Event, tmp_path: Path, deal: Deal) -> list[tuple[dict[str, Any], list[str]]]:
    """What auditors are given of each hand of a deal, and what verify.py says of it."""
    chain.link()
    found = []
    for hand in hands_of(deal):
        record = records.handed_out(hand, records.AUDITOR)
        entry = chain_entries.entry_file(hand.code)
        status, lines = run("", *written(tmp_path, record, entry))
        assert status == 0, lines
        found.append((record, lines))
    return found


@pytest.mark.parametrize(
    "game", ["chinese_poker", pytest.param("doudizhu", marks=pytest.mark.release)]
)
def test_no_response_names_a_card_or_result_of_an_unfinished_deal(
    event: Event, game: str, tmp_path: Path
) -> None:
    """All that anybody but a table's own players can ask for, while one table still plays."""
    house = event.house
    played, count = (SMALL, 4) if game == "chinese_poker" else (duplicate(game, tables=2), 6)
    players = event.open(played, count)
    event.until(event.is_running)
    slow = players[0]
    house.away.discard(slow.username)
    deal = Deal.objects.get(tournament=event.number, round=1, number=1)

    def one_waits() -> bool:
        # The house plays at once for everybody but one.
        Seat.objects.exclude(player=slow).update(auto_play=True)
        if event.entry(slow).seat:
            seen([(event.entry(slow).seat.table_id, slow.pk)], house.now)
        tables = Table.objects.filter(organiser=event.row.reference)
        return [is_held(table) for table in tables].count(True) == 1

    event.until(one_waits)
    waiting = next(
        table for table in Table.objects.filter(organiser=event.row.reference) if is_held(table)
    )
    hand = waiting.hand
    assert hand is not None
    assert (hand.status, hand.settlement, hand.posting, hand.ended_at) == ("live", None, None, None)
    assert not Deal.objects.get(pk=deal.pk).complete_at
    own = waiting.seats.filter(left_at=None)[0].player
    # Whoever has finished is not told what others are to play; one's own cards one knows.
    playing = Seat.objects.filter(table__organiser=event.row.reference, left_at=None)
    other = playing.exclude(table=waiting)[0].player
    auditor = house.player("audrey")
    appoint(auditor, "auditors")
    auditor = Player.objects.get(pk=auditor.pk)
    cards = {card.text for card in custody.cards(hand.shoe)}
    chain.link()
    addresses = [
        f"/tables/{waiting.pk}/",
        f"/tables/{waiting.pk}/board/",
        f"/tables/{waiting.pk}/chat/",
        f"/live/tables/{waiting.pk}/",
        f"/history/{hand.pk}/",
        f"/history/{hand.pk}/record/",
        "/history/",
        f"/history/?code={hand.code}",
        "/history/profit/?span=all",
        f"/tournaments/{event.number}/",
        f"/tournaments/{event.number}/hands/",
        f"/tournaments/{event.number}/deals/",
        f"/tournaments/{event.number}/shoe/",
        f"/tournaments/{event.number}/shoe.json",
        f"/fairness/hands/{hand.code}.json",
        f"/fairness/shoes/{hand.shoe_id}.json",
        "/fairness/chain.jsonl",
        "/fairness/",
        "/lobby/",
        "/running/",
        f"/admin/games/hand/{hand.pk}/change/",
        "/admin/games/hand/",
        "/admin/games/move/",
        "/admin/wallets/entry/",
        "/api/v1/hands/",
        f"/api/v1/hands/{hand.pk}/",
        f"/api/v1/hands/{hand.pk}/record/",
        f"/api/v1/tables/{waiting.pk}/",
        f"/api/v1/tournaments/{event.number}/",
        f"/api/v1/tournaments/{event.number}/places/",
        f"/api/v1/tournaments/{event.number}/hands/",
        f"/api/v1/shoes/{hand.shoe_id}/",
    ]
    for viewer in (None, other, auditor):
        client = Client(raise_request_exception=False) if viewer is None else client_of(viewer)
        for address in addresses:
            answer = client.get(address)
            assert answer.status_code < 500, address
            text = (
                b"".join(answer.streaming_content).decode()
                if answer.streaming
                else answer.content.decode()
            )
            if answer.status_code != 200:
                assert answer.status_code in (302, 401, 403, 404), address
            assert not named_cards(text) & cards, (viewer, address)
    assert not HandSeat.objects.exclude(net=0).exists()
    assert not ChainEntry.objects.filter(kind="hand").exists()
    assert not Transaction.objects.filter(kind="hand").exists()
    assert not named_cards(str(list(Move.objects.values_list("action", flat=True))))
    assert not Entry.objects.exclude(points=0, chips_won=0).exists()
    # Its own players see what they have played.
    assert client_of(own).get(f"/tables/{waiting.pk}/board/").status_code == 200
    house.away.add(slow.username)
    event.until(lambda: Deal.objects.filter(pk=deal.pk, compared_at__isnull=False).exists())
    assert client_of(own).get(f"/history/{hand.pk}/").status_code == 200
    records_of(event, tmp_path, deal)


def named_cards(text: str) -> set[str]:
    """The cards that a text names as data does, or as pages draw them."""
    return set(re.findall(r"(?<![\w&-])([2-9TJQKA][cdhs]|BJ|RJ)(?![\w-])", text))


def test_the_audit_knows_who_was_disqualified_between_two_deals(event: Event) -> None:
    players = event.open(SMALL, 5)
    event.until(lambda: Deal.objects.filter(number=1, compared_at__isnull=False).exists())
    appoint(event.house.player("sam"), "managers")
    sam = Player.objects.get(username="sam")
    control.disqualify(sam, event.number, players[0].pk, "two accounts", event.house.now)
    event.play()
    assert [str(one) for one in audit_of_tournaments.since()] == []
