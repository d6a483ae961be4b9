"""Where the faces of players are shown, and where not."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from casino.accounts.models import Player
from games.boards.replay import Replay
from games.models import Hand, SharedHand
from games.records.sharing import public_names
from tests.games.house import House
from tests.people import client_of

SHOWN = re.compile(r'<svg class="avatar" aria-hidden="true"><use href="[^"]+#face-(\d\d)"/></svg>')


def shown(text: str) -> list[int]:
    return [int(number) for number in SHOWN.findall(text)]


@pytest.mark.always
def test_seats_lobby_and_chat_show_who_sits_there_unless_the_name_is_hidden(house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    for name, face in (("alice", 11), ("bob", 22), ("carol", 33)):
        Player.objects.filter(username=name).update(face=face)
    reader = Client()
    assert sorted(shown(reader.get(reverse("board", args=[table.pk])).text)) == [11, 22, 33]
    # On the tile of the game, and on the row of the table.
    assert sorted(shown(reader.get(reverse("lobby")).text)) == [11, 11, 22, 22, 33, 33]
    bob = client_of(house.person("bob"))
    bob.post(reverse("chat-say", args=[table.pk]), {"phrase": "luck"})
    chat = reader.get(reverse("chat", args=[table.pk])).text
    assert list(shown(chat)) == [22]
    house.until(table, lambda table: table.hand_id is None)
    hand, client = Hand.objects.latest("pk"), client_of(house.person("alice"))
    assert sorted(shown(client.get(reverse("hand", args=[hand.pk])).text))[-3:] == [11, 22, 33]
    names = public_names(SharedHand(hand=hand, player=house.person("alice"), named=True))
    seats = Replay(hand, None, names, table.currency).seats(0)
    assert sorted(seat.face for seat in seats) == [0, 0, 11]
