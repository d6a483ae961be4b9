"""A whole house in processes of its own is measured: each program counts and says what it runs."""

import json
import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.casino.processes import demo_server, visit
from tests.waiting import until

pytestmark = [pytest.mark.processes, pytest.mark.long]

Figures = dict[tuple[str, str], float]


def figures(address: str) -> Figures:
    """Each figure by its name and the value of its only label, if it has one."""
    status, text = visit(f"{address}metrics")
    assert status == 200
    return {
        (one.name.removeprefix("cardroom_"), ",".join(one.labels.values())): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


def test_the_programs_of_a_house_are_measured(migrated_folder: Path) -> None:
    with demo_server(migrated_folder, LOG_FORMAT="json") as house:
        address = house.wait_until_open()
        due = {"web": 1, "sweeper": 1, "worker": 2, "beat": 1}
        until(lambda: {one: figures(address).get(("processes", one)) for one in due} == due)
        until(lambda: figures(address).get(("sweep_seconds_count", ""), 0) >= 2)
        found = figures(address)
        assert found["codes", ""] == 1
        assert found["scrape_failed", "redis"] == 0
        assert visit(f"{address}lobby/")[0] == 200
        until(lambda: "/lobby/" in house.text())
    the_log_is_json(house.text())


def the_log_is_json(text: str) -> None:
    """All of it but what the supervisor says, which also puts names before the lines of others."""
    lines = [json.loads(line) for line in re.findall(r"^ *[a-z]+ \| (.*)$", text, re.MULTILINE)]
    requests = {line["request"] for line in lines if line["event"] == "request_finished"}
    # Questions of machines have no lines.
    assert requests == {"GET /lobby/"}
    assert not re.search(r"\b(?:DEBUG|INFO|WARNING|ERROR)\b", text)
