"""Pages of tables and of hands: who sees what, and what one can send."""

import json
import re

import pytest
from django.test import Client

from games.models import Hand, Seat, Table
from games.tables.hand_verbs import void
from tests.games.house import House
from tests.games.markup import cards_in
from tests.games.viewers import NAMES, shown_to
from tests.people import HTMX, client_of


def test_players_see_their_own_cards_and_no_others(house: House) -> None:
    table = house.dealt_in("chinese_poker", *NAMES)
    _hand, state = house.state(table)
    for name, own in zip(NAMES, state.hands, strict=True):
        text = client_of(house.person(name)).get(f"/tables/{table.pk}/").text
        assert cards_in(text) == {card.text for card in own}
    assert cards_in(Client().get(f"/tables/{table.pk}/").text) == set()


def test_sitting_down_during_a_hand_shows_none_of_its_cards(house: House) -> None:
    table = house.among_bots("doudizhu", "alice")
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    Seat.objects.filter(table=table, number=2).update(left_at=house.now)
    house.sit(house.player("bob"), table, 2)
    client = client_of(house.person("bob"))
    for address in (f"/tables/{table.pk}/", f"/tables/{table.pk}/board/"):
        hand = Hand.objects.get(pk=table.hand_id)
        assert cards_in(client.get(address).text) <= shown_to(hand, None)


# What a table shows


def test_the_bar_hears_at_once_where_one_sits(house: House) -> None:
    table = house.table("baccarat")
    client = client_of(house.player("alice"))
    for verb in ("sit", "leave"):
        data = {"seat": "1", "amount": "200"}
        answer = client.post(f"/tables/{table.pk}/{verb}/", data, headers=HTMX)
        assert json.loads(answer["HX-Trigger"]) == {"room": {}}


def test_a_seat_can_sit_out_be_played_by_the_house_and_be_left(house: House) -> None:
    table = house.table("baccarat")
    house.sit(house.player("alice"), table, 1)
    client = client_of(house.person("alice"))
    for verb, word in (("sit-out", "sits out"), ("trustee", "Auto-play")):
        shown = client.post(f"/tables/{table.pk}/{verb}/", headers=HTMX)
        assert shown.status_code == 200
        assert word in shown.text
    for verb in ("sit-in", "take-over"):
        shown = client.post(f"/tables/{table.pk}/{verb}/", headers=HTMX)
    assert "sits out" not in shown.text
    assert "played by the house" not in shown.text
    assert client.post(f"/tables/{table.pk}/leave/").status_code == 302
    assert not Seat.objects.filter(table=table, left_at__isnull=True).exists()


def test_at_a_small_table_nobody_changes_sides_while_others_sit_down(house: House) -> None:
    table = house.table("thirteen_taiwan")
    house.sit(house.player("alice"), table, 1)
    client = client_of(house.person("alice"))
    sides: dict[str, set[tuple[str, ...]]] = {}
    for number, name in enumerate(("bob", "carol", "dave"), 2):
        house.sit(house.player(name), table, number)
        board = client.get(f"/tables/{table.pk}/board/").text
        # A free place stays, and is not offered to players who sit already.
        assert "Take seat" not in board
        for side in ("left", "top", "right"):
            part = re.search(f'<ul class="side {side}".*?</ul>', board, re.DOTALL)
            assert part
            sides.setdefault(side, set()).add(tuple(re.findall(r'id="seat-(\d)"', part[0])))
    assert sides == {"left": {("2",)}, "top": {("3",)}, "right": {("4",)}}


@pytest.mark.always
def test_rows_are_called_by_their_names(house: House) -> None:
    table = house.table("chinese_poker")
    front, middle, back = "Kc Kd 2h", "3c 3d 4h 5s 7s", "9c 9d 9h 8s Jc"
    rows = {"front": front, "middle": middle, "back": back}
    placed = {f"place-{card}": row for row, cards in rows.items() for card in cards.split()}
    address = f"/tables/{table.pk}/rows/"
    names = Client().post(address, placed).json()
    assert {row: names[row] for row in rows} == {
        "front": "Pair of kings",
        "middle": "Pair of threes",
        "back": "Three nines",
    }
    assert names["foul"] == "The front row is not lower than the middle row."
    del placed["place-2h"]
    assert set(Client().post(address, placed).json()) == {"middle", "back"}
    refused = Client().post(address, {"place-RJ": "front"})
    assert (refused.status_code, refused.json()["code"]) == (400, "card_not_in_shoe")
    assert Client().get(address).status_code == 405
    assert Client().post(f"/tables/{house.table('baccarat').pk}/rows/").json() == {}


def test_an_action_is_answered_with_its_version_where_the_stream_brings_the_board(
    house: House,
) -> None:
    table = house.table("chinese_poker")
    alice = client_of(house.player("alice"))
    house.sit(house.person("alice"), table, 1)
    table.refresh_from_db()

    def send(verb: str, shows: object) -> tuple[int, str, str]:
        headers = HTMX | {"Stream-Version": str(shows)}
        answer = alice.post(f"/tables/{table.pk}/{verb}/", {"after": "1"}, headers=headers)
        table.refresh_from_db()
        return answer.status_code, answer.headers.get("Stream-Version", ""), answer.text

    assert send("sit-out", table.version) == (204, str(table.version), "")
    # Nothing has changed, so the stream brings nothing.
    status, version, text = send("ready", table.version)
    assert (status, version) == (200, "")
    assert 'id="my-seat"' in text
    for shows in ("", "x", "9" * 5000):
        assert send("sit-in", shows)[0] == 200
    # A refusal is in no stream.
    refused = alice.post(
        f"/tables/{table.pk}/top-up/",
        {"amount": "-1", "key": "a"},
        headers=HTMX | {"Stream-Version": str(table.version)},
    )
    assert refused.status_code == 400
    assert 'id="seat-refused"' in refused.text


def test_the_result_comes_first_and_then_its_reasons(house: House) -> None:
    table = house.dealt_in("chinese_poker", "alice", "bob", "carol")
    hand = table.hand_id
    house.until(table, lambda table: table.hand_id is None)
    net = dict(Hand.objects.get(pk=hand).seats.values_list("player__username", "net"))
    for name in ("alice", "bob", "carol"):
        text = client_of(house.person(name)).get(f"/tables/{table.pk}/").text
        word = "You won" if net[name] > 0 else "You lost" if net[name] < 0 else "Nothing won"
        assert word in text
        if net[name]:
            assert text.index(word) < text.index("How it was settled")
    onlooker = client_of(house.player("eve")).get(f"/tables/{table.pk}/").text
    assert "You won" not in onlooker
    assert "You lost" not in onlooker


def test_a_voided_hand_is_announced(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    assert table.hand_id
    hand = void(table.hand_id, "a test", "operator", house.now)
    client = client_of(house.person("alice"))
    assert "was voided" in client.get(f"/tables/{table.pk}/").text
    page = client.get(f"/history/{hand.pk}/")
    assert page.status_code == 200
    assert "were won or lost: a test" in page.text
