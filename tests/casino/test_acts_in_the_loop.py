"""Acts that the event loop answers: every check that Django makes holds there, too.

`docs/architecture.md` says where each check is made. On SQLite all acts go through Django, and are
answered alike.
"""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any
from unittest.mock import patch

import psycopg
import pytest
from django.db import transaction
from structlog.testing import capture_logs

from casino.accounts import devices, freezing, sign_in_cache
from casino.accounts.devices import COOKIE
from casino.accounts.models import AccessToken, Device
from casino.accounts.staff import appoint
from casino.care import exclusions
from casino.office.integrity import traces
from casino.office.integrity.models import Trace
from casino.ops.metrics import counting
from casino.web import api_requests, rate_limits
from casino.web.rate_limits import MINUTE, count_loosely
from games.live import announcing
from games.models import Move, Seat, Table
from games.tables.lock import lock_table, set_status, store_table
from games.tables.table_cache import TABLE_CACHE
from tests.casino.web_process import (
    ON_POSTGRESQL,
    TOKEN,
    Actor,
    Page,
    Program,
    Web,
    raise_version,
    web_process,
)
from tests.games import commit_reveal
from tests.games.house import House
from tests.games.simultaneous import at_once
from tests.heard import all_heard
from tests.valkey import Valkey
from tests.waiting import until
from wallets.storage import batched_writes
from wallets.storage.database_connections import Links

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

NAMES = ("alice", "bob", "carol")
KINDS = {"page": Page, "program": Program}
BET: dict[str, dict[str, Any]] = {
    "page": {"do": "bet", "on": "player", "amount": "5"},
    "program": {"do": "bet", "on": "player", "amount": 500},
}


@pytest.fixture
def web(redis: Valkey, house: House, settings: Any) -> Iterator[Web]:
    settings.PLAYER_IDLE_MINUTES = 30
    traces.forget()
    with web_process() as process:
        yield process


class Bettor:
    """Alice at baccarat, who bets again and again, by a page or a program."""

    def __init__(self, web: Web, house: House, kind: str) -> None:
        self.house, self.kind = house, kind
        self.table = house.dealt_in("baccarat", "alice", "bob", betting_seconds=30_000)
        self.actor: Actor = KINDS[kind](web, house, self.table, "alice")
        self.player = house.person("alice")

    def bets_in_loop(self, **headers: str) -> bool:
        return self.actor.acts_in_loop(BET[self.kind], **headers)

    def bet(self, **headers: str) -> int:
        return self.actor.act(BET[self.kind], **headers)

    def bets(self) -> int:
        return Move.objects.filter(hand=self.table.hand_id, seat=1).count()


@pytest.fixture(params=KINDS)
def alice(request: pytest.FixtureRequest, web: Web, house: House) -> Bettor:
    """The process knows who she is."""
    return known(web, house, request.param)


def known(web: Web, house: House, kind: str) -> Bettor:
    bettor = Bettor(web, house, kind)
    assert not bettor.bets_in_loop()
    assert bettor.bets_in_loop() == ON_POSTGRESQL
    return bettor


@pytest.mark.parametrize("kind", KINDS)
def test_an_act_in_the_loop_carries_a_link(web: Web, house: House, kind: str) -> None:
    table = commit_reveal.sealed_table(house)
    devices = {
        str(at): commit_reveal.Device(house, table, name) for at, name in enumerate(NAMES, 1)
    }
    for device in devices.values():
        device.start()
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    for device in devices.values():
        device.answer()
    lying, hand = table.next_shoe, table.hand_id
    assert lying is not None
    actors = {at: KINDS[kind](web, house, table, device.name) for at, device in devices.items()}
    carried, in_loop = [], []
    while table.hand_id == hand:
        (number,) = table.turns
        actor = actors[number]
        # The first act of each makes it known to the process.
        actor.mix = devices[number].link_for(lying) if actor.answer.status else ""
        acts_in_loop = actor.acts_in_loop()
        if actor.mix:
            part, given = lying.seats.get(number=int(number)), actor.answered["mix-receipt"].split()
            assert part.reveal == actor.mix.split()[1]
            assert part.receipt is not None
            assert given[1:] == [part.receipt["signature"], part.receipt["key"]]
            carried.append(number)
            in_loop.append(acts_in_loop)
        table.refresh_from_db()
    assert len(carried) == len(set(carried)) > 1
    assert any(in_loop) == ON_POSTGRESQL


