"""Links to a hand: who makes them, what they show, and where a wrong one leads."""

import pytest
from django.test import Client

from casino.players import staff
from games.hands import cards_of, game_of
from games.history import every_state
from games.models import Hand, SharedHand, Table
from games.play import void
from tests.games.house import House
from tests.games.markup import cards_in

NAMES = ("alice", "bob", "carol")


def client_of(house: House, name: str) -> Client:
    client = Client()
    client.force_login(house.person(name))
    return client


@pytest.fixture
def hand(house: House) -> Hand:
    """Dou Dizhu that nobody calls: nobody has shown a card, and everybody has seventeen."""
    table = house.dealt_in("doudizhu", *NAMES)
    for _ in NAMES:
        table.refresh_from_db()
        (number,) = table.turns
        house.act(table, NAMES[int(number) - 1], {"do": "call", "points": 0})
    return Hand.objects.select_related("shoe").get()


def make(house: House, hand: Hand, name: str = "alice", **told: str) -> str:
    client_of(house, name).post(f"/history/{hand.pk}/share/", told)
    token: str = SharedHand.objects.get(player=house.person(name), revoked_at=None).token
    return token


def test_a_link_shows_anybody_what_was_public_and_nothing_else(house: House, hand: Hand) -> None:
    token = make(house, hand)
    address = f"/shared/{token}/"
    page = Client().get(address)
    assert page.status_code == 200
    assert page["X-Robots-Tag"] == "noindex"
    assert page["Referrer-Policy"] == "no-referrer"
    path = every_state(hand)[1]
    public = {cards_of(hand)[place].text for place in game_of(hand).shown(path[-1], None)}
    texts = [page.text, Client().get(f"{address}record/").text]
    texts += [Client().get(f"{address}step/{number}/").text for number in range(len(path))]
    for text in texts:
        assert cards_in(text) <= public
        assert not any(name in text for name in NAMES)
    # Nor does it show more to whoever was there.
    assert cards_in(client_of(house, "alice").get(address).text) <= public
    assert "Seat 1" in page.text
    assert "Seat 2" in page.text


def test_a_player_may_stand_there_by_name_and_the_others_do_not(house: House, hand: Hand) -> None:
    text = Client().get(f"/shared/{make(house, hand, named='yes')}/").text
    assert "alice" in text
    assert "bob" not in text
    assert "Seat 2" in text


def test_one_link_a_player_until_it_is_taken_back(house: House, hand: Hand) -> None:
    token = make(house, hand)
    assert make(house, hand) == token
    assert len(token) >= 20
    assert make(house, hand, "bob") != token
    alice = client_of(house, "alice")
    assert f"/shared/{token}/" in alice.get(f"/history/{hand.pk}/").text
    alice.post(f"/history/{hand.pk}/unshare/")
    assert token not in alice.get(f"/history/{hand.pk}/").text
    gone = Client().get(f"/shared/{token}/")
    assert gone.status_code == 404
    assert make(house, hand) != token
    assert Client().get(f"/shared/{token}/").status_code == 404


@pytest.mark.parametrize("token", ["forged", "x" * 22, "%27", "1"])
def test_a_link_that_leads_nowhere_says_so(house: House, hand: Hand, token: str) -> None:
    make(house, hand)
    for part in ("", "step/0/", "record/"):
        found = Client().get(f"/shared/{token}/{part}")
        assert found.status_code == 404
        assert "This link leads nowhere" in found.text


def test_only_its_players_share_a_hand_and_only_one_that_was_played(
    house: House, hand: Hand
) -> None:
    house.player("eve")
    staff.appoint(house.player("ann", 0), "auditors")
    address = f"/history/{hand.pk}/share/"
    assert client_of(house, "eve").post(address).status_code == 404
    told = client_of(house, "ann").post(address, follow=True)
    assert "Only those who played a hand can share it." in told.text
    assert client_of(house, "alice").get(address).status_code == 405
    assert "/players/sign-in/" in Client().post(address)["Location"]
    # Nobody takes another's link back.
    token = make(house, hand)
    client_of(house, "bob").post(f"/history/{hand.pk}/unshare/")
    assert Client().get(f"/shared/{token}/").status_code == 200
    assert Client().post(f"/shared/{token}/").status_code == 405


def test_a_hand_that_was_taken_back_is_not_shared(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    assert table.hand_id
    running = table.hand_id
    assert client_of(house, "alice").post(f"/history/{running}/share/").status_code == 404
    void(running, "a test", "operator", house.now)
    assert Table.objects.get().hand_id is None
    told = client_of(house, "alice").post(f"/history/{running}/share/", follow=True)
    assert "A hand that was taken back is not shared." in told.text
    assert not SharedHand.objects.exists()
