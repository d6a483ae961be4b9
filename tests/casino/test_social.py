"""People: profiles, friends, following, blocking, notes, and invitations to private tables."""

from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.accounts.models import Player
from casino.care import exclusions, limits, own_data
from casino.care.models import PlayerLimit
from casino.community.returning.models import Achievement, CountedHand, DayPlayed
from casino.community.social import friends, invitations
from casino.community.social.models import Block, Follow, Friendship, PlayerNote, TableInvitation
from games.lobby import private_tables
from games.lobby.seat_finder import find_seat, tables_to_show
from games.models import Table
from games.tables import seating
from tests.games.house import House
from tests.people import HTMX, client_of
from wallets.values.days import day_of
from wallets.values.errors import Refused

FRIENDS = "/players/friends/"


@pytest.fixture
def alice(house: House) -> Player:
    return house.player("alice")


@pytest.fixture
def bob(house: House) -> Player:
    return house.player("bob")


@pytest.fixture
def carol(house: House) -> Player:
    return house.player("carol")


def befriend(player: Player, other: Player, now: datetime) -> None:
    friends.ask(player, other.username, now)
    friends.accept(other, player.username, now)


def page_of(reader: Player, name: str) -> tuple[int, str]:
    answer = client_of(reader).get(f"/players/{name}/")
    return answer.status_code, answer.text


def send(player: Player, verb: str, **fields: Any) -> Any:
    return client_of(player).post(reverse(f"friends-{verb}"), fields)


def limit_time(player: Player, now: datetime) -> None:
    kind, period = PlayerLimit.Kind.SESSION, PlayerLimit.Period.DAY
    limits.ask(player, limits.Wanted(kind, period, None, 60), now)
    player.refresh_from_db()


def played(player: Player, game: str, points: list[int | None], now: datetime) -> None:
    day = day_of(now)
    CountedHand.objects.bulk_create(
        CountedHand(
            player=player, hand=player.pk * 1000 + number, table=1, game=game, day=day, week=day,
            won=(point or 0) > 0, points=point,
        )
        for number, point in enumerate(points, CountedHand.objects.count())
    )  # fmt: skip
    DayPlayed.objects.update_or_create(player=player, day=day, defaults={"hands": 1_234})


# Profiles


@pytest.mark.always
def test_a_profile_says_what_was_played_in_points_and_nothing_of_money(
    house: House, alice: Player, bob: Player
) -> None:
    assert "/players/sign-in/" in Client().get("/players/alice/")["Location"]
    played(alice, "doudizhu", [300, -100], house.now)
    played(alice, "blackjack", [None], house.now)
    Achievement.objects.create(player=alice, name="rocket", hand=1, day=day_of(house.now))
    status, page = page_of(bob, "alice")
    assert status == 200
    main = page[page.index("<main") : page.index("</main>")]
    assert "1.00" in main
    assert "50%" in main
    assert "1234" in main
    assert "Rocket" in main
    assert "Natural" not in main
    assert "plays mostly Dou Dizhu" in main
    for word in ("100,000", "PLAY", "wallet"):
        assert word not in main


@pytest.mark.parametrize("why", ["staff", "bot", "frozen", "break", "limit", "nobody"])
def test_who_is_not_shown_has_no_page(house: House, alice: Player, bob: Player, why: str) -> None:
    assert page_of(bob, "alice")[0] == 200
    if why in ("staff", "bot", "frozen"):
        field = {"staff": "is_staff", "bot": "is_bot", "frozen": "is_active"}[why]
        alice.set_unusable_password()
        alice.save()
        Player.objects.filter(pk=alice.pk).update(**{field: why != "frozen"})
    elif why == "break":
        exclusions.begin(alice, "time_out", 1, house.now)
    elif why == "limit":
        limit_time(alice, house.now)
    assert page_of(bob, "nobody" if why == "nobody" else "alice")[0] == 404
    if why == "limit":
        status, page = page_of(alice, "alice")
        assert status == 200
        assert "This page is hidden from others now" in page


