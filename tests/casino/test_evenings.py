"""A friends' evening: opened, joined by its link, played to its end, shared, and played again."""

import re
from struct import unpack
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.accounts.models import Player
from casino.community.evenings import hosting
from casino.community.evenings.hosting import PLAYED, Terms, options_to_choose, settings_of
from casino.community.evenings.models import Evening
from games.models import Hand, Table
from games.records.audit import audit
from games.rules.errors import Unreadable
from games.shoes import chain
from games.tables import buy_in, seating
from tests.games.house import House
from tests.people import client_of
from wallets.audit.reconciliation import reconcile
from wallets.models import Account, Currency, Transaction
from wallets.values.errors import Hidden, Refused

NAMES = ("alice", "bob", "carol")


@pytest.fixture
def people(house: House) -> dict[str, Player]:
    """Three friends without any money."""
    return {name: house.player(name, money=0) for name in NAMES}


def opened(house: House, host: Player, hands: int = 1) -> Evening:
    terms = Terms("doudizhu", 3, hands, 2, "usual", {"wings": "strict"})
    return hosting.open_evening(host, terms, house.now)


def sit(house: House, table: Table, player: Player, number: int) -> None:
    seating.sit(player, table.pk, number, table.buy_in_min, house.now, table.invitation)


def played(house: House, people: dict[str, Player], hands: int = 1) -> Evening:
    """An evening that has been played to its end."""
    evening = opened(house, people["alice"], hands)
    for number, player in enumerate(people.values(), 1):
        sit(house, evening.table, player, number)
    house.until(evening.table, _is_empty)
    return Evening.objects.select_related("table").get(pk=evening.pk)


def _is_empty(table: Table) -> bool:
    return not table.seats.filter(left_at=None).exists()


@pytest.mark.slow
def test_friends_without_money_come_by_the_link_and_the_first_hand_waits_for_all(
    house: House, people: dict[str, Player]
) -> None:
    host = client_of(people["alice"])
    sent = {"game": "doudizhu", "hands": "3", "stake": "2", "speed": "slow"}
    address = host.post(reverse("evenings"), sent | {"wings": "strict"})["Location"]
    table = Table.objects.get()
    assert (table.options["point"], table.options["wings"]) == (2, "strict")
    assert (table.decision_seconds, table.places) == (60, 3)
    page = host.get(address).text
    assert 'class="qr"' in page
    assert 'data-shares="link"' in page
    link = f"{address}?invitation={table.invitation}"
    came: list[str] = []
    for name, missing in (("bob", "2 more players"), ("carol", "1 more player has")):
        friend = client_of(people[name])
        assert friend.get(address).status_code == 404
        invitation = re.sub(r"\s+", " ", friend.get(link).text)
        assert "alice invites you to an evening of cards" in invitation
        assert "A private table" not in invitation
        # The game, its options and the times, and who has come already.
        for words in ("Dou Dizhu", "60 s a move", "Stake in points", *came):
            assert words in invitation
        came.append(f"<b>{name}</b>")
        assert friend.post(address)["Location"] == f"/tables/{table.pk}/"
        assert missing in re.sub(r"\s+", " ", friend.get(f"/tables/{table.pk}/").text)
    host.post(address)
    house.until(table, lambda table: table.hand_id is not None)


@pytest.mark.always
@pytest.mark.slow
def test_the_first_hand_waits_for_everybody_and_the_next_for_whoever_is_there(
    house: House, people: dict[str, Player]
) -> None:
    usual = {option.name: option.default for option in options_to_choose("chinese_poker")}
    terms = Terms("chinese_poker", 3, 12, 1, "usual", usual)
    table = hosting.open_evening(people["alice"], terms, house.now).table
    for number, name in enumerate(("alice", "bob"), 1):
        sit(house, table, people[name], number)
    for _ in range(3):
        house.until_due(table)
        assert table.hand_id is None
    sit(house, table, people["carol"], 3)
    house.until(table, lambda table: hosting.counted(table.pk) == 1)
    seating.leave(people["carol"], table.pk, house.now)
    house.until(table, lambda table: hosting.counted(table.pk) == 2)
    assert {score.hands for score in hosting.scoreboard(table.pk)} == {1, 2}


@pytest.mark.always
def test_the_host_lets_it_begin_with_those_who_are_there(
    house: House, people: dict[str, Player]
) -> None:
    terms = Terms("chinese_poker", 4, 1, 2, "usual", {})
    evening = hosting.open_evening(people["alice"], terms, house.now)
    table = evening.table
    host, guest = client_of(people["alice"]), client_of(people["bob"])
    begin = reverse("evening-begin", args=[table.pk])
    sit(house, table, people["alice"], 1)
    with pytest.raises(Refused, match="needs 2 players"):
        hosting.begin_now(people["alice"], table.pk, house.now)
    assert begin not in host.get(f"/tables/{table.pk}/").text
    sit(house, table, people["bob"], 2)
    with pytest.raises(Hidden):
        hosting.begin_now(people["bob"], table.pk, house.now)
    assert begin not in guest.get(f"/tables/{table.pk}/").text
    assert begin in host.get(f"/tables/{table.pk}/").text
    house.pass_time(60)
    table.refresh_from_db()
    assert table.hand_id is None
    assert host.post(begin).status_code == 302
    house.until(table, lambda table: table.hand_id is not None)
    assert begin not in host.get(f"/tables/{table.pk}/").text
    house.until(table, _is_empty)
    assert hosting.is_over(Evening.objects.get(pk=evening.pk))
    with pytest.raises(Refused, match="is over"):
        hosting.begin_now(people["alice"], table.pk, house.now)


