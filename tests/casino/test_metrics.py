"""What the house measures of itself: who may read it, what it counts, and what it never says."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any, Final

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from casino.accounts.models import Player
from casino.accounts.staff import TECHNICIANS, appoint
from casino.office.alarms.models import CheckResult
from casino.ops.metrics import collecting, counting, processes
from casino.ops.running_code import running_code
from games.live import announcing
from games.models import Hand, Move, Table
from tests.games.house import House
from tests.people import client_of
from tests.valkey import Valkey
from tests.waiting import until
from wallets.audit.findings import report

NAMES: Final = ("zhangsan", "lisi", "wangwu")
TOKEN: Final = "a token for metrics alone"
Captured = Callable[..., AbstractContextManager[Any]]


@pytest.fixture(autouse=True)
def _nothing_measured() -> Iterator[None]:
    """What other tests did counts for nothing here."""
    for breaker in (counting.breaker, announcing.breaker):
        breaker.worked()
    counting.waiting.clear()
    counting.gathered.clear()
    yield
    for breaker in (counting.breaker, announcing.breaker):
        breaker.worked()


Figures = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def scraped(client: Client | None = None) -> Figures:
    """Every figure by its name and labels, read as Prometheus reads them."""
    answer = (client or Client()).get("/metrics")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain; version=0.0.4")
    assert "sessionid" not in answer.cookies
    figures: Figures = {}
    for family in text_string_to_metric_families(answer.content.decode()):
        for sample in family.samples:
            place = (sample.name, tuple(sorted(sample.labels.items())))
            assert place not in figures
            figures[place] = sample.value
    return figures


def value(found: Figures, name: str, **labels: str) -> float | None:
    return found.get((f"cardroom_{name}", tuple(sorted(labels.items()))))


def total(found: Figures, name: str, **labels: str) -> float:
    """The sum over all series that have these labels."""
    return sum(
        figure
        for (of, has), figure in found.items()
        if of == f"cardroom_{name}" and labels.items() <= dict(has).items()
    )


# Who may read it.


@pytest.mark.always
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("token", "address", "headers", "status"),
    [
        ("", "127.0.0.1", {}, 200),
        ("", "127.8.8.8", {}, 200),
        ("", "::1", {}, 200),
        ("", "192.0.2.1", {}, 404),
        ("", "10.0.0.1", {}, 404),
        ("", "", {}, 404),
        ("", "unix:", {}, 404),
        ("", "127.0.0.1", {"X-Forwarded-For": "192.0.2.1"}, 404),
        ("", "127.0.0.1", {"Forwarded": "for=192.0.2.1"}, 404),
        ("", "192.0.2.1", {"Authorization": "Bearer "}, 404),
        (TOKEN, "192.0.2.1", {"Authorization": f"Bearer {TOKEN}"}, 200),
        (TOKEN, "192.0.2.1", {"Authorization": f"Bearer {TOKEN}x"}, 404),
        (TOKEN, "192.0.2.1", {"Authorization": TOKEN}, 404),
        (TOKEN, "192.0.2.1", {"Authorization": f"Basic {TOKEN}"}, 404),
        (TOKEN, "192.0.2.1", {"Authorization": "Bearer ☃"}, 404),
        (TOKEN, "192.0.2.1", {}, 404),
        (TOKEN, "127.0.0.1", {}, 404),
    ],
)
def test_only_the_token_or_this_machine_reads_metrics(
    settings: Any, token: str, address: str, headers: dict[str, str], status: int
) -> None:
    settings.METRICS_TOKEN = token
    answer = Client(REMOTE_ADDR=address, headers=headers).get("/metrics")
    assert answer.status_code == status
    if status == 404:
        assert b"cardroom_" not in answer.content


@pytest.mark.django_db
def test_metrics_are_only_read_and_staff_need_the_token_too(settings: Any) -> None:
    assert Client().post("/metrics").status_code == 405
    assert Client().head("/metrics").status_code == 200
    settings.SECURE_SSL_REDIRECT = True
    assert Client().get("/metrics").status_code == 200
    settings.METRICS_TOKEN = TOKEN
    boss = Player.objects.create_superuser("boss")
    assert client_of(boss).get("/metrics", secure=True).status_code == 404


# What it counts.


def played_hand(house: House, captured: Captured) -> Table:
    """A hand that was played out, after those that all passed."""
    paid = Hand.objects.filter(posting__isnull=False)
    with captured(execute=True):
        table = house.dealt_in("doudizhu", *NAMES)
        house.until(table, lambda table: paid.exists() and table.hand_id is None)
    return table


@pytest.mark.always
@pytest.mark.usefixtures("redis")
def test_a_hand_is_counted(house: House, django_capture_on_commit_callbacks: Captured) -> None:
    table = played_hand(house, django_capture_on_commit_callbacks)
    figures = scraped()
    moves = Move.objects.all()
    assert moves.count() > 5
    assert total(figures, "moves_total") == moves.count()
    for verb in ("call", "play", "pass"):
        due = sum(move.action["do"] == verb for move in moves)
        assert total(figures, "moves_total", game="doudizhu", verb=verb) == due
    people = moves.filter(by="player").count()
    assert total(figures, "moves_total", by="player") == people
    assert value(figures, "act_seconds_count", game="doudizhu") == people
    ended = Hand.objects.filter(status="finished").count()
    assert value(figures, "hands_ended_total", game="doudizhu") == ended
    table.refresh_from_db()
    assert value(figures, "hands_dealt", game="doudizhu") == table.hands_dealt
    assert value(figures, "seats_taken", by="player") == 3
    assert value(figures, "seats_taken", by="bot") == 0
    assert total(figures, "tables_open", game="doudizhu") == 1


@pytest.mark.always
@pytest.mark.usefixtures("redis")
@pytest.mark.django_db
def test_a_request_is_measured_by_its_part_and_nothing_else() -> None:
    for path in ("/", "/lobby/", "/nowhere/at/all/", "/shared/a-secret-token/", "/ready/"):
        Client().get(path)
    Client().generic("BREW", "/lobby/")
    figures = scraped()
    name = "request_seconds_count"
    assert value(figures, name, part="lobby", method="GET", status="2xx") == 2
    assert value(figures, name, part="lobby", method="other", status="4xx") == 1
    assert value(figures, name, part="other", method="GET", status="4xx") == 1
    assert value(figures, name, part="shared", method="GET", status="4xx") == 1
    assert total(figures, name, part="ready") == 1


@pytest.mark.usefixtures("redis")
def test_no_label_is_a_player_or_what_somebody_typed(
    house: House, django_capture_on_commit_callbacks: Captured
) -> None:
    table = played_hand(house, django_capture_on_commit_callbacks)
    Client().get("/" + NAMES[0])
    Client().get(f"/tables/{table.pk}/?{NAMES[1]}")
    of_ours = {
        "verb": counting.verbs(), "game": counting.GAME_KEYS, "by": {*counting.BY},
        "status": counting.STATUSES, "method": counting.METHODS,
    }  # fmt: skip
    figures = scraped()
    for _name, labels in figures:
        for label, given in labels:
            assert given in of_ours.get(label, {given})
            assert not any(name in given for name in NAMES)
            assert given not in (table.name, str(table.pk), table.invitation)


def test_buckets_hold_all_that_is_below_them(redis: Valkey) -> None:
    for seconds in (0.001, 0.005, 0.006, 3.0, 99.0):
        counting.observe(counting.SWEEP_SECONDS, seconds=seconds)
    counting.flush()
    (series,) = [
        series
        for series in counting.read(redis.client().hgetall(counting.KEY))  # type: ignore[arg-type]
        if series.metric is counting.SWEEP_SECONDS
    ]
    (buckets,) = series.values.values()
    assert buckets == {
        "0.005": 2, "0.01": 1, "5.0": 1, "+Inf": 1, "sum": pytest.approx(102.012),
    }  # fmt: skip


@pytest.mark.always
@pytest.mark.django_db
@pytest.mark.usefixtures("redis")
def test_sweeps_are_counted_and_buckets_add_up() -> None:
    for due in (0, 3, 2):
        counting.swept(lambda due=due: due)
    scrape = scraped()
    assert value(scrape, "sweep_seconds_count") == 3
    assert value(scrape, "swept_tables_total") == 5
    rows = [
        (dict(labels)["le"], figure)
        for (name, labels), figure in scrape.items()
        if name == "cardroom_sweep_seconds_bucket"
    ]
    assert len(rows) == len(counting.SECONDS) + 1
    figures = [figure for _le, figure in sorted(rows, key=lambda row: float(row[0]))]
    assert figures == sorted(figures)
    assert figures[-1] == 3


@pytest.mark.django_db
def test_what_several_processes_count_is_added_up(redis: Valkey) -> None:
    for _process in range(2):
        counting.add(counting.HANDS_ENDED, "baccarat", amount=2)
        counting.flush()
    # What a newer version counts, and what no version could have counted, is left out.
    redis.client().hset(
        counting.KEY,
        mapping={"hands_ended|zhangsan|": 1, "later|x|": 1, "moves|a|b|c|d|e|": 1, "": 1},
    )
    figures = scraped()
    assert value(figures, "hands_ended_total", game="baccarat") == 4
    assert "zhangsan" not in str(figures)


def test_a_request_belongs_to_the_first_part_of_its_address() -> None:
    parts = {"/": "lobby", "/tables/3/": "tables", "/nothing/": "other", "*": "other", "": "lobby"}
    assert {path: counting.part_of(path) for path in parts} == parts


def test_a_label_outside_its_set_is_a_mistake_of_ours() -> None:
    with pytest.raises(AssertionError):
        counting.add(counting.HANDS_ENDED, "zhangsan")


# What the database knows.


@pytest.mark.always
@pytest.mark.usefixtures("redis")
def test_drift_lag_and_open_work_are_shown(house: House) -> None:
    table = house.dealt_in("doudizhu", *NAMES)
    assert table.due_at is not None
    house.now = table.due_at + timedelta(seconds=9)
    report("reconciliation", 3, "the first", house.now - timedelta(hours=2))
    report("audit", 0, "", house.now - timedelta(hours=1))
    figures = scraped()
    assert value(figures, "overdue_seconds") == 9
    assert value(figures, "tables_due") == 1
    assert value(figures, "hands_live", game="doudizhu") == 1
    assert value(figures, "ledger_drift") == 3
    assert value(figures, "check_findings", check="reconciliation") == 3
    assert value(figures, "check_findings", check="audit") == 0
    assert value(figures, "check_age_seconds", check="audit") == 3600
    assert value(figures, "approvals_open") == 0
    assert value(figures, "part_ok", part="tables") == 0
    assert value(figures, "part_ok", part="database") == 1
    code = running_code()
    assert value(figures, "code", version=code.version, sha256=code.sha256) == 1


@pytest.mark.usefixtures("redis")
def test_a_scrape_asks_the_database_as_little_however_much_there_is(
    house: House, django_assert_max_num_queries: Any, django_capture_on_commit_callbacks: Captured
) -> None:
    played_hand(house, django_capture_on_commit_callbacks)
    with django_assert_max_num_queries(40) as seen:
        scraped()
    for query in seen.captured_queries:
        assert '"games_move"' not in query["sql"]
        assert '"wallets_entry"' not in query["sql"]
        assert 'FROM "games_hand"' not in query["sql"]


@pytest.mark.usefixtures("redis")
@pytest.mark.django_db
def test_a_question_that_fails_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(_now: object) -> Iterator[Any]:
        raise OperationalError("away")
        yield

    questions = {**collecting.QUESTIONS, "tables": away}
    monkeypatch.setattr(collecting, "QUESTIONS", questions)
    CheckResult.objects.create(name="audit", at=timezone.now(), found=0)
    figures = scraped()
    assert value(figures, "scrape_failed", part="tables") == 1
    assert value(figures, "scrape_failed", part="checks") == 0
    assert value(figures, "seats_taken", by="player") == 0


# Redis, and the processes.


def test_no_move_waits_for_what_is_counted(
    house: House, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Captured
) -> None:
    """Counting asks Redis for nothing: the thread carries it over."""
    flushed: list[None] = []
    monkeypatch.setattr(counting, "flush", lambda: flushed.append(None))
    played_hand(house, django_capture_on_commit_callbacks)
    assert not flushed
    assert counting.gathered.is_set()


def test_one_round_trip_carries_everything(redis: Valkey, monkeypatch: pytest.MonkeyPatch) -> None:
    trips: list[int] = []
    ours = announcing.client()
    pipeline = ours.pipeline

    def counted(*args: Any, **kwargs: Any) -> Any:
        trips.append(1)
        return pipeline(*args, **kwargs)

    monkeypatch.setattr(ours, "pipeline", counted)
    for game in counting.GAME_KEYS:
        counting.add(counting.HANDS_ENDED, game)
    counting.flush()
    counting.flush()
    assert len(trips) == 1
    assert redis.client().hlen(counting.KEY) == len(counting.GAME_KEYS)


def test_without_redis_play_goes_on_and_the_page_says_so(
    house: House, redis: Valkey, caplog: Any, django_capture_on_commit_callbacks: Captured
) -> None:
    redis.stop()
    played_hand(house, django_capture_on_commit_callbacks)
    caplog.clear()
    counting.flush()
    processes.note("web")
    figures = scraped()
    assert value(figures, "scrape_failed", part="redis") == 1
    assert value(figures, "part_ok", part="redis") == 0
    assert value(figures, "tables_due") == 0
    assert value(figures, "moves_total") is None
    assert not [record for record in caplog.records if record.name.startswith("casino.ops.metrics")]


@pytest.mark.always
@pytest.mark.django_db
def test_a_process_says_which_code_it_runs(redis: Valkey) -> None:
    processes.note("web", streams=7)
    (process,) = processes.running() or ()
    code = running_code()
    assert (process.program, process.streams, process.sha256) == ("web", 7, code.sha256)
    figures = scraped()
    assert value(figures, "streams_open") == 7
    assert value(figures, "processes", program="web") == 1
    assert value(figures, "codes") == 1
    processes.forget()
    assert processes.running() == []
    redis.stop()
    assert processes.running() is None


def test_a_line_that_is_old_or_makes_no_sense_is_removed(redis: Valkey) -> None:
    for line in (
        b"", b"{}", b"[]", b"null", b"[1,2,3]", b'["web","h","x","1","a",0,9e9]',
        b'["somebody","h",1,"1","a",0,9e9]', b'["web","h",1,"1","a",0,1]',
    ):  # fmt: skip
        redis.client().hset(processes.KEY, "odd", line)
        assert processes.running() == []
        assert redis.client().hlen(processes.KEY) == 0, line


@pytest.mark.always
@pytest.mark.django_db
def test_the_health_page_names_code_and_processes(redis: Valkey) -> None:
    processes.note("web")
    odd = f'["worker","far",9,"0.0.9","{"0" * 64}",0,{time.time()}]'
    redis.client().hset(processes.KEY, "far:9", odd)
    technician = Player.objects.create_user("tess")
    appoint(technician, TECHNICIANS)
    client = client_of(Player.objects.get(pk=technician.pk))
    text = client.get("/admin/health/").content.decode()
    assert running_code().sha256 in text
    assert text.count("other code than this page") == 1
    assert "0.0.9" in text
    redis.stop()
    assert "Redis does not answer" in client.get("/admin/health/").content.decode()


def test_the_thread_carries_over_what_is_counted(
    redis: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "GATHER_SECONDS", 0.01)
    processes.start("sweeper", lambda: 3)
    try:
        processes.start("sweeper")
        assert sum(thread.name == "metrics" for thread in threading.enumerate()) == 1
        until(lambda: [process.streams for process in processes.running() or ()] == [3])
        counting.add(counting.HANDS_ENDED, "baccarat")
        until(lambda: redis.client().hget(counting.KEY, "hands_ended|baccarat|") == b"1")
    finally:
        counting.add(counting.HANDS_ENDED, "baccarat")
        processes.stop()
    assert redis.client().hget(counting.KEY, "hands_ended|baccarat|") == b"2"
    assert processes.running() == []
