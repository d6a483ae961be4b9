"""Talk at a table: who may speak, who is heard, what is refused, and what the staff can do."""

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.chat import chat_verbs
from games.chat.chat_verbs import EMOTE_BUTTONS, EMOTES, PHRASES, all_phrases
from games.chat.models import LINE_MAX, ChatLine, Silence
from games.families.doudizhu.family import PHRASES as DOUDIZHU
from games.models import Table
from tests.games.house import House
from tests.people import HTMX, client_of
from wallets.models.staff_models import JournalEntry


@pytest.fixture
def table(house: House) -> Table:
    return house.table("doudizhu")


@pytest.fixture
def alice(house: House, table: Table) -> Client:
    player = house.player("alice")
    house.sit(player, table, 1)
    return client_of(player)


@pytest.fixture
def bob(house: House, table: Table) -> Client:
    player = house.player("bob")
    house.sit(player, table, 2)
    return client_of(player)


def heard(client: Client, table: Table, language: str = "en") -> str:
    headers = HTMX | {"Accept-Language": language}
    answer = client.get(reverse("chat", args=[table.pk]), headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def say(client: Client, table: Table, **fields: str) -> tuple[int, str]:
    answer = client.post(reverse("chat-say", args=[table.pk]), fields, headers=HTMX)
    return answer.status_code, answer.content.decode()


def test_chat_is_shown_at_the_table_and_escaped(table: Table, alice: Client, bob: Client) -> None:
    status, _page = say(alice, table, text="  a <b>bold</b>\n line ")
    assert status == 200
    assert "a &lt;b&gt;bold&lt;/b&gt; line" in heard(bob, table)
    assert "bold" in heard(Client(), table)


def test_a_quick_phrase_is_read_in_each_readers_language(
    table: Table, alice: Client, bob: Client
) -> None:
    assert say(alice, table, phrase="luck")[0] == 200
    assert "<span>Good luck!</span>" in heard(bob, table)
    assert "<span>祝你好运！</span>" in heard(bob, table, "zh-hans")
    assert "<span>祝你好運！</span>" in heard(bob, table, "zh-hant")


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_an_emote_is_drawn_and_read_in_words(
    table: Table, alice: Client, bob: Client, language: str
) -> None:
    assert say(alice, table, phrase="tea")[0] == 200
    page = heard(bob, table, language)
    [line] = re.findall(r'<p id="chat-\d+" data-seat="1">(.*?)</p>', page, re.DOTALL)
    assert 'emotes.svg#tea"/></svg><span' in line
    if language == "en":
        assert 'class="hidden">offers tea</span>' in line
        assert 'value="tea"\n    aria-label="Offer tea"' in page


def test_every_emote_is_drawn() -> None:
    drawn = (settings.BASE_DIR / "static" / "games" / "emotes.svg").read_text()
    assert set(re.findall('<symbol id="([^"]+)"', drawn)) == set(EMOTES)
    assert set(EMOTE_BUTTONS) == set(EMOTES)
    assert len(EMOTES) == 12
    assert len(all_phrases()) == len(EMOTES) + len(DOUDIZHU) + len(PHRASES)
    longest = ChatLine._meta.get_field("phrase").max_length or 0
    assert max(map(len, all_phrases())) <= longest


def test_a_table_offers_the_phrases_of_its_game(house: House, table: Table, alice: Client) -> None:
    assert re.findall('name="phrase" value="([^"]+)"', heard(alice, table)) == [*EMOTES, *DOUDIZHU]
    other = house.table("baccarat")
    house.sit(house.player("carol"), other, 1)
    offered = heard(client_of(house.person("carol")), other)
    assert re.findall('name="phrase" value="([^"]+)"', offered) == [*EMOTES, *PHRASES]


@pytest.mark.always
def test_a_bot_is_called_and_muted_in_the_readers_language(table: Table, bob: Client) -> None:
    bot = Player.objects.create_bot("Auntie Lan", face=4)
    ChatLine.objects.create(table=table, player=bot, phrase="luck", said_at=timezone.now())
    page = heard(bob, table, "zh-hans")
    assert "<b>兰姨</b>" in page
    assert "<b>蘭姨</b>" in heard(bob, table, "zh-hant")
    assert 'value="Auntie Lan"' in page
    mute = reverse("chat-mute", args=[table.pk])
    assert bob.post(mute, {"name": "Auntie Lan"}).status_code == 302
    again = heard(bob, table, "zh-hans")
    assert "<b>兰姨</b>" not in again
    assert "兰姨" in again


@pytest.mark.always
def test_invalid_chat_lines_are_refused_and_kept_in_the_field(table: Table, alice: Client) -> None:
    long = "y" * (LINE_MAX + 1)
    for fields, code in (
        ({"text": ""}, "chat_empty"),
        ({"text": " \u200b\u202e \n"}, "chat_empty"),
        ({}, "chat_empty"),
        ({"text": long}, "chat_long"),
        ({"phrase": "curse"}, "phrase"),
    ):
        status, page = say(alice, table, **fields)
        assert (status, f'data-code="{code}"' in page) == (400, True), fields
        assert (f'value="{long}"' in page) == (code == "chat_long")
    assert not ChatLine.objects.exists()


def test_the_hand_that_is_live_says_what_may_be_said(house: House) -> None:
    """An operator has changed the table for the next hand: this one keeps its rules."""
    table = house.dealt_in("russian_poker", "alice", "bob")
    Table.objects.filter(pk=table.pk).update(game="baccarat")
    client = client_of(house.person("alice"))
    assert say(client, table, text="I hold two aces")[0] == 409


def test_signs_that_reverse_a_line_are_removed(table: Table, alice: Client) -> None:
    assert say(alice, table, text="abc\u202edef\u2028ghi")[0] == 200
    assert ChatLine.objects.get().text == "abcdef ghi"


def test_only_who_sits_there_speaks(house: House, table: Table, alice: Client) -> None:
    elsewhere = client_of(house.player("carol"))
    status, page = say(elsewhere, table, text="hello")
    assert (status, 'data-code="not_seated"' in page) == (409, True)
    stranger = Client().post(reverse("chat-say", args=[table.pk]), {"text": "hello"})
    assert stranger.status_code == 302
    assert "chat-say" not in heard(elsewhere, table)
    assert not ChatLine.objects.exists()


def test_a_private_tables_talk_is_not_there_for_others(house: House) -> None:
    table = house.table("doudizhu", private=True)
    for client in (Client(), client_of(house.player("dave"))):
        assert client.get(reverse("chat", args=[table.pk])).status_code == 404
    invited = Client()
    invited.get(reverse("table", args=[table.pk]), {"invitation": table.invitation})
    assert invited.get(reverse("chat", args=[table.pk])).status_code == 200


def test_many_lines_at_once_are_noise(house: House, table: Table, alice: Client) -> None:
    statuses = [say(alice, table, text=f"line {number}")[0] for number in range(7)]
    assert statuses == [200] * 5 + [409] * 2
    house.now += chat_verbs.LINES_WITHIN + timedelta(seconds=1)
    assert say(alice, table, text="calm again")[0] == 200


def test_muted_players_are_not_shown(table: Table, alice: Client, bob: Client) -> None:
    say(alice, table, text="first")
    mute = reverse("chat-mute", args=[table.pk])
    for _twice in range(2):
        assert bob.post(mute, {"name": "alice"}, headers=HTMX).status_code == 200
    say(alice, table, text="second")
    assert "first" not in heard(bob, table)
    assert "second" not in heard(bob, table)
    assert "second" in heard(alice, table)
    assert "Unmute alice" in heard(bob, table)
    bob.post(reverse("chat-unmute", args=[table.pk]), {"name": "alice"})
    assert "second" in heard(bob, table)


def test_unknown_names_cannot_be_muted(table: Table, bob: Client) -> None:
    for name in ("nobody", "bob", ""):
        answer = bob.post(reverse("chat-mute", args=[table.pk]), {"name": name}, headers=HTMX)
        assert answer.status_code == 409, name
        assert 'data-code="no_such_player"' in answer.text


@pytest.mark.always
def test_staff_hides_lines_and_silences_players(house: House, table: Table, alice: Client) -> None:
    say(alice, table, text="something rude")
    operator = house.player("olga")
    appoint(operator, "managers")
    office = client_of(operator)
    line = ChatLine.objects.get()
    answer = office.post(
        reverse("admin:games_chat_chatline_changelist"),
        {"action": "hide_lines", "_selected_action": line.pk},
    )
    assert answer.status_code == 302
    entry = JournalEntry.objects.latest("pk")
    assert (entry.before, entry.after) == ({"hidden": False}, {"hidden": True})
    assert "something rude" not in heard(alice, table)
    adding = reverse("admin:games_chat_silence_add")
    for who in ("", "?player=abc", f"?player={house.person('alice').pk}", "?player=9" + "9" * 30):
        assert office.get(f"{adding}{who}").status_code == 200
    Silence.objects.create(
        player=house.person("alice"), until=house.now + timedelta(hours=1), reason="rude"
    )
    status, page = say(alice, table, text="more of it")
    assert status == 409
    assert "You cannot chat for now: rude" in page
    house.now += timedelta(hours=1, seconds=1)
    assert say(alice, table, text="sorry")[0] == 200


def test_cashiers_see_no_chat(house: House) -> None:
    cashier = house.player("cora")
    appoint(cashier, "cashiers")
    answer = client_of(cashier).get(reverse("admin:games_chat_chatline_changelist"))
    assert answer.status_code == 403


def test_old_lines_are_forgotten(house: House, table: Table, alice: Client) -> None:
    say(alice, table, text="long ago")
    assert chat_verbs.forget(house.now) == 0
    house.now += chat_verbs.KEPT + timedelta(minutes=1)
    say(client_of(house.person("alice")), table, text="today")
    assert chat_verbs.forget(house.now) == 1
    assert [line.text for line in ChatLine.objects.all()] == ["today"]


def test_talk_is_posted(table: Table, alice: Client) -> None:
    assert alice.post(reverse("chat", args=[table.pk])).status_code == 405
    for verb in ("chat-say", "chat-mute", "chat-unmute"):
        assert alice.get(reverse(verb, args=[table.pk])).status_code == 405
        assert alice.post(reverse(verb, args=[10**6]), {"text": "x"}).status_code == 404