@pytest.mark.slow
def test_the_scoreboard_is_the_sum_of_the_hands_and_ends_after_the_last(
    house: House, people: dict[str, Player]
) -> None:
    evening = played(house, people, hands=2)
    table = evening.table
    counted = [hand for hand in Hand.objects.filter(table=table) if any(_nets(hand))]
    assert len(counted) == hosting.counted(table.pk) == 2
    board = hosting.scoreboard(table.pk)
    sums = {
        player.pk: sum(seat.net for hand in counted for seat in hand.seats.filter(player=player))
        for player in people.values()
    }
    assert {score.player_id: score.points for score in board} == sums
    assert sum(sums.values()) == 0
    assert [score.points for score in board] == sorted(sums.values(), reverse=True)
    # No player took anything away: all points are with the evening again.
    points = Account.objects.filter(currency="PTS")
    assert {(point.kind, point.balance) for point in points if point.balance} == set()
    assert Currency.objects.get(pk="PTS").is_chips


def test_its_table_closes_its_hands_stand_up_to_the_audit_and_the_ledger_agrees(
    house: House, people: dict[str, Player], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        table = played(house, people).table
    house.until(table, lambda table: table.status == Table.Status.CLOSED)
    chain.link()
    hands = Hand.objects.filter(table=table)
    assert [sentences for _hand, sentences in audit(hands) if sentences] == []
    assert list(reconcile(everything=True)) == []
    alice = client_of(people["alice"])
    address = f"/history/{hands.latest('pk').pk}/"
    assert f'href="/private/{table.pk}/"' in alice.get(address).text
    # Points are no money: they stand in no wallet, and each gift of them says to whom and why.
    assert "PTS" not in alice.get("/wallet/").text
    given = Transaction.objects.filter(kind="chips_issued", book=table.reference)
    assert {(transaction.actor, transaction.reason) for transaction in given} == {
        (f"player:{player.pk}", buy_in.SAT_DOWN) for player in people.values()
    }


def _nets(hand: Hand) -> list[int]:
    return list(hand.seats.values_list("net", flat=True))


def test_the_result_is_a_picture_with_faces_and_points_for_whoever_has_the_link(
    house: House, people: dict[str, Player]
) -> None:
    table = played(house, people).table
    address = reverse("evening-picture", args=[table.pk])
    assert Client().get(address).status_code == 404
    answer = Client().get(f"{address}?invitation={table.invitation}")
    assert answer["Content-Type"] == "image/png"
    assert unpack(">II", answer.content[16:24]) == (1200, 630)
    page = Client().get(f"/private/{table.pk}/?invitation={table.invitation}").text
    assert "Final result" in page
    # It is no invitation any more.
    assert "invites you" not in page
    assert "Who has come" not in page
    assert 'id="podium"' in page
    assert f'content="http://testserver{address}?invitation={table.invitation}"' in page
    assert "Rematch" not in page
    plain = house.table("doudizhu")
    assert Client().get(reverse("evening-picture", args=[plain.pk])).status_code == 404


def test_a_rematch_is_one_evening_on_the_same_terms_whoever_asks(
    house: House, people: dict[str, Player]
) -> None:
    first = played(house, people)
    again = reverse("evening-rematch", args=[first.table_id])
    stranger = client_of(house.player("dora"))
    assert stranger.post(again).status_code == 404
    bob = client_of(people["bob"])
    link = f"/private/{first.table_id}/?invitation={first.table.invitation}"
    assert "Rematch" in bob.get(link).text
    address = bob.post(again)["Location"]
    assert client_of(people["carol"]).post(again)["Location"] == address
    second = Evening.objects.select_related("table").latest("pk")
    assert second.table.opened_by == people["bob"]
    assert second.table.options == first.table.options
    assert second.hands == first.hands
    alice = client_of(people["alice"])
    assert address in alice.get(f"/private/{first.table_id}/").text.replace("&amp;", "&")
    # A player who has played finds the evening again without the link.
    assert link in client_of(people["carol"]).get(reverse("evenings")).text


def test_what_is_not_over_has_no_rematch_and_what_is_over_no_seat(
    house: House, people: dict[str, Player]
) -> None:
    evening = opened(house, people["alice"])
    with pytest.raises(Refused) as refused:
        hosting.rematch(people["alice"], evening.table_id, house.now)
    assert refused.value.code == "evening_goes_on"
    with pytest.raises(Hidden):
        hosting.rematch(people["bob"], evening.table_id, house.now)
    over = played(house, people).table
    with pytest.raises(Refused) as refused:
        sit(house, over, house.player("dora", money=0), 1)
    assert refused.value.code == "evening_over"


@pytest.mark.always
@pytest.mark.parametrize("game", PLAYED)
def test_every_game_among_players_has_an_evening_without_rake(game: str) -> None:
    usual = {option.name: option.default for option in options_to_choose(game)}
    settings = settings_of(Terms(game, 4, 12, 5, "usual", usual))
    assert settings["options"]["rake_bp"] == 0
    assert 5 in (settings["options"].get("point"), settings["options"].get("bet_min"))


@pytest.mark.always
def test_terms_that_nobody_offers_open_nothing(house: House, people: dict[str, Player]) -> None:
    sent = {"game": "doudizhu", "hands": "3", "stake": "2", "speed": "usual", "wings": "literal"}
    host = client_of(people["alice"])
    for name, value, status in (
        ("hands", "0", 400), ("hands", "1e3", 400), ("stake", "101", 400), ("speed", "never", 400),
        ("wings", "none", 409), ("game", "blackjack", 404),
    ):  # fmt: skip
        answer = host.post(reverse("evenings"), sent | {name: value})
        assert answer.status_code == status, (name, value)
    assert not Evening.objects.exists()


def test_no_game_against_the_house_is_played_for_points() -> None:
    with pytest.raises(Unreadable):
        options_to_choose("blackjack")
