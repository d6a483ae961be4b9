"""Chips of a tournament are no money: the history tells their hands, and no sum has them."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.models import Day, DayResult, Hand, HandSeat
from games.records import closed_days
from tests.games.program import Program
from tests.people import client_of
from tests.tournaments.events import Event, lasting, resumed, sit_and_go
from wallets.money.accounts import account
from wallets.staff.permitted import currency_of
from wallets.values.errors import Refused

pytestmark = pytest.mark.django_db

# An amount of chips, wherever one stands: the code of the currency, or the word for its unit.
CHIPS = re.compile(r"\bCHIPS?\b|\bchips\b")


def words(text: str) -> str:
    """What a page says, without its markup."""
    main = re.sub(r"<(script|style).*?</\1>", " ", text, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", main))


@pytest.fixture(scope="module")
def played(django_db_setup: None, django_db_blocker: Any) -> Iterator[Event]:
    """Alice has played a hand of a tournament and one for money, and still sits there."""
    with lasting(django_db_blocker, __name__) as event:
        house = event.house
        event.announce(sit_and_go(starting_chips=100_000))
        alice, bob = event.people(2)
        event.enter([alice, bob])
        event.until(lambda: Hand.objects.filter(status=Hand.Status.FINISHED).exists())
        house.away.clear()
        table = house.table("chinese_poker", places=2)
        house.sit(alice, table, 1)
        house.sit(bob, table, 2)
        house.until(table, lambda table: table.hands_dealt > 1)
        # Nothing ever opens such an account; if something did, it would still be no wallet.
        account("player", f"player:{alice.pk}", "CHIP")
        yield event


@pytest.fixture
def event(played: Event, monkeypatch: pytest.MonkeyPatch) -> Event:
    return resumed(played, monkeypatch)


@pytest.fixture
def alice(event: Event) -> Player:
    return event.house.person("player 1")


def rows_of(player: Player) -> dict[str, HandSeat]:
    """The player's latest hand in each currency."""
    ended = HandSeat.objects.filter(player=player, ended_at__isnull=False).order_by("pk")
    return {row.currency_id: row for row in ended.select_related("hand", "seat")}


