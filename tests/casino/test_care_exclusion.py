"""Time-out and self-exclusion: out everywhere at once, and no way back before the end."""

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.accounts import staff
from casino.accounts.models import Player
from casino.care import exclusions
from casino.care.models import Exclusion
from casino.care.tasks import carry_out_exclusions
from games.tables import admission
from games.tables.admission import Occasion
from tests.casino.browsers import sign_in
from tests.games.house import House
from tests.people import BY_TEST, client_of
from tests.tournaments.events import Event, structure
from wallets.money import cashier
from wallets.values.errors import Refused

PASSWORD = "a password for tests"
ADDRESS = "/players/exclusion/"
Captured = Callable[..., object]


def begin(player: Player, kind: str = "time_out", days: int = 1) -> Exclusion:
    return exclusions.begin(player, kind, days, timezone.now())


def choose(client: Client, length: str = "time_out-7", password: str = PASSWORD) -> int:
    sent = {"length": length, "password": password}
    return client.post(ADDRESS, sent).status_code


@pytest.mark.always
def test_the_page_signs_out_everywhere(
    house: House, django_capture_on_commit_callbacks: Captured
) -> None:
    alice = house.player("alice")
    here, elsewhere = client_of(alice), client_of(alice)
    elsewhere.get("/")
    sign_in(elsewhere, "alice", PASSWORD)
    body = {"name": "alice", "password": PASSWORD}
    token = Client().post(reverse("api-sign-in"), body, "application/json").json()["token"]
    assert choose(here) == 302
    assert here.get(reverse("profile")).status_code == 302
    assert elsewhere.get(reverse("profile")).status_code == 302
    bearer = {"Authorization": f"Bearer {token}"}
    assert Client().get("/api/v1/wallet/", headers=bearer).status_code == 401


def test_nobody_excluded_signs_in_pays_in_or_plays(house: House) -> None:
    alice = house.player("alice")
    begin(alice)
    response = sign_in(Client(), "alice", PASSWORD)
    assert response.status_code == 422
    assert "taking a break from playing until" in response.text
    # Who does not know the password learns nothing.
    assert "break" not in sign_in(Client(), "alice", "a wrong password").text
    body = {"name": "alice", "password": PASSWORD}
    answer = Client().post(reverse("api-sign-in"), body, "application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "excluded")
    alice.refresh_from_db()
    for occasion in Occasion:
        with pytest.raises(Refused) as kept_out:
            admission.require(admission.Request(occasion, alice))
        assert kept_out.value.code == "excluded"
    with pytest.raises(Refused) as refused:
        cashier.deposit(f"player:{alice.pk}", house.currency, 1, key=uuid4(), **BY_TEST)
    assert refused.value.code == "excluded"
    cashier.withdraw(f"player:{alice.pk}", house.currency, 1, key=uuid4(), **BY_TEST)


def test_who_was_away_long_enough_signs_in_again(house: House) -> None:
    alice = house.player("alice")
    exclusions.begin(alice, "time_out", 1, timezone.now() - timedelta(days=1, seconds=1))
    assert sign_in(Client(), "alice", PASSWORD).status_code == 302


def test_for_good_is_for_good(house: House) -> None:
    alice = house.player("alice")
    begin(alice, "self_exclusion", 0)
    begin(alice, "time_out", 1)
    assert exclusions.current(alice.pk, timezone.now() + timedelta(days=36_500)) is not None
    assert "for good" in sign_in(Client(), "alice", PASSWORD).content.decode()


@pytest.mark.always
def test_seats_are_left_with_all_the_money(
    house: House, django_capture_on_commit_callbacks: Captured
) -> None:
    alice, table = house.player("alice"), house.table("blackjack")
    before = house.wallet(alice).balance
    house.sit(alice, table, 1)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        begin(alice)
    assert not table.seats.filter(left_at=None).exists()
    assert house.wallet(alice).balance == before


def test_a_running_hand_is_played_to_its_end(
    house: House, django_capture_on_commit_callbacks: Captured
) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        begin(house.person("alice"))
    assert house.seat(table, "alice").leaves
    house.until(table, lambda table: table.hand_id is None)
    house.until(table, lambda table: table.seats.filter(left_at=None).count() == 2)


def test_an_event_that_has_not_begun_gives_the_entry_back(
    house: House, django_capture_on_commit_callbacks: Captured
) -> None:
    event = Event(house)
    event.open(structure(), 3)
    player = event.row.all_entries.order_by("number")[0].player
    before = house.wallet(player).balance
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        begin(player)
    entry = event.row.all_entries.get(player=player)
    assert entry.state == "withdrawn"
    assert house.wallet(player).balance == before + 1_100


def test_what_a_process_left_undone_is_done_later(house: House) -> None:
    alice, table = house.player("alice"), house.table("blackjack")
    house.sit(alice, table, 1)
    begin(alice)
    assert table.seats.filter(left_at=None).exists()
    carry_out_exclusions()
    assert not table.seats.filter(left_at=None).exists()
    assert exclusions.carry_out_all(timezone.now()) == 0


def test_a_wrong_choice_begins_nothing(house: House) -> None:
    client = client_of(house.player("alice"))
    for length in ("time_out-2", "hope-1", "", "time_out-0"):
        assert choose(client, length) == 422, length
    for password in ("a wrong password", ""):
        assert choose(client, "time_out-7", password) == 422
    assert not Exclusion.objects.exists()


@pytest.mark.always
def test_staff_do_not_exclude_themselves(house: House) -> None:
    alice = house.player("alice")
    staff.appoint(alice, "floor")
    with pytest.raises(Refused, match="Staff"):
        begin(Player.objects.get(pk=alice.pk))
