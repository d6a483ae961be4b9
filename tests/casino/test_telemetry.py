"""What others watch the house with: rules and a dashboard for Prometheus, Sentry, OpenTelemetry."""

import json
import logging
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import sentry_sdk
import yaml
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from sentry_sdk.transport import Transport

from casino.accounts.models import Player
from casino.ops import telemetry
from casino.ops.metrics import counting
from casino.ops.tasks import note_worker
from games.models import Move
from tests.casino.test_metrics import scraped
from tests.games.house import House
from tests.valkey import Valkey
from wallets.audit.findings import report

METRICS: Final = Path("docs/deploy/metrics")
SERIES: Final = re.compile(r"\bcardroom_\w+")
# A value for each label of a metric that is counted.
LABELS: Final = {
    "game": "doudizhu", "verb": "pass", "by": Move.By.PLAYER.value, "part": "lobby",
    "method": "GET", "status": "2xx", "outcome": "sent",
}  # fmt: skip


@pytest.fixture
def measured(house: House, redis: Valkey) -> set[str]:
    """The names of all series of a house in which everything has been counted once."""
    house.dealt_in("doudizhu", "alice", "bob", "carol")
    Player.objects.create_user("dave")
    report("reconciliation", 0, "", house.now)
    for metric in counting.COUNTED.values():
        labels = [LABELS[name] for name in metric.labels]
        if metric.buckets:
            counting.observe(metric, *labels, seconds=0.1)
        else:
            counting.add(metric, *labels)
    return {name for name, _labels in scraped()}


@pytest.mark.parametrize("file", ["alerts.yaml", "dashboard.json"])
def test_every_series_that_is_named_exists(measured: set[str], repository: Path, file: str) -> None:
    named = set(SERIES.findall((repository / METRICS / file).read_text()))
    assert len(named) > 10
    # Others have a line that says what they are, and no figure while there is nothing to say.
    described = set(re.findall(r"# HELP (\w+)", Client().get("/metrics").text))
    # SQLite has no connections to count.
    described |= {"cardroom_database_connections", "cardroom_database_connections_max"}
    assert named - measured - described == set()


def test_the_rules_are_rules(repository: Path, tmp_path: Path) -> None:
    path = repository / METRICS / "alerts.yaml"
    (group,) = yaml.safe_load(path.read_text())["groups"]
    for rule in group["rules"]:
        assert {"alert", "expr", "labels", "annotations"} <= rule.keys()
        assert rule["labels"]["severity"] in ("page", "ticket")
    assert len({rule["alert"] for rule in group["rules"]}) == len(group["rules"])
    if promtool := shutil.which("promtool"):
        subprocess.run([promtool, "check", "rules", str(path)], check=True)


def test_the_dashboard_has_one_panel_in_each_place(repository: Path) -> None:
    board = json.loads((repository / METRICS / "dashboard.json").read_text())
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in board["panels"]]
    assert len(set(places)) == len(places)
    assert all(panel["targets"] for panel in board["panels"])


def test_a_house_without_them_loads_no_optional_package(repository: Path) -> None:
    """Each costs a house time and memory that has not asked for it.

    The client of Redis loads parts of OpenTelemetry by itself where it is installed.
    """
    code = (
        "import django, sys; django.setup(); from casino.urls import urlpatterns;"
        "print({'stripe', 'sentry_sdk', 'opentelemetry.exporter.otlp'} & sys.modules.keys())"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=repository, capture_output=True, text=True, check=True,
        env={"DJANGO_SETTINGS_MODULE": "tests.settings", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert ran.stdout.strip() == "set()"


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    telemetry.trace_to(SimpleSpanProcessor(exporter))
    yield exporter
    telemetry.stop()


def answered(request: HttpRequest) -> HttpResponse:
    Player.objects.filter(username="a secret word").exists()
    return HttpResponse()


@pytest.mark.django_db
def test_a_request_and_its_statements_are_one_trace(spans: InMemorySpanExporter) -> None:
    telemetry.watch(connection)
    request = RequestFactory().get("/players/a-name/?code=123456")
    assert telemetry.requests(answered)(request).status_code == 200
    statement, whole = spans.get_finished_spans()
    assert whole.context
    assert statement.parent
    assert whole.attributes
    assert statement.parent.span_id == whole.context.span_id
    assert (statement.name, whole.attributes["http.response.status_code"]) == ("SELECT", 200)
    said = f"{statement.attributes} {whole.name} {whole.attributes}"
    assert not re.search("secret word|123456|a-name", said)


@pytest.mark.always
@pytest.mark.django_db
def test_a_task_is_a_trace(spans: InMemorySpanExporter) -> None:
    telemetry.watch(connection)
    note_worker.apply()
    names = [span.name for span in spans.get_finished_spans()]
    assert names[-1] == "casino.ops.tasks.note_worker"


@pytest.mark.django_db
def test_nothing_is_traced_outside_of_them(spans: InMemorySpanExporter) -> None:
    telemetry.watch(connection)
    Player.objects.exists()
    assert spans.get_finished_spans() == ()


class Caught(Transport):
    """What would have been sent to Sentry."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[Any] = []

    def capture_envelope(self, envelope: Any) -> None:
        self.events.append(envelope.get_event())


@pytest.fixture
def caught() -> Iterator[Caught]:
    transport = Caught()
    telemetry.report_to("https://key@sentry.example/1", transport=transport)
    yield transport
    sentry_sdk.init()


def test_an_error_is_sent_without_words_cards_and_values(caught: Caught) -> None:
    card = "AsKh"
    try:
        raise ValueError(f"cannot play {card}, code=123456")
    except ValueError:
        logging.getLogger("casino").exception("a fault at /shared/opens-everything")
    (event,) = caught.events
    sent = json.dumps(event)
    assert "cannot play" in sent
    assert "test_telemetry" in sent
    assert not re.search(r"AsKh|123456|opens-everything|\"vars\"|\"request\"|\"user\"", sent)


def test_a_refusal_is_no_error(caught: Caught) -> None:
    logging.getLogger("django.request").warning("Not Found: /nowhere")
    assert caught.events == []
