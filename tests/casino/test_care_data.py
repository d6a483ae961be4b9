"""A player's own data: statements by month, a file with all of it, and erasure on request."""

import csv
import json
from datetime import UTC, datetime, timedelta
from io import BytesIO, StringIO
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import pytest
from axes.models import AccessAttempt
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from pypdf import PdfReader

from casino.accounts.models import Player
from casino.care import exclusions, limits, months, own_data
from casino.care.models import ErasureRequest
from casino.office.desk import requests
from games.models import Hand
from games.tables import seating
from tests.casino.browsers import sign_in
from tests.games.house import MONEY, House
from tests.people import BY_TEST, HTMX, client_of, journal_staff
from wallets.models.staff_models import JournalEntry
from wallets.money import cashier
from wallets.staff import approvals
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused

PASSWORD = "a password for tests"


@pytest.fixture
def house(db: None) -> House:
    """The ledger dates its lines by the clock of the machine, so requests keep to that as well."""
    house = House()
    house.now = timezone.now()
    return house


@pytest.fixture
def played(house: House) -> Hand:
    """A hand that three people have played to its end; they have left since."""
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    house.until(table, lambda table: table.hand_id is None)
    for name in ("alice", "bob", "carol"):
        seating.leave(house.person(name), table.pk, house.now)
    return Hand.objects.filter(status=Hand.Status.FINISHED).latest("pk")


def pay(player: Player, house: House, amount: int, reason: str = "at the desk") -> None:
    move = cashier.deposit if amount > 0 else cashier.withdraw
    owner, how = f"player:{player.pk}", {"actor": "test", "reason": reason}
    move(owner, house.currency, abs(amount), key=uuid4(), **how)


# Statements

ADDRESS, FILE = "/players/statement/", "/players/statement/csv/"
PDF = "/players/statement/pdf/"


def test_a_month_adds_up(house: House, played: Hand) -> None:
    alice = house.person("alice")
    pay(alice, house, 1_250)
    pay(alice, house, -250)
    # What is at a table or set aside is the player's, too.
    house.sit(alice, house.table("doudizhu", name="Second"), 1, 20_000)
    requests.ask(alice, house.currency, 400, key=uuid4(), now=house.now)
    wallet, month = house.wallet(alice), months.month_of(timezone.now())
    statement = months.statement_of(alice, wallet, month)
    assert statement.opening.total == 0
    assert sum(kind.amount for kind in statement.kinds) == statement.closing.total
    assert statement.closing == (wallet.balance, 400, 20_000)
    moved = {kind.words: kind.amount for kind in statement.kinds}
    net = played.seats.get(player=alice).net
    assert moved == {
        "Given by the house": MONEY,
        "Paid in": 1_250,
        "Paid out": -250,
        "Won or lost at tables": net,
    }
    empty = months.statement_of(alice, wallet, months.month_of(month.end))
    assert (empty.opening, empty.kinds, empty.closing) == (statement.closing, [], statement.closing)
    client = client_of(alice)
    for address in (ADDRESS, "/wallet/"):
        page = client.get(f"{address}?currency=PLAY").text
        assert "At tables" in page
        assert show_amount(statement.closing.total, house.currency) in page
    assert client.get(PDF).status_code == 200
    then = months.statement_of(alice, wallet, months.month_of(house.now))
    assert sum(game.net for game in then.games) == played.seats.get(player=alice).net


def test_months_begin_where_the_last_one_ends() -> None:
    december = months.month_of(datetime(2025, 12, 31, 23, 59, 59, tzinfo=UTC))
    assert december.end == datetime(2026, 1, 1, 6, tzinfo=UTC)
    assert months.month_of(december.end).name == "2026-01"


@pytest.mark.always
def test_the_page_offers_the_months_since_joining(house: House) -> None:
    alice = house.player("alice")
    alice.date_joined = timezone.now() - timedelta(days=70)
    names = [month.name for month in months.months_of(alice, timezone.now())]
    assert names == sorted(names, reverse=True)
    assert names[-1] == f"{alice.date_joined:%Y-%m}"
    page = client_of(alice).get(ADDRESS).content.decode()
    assert "At the beginning" in page