def test_what_is_to_lie_on_the_felt_is_laid_in_the_loop(web: Web, house: House) -> None:
    alice = known(web, house, "page")
    before, in_loop = alice.bets(), []
    for amount in (1500, 500, 2000, 2000):
        laid = json.dumps({"player": amount})
        in_loop.append(alice.actor.acts_in_loop({"spots": laid}))
    # Where all lies as it is to lie, nothing is stored.
    assert in_loop == [*[ON_POSTGRESQL] * 3, False]
    assert alice.bets() == before + 3


def other_password(alice: Bettor) -> None:
    alice.player.set_password("another long password")
    alice.player.save()


def frozen(alice: Bettor) -> None:
    boss: Any = alice.house.player("boss")
    boss.is_superuser = True
    freezing.freeze(boss, alice.player.pk, "a test")


def excluded(alice: Bettor) -> None:
    exclusions.begin(alice.player, "time_out", 1, alice.house.now)


def signed_out_everywhere(alice: Bettor) -> None:
    devices.end_everywhere(alice.player)


def revoked(alice: Bettor) -> None:
    for token in AccessToken.objects.filter(player=alice.player):
        token.delete()


def minutes_later(minutes: float, alice: Bettor) -> None:
    alice.house.now += timedelta(minutes=minutes)


def elsewhere(alice: Bettor) -> None:
    alice.actor.host = "198.51.100.7"


def other_process_forgets(alice: Bettor) -> None:
    before = sign_in_cache.changes()
    announcing.client().publish(announcing.FORGET, f"player:{alice.player.pk}")
    until(lambda: sign_in_cache.changes() > before)


# What happens after the process knows alice, and how her next bet is answered, by Django.
BOTH: dict[str, tuple[Callable[[Bettor], object], int]] = {
    "another password": (other_password, 401),
    "frozen": (frozen, 401),
    "excluded": (excluded, 401),
    "signed out everywhere": (signed_out_everywhere, 401),
    "comes from elsewhere": (elsewhere, 204),
    "another process says that she has changed": (other_process_forgets, 204),
}
ONE: dict[str, tuple[str, Callable[[Bettor], object], int]] = {
    "a token was revoked": ("program", revoked, 401),
    "the session was idle": ("page", partial(minutes_later, 31), 401),
    "the token is a month old": ("program", partial(minutes_later, 31 * 24 * 60), 401),
}
CASES = [(name, kind, *case) for name, case in BOTH.items() for kind in KINDS]
CASES += [(name, *case) for name, case in ONE.items()]


@pytest.mark.parametrize(
    ("kind", "happens", "status"),
    [one[1:] for one in CASES],
    ids=[f"{a}-{b}" for a, b, *_ in CASES],
)
def test_a_change_of_the_sender_counts_at_once(
    web: Web, house: House, kind: str, happens: Callable[[Bettor], object], status: int
) -> None:
    alice, before = known(web, house, kind), len(web.by_django)
    happens(alice)
    made = alice.bets()
    assert alice.bet() == status, alice.actor.answer.body
    assert len(web.by_django) == before + 1
    assert alice.bets() == made + (status == 204)


