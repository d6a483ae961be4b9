"""Whole hands of every game: by programs, in the log, with coach and talk, and as proofs."""

from pathlib import Path
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.chat.models import ChatLine
from games.models import Hand, Table
from games.records.audit import differences
from games.records.record import AUDITOR
from games.rules.cards import Card
from games.rules.catalogue import GAMES, game_type
from tests.games import markup
from tests.games.house import MONEY, House
from tests.games.program import Program, cards_in, play
from tests.games.test_chat import heard, say
from tests.games.test_hands_verified import with_digest
from tests.games.test_json_log import Lines, lines
from tests.games.viewers import people_of, shown_to, staffed
from tests.people import client_of
from tests.rules.proved import chain_entry
from tests.rules.verdicts import holds, verdict

__all__ = ["lines"]
every_game = pytest.mark.parametrize("game", GAMES)


def seated(house: House, game: str) -> tuple[Table, list[Program]]:
    """A table of a game, and programs of as many people as it needs, of two at least."""
    table = house.table(game)
    names = people_of(game)
    programs = []
    for number, name in enumerate(names, 1):
        house.player(name)
        programs.append(Program(name))
        programs[-1].post(f"tables/{table.pk}/sit/", {"seat": number, "amount": 50_000})
        assert programs[-1].status == 200, programs[-1].text
    return table, programs


@every_game
def test_no_answer_names_a_card_that_its_reader_may_not_see(house: House, game: str) -> None:
    """Programs play a whole hand, and all who look at the table are asked at each step."""
    table, programs = seated(house, game)
    house.player("eve")
    viewers = [*enumerate(programs, 1), (None, Program("eve")), (None, Program())]
    seen_of_all: set[str] = set()
    searched = 0
    for _ in play(house, table, programs, 1):
        # In the pause the hand that has ended is shown on.
        hand = Hand.objects.filter(table=table).first()
        if hand is None:
            continue
        for number, program in viewers:
            view = program.get(f"tables/{table.pk}/", help="true")
            assert program.status == 200
            may_see = shown_to(hand, number)
            assert cards_in(view) <= may_see, (number, cards_in(view) - may_see)
            seen_of_all |= cards_in(view)
            searched += 1
    assert searched >= 4
    # In a finished hand each sees what the seat saw in the end, and a stranger nothing.
    (hand,) = Hand.objects.exclude(status=Hand.Status.LIVE)
    assert list(differences(hand)) == []
    for number, program in viewers[:-2]:
        record = program.get(f"hands/{hand.pk}/record/")
        assert record["id"] == hand.code
        assert cards_in(record) <= shown_to(hand, number)
        seen_of_all |= cards_in(record)
    for _number, program in viewers[-2:]:
        for path in (f"hands/{hand.pk}/", f"hands/{hand.pk}/record/"):
            assert "card" not in program.get(path)
            assert program.status in (401, 404)
    assert seen_of_all
    assert seen_of_all <= {card.text for card in Card}
    books_are_right(house, game, table, programs)


def books_are_right(house: House, game: str, table: Table, programs: list[Program]) -> None:
    """What a program is told of its hands is what it has in its stack, and leaves with."""
    assert house.total() == 0
    for number, program in enumerate(programs, 1):
        (hand,) = program.get("hands/", game=game)["hands"]
        (net,) = [seat["net"] for seat in hand["seats"] if seat["number"] == number]
        mine = program.get(f"tables/{table.pk}/")["mine"]
        assert (hand["number"], mine["purse"]) == (1, 50_000 + net)
        assert program.post(f"tables/{table.pk}/leave/")["mine"] is None
        (held,) = program.get("wallet/")["accounts"]
        assert held["balance"] == MONEY + net


@pytest.mark.slow
def test_record_of_an_uncalled_hand_holds_the_readers_cards(house: House) -> None:
    table, programs = seated(house, "doudizhu")
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    hand = Hand.objects.get()
    for number in (1, 2, 3, 1, 2):
        view = programs[number - 1].get(f"tables/{table.pk}/")
        if view["turn"] is not None and view["hand"]["status"] == "live":
            action = {"do": "call", "points": 0}
            body = {"hand": hand.pk, "turn": view["turn"], "action": action}
            programs[number - 1].post(f"tables/{table.pk}/act/", body)
            assert programs[number - 1].status == 200
    hand.refresh_from_db()
    assert hand.status == Hand.Status.FINISHED
    of_each = []
    for number, program in enumerate(programs, 1):
        cards = program.get(f"hands/{hand.pk}/record/")["cards"]
        view = {card for card in cards if card}
        assert view == shown_to(hand, number)
        assert len(view) < len(cards)
        of_each.append(view)
        record = program.get(f"hands/{hand.pk}/record/")
        assert len(record["shoe"]["openings"]) == len(view)
    assert len(set.union(*of_each)) > len(of_each[0])


