"""Links to a hand: who makes them, what they show, and where a wrong one leads."""

import re
import struct

import pytest
from django.test import Client

from casino.accounts import staff
from games.models import Hand, SharedHand, Table
from games.records import sharing
from games.records.record import every_state
from games.tables.hand_state import cards_of, game_of
from games.tables.hand_verbs import void
from tests.games.evenings import played_once
from tests.games.house import House
from tests.games.markup import cards_in
from tests.people import client_of
from wallets.models.staff_models import JournalEntry
from wallets.storage.sealed_columns import digest_of

NAMES = ("alice", "bob", "carol")


def play(house: House) -> Hand:
    """Dou Dizhu that no player calls: no player has shown a card, and everybody has seventeen."""
    table = house.dealt_in("doudizhu", *NAMES)
    for _ in NAMES:
        table.refresh_from_db()
        (number,) = table.turns
        house.act(table, NAMES[int(number) - 1], {"do": "call", "points": 0})
    return Hand.objects.select_related("shoe").get()


evening = played_once(play)


def make(house: House, hand: Hand, name: str = "alice", **fields: str) -> str:
    client_of(house.person(name)).post(f"/history/{hand.pk}/share/", fields)
    token: str = SharedHand.objects.get(player=house.person(name), revoked_at=None).token
    return token


def words_in(text: str) -> set[str]:
    """Whole words: a random token may hold the letters of a name."""
    return set(re.findall(r"\w+", text))


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
        assert not words_in(text) & set(NAMES)
    # Nor does it show more to the player who was there.
    assert cards_in(client_of(house.person("alice")).get(address).text) <= public
    assert "Seat 1" in page.text
    assert "Seat 2" in page.text


@pytest.mark.always
def test_a_player_may_stand_there_by_name_and_the_others_do_not(house: House, hand: Hand) -> None:
    text = Client().get(f"/shared/{make(house, hand, named='yes')}/").text
    assert "alice" in text
    assert "bob" not in words_in(text)
    assert "Seat 2" in text


def test_one_link_a_player_until_it_is_taken_back(house: House, hand: Hand) -> None:
    token = make(house, hand)
    assert make(house, hand) == token
    assert len(token) >= 20
    assert make(house, hand, "bob") != token
    alice = client_of(house.person("alice"))
    assert f"/shared/{token}/" in alice.get(f"/history/{hand.pk}/").text
    alice.post(f"/history/{hand.pk}/unshare/")
    assert token not in alice.get(f"/history/{hand.pk}/").text
    for part in ("", "step/0/", "record/"):
        gone = Client().get(f"/shared/{token}/{part}")
        assert gone.status_code == 410
        assert "The player who shared this hand has revoked the link." in gone.text
        assert cards_in(gone.text) == set()
    assert make(house, hand) != token
    assert Client().get(f"/shared/{token}/").status_code == 410


def test_other_sites_show_a_picture_of_the_hand_until_the_link_is_revoked(
    house: House, hand: Hand
) -> None:
    address = f"/shared/{make(house, hand, named='yes')}/"
    page = Client().get(address).text
    tags = dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', page))
    there = f"http://testserver{address}"
    assert (tags["og:url"], tags["og:image"]) == (there, f"{there}preview.png")
    assert tags["og:title"] == "A hand of Dou Dizhu"
    assert tags["og:description"] == "alice 0 · Seat 2 0 · Seat 3 0"
    assert tags["twitter:card"] == "summary_large_image"
    assert f"Seat 3 0\n{there}</textarea>" in page
    picture = Client().get(f"{address}preview.png")
    assert picture["Content-Type"] == "image/png"
    assert picture["Cache-Control"] == "public, max-age=3600"
    assert picture.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture.content[16:24]) == (1200, 630)
    known = {"If-None-Match": picture["ETag"]}
    again = Client().get(f"{address}preview.png", headers=known)
    assert (again.status_code, again.content) == (304, b"")
    client_of(house.person("alice")).post(f"/history/{hand.pk}/unshare/")
    assert Client().get(f"{address}preview.png", headers=known).status_code == 410


@pytest.mark.always
def test_players_see_and_revoke_their_own_links(house: House, hand: Hand) -> None:
    token, others = make(house, hand), make(house, hand, "bob")
    alice = client_of(house.person("alice"))
    page = alice.get("/history/links/").text
    assert f"/shared/{token}/" in page
    assert others not in page
    answer = alice.post(f"/history/{hand.pk}/unshare/", {"back": "links"}, follow=True)
    assert answer.redirect_chain[-1][0] == "/history/links/"
    assert token not in answer.text
    assert "no longer works" in answer.text
    assert f"/shared/{others}/" in client_of(house.person("bob")).get("/history/links/").text
    assert alice.post("/history/links/").status_code == 405
    assert "/players/sign-in/" in Client().get("/history/links/")["Location"]