@pytest.mark.always
def test_a_page_for_friends_only_says_nothing_to_others(
    house: House, alice: Player, bob: Player, carol: Player
) -> None:
    played(alice, "doudizhu", [300], house.now)
    befriend(alice, bob, house.now)
    send(alice, "show", friends_only="1")
    assert "Dou Dizhu" in page_of(bob, "alice")[1]
    status, page = page_of(carol, "alice")
    assert status == 200
    assert "Only friends see this profile." in page
    assert "Dou Dizhu" not in page
    send(alice, "show")
    assert "Dou Dizhu" in page_of(carol, "alice")[1]


def test_who_has_limited_their_time_reads_no_figures(
    house: House, alice: Player, bob: Player
) -> None:
    played(alice, "doudizhu", [300], house.now)
    limit_time(bob, house.now)
    status, page = page_of(bob, "alice")
    assert status == 200
    assert "Dou Dizhu" not in page
    assert "Block" in page


@pytest.mark.always
def test_a_name_that_a_page_has_too_is_reached_in_another_spelling(
    house: House, alice: Player
) -> None:
    house.player("face")
    address = reverse("player", args=["face"])
    assert address == "/players/FACE/"
    assert client_of(alice).get(address).text.count("<h1>face</h1>")


# Friends and following


def test_friends_ask_accept_and_end(house: House, alice: Player, bob: Player) -> None:
    assert send(alice, "ask", name="Bob").status_code == 302
    assert not friends.are_friends(alice, bob)
    assert "alice" in client_of(bob).get(FRIENDS).text
    assert send(bob, "accept", name="alice", back="player")["Location"] == "/players/alice/"
    assert friends.are_friends(bob, alice)
    assert "You are friends." in page_of(alice, "bob")[1]
    send(alice, "end", name="bob")
    assert not Friendship.objects.exists()
    refused = send(bob, "accept", name="alice")
    assert refused.status_code == 409
    assert 'data-code="not_asked"' in refused.text
    # Two who ask one another are friends.
    friends.ask(alice, "bob", house.now)
    friends.ask(alice, "bob", house.now)
    assert not friends.are_friends(alice, bob)
    friends.ask(bob, "alice", house.now)
    assert friends.are_friends(alice, bob)
    assert Friendship.objects.count() == 1


@pytest.mark.always
def test_the_bar_of_every_page_counts_who_waits_for_an_answer(
    house: House, alice: Player, bob: Player
) -> None:
    def waiting() -> bool:
        return 'class="waiting"' in client_of(bob).get("/players/profile/").text

    friends.ask(alice, "bob", house.now)
    assert waiting()
    assert 'class="waiting"' not in client_of(alice).get("/players/profile/").text
    friends.accept(bob, "alice", house.now)
    assert not waiting()
    invitations.invite(alice, "bob", opened(house, alice).pk, house.now)
    assert waiting()


