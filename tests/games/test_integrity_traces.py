"""Traces: each sitting and act is traced to keyed hashes, at the cost of one statement a hand."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from casino.accounts.devices import COOKIE
from casino.accounts.models import Player
from casino.care import own_data
from casino.office.integrity import traces
from casino.office.integrity.models import Trace
from casino.office.integrity.tasks import forget_traces
from games.models import Move, Table
from games.tables import hand_verbs, seating
from tests.games.commit_reveal import commit, sealed_table
from tests.games.house import House
from tests.games.program import Program
from tests.people import client_of
from wallets.money.accounts import account
from wallets.money.ledger import Leg, post
from wallets.staff import approvals
from wallets.storage import batched_writes

BROWSER: Final = "a-browser-with-a-long-name"
HOME: Final = "192.0.2.7"
TABLE: Final = Trace._meta.db_table


@pytest.fixture(autouse=True)
def nothing_written() -> None:
    """A process remembers the hands of an earlier test."""
    traces.forget()


@contextmanager
def coming_from(address: str = HOME, browser: str = BROWSER) -> Iterator[None]:
    """As if a request from there did what is done inside."""
    request = RequestFactory().get("/", REMOTE_ADDR=address)
    if browser:
        request.COOKIES[COOKIE] = browser
    with traces.coming_from(request):
        yield


def act(house: House, table: Table, number: int) -> None:
    """The player of a seat acts."""
    table.refresh_from_db()
    player = table.seats.get(number=number, left_at=None).player
    action = house.best_action(table, player.username)
    assert table.hand_id is not None
    turn = house.turn(table, number)
    hand_verbs.act(player, table.pk, table.hand_id, turn, action, house.now)


@pytest.mark.django_db(transaction=True)
def test_an_act_waits_for_the_statement_that_writes_all(
    house: House,
) -> None:
    """At blackjack a bet, and that it is the last, are two acts of a hand."""
    tables = [house.dealt_in("blackjack", name) for name in ("ann", "ben")]
    batched_writes.start()
    try:
        with coming_from(), CaptureQueriesContext(connection) as captured:
            for table in 2 * tables:
                act(house, table, 1)
        assert not [query for query in captured if TABLE in query["sql"]]
    finally:
        batched_writes.stop()
    acted = Trace.objects.filter(kind="acted")
    assert {trace.table_id for trace in acted} == {table.pk for table in tables}


@pytest.mark.parametrize("committed", [True, False], ids=["committed", "taken back"])
def test_playing_on_in_a_hand_writes_nothing_more(
    house: House, django_capture_on_commit_callbacks: Any, committed: bool
) -> None:
    """What a process has noted is remembered; an act that came to nothing leaves no trace."""
    table = house.dealt_in("doudizhu", "ann", "ben", "cid")
    acts = Move.objects.filter(by="player")
    with coming_from(), CaptureQueriesContext(connection) as captured:
        # A hand that no player calls has three acts, and another is dealt.
        while acts.filter(number__gt=3).count() == 0 or table.hand_id is not None:
            with django_capture_on_commit_callbacks(execute=committed):
                if not house.let_people_act(table):
                    house.until_due(table)
            table.refresh_from_db()
    written = [
        query for query in captured if query["sql"].startswith("INSERT") and TABLE in query["sql"]
    ]
    pairs = acts.values("hand", "seat").distinct().count()
    assert pairs < acts.count()
    assert len(written) == Trace.objects.count() == (pairs if committed else 0)


def test_what_the_house_does_is_traced_to_nobody(house: House) -> None:
    table = house.dealt_in("doudizhu", "ann", "ben", "cid")
    for _turn in range(6):
        house.until_due(table)
    assert Move.objects.filter(by="timeout").exists()
    assert not Trace.objects.exists()


def test_pages_and_programs_are_traced_alike(house: House) -> None:
    table = house.table("doudizhu")
    ann, ben = house.player("ann"), house.player("ben")
    client = client_of(ann, REMOTE_ADDR=HOME)
    client.cookies[COOKIE] = BROWSER
    answer = client.post(f"/tables/{table.pk}/sit/", {"seat": 1, "amount": "100"})
    assert answer.status_code in (200, 302)
    program = Program("ben")
    program.post(f"tables/{table.pk}/sit/", {"seat": 2, "amount": 20_000})
    rows = {row.player_id: row for row in Trace.objects.filter(kind="sat", table=table)}
    assert set(rows) == {ann.pk, ben.pk}
    assert rows[ann.pk].device
    assert not rows[ben.pk].device
    assert rows[ben.pk].line


def test_a_sitting_costs_one_statement(house: House) -> None:
    costs = []
    for name, context in (("ann", nullcontext()), ("ben", coming_from())):
        table, player = house.table("doudizhu"), house.player(name)
        with context, CaptureQueriesContext(connection) as captured:
            house.sit(player, table, 1)
        costs.append(len(captured))
    assert costs[1] == costs[0] + 1
    assert [row.player_id for row in Trace.objects.all()] == [house.person("ben").pk]


def test_one_origin_has_one_hash_and_no_address_is_stored(house: House) -> None:
    table = house.table("chinese_poker")
    places = [(HOME, BROWSER), (HOME, "another-browser-with-a-name"), ("192.0.2.8", BROWSER)]
    for number, (address, browser) in enumerate(places, 1):
        with coming_from(address, browser):
            house.sit(house.player(f"player{number}"), table, number)
    first, second, third = Trace.objects.order_by("pk")
    assert first.line == second.line != third.line
    assert first.device == third.device != second.device
    assert first.line != first.device
    stored = str(list(Trace.objects.values_list()))
    assert not any(text in stored for text in (HOME, BROWSER, "192.0.2"))


def test_households_of_the_new_internet_have_one_line() -> None:
    lines = []
    for address in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"):
        with coming_from(address):
            sender = traces.current_origin()
            assert sender is not None
            lines.append(sender.line)
    assert lines[0] == lines[1] != lines[2]


def test_each_purpose_has_a_key_of_its_own() -> None:
    assert traces.keyed("line", HOME) != traces.keyed("device", HOME)
    assert traces.keyed("line", "") == ""


def test_another_key_has_other_hashes(settings: Any) -> None:
    origins = []
    for key in ("one key of the house", "another key of the house"):
        settings.SECRET_KEY = key
        with coming_from():
            origins.append(traces.current_origin())
    assert origins[0] != origins[1]


def test_the_middleware_forgets_the_request() -> None:
    seen = []

    def view(_request: Any) -> HttpResponse:
        seen.append(traces.current_origin())
        return HttpResponse()

    traces.origin(view)(RequestFactory().get("/"))
    assert seen[0] is not None
    assert traces.current_origin() is None


def test_a_reveal_that_is_withheld_is_traced(house: House) -> None:
    """Of a shoe that is taken away, each seat that committed and did not show its part."""
    table = sealed_table(house)
    for name in ("alice", "bob"):
        commit(house, table, name)
    house.until_due(table)
    house.until_due(table)
    traced = Trace.objects.values_list("kind", "player__username", "line", "hand")
    assert sorted(traced) == [("withheld", name, "", None) for name in ("alice", "bob")]


@pytest.mark.always
def test_traces_of_long_ago_are_deleted(house: House) -> None:
    table = house.table("chinese_poker")
    for number in (1, 2, 3):
        with coming_from():
            house.sit(house.player(f"player{number}"), table, number)
    first, second, _third = Trace.objects.order_by("pk")
    Trace.objects.filter(pk=first.pk).update(at=house.now - traces.KEPT - timedelta(days=1))
    Trace.objects.filter(pk=second.pk).update(at=house.now - traces.KEPT + timedelta(days=1))
    forget_traces()
    assert Trace.objects.count() == 2
    assert not Trace.objects.filter(pk=first.pk).exists()


@pytest.mark.always
def test_erasure_takes_the_traces_of_its_player(house: House) -> None:
    for name in ("ann", "ben"):
        with coming_from():
            house.sit(house.player(name, 0), house.table("doudizhu"), 1, 10_000)
    ann = house.person("ann")
    for seat in ann.seats.all():
        seating.leave(ann, seat.table_id, house.now)
    post_away(house, ann)
    own_data.ask(ann, house.now)
    maker, checker = (Player.objects.create_superuser(name) for name in ("boss", "other"))
    arguments = {"player": ann.pk}
    words: dict[str, Any] = {"reason": "asked for", "now": house.now}
    proposal = approvals.submit(maker, "player.erase", arguments, key=uuid4(), **words).proposal
    assert proposal is not None
    approvals.approve(checker, proposal.pk, **words)
    assert [row.player.username for row in Trace.objects.all()] == ["ben"]


def post_away(house: House, player: Player) -> None:
    """Take what is in a wallet."""
    wallet, issue = house.wallet(player), account("issue", "house", house.currency)
    legs = [Leg(wallet.pk, -wallet.balance), Leg(issue.pk, wallet.balance)]
    post(uuid4(), "withdrawal", legs, book="cashier", actor="test", reason="test")


def test_bots_come_from_nowhere_whoever_has_them_seated(house: House) -> None:
    house.bots(3)
    table = house.table("doudizhu", bots_max=2)
    with coming_from():
        house.sit(house.player("ann"), table, 1)
        house.until(table, lambda table: table.hand_id is not None)
    bots = Player.objects.filter(is_bot=True)
    assert not Trace.objects.filter(player__in=bots).exists()
