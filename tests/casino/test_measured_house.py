"""A whole house in processes of its own is measured: each program counts and says what it runs."""

import json
import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.houses import open_house
from tests.houses.supervised import Supervised
from tests.waiting import until

pytestmark = [pytest.mark.processes, pytest.mark.release]

Figures = dict[tuple[str, str], float]


def figures(house: Supervised) -> Figures:
    """Each figure by its name and the value of its only label, if it has one."""
    status, text = house.visit("metrics")
    assert status == 200
    return {
        (sample.name.removeprefix("cardroom_"), ",".join(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_the_programs_of_a_house_are_measured(tmp_path: Path) -> None:
    variables = {"LOG_FORMAT": "json"}
    with open_house(Supervised, folder=tmp_path / "house", variables=variables) as house:
        due = {"web": 1, "sweeper": 1, "worker": 2, "beat": 1}
        until(
            lambda: {program: figures(house).get(("processes", program)) for program in due} == due
        )
        # A sweep counts that finds a table which is due.
        house.sql("UPDATE games_table SET due_at = '2026-01-01 00:00:00'")
        until(lambda: figures(house).get(("sweep_seconds_count", ""), 0) >= 1)
        values = figures(house)
        assert values["codes", ""] == 1
        assert values["scrape_failed", "redis"] == 0
        assert house.visit("lobby/")[0] == 200
        until(lambda: "/lobby/" in house.text())
    the_log_is_json(house.text())


def the_log_is_json(text: str) -> None:
    """All of it but what the supervisor says, which also puts names before the lines of others."""
    lines = [json.loads(line) for line in re.findall(r"^ *[a-z]+ \| (.*)$", text, re.MULTILINE)]
    requests = {line["request"] for line in lines if line["event"] == "request_finished"}
    # Questions of machines have no lines.
    assert requests == {"GET /lobby/"}
    assert not re.search(r"\b(?:DEBUG|INFO|WARNING|ERROR)\b", text)
