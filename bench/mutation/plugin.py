"""A pytest plugin that notes which sampled changes each test reaches, and what the test costs.

MUTATION_REACH=folder pytest -p bench.mutation.plugin
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.mutation.changes import ROOT
from bench.mutation.reach import FOLDER, HITS, HOOK, install
from bench.mutation.tried import tried

install(HITS.add)
prepared: set[int] = set()


def pytest_sessionstart() -> None:
    os.environ["PYTHONPATH"] = f"{HOOK}{os.pathsep}{ROOT}"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = tried(items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    yield
    prepared.clear()
    prepared.update(HITS)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    HITS.clear()
    before = os.times()
    result = yield
    spent = sum(os.times()[:4]) - sum(before[:4])
    line = {"test": item.nodeid, "seconds": round(spent, 3)}
    line |= {"hits": sorted(HITS), "setup": sorted(prepared)}
    with (Path(os.environ[FOLDER]) / f"tests-{os.getpid()}.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n")
    return result
