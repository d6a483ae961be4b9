"""Guests: how one is made, what guests may do, and what they keep when they sign up."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from casino.accounts import appointing
from casino.accounts.models import Device, Player
from casino.accounts.session_store import stored_key
from casino.care.rules import shown_to_others
from casino.community.returning.weeks import is_open_to
from casino.community.social import friends
from casino.office.players.closing import close_idle
from games.chat import chat_verbs
from games.lobby import private_tables
from games.models import Seat, Table
from games.tables import admission, seating
from games.tables.admission import Occasion, Request
from games.tables.play_money import TAKEN_BACK
from tests.casino.browsers import NEW, name_of, sign_in
from tests.games.house import House
from tests.people import BY_TEST, PASSWORD
from wallets.models import Account, Currency, Transaction
from wallets.models.staff_models import JournalEntry
from wallets.money import cashier
from wallets.staff import journal
from wallets.values.errors import Refused

GUEST = "/players/guest/"
INVITATION = "x" * 22


def seated(house: House, **fields: Any) -> tuple[Client, Player, Table]:
    """A guest who has just sat down at a table of blackjack."""
    table = house.table("blackjack", **fields)
    client = Client()
    answer = client.post(GUEST, {"game": "blackjack"})
    assert answer["Location"] == reverse("table", args=[table.pk])
    return client, Player.objects.get(is_guest=True), table


def test_one_press_makes_a_guest_and_takes_a_seat_for_the_welcome(house: House, settings) -> None:
    client, guest, table = seated(house)
    assert guest.username.startswith("Guest ")
    assert not guest.has_usable_password()
    assert guest.face
    seat = Seat.objects.get(player=guest, table=table, left_at=None)
    assert seat.stack.balance + house.wallet(guest).balance == settings.PLAY_MONEY_WELCOME
    for address in (f"/tables/{table.pk}/", reverse("player", args=[guest.username])):
        page = client.get(address, headers={"Accept-Language": "zh-hans"}).content.decode()
        assert guest.username.replace("Guest", "游客") in page
        assert f">{guest.username}" not in page
    # Pressed again, or by a player, it makes no guest.
    client.post(GUEST, {"game": "blackjack"})
    assert Player.objects.filter(is_guest=True).count() == 1
    assert Seat.objects.filter(player=guest, left_at=None).count() == 1


@pytest.mark.always
def test_without_a_game_the_first_that_can_be_played_for_play_money_is_taken(house: House) -> None:
    euro = Currency.objects.create(code="EUR", name="Euro")
    house.table("chinese_poker", currency=euro)
    table = house.table("baccarat")
    assert Client().post(GUEST)["Location"] == reverse("table", args=[table.pk])


def test_a_guest_keeps_the_language_of_the_page(house: House) -> None:
    Client(headers={"Accept-Language": "zh-hans"}).post(GUEST, {"game": "blackjack"})
    assert Player.objects.get().language == "zh-hans"


def test_guests_of_an_address_count_as_its_sign_ups(house: House, settings, monkeypatch) -> None:
    settings.SIGN_UPS_A_DAY = 2
    monkeypatch.setattr("time.time", lambda: 1_900_000_000.0)
    house.table("blackjack")
    sent = [Client().post(GUEST, {"game": "blackjack"}).status_code for _ in range(2)]
    assert sent == [302, 302]
    answers = [
        Client().post(GUEST, {"game": "blackjack"}),
        Client().post(reverse("sign-up"), NEW),
    ]
    assert [answer.status_code for answer in answers] == [429, 429]
    assert Player.objects.count() == 2


def test_the_play_money_of_an_address_is_limited_for_guests_too(house: House, settings) -> None:
    settings.PLAY_MONEY_AN_ADDRESS = settings.PLAY_MONEY_WELCOME
    seated(house)
    second = Client().post(GUEST, {"game": "blackjack"})
    assert second.status_code == 409
    assert Seat.objects.filter(left_at=None).count() == 1


@pytest.mark.always
def test_a_house_can_do_without_guests(house: House, settings) -> None:
    settings.GUESTS = False
    house.table("blackjack")
    assert Client().post(GUEST, {"game": "blackjack"}).status_code == 404
    for page in ("/", "/play/blackjack/"):
        assert GUEST not in Client().get(page).text
    assert not Player.objects.exists()


@pytest.mark.always
def test_what_names_no_game_makes_nobody(house: House) -> None:
    assert Client().get(GUEST).status_code == 405
    for game in ("poker", "../x"):
        assert Client().post(GUEST, {"game": game}).status_code == 404
    assert not Player.objects.exists()


def test_only_strangers_see_the_button(house: House) -> None:
    client, _guest, table = seated(house)
    pages = ("/", "/play/blackjack/", reverse("table", args=[table.pk]))
    assert [GUEST in Client().get(page).text for page in pages] == [True] * 3
    alice = Client()
    alice.force_login(house.player("alice"))
    for page in pages:
        assert GUEST not in client.get(page).text
        assert GUEST not in alice.get(page).text


@pytest.mark.always
def test_a_guest_sits_only_where_nothing_but_play_money_is_at_stake(house: House) -> None:
    _client, guest, _table = seated(house)
    euro = Currency.objects.create(code="EUR", name="Euro")
    kinds: tuple[dict[str, Any], ...] = (
        {"currency": euro},
        {"private": True},
        {"organiser": "tournament:1"},
    )
    for given in kinds:
        table = house.table("baccarat", **given)
        if table.private:
            # It is sealed by the number of its row.
            table.invitation = INVITATION
            table.save()
        refused = admission.refusal(Request(Occasion.SIT, guest, house.now, table, 20_000))
        assert refused is not None
        assert refused.code == "guests_need_account"
        # The rule is asked wherever a seat is taken.
        if "organiser" not in given:
            with pytest.raises(Refused) as error:
                seating.sit(guest, table.pk, 1, 20_000, house.now, table.invitation)
            assert error.value.code == "guests_need_account"
    # Nor does an event register one.
    request = Request(Occasion.SIT, guest, house.now, amount=100, event_currency="PLAY")
    assert admission.refusal(request) is not None


def open_a_table(house: House, guest: Player, table: Table) -> None:
    private_tables.require_may_open(guest, house.now)


def type_a_message(house: House, guest: Player, table: Table) -> None:
    chat_verbs.say(guest, table.pk, "hello", house.now)


def ask_a_friend(house: House, guest: Player, table: Table) -> None:
    friends.ask(guest, "bob", house.now)


@pytest.mark.always
@pytest.mark.parametrize("verb", [open_a_table, type_a_message, ask_a_friend])
def test_what_others_would_have_to_answer_for_needs_an_account(house: House, verb: Any) -> None:
    _client, guest, table = seated(house)
    house.player("bob")
    with pytest.raises(Refused) as refused:
        verb(house, guest, table)
    assert refused.value.code == "guests_need_account"
    guest.is_guest = False
    guest.save(update_fields=["is_guest"])
    verb(house, guest, table)


def test_a_guest_says_phrases_and_is_on_no_board(house: House) -> None:
    _client, guest, table = seated(house)
    assert chat_verbs.say(guest, table.pk, "", house.now, phrase="hello").phrase == "hello"
    assert not is_open_to(guest)
    assert not shown_to_others([guest.pk], house.now)


def test_nobody_pays_in_for_a_guest(house: House) -> None:
    _client, guest, _table = seated(house)
    with pytest.raises(Refused) as refused:
        cashier.deposit(f"player:{guest.pk}", house.currency, 100, key=uuid4(), **BY_TEST)
    assert refused.value.code == "guests_need_account"


def test_a_guest_is_never_staff_and_has_no_token(house: House) -> None:
    _client, guest, _table = seated(house)
    with pytest.raises(Refused):
        appointing.give(guest, "floor", journal.HOUSE, "a test")
    with pytest.raises(IntegrityError):
        Player.objects.filter(pk=guest.pk).update(is_staff=True)


def test_no_program_signs_in_as_a_guest(house: House) -> None:
    _client, guest, _table = seated(house)
    for password in ("", "!", guest.password):
        answer = Client().post(
            "/api/v1/sign-in/",
            {"name": guest.username, "password": password},
            content_type="application/json",
        )
        assert answer.status_code in (400, 401)


def signed_up(client: Client, **more: str) -> Any:
    return client.post(reverse("sign-up"), NEW | more)


def test_an_account_is_the_guests_own_row_with_seat_money_and_hands(house: House) -> None:
    client, guest, table = seated(house)
    seat = Seat.objects.get(player=guest, left_at=None)
    before, key = house.wallet(guest).balance, client.session.session_key
    page = client.get(reverse("sign-up"))
    assert page.status_code == 200
    assert guest.username not in page.context["form"]["username"].as_widget()
    answer = signed_up(client, next=reverse("table", args=[table.pk]))
    assert answer["Location"] == reverse("table", args=[table.pk])
    player = Player.objects.get(pk=guest.pk)
    assert (player.username, player.is_guest, player.face) == ("dora", False, guest.face)
    assert player.check_password(PASSWORD)
    assert Player.objects.filter(is_bot=False).count() == 1
    assert Seat.objects.get(player=player, left_at=None) == seat
    assert house.wallet(player).balance == before
    # The session is the same one under another key, and the name now signs in elsewhere.
    assert name_of(client) == "dora"
    assert client.session.session_key != key
    assert Device.objects.get(player=player).session_key == stored_key(client.session.session_key)
    assert sign_in(Client(), "dora").status_code == 302


def test_a_sign_up_that_is_refused_leaves_the_guest(house: House) -> None:
    house.player("alice")
    client, guest, _table = seated(house)
    for more in ({"username": "alice"}, {"username": "Guest 12"}, {"password2": "another one"}):
        assert signed_up(client, **more).status_code == 422, more
    player = Player.objects.get(pk=guest.pk)
    assert (player.username, player.is_guest) == (guest.username, True)
    assert name_of(client) == guest.username


def test_signing_up_does_not_count_for_the_address_again(
    house: House, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SIGN_UPS_A_DAY = 1
    monkeypatch.setattr("time.time", lambda: 1_900_000_000.0)
    client, _guest, _table = seated(house)
    assert signed_up(client).status_code == 302


def test_a_guest_who_has_an_account_signs_in_to_it(house: House) -> None:
    client, _guest, _table = seated(house)
    Player.objects.create_user("alice", password=PASSWORD)
    assert client.get(reverse("sign-in")).status_code == 200
    assert sign_in(client, "alice").status_code == 302
    assert name_of(client) == "alice"


def test_a_guest_is_not_signed_out_after_half_an_hour(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, guest, _table = seated(house)
    later = timezone.now() + timedelta(days=20)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert name_of(client) == guest.username


def idle_since(guest: Player, days: int) -> None:
    then = timezone.now() - timedelta(days=days)
    Player.objects.filter(pk=guest.pk).update(date_joined=then)
    Device.objects.filter(player=guest).update(seen_at=then)


@pytest.mark.always
def test_guests_who_stay_away_are_closed_and_their_play_money_returns(house: House) -> None:
    _client, guest, _table = seated(house)
    held = house.wallet(guest).balance + Seat.objects.get(player=guest).stack.balance
    idle_since(guest, 31)
    assert close_idle(house.now) == 1
    closed = Player.objects.get(pk=guest.pk)
    assert closed.closed_at is not None
    assert not closed.is_active
    assert not Seat.objects.filter(player=guest, left_at=None).exists()
    posting = Transaction.objects.get(kind="grant_return")
    assert (posting.reason, posting.actor) == (TAKEN_BACK, "house")
    assert house.wallet(guest).balance == 0
    promotions = Account.objects.get(kind="promotion", owner="house", currency=house.currency)
    assert posting.entries.get(account=promotions).amount == held
    entry = JournalEntry.objects.get(verb="player.close", subject=f"player:{guest.pk}")
    assert entry.actor == "house"
    # Another night finds nothing to do.
    assert close_idle(house.now) == 0
    assert Transaction.objects.filter(kind="grant_return").count() == 1


def test_a_night_asks_once_for_all_guests_without_money(house: House) -> None:
    _client, guest, _table = seated(house)
    idle_since(guest, 31)
    close_idle(house.now)

    def statements() -> list[str]:
        with CaptureQueriesContext(connection) as captured:
            assert close_idle(house.now) == 0
        return [query["sql"] for query in captured]

    for_one = statements()
    for number in range(5):
        other = Player.objects.create_user(f"guest-{number}")
        Player.objects.filter(pk=other.pk).update(is_guest=True, closed_at=house.now)
    assert len(statements()) == len(for_one)
    # What a night that was cut short left in one of the wallets is still found.
    cashier.grant(f"player:{other.pk}", house.currency, 300, key=uuid4(), **BY_TEST)
    close_idle(house.now)
    assert house.wallet(other).balance == 0


@pytest.mark.parametrize("kept", ["seen lately", "has an account", "is a player"])
def test_nobody_else_is_closed(house: House, kept: str) -> None:
    client, guest, _table = seated(house)
    if kept == "has an account":
        signed_up(client)
    if kept == "is a player":
        Player.objects.filter(pk=guest.pk).update(is_guest=False)
    idle_since(guest, 29 if kept == "seen lately" else 31)
    assert close_idle(house.now) == 0
    assert Player.objects.get(pk=guest.pk).closed_at is None


def test_staff_see_that_it_is_a_guest(house: House) -> None:
    _client, guest, _table = seated(house)
    boss = Client()
    boss.force_login(Player.objects.create_superuser("boss"))
    listed = boss.get(reverse("admin:players_player_changelist"), {"who": "guests"})
    assert guest.username in listed.text
    assert ">Guest<" in boss.get(reverse("player-file", args=[guest.pk])).text