@pytest.mark.always
def test_the_file_has_every_line_and_no_formula(house: House) -> None:
    alice = house.player("alice", money=0)
    pay(alice, house, 1_250, "=SUM(A1:A9)")
    pay(alice, house, -50, "+1")
    answer: Any = client_of(alice).get(FILE)
    text = b"".join(answer.streaming_content).decode()
    rows = list(csv.reader(StringIO(text)))
    assert [row[2:] for row in rows[1:]] == [
        ["'=SUM(A1:A9)", "12.50", "12.50", "PLAY"],
        ["'+1", "-0.50", "12.00", "PLAY"],
    ]


MISSING = (
    "month=2026-13", "month=2999-01", "month=1066-10", "month=hope", "month=2026-1",
    "month=٢٠٢٦-٠١", "currency=XXX", "currency=%27",
)  # fmt: skip


def test_a_month_or_currency_that_is_not_offered_is_missing(house: House) -> None:
    client = client_of(house.player("alice"), headers=HTMX)
    for address in (ADDRESS, FILE, PDF):
        for query in MISSING:
            assert client.get(f"{address}?{query}").status_code == 404, (address, query)


def test_nobody_reads_another_players_statement(house: House) -> None:
    alice, bob = house.player("alice"), house.player("bob", money=0)
    pay(alice, house, 77_700)
    page = client_of(bob).get(ADDRESS).content.decode()
    assert "777" not in page
    assert f'<option value="{timezone.now():%Y-%m}" selected>' in page
    for address in (FILE, PDF):
        assert client_of(bob).get(address).status_code == 404
        assert Client().get(address).status_code == 302
    assert Client().get(ADDRESS).status_code == 302


def test_a_long_month_is_shown_and_written_whole(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Page by page for a reader, and in one PDF, in the reader's language."""
    monkeypatch.setattr(months, "LINES_ON_PAGE", 3)
    alice = house.player("alice", money=0)
    for number in range(1, 8):
        pay(alice, house, number * 100, f"存入 {number}")
    client = client_of(alice)
    shown = [client.get(ADDRESS, {"page": page}).text for page in (1, 2, 3)]
    for number in range(1, 8):
        assert [f"存入 {number}" in page for page in shown].index(True) == (number - 1) // 3
    assert "Page 3 of 3" in shown[2]
    client.cookies["django_language"] = "zh-hant"
    answer = client.get(PDF)
    assert answer["Content-Type"] == "application/pdf"
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(answer.content)).pages)
    for number in range(1, 8):
        assert f"存入 {number}" in text
    assert translated("The wallet, line by line", "zh-hant") in text
    assert "28" in text


def translated(words: str, language: str) -> str:
    with translation.override(language):
        return translation.gettext(words)


# The file with all of it


def unpacked(answer: Any) -> dict[str, Any]:
    with ZipFile(BytesIO(b"".join(answer.streaming_content))) as package:
        return {name: json.loads(package.read(name)) for name in package.namelist()}


def test_the_file_has_what_the_house_holds(house: House, played: Hand) -> None:
    alice = house.person("alice")
    limits.ask(alice, limits.Wanted("deposit", "day", house.currency, 1_250), house.now)
    client = Client()
    assert client.post("/players/data/export/").status_code == 302
    sign_in(client, "alice", PASSWORD)
    assert client.get("/players/data/export/").status_code == 405
    data = unpacked(client.post("/players/data/export/"))
    assert set(data) == {f"{name}.json" for name in own_data.PARTS}
    assert data["profile.json"][0]["name"] == "alice"
    assert data["profile.json"][0]["face"] == Player.objects.get(username="alice").face != 0
    assert [row["hand"] for row in data["hands.json"]] == [played.code]
    assert data["limits.json"][0]["value"] == "12.50"
    assert len(data["devices.json"]) == 1
    # Nothing that signs in, and nothing of others.
    alice.refresh_from_db()
    text = json.dumps(data)
    for secret in (alice.password, alice.devices.values_list("digest", flat=True)):
        assert str(secret) not in text
    for other in ("bob", "carol", "sealed", "digest"):
        assert other not in text
    wallet = [row["amount"] for row in data["wallets.json"]]
    assert sum(round(float(amount) * 100) for amount in wallet) == house.wallet(alice).balance


# Erasure


