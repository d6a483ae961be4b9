"""Duplicate rounds: every table plays the same deals, in step, and players rank by match points."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from casino.accounts import staff
from casino.accounts.models import Player
from games.models import ChainEntry, Hand, HandSeat, Move, Seat, Table
from games.records import proof
from games.records import record as records
from games.shoes import chain, custody
from games.tables.hand_in_play import is_held
from games.tables.presence import seen
from tests.games.program import Program
from tests.people import client_of
from tests.rules.verdicts import run, written
from tests.tournaments.events import Event, plain, structure
from tournaments.audit import whole as audit_of_tournaments
from tournaments.mathematics.structure import Structure
from tournaments.models import Deal, Entry
from tournaments.running import control
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


def records_of(event: Event, tmp_path: Path, deal: Deal) -> list[tuple[dict[str, Any], list[str]]]:
    """What auditors are given of each hand of a deal, and what verify.py says of it."""
    chain.link()
    pairs = []
    for hand in hands_of(deal):
        record = records.handed_out(hand, records.AUDITOR)
        entry = proof.entry_file(hand.code)
        status, lines = run("", *written(tmp_path, record, entry))
        assert status == 0, lines
        pairs.append((record, lines))
    return pairs


def page(event: Event, part: str = "", client: Client | None = None) -> str:
    return plain((client or Client()).get(f"/tournaments/{event.number}/{part}").text)


def pages_and_programs_show_the_points(event: Event, player: Player) -> None:
    """Round, deal, match points and per cent, and what was compared."""
    entry, own = event.entry(player), client_of(player)
    text = page(event, client=own)
    assert "Round 1 of 2" in text
    # At two tables a deal has two points for the better one.
    share = {0: "0.0", 1: "50.0", 2: "100.0"}[entry.points]
    assert f"Match points {entry.points} {share} %" in text
    assert "Average" not in text
    deals = page(event, "deals/", own)
    assert "1 of 2 deals is compared" in deals
    assert "2 match points per deal" in deals
    (hand,) = Hand.objects.filter(seats__player=player)
    assert f'href="/history/{hand.pk}/"' in own.get(f"/tournaments/{event.number}/deals/").text
    assert entry.seat
    heading = own.get(f"/tournaments/tables/{entry.seat.table_id}/heading/").text
    assert "Match points" in plain(heading)
    program, path = Program(player.username), f"tournaments/{event.number}/"
    answer = program.get(path)
    assert answer["progress"]["rounds"] == 2
    assert answer["mine"]["points"] == entry.points
    places = Program().get(f"{path}places/")["places"]
    assert sum(place["points"] for place in places) == 4
    assert {place["share_bp"] for place in places} <= {0, 5_000, 10_000}
    hands = program.get(f"{path}hands/")["hands"]
    assert [(hand["code"], hand["round"], hand["net"]) for hand in hands] == [
        (hand.code, 1, entry.chips_won)
    ]


@pytest.mark.always
@pytest.mark.parametrize(
    "game", ["chinese_poker", pytest.param("doudizhu", marks=pytest.mark.release)]
)
def test_no_response_names_a_card_or_result_of_an_unfinished_deal(
    event: Event, game: str, tmp_path: Path
) -> None:
    """All that others than a table's own players can ask for, while one table still plays.

    Then its points are shown, and a player is disqualified before the next deal.
    """
    house = event.house
    played, count = (SMALL, 4) if game == "chinese_poker" else (duplicate(game, tables=2), 6)
    players = event.open(played, count)
    event.until(event.is_running)
    assert "No deal has been compared yet" in page(event, "deals/")
    assert "more out" not in page(event)
    slow = players[0]
    house.away.discard(slow.username)
    deal = Deal.objects.get(tournament=event.number, round=1, number=1)

    def one_waits() -> bool:
        # The house plays at once for everybody but one.
        Seat.objects.exclude(player=slow).update(auto_play=True)
        if seat := event.entry(slow).seat:
            seen([(seat.table_id, slow.pk)], house.now)
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
    # A player who has finished does not read what others are to play; own cards are known.
    playing = Seat.objects.filter(table__organiser=event.row.reference, left_at=None)
    other = playing.exclude(table=waiting)[0].player
    auditor = house.player("audrey")
    staff.appoint(auditor, "auditors")
    auditor = Player.objects.get(pk=auditor.pk)
    cards = {card.text for card in custody.cards(hand.shoe)}
    chain.link()
    for viewer in (None, other, auditor):
        nothing_is_named(event, viewer, waiting, cards)
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
    if game == "chinese_poker":
        pages_and_programs_show_the_points(event, players[0])
    staff.appoint(house.player("sam"), "managers")
    sam = Player.objects.get(username="sam")
    control.disqualify(sam, event.number, players[0].pk, "two accounts", house.now)
    event.play()
    assert [str(finding) for finding in audit_of_tournaments.since()] == []


def named_cards(text: str) -> set[str]:
    """The cards that a text names as data does, or as pages draw them; not parts of a nonce."""
    return set(re.findall(r"(?<![\w&+/-])([2-9TJQKA][cdhs]|BJ|RJ)(?![\w+/-])", text))


def nothing_is_named(event: Event, viewer: Player | None, waiting: Table, cards: set[str]) -> None:
    hand = waiting.hand
    assert hand is not None
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
    client = Client(raise_request_exception=False) if viewer is None else client_of(viewer)
    for address in addresses:
        answer: Any = client.get(address)
        assert answer.status_code < 500, address
        text = (
            b"".join(answer.streaming_content).decode()
            if answer.streaming
            else answer.content.decode()
        )
        if answer.status_code != 200:
            assert answer.status_code in (302, 401, 403, 404), address
        assert not named_cards(text) & cards, (viewer, address)