@pytest.mark.always
def test_links_are_paged(house: House, hand: Hand) -> None:
    alice = house.person("alice")
    for _ in range(51):
        sharing.revoke(alice, hand.pk, house.now)
        sharing.share(alice, hand.pk, house.now, named=False)
    client = client_of(house.person("alice"))
    first = client.get("/history/links/")
    assert len(first.context["rows"]) == 50
    second = client.get("/history/links/", {"before": first.context["older"]})
    assert len(second.context["rows"]) == 1
    assert second.context["older"] is None


def found(client: Client, listed: str, typed: str) -> list[SharedHand]:
    return list(client.get(listed, {"q": typed}).context["cl"].result_list)


@pytest.mark.always
def test_operators_take_a_link_back_and_say_why(house: House, hand: Hand) -> None:
    token = make(house, hand)
    shared = SharedHand.objects.get()
    for name, group in (("olga", "managers"), ("ann", "auditors"), ("carl", "cashiers")):
        staff.appoint(house.player(name, 0), group)
    operator, auditor = client_of(house.person("olga")), client_of(house.person("ann"))
    listed, address = "/admin/games/sharedhand/", f"/admin/games/sharedhand/{shared.pk}/change/"
    for client in (operator, auditor):
        assert found(client, listed, hand.code) == [shared]
        # Whose link this is the list does not show, so its search does not answer it.
        assert found(client, listed, token) == found(client, listed, digest_of(token)) == []
        assert hand.code in client.get(f"/shared/{token}/").text
        assert client.get(address).status_code == 200
    assert client_of(house.person("carl")).get(listed).status_code == 403
    assert auditor.post(address, {"revoked_why": "no"}).status_code == 403
    assert operator.post(f"{listed}add/").status_code == 403
    assert operator.post(f"{listed}{shared.pk}/delete/", {"post": "yes"}).status_code == 403
    for nothing in ("", "   "):
        assert operator.post(address, {"revoked_why": nothing}).status_code == 200
        assert Client().get(f"/shared/{token}/").status_code == 200
    fields = {"revoked_why": "Somebody asked us to", "named": "on", "player": "999999"}
    assert operator.post(address, fields).status_code == 302
    shared.refresh_from_db()
    assert shared.revoked_at is not None
    assert (shared.revoked_by, shared.revoked_why) == (house.person("olga"), fields["revoked_why"])
    assert (shared.player, shared.named) == (house.person("alice"), False)
    noted = JournalEntry.objects.get()
    assert (noted.verb, noted.actor_name) == ("sharedhand.revoke", "olga")
    assert noted.reason == fields["revoked_why"]
    gone = Client().get(f"/shared/{token}/")
    assert gone.status_code == 410
    assert "The house has revoked this link." in gone.text
    assert fields["revoked_why"] not in gone.text
    assert fields["revoked_why"] in client_of(house.person("alice")).get("/history/links/").text
    # A revoked link stays revoked, with the name of who did it.
    assert operator.post(address, {"revoked_why": "again"}).status_code == 403


def test_a_link_that_leads_nowhere_says_so(house: House, hand: Hand) -> None:
    make(house, hand)
    for token in ("forged", "x" * 22, "%27", "1"):
        for part in ("", "step/0/", "record/"):
            answer = Client().get(f"/shared/{token}/{part}")
            assert answer.status_code == 404
            assert "This link does not work" in answer.text


def test_only_players_of_a_finished_hand_can_share_it(house: House, hand: Hand) -> None:
    house.player("eve")
    staff.appoint(house.player("ann", 0), "auditors")
    address = f"/history/{hand.pk}/share/"
    assert client_of(house.person("eve")).post(address).status_code == 404
    for verb in ("share", "unshare"):
        page = client_of(house.person("ann")).post(f"/history/{hand.pk}/{verb}/")
        assert page.status_code == 409
        assert "Only those who played a hand can share it." in page.text
        assert "409 · not_played" in page.text
    assert client_of(house.person("alice")).get(address).status_code == 405
    assert "/players/sign-in/" in Client().post(address)["Location"]
    # No player takes another's link back.
    token = make(house, hand)
    client_of(house.person("bob")).post(f"/history/{hand.pk}/unshare/")
    assert Client().get(f"/shared/{token}/").status_code == 200
    assert Client().post(f"/shared/{token}/").status_code == 405


def test_a_hand_that_was_taken_back_is_not_shared(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    assert table.hand_id
    running = table.hand_id
    assert client_of(house.person("alice")).post(f"/history/{running}/share/").status_code == 404
    void(running, "a test", "operator", house.now)
    assert Table.objects.get().hand_id is None
    page = client_of(house.person("alice")).post(f"/history/{running}/share/")
    assert page.status_code == 409
    assert "A voided or reversed hand cannot be shared." in page.text
    assert not SharedHand.objects.exists()
