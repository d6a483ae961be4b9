"""The figures of a player's file, what they cost to read, and what an erasure leaves of it."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Final
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.accounts import freezing
from casino.accounts.models import Device
from casino.care import limits, own_data
from casino.care.limits import Wanted
from casino.office.players import figures, verbs
from casino.office.players.models import Check, Flag, Note
from games.chat.models import ChatLine
from games.models import DayResult, HandSeat
from games.records import closed_days
from tests.casino.player_file_scene import PlayedScene, check, flag, freeze, note
from tests.people import client_of
from wallets.models import Currency
from wallets.money import cashier
from wallets.values.days import day_of

MOST_QUERIES: Final = 42
ROLES: Final = ("floor", "cashiers", "managers", "auditors")


# Money and play


def test_the_file_opens_on_the_currency_of_the_last_hand(scene: PlayedScene) -> None:
    scene.pay(90_000_000)
    held = figures.held_by(scene.alice, [])
    assert held[0].currency == scene.euro
    played = figures.chosen(scene.alice, held, "")
    assert played is not None
    assert played.currency == scene.table.currency
    named = figures.chosen(scene.alice, held, "EUR")
    assert named is not None
    assert named.currency == scene.euro


def test_results_are_added_up_by_currency(scene: PlayedScene) -> None:
    play_money, euro = scene.table.currency, scene.euro
    lines = [
        figures.GameLine("a", 2, 50, play_money),
        figures.GameLine("b", 3, -80, euro),
        figures.GameLine("c", 4, -70, play_money),
    ]
    assert figures.in_all(lines) == [(play_money, 6, -20), (euro, 3, -80)]
    assert re.search(r"<tfoot>.*In all.*</tfoot>", scene.read("auditors"), re.DOTALL)


def test_the_file_says_what_colleagues_have_done(scene: PlayedScene) -> None:
    note(scene, "Prefers receipts.")
    scene.read("managers")
    acts = verbs.acts_on(scene.alice, 8)
    assert [entry.actor_name for entry, _words in acts] == [scene.staff["floor"].username]
    page = scene.read("managers")
    assert "In the journal" in page
    assert str(acts[0][1]) in page


@pytest.mark.always
def test_in_and_out_are_drawn_by_month(scene: PlayedScene) -> None:
    for amount in (10_000, -2_500, 300):
        scene.pay(amount)
    (euro,) = [
        holdings for holdings in figures.held_by(scene.alice, []) if holdings.currency == scene.euro
    ]
    flow = figures.flow(euro, scene.now)
    assert (flow.paid_in, flow.paid_out, flow.cut) == (10_300, 2_500, False)
    assert euro.owed == 7_800
    page = scene.read("cashiers", "?currency=EUR")
    assert '<svg class="plot"' in page
    assert "103" in page
    later = figures.flow(euro, scene.now + timedelta(days=400))
    assert (later.paid_in, later.chart) == (0, "")


@pytest.mark.always
def test_a_long_ledger_is_drawn_from_its_newest_lines(
    scene: PlayedScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "LINES_MAX", 3)
    for amount in (1_000, 2_000, 3_000, 4_000):
        scene.pay(amount)
    (euro,) = [
        holdings for holdings in figures.held_by(scene.alice, []) if holdings.currency == scene.euro
    ]
    flow = figures.flow(euro, scene.now)
    assert (flow.paid_in, flow.cut) == (9_000, True)
    assert "Drawn from the newest lines" in scene.read("cashiers", "?currency=EUR")


def test_results_are_the_same_before_and_after_a_day_is_closed(scene: PlayedScene) -> None:
    currencies = Currency.objects.in_bulk()
    net = sum(HandSeat.objects.filter(player=scene.alice).values_list("net", flat=True))
    before = figures.results(scene.alice, currencies)
    assert [(line.hands, line.net) for line in before] == [(1, net)]
    closed_days.close_day(day_of(scene.house.now), scene.house.now + timedelta(days=2))
    assert DayResult.objects.filter(player=scene.alice).exists()
    assert figures.results(scene.alice, currencies) == before


# What it costs


@pytest.fixture
def busy(scene: PlayedScene) -> PlayedScene:
    """Something in every section, and every limit."""
    scene.pay(5_000)
    owner = f"player:{scene.alice.pk}"
    cashier.set_aside(owner, scene.euro, 100, key=uuid4(), actor="t", reason="x")
    for number in range(9):
        check(scene)
        note(scene, f"note {number}")
        ChatLine.objects.create(
            table=scene.table, player=scene.alice, text=f"line {number}", said_at=scene.now
        )
        Device.objects.create(
            player=scene.alice, digest=f"{number}", session_key=f"key {number}",
            signed_in_at=scene.now, seen_at=scene.now,
        )  # fmt: skip
    for kind in Flag.Kind.values:
        flag(scene, kind=kind)
    for kind in limits.Kind.values:
        for period in limits.Period.values:
            currency = None if kind == "session" else scene.euro
            limits.ask(scene.alice, Wanted(kind, period, currency, 1_000), scene.now)
    closed_days.close_day(day_of(scene.house.now), scene.house.now + timedelta(days=2))
    freeze(scene)
    scene.propose(freezing.UNFREEZE)
    return scene


@pytest.mark.parametrize("group", ROLES)
def test_the_page_asks_few_questions_however_much_there_is(busy: PlayedScene, group: str) -> None:
    busy.read(group)
    client = client_of(busy.staff[group])
    with CaptureQueriesContext(connection) as read:
        assert client.get(busy.address("?currency=EUR")).status_code == 200
    assert len(read) <= MOST_QUERIES, [query["sql"][:200] for query in read]


# What grows with the house. Whole tables of anything else may be read.
LARGE: Final = (
    "games_hand", "games_handseat", "games_move", "games_seat", "games_dayresult",
    "games_chat_chatline", "wallets_entry", "wallets_transaction", "wallets_account",
    "wallets_journalentry", "players_player", "players_device", "players_accesstoken",
    "player_file_check", "player_file_flag", "player_file_note", "care_playerlimit",
    "django_session",
)  # fmt: skip


def plans(statements: list[str]) -> Iterator[tuple[str, str]]:
    """How the database reads for each statement, if it must not read whole tables."""
    with connection.cursor() as cursor:
        explain = "EXPLAIN QUERY PLAN " if connection.vendor == "sqlite" else "EXPLAIN "
        if connection.vendor == "postgresql":
            # So small a table would be read whole; where no index serves, it still is.
            cursor.execute("SET LOCAL enable_seqscan = off")
        for statement in statements:
            cursor.execute(explain + statement)
            for row in cursor.fetchall():
                yield statement, str(row[-1])


def test_every_query_is_served_by_an_index(busy: PlayedScene) -> None:
    client = client_of(busy.staff["managers"])
    with CaptureQueriesContext(connection) as read:
        client.get(busy.address("?currency=EUR"))
    selects = [query["sql"] for query in read if query["sql"].startswith("SELECT")]
    assert len(selects) > 20
    whole = re.compile(r"^SCAN (\w+)|Seq Scan on (\w+)")
    scanned = [
        (match[1] or match[2], statement)
        for statement, step in plans(selects)
        if (match := whole.search(step)) and "USING INDEX" not in step
    ]
    assert not [scan for scan in scanned if scan[0] in LARGE]


# Beside it


def test_an_erasure_empties_what_staff_typed(scene: PlayedScene) -> None:
    check(scene, ending="12ab")
    flag(scene)
    note(scene)
    assert [row["ending"] for row in own_data.PARTS["checks"](scene.alice)] == ["12AB"]
    bob = scene.house.person("bob")
    verbs.note(scene.staff["floor"], bob.pk, "stays", scene.now)
    scene.leave()
    wallet = scene.house.wallet(scene.alice)
    owner, given = f"player:{scene.alice.pk}", {"actor": "test", "reason": "x"}
    cashier.withdraw(owner, scene.house.currency, wallet.balance, key=uuid4(), **given)
    freeze(scene, 1)
    own_data.ask(scene.alice, scene.now)
    scene.carry_out(own_data.ERASE)
    assert set(Check.objects.values_list("ending", flat=True)) == {""}
    assert set(Flag.objects.values_list("reason", flat=True)) == {""}
    assert set(Note.objects.values_list("text", flat=True)) == {"", "stays"}
    assert freezing.end_expired(scene.now + timedelta(days=2)) == 0
    assert not scene.fresh().is_active
    assert "erased" in scene.read()