@every_game
def test_no_line_holds_a_card_or_a_token(house: House, lines: Lines, game: str) -> None:
    """Programs play two hands, and send cards that they may not play."""
    table, programs = seated(house, game)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    for program in programs:
        view = program.get(f"tables/{table.pk}/")
        sent = {"hand": view["hand"]["id"], "turn": view["turn"] or 0}
        for action in ({"do": "play", "cards": ["As", "Kd"]}, {"do": "AsKd"}, ["2c"], "RJ"):
            program.post(f"tables/{table.pk}/act/", sent | {"action": action})
            assert program.status >= 400
        program.post(f"tables/{table.pk}/act/", '{"cards": ["As"')
    for _turn in range(60):
        table.refresh_from_db()
        if table.hands_dealt > 1:
            break
        if not any(program.act(table) for program in programs):
            house.until_due(table)
    tokens = [program.headers["Authorization"].removeprefix("Bearer ") for program in programs]
    lines.hold_none_of(*tokens)
    acts = [line for line in lines.of_requests() if line["request"].endswith("/act/")]
    assert acts
    assert all(line["table"] == table.pk for line in acts)
    assert all(UUID(line["request_id"]) for line in acts)
    assert {line["request"] for line in acts} == {"POST /api/v1/tables/<int:table_id>/act/"}


@every_game
def test_the_coach_speaks_to_a_player_of_a_finished_hand(house: House, game: str) -> None:
    names = people_of(game)
    table = house.dealt_in(game, *names)
    hand_id = table.hand_id
    address = f"/history/{hand_id}/coach/"
    clients = {name: client_of(house.person(name)) for name in names}
    # Never during the hand.
    assert {client.get(address).status_code for client in clients.values()} == {404}
    house.until(table, lambda table: table.hand_id != hand_id)
    hand = Hand.objects.select_related("shoe").get(pk=hand_id)
    for number, name in enumerate(names, 1):
        page = clients[name].get(address, headers={"HX-Request": "true"})
        assert page.status_code == 200
        assert "coach-summary" in page.text
        assert markup.cards_in(page.text) <= shown_to(hand, number)
        assert hand.code in clients[name].get(address).text
        assert clients[name].post(address).status_code == 405
    staff = staffed(house)
    for name in ("eve", "managers", "auditors"):
        assert staff[name].get(address).status_code == 404
    assert "/players/sign-in/" in Client().get(address)["Location"]


QUIET = {"russian_poker", "casino_holdem"}


@every_game
def test_quick_phrases_only_during_a_live_hand_where_required(house: House, game: str) -> None:
    table = house.dealt_in(game, *people_of(game))
    client, quiet = client_of(house.person("alice")), game in QUIET
    assert game_type(game).phrases_only == quiet
    status, page = say(client, table, text="I hold two aces")
    assert (status, 'data-code="phrases_only"' in page) == ((409, True) if quiet else (200, False))
    # What a player has typed is still there when the hand is over.
    assert ('value="I hold two aces"' in page) == quiet
    assert ChatLine.objects.filter(text="I hold two aces").exists() != quiet
    assert say(client, table, phrase="luck")[0] == 200
    assert say(client, table, phrase="cool")[0] == 200
    shown = heard(client, table)
    assert ("players cannot talk about cards" in shown) == quiet
    assert ('class="chat-say" hidden' in shown) == quiet
    assert ("以免有人谈论牌" in heard(client, table, "zh-hans")) == quiet
    assert "players cannot talk about cards" not in heard(client_of(house.player("eve")), table)
    assert say(client_of(house.person("eve")), table, text="she has two aces")[0] == 409
    house.void(table, "a spilt drink")
    assert say(client, table, text="that was close")[0] == 200
    assert "players cannot talk about cards" not in heard(client, table)


@every_game
def test_every_reader_proves_a_hand_that_was_published_once(
    house: House, tmp_path: Path, game: str
) -> None:
    table = house.dealt_in(game, *people_of(game))
    hand = table.hand
    assert hand
    with CaptureQueriesContext(connection) as queries:
        house.until(table, lambda table: table.hand_id != hand.pk)
    entries = [query["sql"] for query in queries if 'INTO "games_chainentry"' in query["sql"]]
    # Nothing is published before the hand ends.
    assert sum("digest" in entry for entry in entries) == 1
    hand.refresh_from_db()
    seats = [row.number for row in hand.seats.all()]
    entry = chain_entry(with_digest(hand, AUDITOR))
    for viewer in (*seats, None, AUDITOR):
        seen = with_digest(hand, viewer)
        held, lines = verdict(tmp_path, seen, entry)
        assert held, lines
        assert {"Result: proved", f"Moves: proved, all {len(seen['moves'])}"} <= set(lines)
        seen["settlement"]["net"][str(seats[0])] += 1
        assert not holds(tmp_path, seen, entry)
