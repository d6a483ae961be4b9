"""The faces of players: which there are, who has which, and how one is chosen."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from casino.accounts.models import Player
from games.tables import demo
from games.tables.demo import BOTS
from games.words.players import FACES, NOBODY, face_by_name, face_title
from tests.casino.browsers import NEW
from tests.people import client_of

SPRITE_BYTES_MAX = 25_000
SHOWN = re.compile(
    r'<svg class="avatar" aria-hidden="true"><use href="([^"]+)#face-(\d\d)"/></svg>'
)


def sprite() -> str:
    path = finders.find("casino/faces.svg")
    assert isinstance(path, str)
    return Path(path).read_text()


def shown(text: str) -> Iterator[int]:
    for _sprite, number in SHOWN.findall(text):
        yield int(number)


def test_every_face_is_drawn_of_parts_that_are_there() -> None:
    drawn = sprite()
    symbols = re.findall(r'<symbol id="face-(\d\d)" viewBox="0 0 64 64">(.+)</symbol>', drawn)
    assert sorted(int(number) for number, _ in symbols) == [NOBODY, *FACES]
    assert len({parts for _, parts in symbols}) == len(symbols)
    names = re.findall(r'id="([^"]+)"', drawn)
    assert len(set(names)) == len(names)
    assert set(re.findall(r'href="#([^"]+)"', drawn)) <= set(names)
    assert len(gzip.compress(drawn.encode())) <= SPRITE_BYTES_MAX
    # The policy of the pages forbids all three.
    assert not re.search("style|script|http(?!://www.w3.org/2000/svg)", drawn)


def test_a_newcomer_finds_a_face_chosen_and_may_take_another(stranger: Client) -> None:
    page = stranger.get(reverse("sign-up")).text
    assert page.count('type="radio" name="face"') == len(FACES)
    assert sorted(shown(page)) == list(FACES)
    [chosen] = re.findall(r'name="face" value="(\d+)"[^>]* checked', page)
    # It is in sight, and so is the one of a form that came back.
    assert next(shown(page)) == int(chosen)
    assert next(shown(stranger.post(reverse("sign-up"), {"face": "23"}).text)) == 23
    assert '<span class="hidden">Face 7</span>' in page
    stranger.post(reverse("sign-up"), NEW | {"face": "7"})
    assert Player.objects.get(username="dora").face == 7
    assert 7 in shown(stranger.get(reverse("lobby")).text)


@pytest.mark.slow
def test_the_face_that_is_chosen_already_varies(stranger: Client) -> None:
    address = reverse("sign-up")
    pages = [stranger.get(address).text for _ in range(20)]
    assert len({re.findall(r'value="(\d+)"[^>]* checked', page)[0] for page in pages}) > 1


@pytest.mark.always
def test_whoever_sends_no_face_gets_that_of_the_name(stranger: Client) -> None:
    stranger.post(reverse("sign-up"), NEW)
    assert Player.objects.get(username="dora").face == face_by_name("dora")
    assert {face_by_name(f"player {number}") for number in range(999)} == set(FACES)


def test_a_face_that_is_not_there_is_refused(alice: Player, stranger: Client) -> None:
    player = client_of(alice)
    for face in ("0", "49", "-1", "x", "1.5", "9" * 40, "\x00"):
        answer = stranger.post(reverse("sign-up"), NEW | {"face": face})
        assert answer.status_code == 422, face
        assert 'id="id_face_error"' in answer.text, face
        assert player.post(reverse("face"), {"face": face}).status_code == 422, face
    assert Player.objects.get().face == face_by_name("alice")


def test_a_player_chooses_another_face(alice: Player) -> None:
    client, address = client_of(alice), reverse("face")
    Player.objects.filter(pk=alice.pk).update(face=3)
    assert re.search(r'value="3"[^>]* checked', client.get(address).text)
    assert client.post(address, {"face": "41"}).headers["Location"] == reverse("profile")
    assert set(shown(client.get(reverse("profile")).text)) == {41}
    assert client.post(address, {}).status_code == 422
    stranger = Client()
    assert stranger.post(address, {"face": "5"}).headers["Location"].startswith("/players/sign-in/")
    assert client.delete(address).status_code == 405
    alice.refresh_from_db()
    assert alice.face == 41


@pytest.mark.always
@pytest.mark.parametrize(("language", "words"), [("en", "Face 7"), ("zh-hans", "7")])
def test_a_face_is_called_by_its_number(stranger: Client, language: str, words: str) -> None:
    stranger.cookies["django_language"] = language
    assert words in stranger.get(reverse("sign-up")).text
    assert words in face_title(7)


def test_the_bots_of_the_house_have_faces_of_their_own(db: None) -> None:
    demo.seed()
    Player.objects.filter(is_bot=True).update(face=NOBODY)
    demo.seed()
    given = dict(Player.objects.filter(is_bot=True).values_list("username", "face"))
    assert given == BOTS
    assert len(set(given.values())) == len(given)
    assert set(given.values()) <= set(FACES)