def test_pages_of_money_know_no_chips(event: Event, alice: Player) -> None:
    client, rows = client_of(alice), rows_of(alice)
    for address in ("/wallet/", "/history/profit/?span=all", "/running/", "/lobby/"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert not CHIPS.search(words(answer.text)), (address, words(answer.text))
    assert "Entered a tournament" in words(client.get("/wallet/").text)
    assert f'href="/tournaments/{event.number}/"' in client.get("/wallet/").text
    assert "Evening" in words(client.get("/wallet/?kind=tournament_entry").text)
    for address in (
        "/wallet/?currency=CHIP",
        "/history/profit/?currency=CHIP",
        f"/history/seats/{rows['CHIP'].seat.code}/",
    ):
        assert client.get(address).status_code == 404, address


def test_the_api_knows_no_wallet_of_chips(alice: Player) -> None:
    program = Program(alice.username)
    held = program.get("wallet/")["accounts"]
    assert [wallet["currency"]["code"] for wallet in held] == ["PLAY"]
    assert program.get("wallet/CHIP/")["code"] == "no_such_account"


@pytest.mark.always
def test_the_strip_names_the_table_without_a_balance(event: Event, alice: Player) -> None:
    seat = event.entry(alice).seat
    assert seat
    text = client_of(alice).get("/running/").text
    (mine,) = re.findall(rf'<li id="running-{seat.table_id}">.*?</li>', text, re.DOTALL)
    assert not re.search(r"\d", words(mine).replace(words(f"{seat.table.title}"), ""))


def test_the_history_says_the_result_in_chips_and_links_the_event(
    event: Event, alice: Player
) -> None:
    client, rows = client_of(alice), rows_of(alice)
    text = client.get("/history/").text
    chips, money = rows["CHIP"], rows["PLAY"]
    (row,) = [part for part in text.split("<li>") if f'href="/history/{chips.hand_id}/"' in part]
    assert f'<a href="/tournaments/{event.number}/">tournament hand</a>' in row
    assert re.search(rf"{abs(chips.net):,} chips", words(row))
    (other,) = [part for part in text.split("<li>") if f'href="/history/{money.hand_id}/"' in part]
    assert "tournament" not in other
    page = client.get(f"/history/{chips.hand_id}/").text
    assert f'<a href="/tournaments/{event.number}/">tournament hand</a>' in page
    assert "CHIP" not in words(page)
    assert f"/history/seats/{chips.seat.code}/" not in page


@pytest.mark.parametrize("closed", [False, True])
def test_sums_of_the_history_leave_chips_out(event: Event, alice: Player, closed: bool) -> None:
    house = event.house
    if closed:
        house.pass_time(2 * 24 * 3600)
        assert closed_days.close_days(house.now)
    played = HandSeat.objects.filter(player=alice, status=Hand.Status.FINISHED)
    count = played.filter(currency="PLAY").count()
    assert played.filter(currency="CHIP").count()
    (sums,) = re.findall(
        r'<ul class="sums".*?</ul>', client_of(alice).get("/history/").text, re.DOTALL
    )
    assert words(sums).count(" PLAY ") == 1
    assert f"{count} hand" in words(sums)
    assert not CHIPS.search(words(sums))
    profit = words(client_of(alice).get("/history/profit/?span=all").text)
    assert f"{count} hand" in profit
    # A filter by amount means money, also with cents, until a player chooses chips.
    assert "is not an amount" not in client_of(alice).get("/history/?least=0.50").text
    chosen = client_of(alice).get("/history/?currency=CHIP").text
    assert '<ul class="sums"' not in chosen
    assert "tournament hand" in chosen


def test_the_api_tells_what_a_hand_belongs_to(event: Event, alice: Player) -> None:
    program = Program(alice.username)
    rows = rows_of(alice)
    hands = {hand["id"]: hand for hand in program.get("hands/")["hands"]}
    chips, money = hands[rows["CHIP"].hand_id], hands[rows["PLAY"].hand_id]
    assert chips["belongs_to"] == {
        "address": f"/tournaments/{event.number}/",
        "words": "tournament hand",
    }
    assert chips["currency"]["kind"] == "chips"
    assert money["belongs_to"] is None
    assert program.get(f"hands/{chips['id']}/")["belongs_to"] == chips["belongs_to"]


@pytest.mark.always
def test_closed_days_sum_no_chips(event: Event) -> None:
    house = event.house
    house.pass_time(2 * 24 * 3600)
    assert closed_days.close_days(house.now)
    for day in Day.objects.all():
        assert set(day.sums) <= {"PLAY"}
        assert list(closed_days.wrong_day(day)) == []
    # What searches need to find such a hand is kept.
    assert DayResult.objects.filter(currency="CHIP").exists()
    manager = house.player("mary")
    appoint(manager, "managers")
    client = client_of(Player.objects.get(pk=manager.pk))
    first = Day.objects.order_by("day")[0]
    listed = client.get("/admin/games/day/")
    shown = client.get(f"/admin/games/day/{first.pk}/change/")
    assert (listed.status_code, shown.status_code) == (200, 200)
    assert "CHIP" not in words(listed.text)
    tables = set(DayResult.objects.filter(currency="CHIP").values_list("table__name", flat=True))
    assert tables
    assert not [name for name in tables if name in words(shown.text)]
    assert not CHIPS.search(words(shown.text))


def test_nobody_pays_chips_in_or_out(event: Event, alice: Player) -> None:
    with pytest.raises(Refused) as caught:
        currency_of("CHIP")
    assert caught.value.code == "no_such_currency"
    manager = event.house.player("mary")
    appoint(manager, "managers")
    form = client_of(Player.objects.get(pk=manager.pk)).get("/admin/wallets/jackpot/add/")
    assert form.status_code == 200
    assert '<option value="PLAY"' in form.text
    assert '<option value="CHIP"' not in form.text
