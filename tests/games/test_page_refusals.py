"""What pages of tables refuse, how each refusal is said, and that it changes nothing."""

import pytest
from django.test import Client

from games.models import Move, Seat, Table
from tests.games.house import House
from tests.games.markup import Page
from tests.games.program import VERBS
from tests.games.test_thirteen_page import deal
from tests.people import HTMX, client_of

# Who one is, and how one asks


def test_verbs_are_for_players_and_posted(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    before = Table.objects.get(pk=table.pk).version
    alice, stranger = client_of(house.person("alice")), Client()
    for verb in VERBS:
        address = f"/tables/{table.pk}/{verb}/"
        requested = stranger.post(address)
        assert requested.status_code == 302, verb
        assert "/players/sign-in/" in requested["Location"], verb
        assert alice.get(address).status_code == 405, verb
        assert alice.post(f"/tables/999999/{verb}/").status_code == 404, verb
        assert Table.objects.get(pk=table.pk).version == before, verb


def test_a_table_is_only_looked_at(house: House) -> None:
    table = house.table("baccarat")
    for address in ("", "board/"):
        assert Client().get(f"/tables/{table.pk}/{address}").status_code == 200
        assert Client().post(f"/tables/{table.pk}/{address}").status_code == 405
        assert Client().get(f"/tables/{table.pk + 1}/{address}").status_code == 404


def post(client: Client, table: Table, verb: str, **data: object) -> object:
    return client.post(f"/tables/{table.pk}/{verb}/", data)


def test_a_private_table_is_there_for_the_invited_alone(house: House) -> None:
    table = house.table("baccarat", private=True)
    table.refresh_from_db()
    client = client_of(house.player("alice"))
    assert client.get(f"/tables/{table.pk}/").status_code == 404
    assert post(client, table, "sit", seat=1, amount="100").status_code == 404  # type: ignore[attr-defined]
    assert table.name not in client.get("/").text
    assert client.get(f"/tables/{table.pk}/", {"invitation": table.invitation}).status_code == 200
    assert post(client, table, "sit", seat=1, amount="100").status_code == 302  # type: ignore[attr-defined]


def test_only_who_sits_there_has_a_seat_to_change(house: House) -> None:
    table, client = house.table("baccarat"), client_of(house.player("bob"))
    for verb in ("top-up", "sit-out", "sit-in", "trustee", "take-over", "leave"):
        data = {"amount": "10", "key": "k"}
        answer = client.post(f"/tables/{table.pk}/{verb}/", data, headers=HTMX)
        assert answer.status_code == 409, verb
        assert "You do not sit at this table." in answer.text, verb


def test_an_onlooker_cannot_move(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    client = client_of(house.player("eve"))
    data = {"played_hand": table.hand_id, "turn": 0, "do": "done"}
    answer = client.post(f"/tables/{table.pk}/act/", data, headers=HTMX)
    assert answer.status_code == 409
    assert "You do not sit at this table." in answer.text
    assert not Page(client.get(f"/tables/{table.pk}/").text).forms.get("act-done")


# Seats

REFUSED_SEATS = [
    ({"seat": "1", "amount": "200"}, 409, "seat_taken"),
    ({"seat": "77", "amount": "200"}, 409, "no_such_seat"),
    ({"seat": "-1", "amount": "200"}, 400, "number"),
    ({"seat": "2", "amount": "1"}, 409, "buy_in_bounds"),
    ({"seat": "2", "amount": "0"}, 400, "amount_bounds"),
    ({"seat": "2", "amount": "-5"}, 400, "amount_unreadable"),
    ({"seat": "2", "amount": "1.234"}, 400, "amount_unreadable"),
    ({"seat": "2", "amount": "lots"}, 400, "amount_unreadable"),
    ({"seat": "2", "amount": "99999999999999999999"}, 400, "amount"),
    ({}, 400, "number"),
]


@pytest.mark.always
def test_a_refused_seat_is_said_beside_it_and_changes_nothing(house: House) -> None:
    table, bob = house.table("baccarat"), house.player("bob")
    house.sit(house.player("alice"), table, 1)
    client = client_of(bob)
    client.get("/")
    before = house.wallet(bob).balance
    for data, status, code in REFUSED_SEATS:
        answer = client.post(f"/tables/{table.pk}/sit/", data, headers=HTMX)
        assert answer.status_code == status, data
        said = f'id="seat-refused" class="refused" role="alert" data-code="{code}'
        assert said in answer.text, data
        assert house.wallet(bob).balance == before
        assert not Seat.objects.filter(player=bob).exists()


def test_a_top_up_is_within_bounds_and_done_once(house: House) -> None:
    table = house.table("baccarat")
    house.sit(house.player("alice"), table, 1)
    client = client_of(house.person("alice"))
    refused = client.post(f"/tables/{table.pk}/top-up/", {"amount": "5000", "key": "k"})
    assert refused.status_code == 409
    assert "You can bring" in refused.text
    for _ in range(2):
        client.post(f"/tables/{table.pk}/top-up/", {"amount": "50", "key": "k"})
    assert house.stack(table, "alice") == 55_000


# Moves


def bad_moves(table: Table, turn: int) -> list[tuple[dict[str, object], int, str]]:
    good = {"played_hand": table.hand_id, "turn": turn, "do": "bet", "on": "player"}
    return [
        ({**good, "amount": "0"}, 400, "amount_bounds"),
        ({**good, "amount": "-1"}, 400, "amount_unreadable"),
        ({**good, "amount": "1.555"}, 400, "amount_unreadable"),
        ({**good, "amount": "much"}, 400, "amount_unreadable"),
        ({**good, "amount": "999999"}, 409, "above_purse"),
        ({**good, "amount": "1", "on": "nowhere"}, 400, "action"),
        ({**good, "do": "fly"}, 400, "action"),
        ({**good, "amount": "1", "on": "--5"}, 400, "action"),
        ({**good, "amount": "1", "on": "²"}, 400, "action"),
        ({**good, "amount": "1", "turn": "99"}, 409, "turn_over"),
        ({**good, "amount": "1", "turn": "soon"}, 400, "number"),
        ({**good, "amount": "1", "played_hand": "999999"}, 409, "no_such_hand"),
        ({}, 400, "number"),
    ]


def test_a_refused_move_is_said_beside_the_moves_and_changes_nothing(house: House) -> None:
    table = house.dealt_in("baccarat", "alice", "bob")
    client = client_of(house.person("alice"))
    version = table.version
    for data, status, code in bad_moves(table, house.turn(table, 1)):
        answer = client.post(f"/tables/{table.pk}/act/", data, headers=HTMX)
        assert (answer.status_code, data) == (status, data)
        assert f'data-code="{code}' in answer.text, data
        assert not Move.objects.filter(hand=table.hand_id).exists()
    table.refresh_from_db()
    assert table.version == version


def test_a_move_sent_twice_is_done_once(house: House) -> None:
    table = house.dealt_in("baccarat", "alice", "bob")
    client = client_of(house.person("alice"))
    data = {"played_hand": table.hand_id, "turn": 0, "do": "bet", "on": "player", "amount": "5"}
    for _ in range(2):
        assert client.post(f"/tables/{table.pk}/act/", data, headers=HTMX).status_code == 200
    assert Move.objects.filter(hand=table.hand_id).count() == 1


@pytest.mark.always
def test_a_foul_is_said_before_it_counts(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    # Rows that are equally strong may change places, which is no foul.
    table = deal(monkeypatch, house, "chinese_poker", "AsAhAd KsKhKdKc2s QsJsTs9s8s")
    client = client_of(house.person("alice"))
    address = f"/tables/{table.pk}/"
    form = Page(client.get(address, {"help": "best_expected"}).text).forms["act-arrange"]
    rows = {"middle": "back", "back": "middle"}
    swapped = {
        name: [rows.get(values[0], values[0])] if name.startswith("place-") else values
        for name, values in form.sent(form.buttons[0]).items()
    }
    refused = client.post(form.address, swapped)
    assert refused.status_code == 409
    assert "Foul: The" in refused.text
    assert not Move.objects.filter(hand=table.hand_id).exists()
    meant = [
        button
        for button in Page(refused.text).forms["act-arrange"].buttons
        if button.name == "meant"
    ]
    assert meant
    kept = Page(refused.text).forms["act-arrange"].sent(meant[0])
    assert {name: kept[name] for name in swapped if name.startswith("place-")} == {
        name: row for name, row in swapped.items() if name.startswith("place-")
    }
    assert client.post(form.address, kept).status_code == 302
    assert Move.objects.filter(hand=table.hand_id).count() == 1


@pytest.mark.always
def test_a_refused_form_keeps_what_was_typed(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    client = client_of(house.person("alice"))
    data = {"played_hand": table.hand_id, "turn": 0, "do": "bet", "on": "tie", "amount": "7,7,7"}
    text = client.post(f"/tables/{table.pk}/act/", data).text
    assert dict(Page(text).forms["act-bet"].fields)["amount"] == "7,7,7"
