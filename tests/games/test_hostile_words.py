"""User text appears in pages as plain text on one line, without control or bidi characters."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from casino.players.models import Player
from games.chat import talking
from games.models import Hand
from games.records.sharing import share
from tests.games.house import House
from tests.people import client_of
from wallets import jackpots

TURNED = "\u202e"
WORDS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'; {{ 7|add:7 }} {% now %}",
    f"{TURNED}backwards\u2066",
    "twofold\nlines\r\nof it",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 and \U0001f004",
    "W" * 60,
]


@pytest.mark.slow
@pytest.mark.parametrize("words", WORDS, ids=range(len(WORDS)))
def test_words_are_text_on_every_page(house: House, words: str) -> None:
    if words.isprintable() and len(words) < 60:
        # A jackpot cannot be called otherwise: its name stands in the ledger.
        jackpots.create(words, "progressive", house.currency, actor="test", seed=100)
    table = house.table("baccarat", name=words)
    alice = house.player("alice")
    house.sit(alice, table, 1)
    house.until(table, lambda table: table.hands_dealt == 2)
    talking.say(alice, table.pk, words, house.now)
    hand = Hand.objects.earliest("pk")
    link = share(alice, hand.pk, house.now, named=True)
    alice.is_staff = True
    alice.save()
    alice.user_permissions.set(Permission.objects.all())
    client = client_of(alice)
    at = f"/tables/{table.pk}/"
    seat = house.seat(table, "alice")
    pages = ["/", "/lobby/", f"/play/baccarat/?table={table.pk}", "/private/", "/wallet/"]
    pages += [at, f"{at}chat/", f"{at}shoes/", f"{at}rules/", f"/shared/{link.token}/"]
    pages += ["/history/", f"/history/{hand.pk}/", f"/history/seats/{seat.code}/"]
    for address in pages:
        answer = client.get(address)
        assert answer.status_code == 200, address
        text = answer.text
        assert "<script>alert" not in text, address
        assert "<img src=x" not in text, address
        assert TURNED not in text, address
        assert "\u2066" not in text, address
        assert "twofold\n" not in text, address
    for model in (
        "games/table",
        "games/hand",
        "games/seat",
        "games_chat/chatline",
        "wallets/jackpot",
    ):
        answer = client.get(f"/admin/{model}/")
        assert answer.status_code == 200, model
        assert "<script>alert" not in answer.text, model
        assert "<img src=x" not in answer.text, model


@pytest.mark.parametrize("name", [*WORDS, "", "a", "Ali\u200dce", "\u0430lice"])
def test_hostile_names_create_no_player(name: str, client: Client, db: None) -> None:
    password = "a long way to the river"
    data = {"username": name, "password1": password, "password2": password, "password": password}
    assert client.post("/players/sign-up/", data).status_code in (200, 400, 409, 422)
    assert not Player.objects.exists()
