"""User text appears in pages as plain text on one line, without control or bidi characters."""

from django.contrib.auth.models import Permission
from django.test import Client

from casino.accounts.models import Player
from games.chat import chat_verbs
from games.models import Hand, Table
from games.records.sharing import share
from tests.games.house import House
from tests.people import client_of
from wallets.money import jackpots

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


def test_words_are_text_on_every_page(house: House) -> None:
    """A table, a jackpot and a line are called by each of them, and all are shown together."""
    alice = house.player("alice")
    for number, words in enumerate(WORDS, 1):
        if words.isprintable() and len(words) < 60:
            # A jackpot cannot be called otherwise: its name is in the ledger.
            jackpots.create(words, "progressive", house.currency, actor="test", seed=100)
        table = house.table("baccarat", name=words)
        house.sit(alice, table, number)
        chat_verbs.say(alice, table.pk, words, house.now + number * chat_verbs.LINES_WITHIN)
    house.until(table, lambda table: table.hands_dealt == 1 and table.hand_id is None)
    hand = Hand.objects.get(table=table)
    link = share(alice, hand.pk, house.now, named=True)
    alice.is_staff = True
    alice.save()
    alice.user_permissions.set(Permission.objects.all())
    client = client_of(alice)
    tables, at = list(Table.objects.order_by("pk")), f"/tables/{table.pk}/"
    pages = ["/", "/lobby/", "/private/", "/wallet/", f"/play/baccarat/?table={table.pk}"]
    pages += [f"/tables/{open_table.pk}/{page}" for open_table in tables for page in ("", "chat/")]
    models = ("games/table", "games/hand", "games/seat", "games_chat/chatline", "wallets/jackpot")
    hold_no_markup(client, *pages, *(f"/admin/{model}/" for model in models))
    # The name of a table is its own; of each kind of words one stands over a hand.
    for other, words in list(zip(tables, WORDS, strict=True))[:5]:
        Table.objects.filter(pk=other.pk).update(name=f"Table {other.pk}")
        Table.objects.filter(pk=table.pk).update(name=words)
        seat = f"/history/seats/{house.seat(table, 'alice').code}/"
        of_hand = ("/history/", f"/history/{hand.pk}/", seat, f"/shared/{link.token}/")
        hold_no_markup(client, *of_hand, f"{at}shoes/", f"{at}rules/")


def hold_no_markup(client: Client, *addresses: str) -> None:
    for address in addresses:
        answer = client.get(address, follow=True)
        assert answer.status_code == 200, address
        for words in ("<script>alert", "<img src=x"):
            assert words not in answer.text, address
        for words in (TURNED, "\u2066", "twofold\n"):
            assert words not in answer.text or "/admin/" in address, address


def test_hostile_names_create_no_player(client: Client, db: None) -> None:
    password = "a long way to the river"
    for name in (*WORDS, "", "a", "Ali\u200dce", "\u0430lice"):
        data = {"username": name, "password1": password, "password2": password}
        answer = client.post("/players/sign-up/", data | {"password": password})
        assert answer.status_code in (200, 400, 409, 422), name
        assert not Player.objects.exists(), name