def test_nobody_asks_without_end(
    house: House, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(friends, "REQUESTS_MAX", 2)
    for name in ("dora", "emil", "fritz"):
        house.player(name)
    friends.ask(alice, "dora", house.now)
    friends.ask(alice, "emil", house.now)
    with pytest.raises(Refused) as refused:
        friends.ask(alice, "fritz", house.now)
    assert refused.value.code == "requests_many"
    friends.end(alice, "dora")
    friends.ask(alice, "fritz", house.now)


def test_nobody_asks_themselves_or_a_name_that_nobody_has(alice: Player) -> None:
    for name in ("alice", "nobody", "a\0b", ""):
        refused = send(alice, "ask", name=name)
        assert refused.status_code == 409, name
        assert 'data-code="no_such_player"' in refused.text, name


def test_friends_and_followed_are_seen_at_open_tables_alone(
    house: House, alice: Player, bob: Player, carol: Player
) -> None:
    befriend(alice, bob, house.now)
    friends.follow(alice, "carol", house.now)
    hidden = house.table("doudizhu", private=True, opened_by=bob)
    seating.sit(bob, hidden.pk, 1, 50_000, house.now, hidden.invitation)
    table = house.table("doudizhu")
    house.sit(carol, table, 1)
    page = client_of(alice).get(FRIENDS).text
    assert page.count(f'"/tables/{table.pk}/"') == 1
    assert f'"/tables/{hidden.pk}/"' not in page
    send(carol, "show", friends_only="1")
    assert f'"/tables/{table.pk}/"' not in client_of(alice).get(FRIENDS).text
    house.sit(bob, table, 2)
    assert f'"/tables/{table.pk}/"' in client_of(alice).get(FRIENDS).text
    limit_time(alice, house.now)
    assert f'"/tables/{table.pk}/"' not in client_of(alice).get(FRIENDS).text
    send(alice, "unfollow", name="carol")
    assert not Follow.objects.exists()


def test_the_lists_take_as_many_queries_for_many_as_for_one(house: House, alice: Player) -> None:
    counts = []
    client = client_of(alice)
    for name in ("dora", "emil", "fritz"):
        befriend(alice, house.player(name), house.now)
        with CaptureQueriesContext(connection) as queries:
            client.get(FRIENDS)
        counts.append(len(queries))
    assert counts[1] == counts[2]


# Blocks


def test_a_blocked_player_is_answered_as_if_there_were_nobody(
    house: House, alice: Player, bob: Player
) -> None:
    befriend(alice, bob, house.now)
    friends.follow(bob, "alice", house.now)
    send(alice, "block", name="bob")
    assert not Friendship.objects.exists()
    assert not Follow.objects.exists()
    assert page_of(bob, "alice")[0] == 404
    nobody = send(bob, "ask", name="nobody")
    for verb in ("ask", "follow"):
        refused = send(bob, verb, name="alice")
        assert refused.status_code == nobody.status_code
        assert 'data-code="no_such_player"' in refused.text
    # The other one has to unblock first.
    assert 'data-code="blocked"' in send(alice, "ask", name="bob").text
    assert "You have blocked this player." in page_of(alice, "bob")[1]
    send(alice, "unblock", name="bob")
    assert page_of(bob, "alice")[0] == 200


def test_what_a_blocked_player_says_reaches_everybody_else(
    house: House, alice: Player, bob: Player, carol: Player
) -> None:
    table = house.table("doudizhu")
    for number, player in enumerate((alice, bob, carol), 1):
        house.sit(player, table, number)
    client_of(bob).post(reverse("chat-say", args=[table.pk]), {"text": "hello you"})
    friends.block(alice, "bob", house.now)
    chat = reverse("chat", args=[table.pk])
    assert "hello you" not in client_of(alice).get(chat).text
    heard = client_of(carol).get(chat).text
    assert "hello you" in heard
    assert '<a href="/players/bob/">bob</a>' in heard
    assert "hello you" in client_of(bob).get(chat).text


@pytest.mark.always
@pytest.mark.parametrize("blocker", ["alice", "bob"])
def test_play_now_avoids_the_table_of_a_blocked_player(
    house: House, alice: Player, bob: Player, carol: Player, blocker: str
) -> None:
    first, second = house.table("doudizhu"), house.table("doudizhu")
    house.sit(bob, first, 1)
    house.sit(carol, first, 2)
    # Without a block it is the table where play begins soonest.
    dora = house.player("dora")
    tables = list(tables_to_show())
    assert find_seat(dora, tables, house.now).table_id == first.pk
    first.seats.filter(player=dora).update(left_at=house.now)
    player, other = (alice, bob) if blocker == "alice" else (bob, alice)
    friends.block(player, other.username, house.now)
    assert find_seat(alice, tables, house.now).table_id == second.pk
    # Where no other table is free, it seats them there.
    assert find_seat(alice, tables[:1], house.now).table_id == first.pk


# Notes


@pytest.mark.always
def test_only_its_writer_reads_a_note(
    house: House, alice: Player, bob: Player, carol: Player
) -> None:
    send(alice, "note", name="bob", note="bluffs <b>\nalways", back="player")
    assert "bluffs &lt;b&gt; always" in page_of(alice, "bob")[1]
    assert "bluffs" in client_of(alice).get(FRIENDS).text
    for reader in (bob, carol):
        assert "bluffs" not in page_of(reader, "bob")[1]
    refused = send(alice, "note", name="bob", note="x" * 201)
    assert refused.status_code == 400
    assert 'data-code="note_long"' in refused.text
    send(alice, "note", name="bob", note=" ")
    assert not PlayerNote.objects.exists()


# Invitations


def opened(house: House, player: Player) -> Table:
    model = house.table("doudizhu")
    return private_tables.open_table(player, model.pk, "usual", False, house.now)


@pytest.mark.always
def test_a_friend_comes_by_the_link_on_their_page(
    house: House, alice: Player, bob: Player, carol: Player
) -> None:
    befriend(alice, bob, house.now)
    table = opened(house, alice)
    assert send(alice, "invite", name="bob", table=table.pk).status_code == 302
    address = f"/private/{table.pk}/?invitation={table.invitation}"
    client = client_of(bob)
    assert address in client.get(FRIENDS).text
    assert client.get(address).status_code == 200
    refused = send(alice, "invite", name="carol", table=table.pk)
    assert 'data-code="not_friends"' in refused.text
    refused = send(bob, "invite", name="alice", table=table.pk)
    assert 'data-code="no_such_table"' in refused.text


@pytest.mark.parametrize("how", ["new link", "closed", "ended", "blocked", "declined", "limited"])
def test_an_invitation_ends(house: House, alice: Player, bob: Player, how: str) -> None:
    befriend(alice, bob, house.now)
    table = opened(house, alice)
    invitations.invite(alice, "bob", table.pk, house.now)
    assert invitations.of(bob)
    if how == "new link":
        private_tables.invite_anew(alice, table.pk)
    elif how == "closed":
        private_tables.close_table(alice, table.pk, house.now)
    elif how == "ended":
        friends.end(bob, "alice")
    elif how == "blocked":
        friends.block(alice, "bob", house.now)
    elif how == "declined":
        send(bob, "decline", table=table.pk)
    else:
        limit_time(bob, house.now)
        with pytest.raises(Refused) as refused:
            invitations.invite(alice, "bob", table.pk, house.now)
        assert refused.value.code == "no_such_player"
    assert not invitations.of(bob)


# Who may, and their own data


def test_staff_and_visitors_arrange_nothing(alice: Player) -> None:
    boss, player = client_of(Player.objects.create_superuser("boss")), client_of(alice)
    for verb in ("ask", "block", "note", "invite", "show"):
        address = reverse(f"friends-{verb}")
        assert boss.post(address, {"name": "alice"}, headers=HTMX).status_code == 404
        assert "/players/sign-in/" in Client().post(address, {"name": "alice"})["Location"]
        assert player.get(address, headers=HTMX).status_code == 405


def test_it_is_in_the_players_file_and_goes_with_the_player(
    house: House, alice: Player, bob: Player, carol: Player
) -> None:
    befriend(alice, bob, house.now)
    friends.follow(bob, "alice", house.now)
    friends.block(alice, "carol", house.now)
    friends.write_note(alice, "bob", "mine", house.now)
    friends.write_note(carol, "alice", "about alice", house.now)
    invitations.invite(alice, "bob", opened(house, alice).pk, house.now)
    rows = list(own_data.PARTS["people"](alice))
    assert [next(iter(row)) for row in rows] == ["friend", "blocks", "note_on"]
    assert "about alice" not in str(rows)
    for forget in own_data.forgetting:
        forget(alice)
    for model in (Friendship, Follow, Block, PlayerNote, TableInvitation):
        assert not model.objects.exists(), model