@pytest.fixture
def staff(house: House) -> tuple[Player, Player]:
    make = Player.objects.create_superuser
    return make("ada", password=PASSWORD), make("ben", password=PASSWORD)


def erase(staff: tuple[Player, Player], player: Player) -> None:
    now = timezone.now()
    arguments = {"player": player.pk}
    submitted = approvals.submit(
        staff[0], own_data.ERASE, arguments, reason="asked us to", key=uuid4(), now=now
    )
    assert submitted.proposal is not None
    approvals.approve(staff[1], submitted.proposal.pk, reason="yes", now=now)


def empty(house: House, player: Player) -> None:
    cashier.take_back(
        f"player:{player.pk}", house.currency, house.wallet(player).balance, key=uuid4(), **BY_TEST
    )


@pytest.mark.always
def test_the_player_asks_and_may_think_again(house: House) -> None:
    client = client_of(house.player("alice"))
    for _twice in range(2):
        client.post("/players/data/", {"go": 1})
    assert ErasureRequest.objects.count() == 1
    client.post("/players/data/", {"stay": 1})
    assert not ErasureRequest.objects.exists()


def test_who_somebody_was_is_gone_and_all_proofs_hold(
    house: House, played: Hand, staff: tuple[Player, Player]
) -> None:
    alice = house.person("alice")
    AccessAttempt.objects.create(username="alice", ip_address="203.0.113.5", failures_since_start=1)
    sign_in(Client(), "alice", PASSWORD)
    own_data.ask(alice, timezone.now())
    empty(house, alice)
    erase(staff, alice)
    alice.refresh_from_db()
    assert (alice.username, alice.email, alice.is_active) == (f"former {alice.pk}", "", False)
    assert alice.face == 0
    assert not alice.devices.exists()
    assert not AccessAttempt.objects.filter(username="alice").exists()
    assert sign_in(Client(), "alice", PASSWORD).status_code == 422
    entry = JournalEntry.objects.get(verb=own_data.ERASE)
    assert "alice" not in f"{entry.before}{entry.after}{entry.subject}"
    journal_staff()
    call_command("audit")
    call_command("reconcile", everything=True)
    page = client_of(house.person("bob")).get(f"/history/{played.pk}/")
    assert page.status_code == 200
    assert f"former {alice.pk}" in page.text
    assert "alice" not in page.text


def without_request(house: House) -> Player:
    return house.player("alice", money=0)


def with_money(house: House) -> Player:
    alice = house.player("alice")
    own_data.ask(alice, house.now)
    return alice


def at_a_table(house: House) -> Player:
    # With as much the house refills nothing, and the wallet is empty then.
    alice = house.player("alice", money=200_000)
    own_data.ask(alice, house.now)
    table = house.table("blackjack", buy_in_max=200_000)
    house.sit(alice, table, 1, 200_000)
    return alice


def excluded(house: House) -> Player:
    alice = house.player("alice", money=0)
    own_data.ask(alice, house.now)
    exclusions.begin(alice, "self_exclusion", 0, timezone.now())
    return alice


@pytest.mark.parametrize(
    ("scene", "code"),
    [
        (without_request, "no_request"),
        (with_money, "has_money"),
        (at_a_table, "plays"),
        (excluded, "excluded"),
    ],
)
def test_the_house_refuses_while_it_needs_to_know(
    house: House, staff: tuple[Player, Player], scene: Any, code: str
) -> None:
    alice = scene(house)
    with pytest.raises(Refused) as refused:
        erase(staff, alice)
    assert refused.value.code == code
    assert Player.objects.filter(username="alice").exists()


def test_staff_see_the_button_only_when_there_is_a_request(
    house: House, staff: tuple[Player, Player]
) -> None:
    alice = house.player("alice")
    client, page = client_of(staff[0]), reverse("admin:players_player_change", args=[alice.pk])
    address = reverse("admin:players_player_erase", args=[alice.pk])
    assert address not in client.get(page).content.decode()
    own_data.ask(alice, house.now)
    assert address in client.get(page).content.decode()


def test_staff_are_not_forgotten_while_they_work_here(staff: tuple[Player, Player]) -> None:
    with pytest.raises(Refused, match="staff"):
        own_data.ask(staff[0], timezone.now())