# What another site, or a thief of a part of a request, could send.
FORGED: dict[str, tuple[str, dict[str, str], int]] = {
    "no form token": ("page", {"x_csrftoken": ""}, 403),
    "another form token": ("page", {"x_csrftoken": "A" * 64}, 403),
    "another origin": ("page", {"origin": "https://elsewhere.example"}, 403),
    "no origin": ("page", {"origin": "", "referer": "https://elsewhere.example/"}, 403),
    "a name of another house": ("page", {"host": "elsewhere.example"}, 400),
    "no cookie": ("page", {"cookie": ""}, 403),
    "no token": ("program", {"authorization": ""}, 401),
    "another token": ("program", {"authorization": f"Bearer {'A' * 43}"}, 401),
    "a form to the API": ("program", {"content_type": "application/x-www-form-urlencoded"}, 415),
    "an answer that is no JSON": ("program", {"accept": "text/html"}, 406),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_request_that_differs_is_checked_anew(web: Web, house: House, kind: str) -> None:
    alice = known(web, house, kind)
    for name, (sent_by, headers, status) in FORGED.items():
        if sent_by == kind:
            # Each time the process knows her.
            until(lambda: alice.bets_in_loop() == ON_POSTGRESQL)
            # The token of the form would stand for the one of the headers.
            with patch.object(alice.actor, "token", ""):
                made = alice.bets()
                assert alice.bet(**headers) == status, (name, alice.actor.answer.body)
                assert alice.bets() == made, name


def test_a_form_token_with_another_mask_is_the_same(web: Web, house: House) -> None:
    alice = known(web, house, "page")
    assert isinstance(alice.actor, Page)
    for _time in range(2):
        shown = web.request("GET", f"/tables/{alice.table.pk}/", alice.actor.headers, b"")
        masked = TOKEN.findall(shown.body.decode())[0]
        assert masked != alice.actor.token
        alice.actor.token = masked
        assert alice.bets_in_loop(x_csrftoken=masked) == ON_POSTGRESQL


def test_a_form_token_in_the_form_is_the_one_that_counts(web: Web, house: House) -> None:
    alice = known(web, house, "page")
    assert isinstance(alice.actor, Page)
    alice.actor.token = "A" * 64
    assert alice.bet() == 403


def test_acts_count_against_the_limits(
    web: Web, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the acts are answered, the one after the last that is allowed is refused."""
    page = known(web, house, "page")
    counted = count_loosely(f"forms:player-{page.player.pk}", MINUTE)
    monkeypatch.setattr(rate_limits, "FORMS_A_MINUTE", counted + 2)
    assert [page.bet() for _ in range(3)] == [204, 204, 429]
    program = Program(web, house, page.table, "bob")
    counted = count_loosely(f"requests:write:player-{house.person('bob').pk}", MINUTE)
    monkeypatch.setitem(api_requests.Rate.THROTTLE_RATES, "write", f"{counted + 3}/min")
    bet = BET["program"]
    assert [program.act(bet, accept_language="zh-hans") for _ in range(4)] == [204, 204, 204, 429]
    assert (program.code, "retry-after" in program.answered) == ("too_many_requests", True)
    assert "请" in program.answer.body.decode()


def test_refusals_are_written_in_the_language_of_the_reader(web: Web, house: House) -> None:
    alice = known(web, house, "page")
    too_much = BET["page"] | {"amount": "99999999"}
    for language in ("en", "zh-hans", "zh-hant"):
        status = alice.actor.act(too_much, accept_language=language)
        assert (status, alice.actor.code) == (409, "above_purse")
        assert alice.actor.answered["content-language"] == language


def test_what_was_sent_twice_is_done_once(alice: Bettor) -> None:
    alice.table.refresh_from_db()
    decision = {"hand": alice.table.hand_id, "turn": alice.table.turns["1"]}
    body, made = alice.actor.body(decision, BET[alice.kind]), alice.bets()
    assert [alice.actor.send(body) for _ in range(3)] == [204, 204, 204]
    assert alice.bets() == made + 1
    answers = at_once(*[partial(alice.actor.send, body) for _ in range(4)])
    assert set(answers) == {204}
    assert alice.bets() == made + 1
    other = alice.actor.body(decision, BET[alice.kind] | {"on": "banker"})
    assert (alice.actor.send(other), alice.actor.code) == (409, "turn_over")


def test_many_at_once_are_all_served(web: Web, house: House) -> None:
    names = ("alice", "bob", "carol", "dave", "erin")
    table = house.dealt_in("baccarat", *names, betting_seconds=30_000)
    everybody = [Program(web, house, table, name) for name in names]
    for _round in range(3):
        sent = at_once(*[partial(program.act, BET["program"]) for program in everybody])
        assert set(sent) == {204}
    numbers = Move.objects.filter(hand=table.hand_id).order_by("number")
    assert [move.number for move in numbers] == list(range(15))


def test_nobody_acts_for_others(web: Web, house: House) -> None:
    alice = known(web, house, "program")
    house.player("mallory")
    mallory = Program(web, house, alice.table, "mallory")
    mallory.name = "bob"
    for _try in range(2):
        assert mallory.act(BET["program"]) == 409
        assert mallory.code == "not_seated_here"
    # Known as the sender of an act elsewhere, too.
    other = house.dealt_in("baccarat", "dave", betting_seconds=30_000)
    house.sit(house.person("mallory"), other, 2)
    assert not Move.objects.filter(hand=alice.table.hand_id, seat=2).exists()


def closing(alice: Bettor) -> None:
    table = lock_table(alice.table.pk)
    set_status(table, Table.Status.CLOSING)
    store_table(table)


def test_the_first_bet_at_a_table_that_closes_is_refused(web: Web, house: House) -> None:
    """Whoever has bet may go on; a new hand does not open."""
    bob = Bettor(web, house, "program")
    with transaction.atomic():
        closing(bob)
    TABLE_CACHE.newest(bob.table.pk)
    assert (bob.bet(), bob.actor.code) == (409, "table_closed")


def test_presence_and_traces_are_noted_as_by_django(web: Web, house: House) -> None:
    alice = Bettor(web, house, "page")
    alice.actor.headers["cookie"] += f"; {COOKIE}={'b' * 30}"
    assert not alice.bets_in_loop()
    (by_django,) = acted()
    Trace.objects.all().delete()
    traces.forget()
    house.now += timedelta(seconds=40)
    assert alice.bets_in_loop() == ON_POSTGRESQL
    (here,) = acted()
    assert (here.line, here.device) == (by_django.line, by_django.device)
    assert here.device
    seat = house.seat(alice.table, "alice")
    until(lambda: Seat.objects.filter(pk=seat.pk, seen_at=house.now).exists())


def test_acts_are_counted_and_logged_as_those_of_django(
    web: Web, house: House, settings: Any
) -> None:
    alice = known(web, house, "program")
    settings.LOG_FORMAT = "json"
    counted: list[tuple[Any, ...]] = []
    with (
        patch.object(counting, "observe", lambda *labels, seconds: counted.append(labels)),
        capture_logs() as lines,
    ):
        assert alice.bets_in_loop() == ON_POSTGRESQL
    counts = [(metric.name, *labels) for metric, *labels in counted]
    assert counts == [
        ("act_seconds", "baccarat"),
        ("request_seconds", "api", "POST", "2xx"),
    ]
    if ON_POSTGRESQL:
        (line,) = [line for line in lines if line["event"] == "request_finished"]
        address = "POST /api/v1/tables/<int:table_id>/act/"
        assert (line["code"], line["request"], line["table"]) == (204, address, alice.table.pk)


def acted() -> list[Trace]:
    """The traces of acts, once there are any."""

    def stored() -> list[Trace]:
        batched_writes.write_all()
        return [*Trace.objects.filter(kind="acted")]

    return until(stored)


@pytest.mark.parametrize(("idle", "noted"), [(0, 5), (12, 2)])
def test_device_and_session_are_noted_while_their_player_plays(
    web: Web, house: House, settings: Any, idle: int, noted: int
) -> None:
    """A device every five minutes; a session so that it does not end while its player plays."""
    settings.PLAYER_IDLE_MINUTES = idle
    alice = known(web, house, "page")
    house.now += timedelta(minutes=noted, seconds=-20)
    assert not alice.bets_in_loop()
    house.now += timedelta(seconds=10)
    assert alice.bets_in_loop() == ON_POSTGRESQL
    house.now += timedelta(seconds=10)
    assert not alice.bets_in_loop()
    device = Device.objects.get(player=alice.player)
    assert idle or device.seen_at == house.now


def test_staff_are_never_believed_to_be_the_same(alice: Bettor) -> None:
    appoint(alice.player, "managers")
    all_heard()
    assert [alice.bets_in_loop() for _ in range(3)] == [False] * 3


def test_a_program_with_cookies_is_checked_each_time(web: Web, house: House) -> None:
    alice = known(web, house, "program")
    assert [alice.bets_in_loop(cookie="a=b") for _ in range(2)] == [False, False]


def test_an_act_that_the_loop_has_not_answered_is_done_once(
    alice: Bettor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The statement fails before it is stored, or its answer is lost afterwards."""
    made, rows = alice.bets(), Links.rows
    for stored in (False, True):

        async def lost(links: Any, sql: str, values: Any, stored: bool = stored) -> Any:
            if stored:
                await rows(links, sql, values)
            raise psycopg.OperationalError("the line is cut")

        monkeypatch.setattr(Links, "rows", lost)
        assert alice.bet() == 204
        made += 1
        assert alice.bets() == made
    monkeypatch.undo()


def test_a_lost_race_is_played_on_what_is_newer(
    alice: Bettor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process writes before this one; twice, and Django decides."""
    rows = Links.rows

    for times in (1, 2):
        left = [True] * times

        async def late(links: Any, sql: str, values: Any, left: list[bool] = left) -> Any:
            if left:
                left.pop()
                await alice.actor.web.application.hub.ask_database(
                    partial(raise_version, alice.table.pk)
                )
            return await rows(links, sql, values)

        monkeypatch.setattr(Links, "rows", late)
        made = alice.bets()
        assert alice.bets_in_loop() == (ON_POSTGRESQL and times == 1)
        assert alice.bets() == made + 1


def test_without_redis_nobody_is_known(alice: Bettor, redis: Valkey) -> None:
    redis.stop()
    until(lambda: not sign_in_cache.is_listening())
    assert not alice.bets_in_loop()


def test_a_sender_is_known_for_a_minute(alice: Bettor, monkeypatch: pytest.MonkeyPatch) -> None:
    alice.house.now += timedelta(seconds=sign_in_cache.SECONDS + 1)
    assert not alice.bets_in_loop()
