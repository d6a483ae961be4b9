"""What may wait is stored together, soon where it asks for it, and in any case at the end."""

from collections.abc import Iterator, Mapping
from queue import Queue

import pytest
from django.db import OperationalError

from tests.waiting import PATIENCE_SECONDS, until
from wallets.storage import batched_writes
from wallets.storage.batched_writes import Batch


@pytest.fixture
def collected(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that collects; its thread takes no part in the database of the tests."""
    monkeypatch.setattr(batched_writes, "renew_connections", lambda: None)
    monkeypatch.setattr(batched_writes, "BATCHES", [])
    monkeypatch.setattr(batched_writes, "EVERY_SECONDS", PATIENCE_SECONDS)
    batched_writes.start()
    yield
    batched_writes.stop()


def test_the_newest_of_each_is_stored_at_the_end(collected: None) -> None:
    stored: list[Mapping[str, int]] = []
    batch = Batch[str, int](stored.append)
    for number in range(3):
        batch.add("alice", number)
    batch.add("bob", 7)
    assert stored == []
    batched_writes.stop()
    assert stored == [{"alice": 2, "bob": 7}]


@pytest.mark.usefixtures("collected")
def test_what_is_wanted_soon_takes_the_others_along() -> None:
    stored: Queue[Mapping[str, int]] = Queue()
    batch = Batch[str, int](stored.put)
    batch.add("alice", 1)
    batch.add("bob", 2, soon=True)
    assert stored.get(timeout=PATIENCE_SECONDS) == {"alice": 1, "bob": 2}


@pytest.mark.usefixtures("collected")
def test_what_is_wanted_soon_takes_no_other_kind_along() -> None:
    stored: Queue[str] = Queue()
    Batch[str, int](lambda _values: stored.put("waits")).add("alice", 1)
    soon = Batch[str, int](lambda _values: stored.put("soon"))
    soon.add("alice", 1, soon=True)
    assert stored.get(timeout=PATIENCE_SECONDS) == "soon"
    batched_writes.stop()
    assert [stored.get_nowait() for _kind in range(stored.qsize())] == ["waits"]


def test_without_the_thread_each_is_stored_at_once() -> None:
    stored: list[Mapping[str, int]] = []
    Batch[str, int](stored.append).add("alice", 1)
    assert stored == [{"alice": 1}]


@pytest.mark.usefixtures("collected")
def test_what_a_database_that_is_away_does_not_take_waits(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batched_writes, "PAUSE_SECONDS", 0)
    answers: list[Mapping[str, int]] = []
    failures = [OperationalError("away")]

    def write(values: Mapping[str, int]) -> None:
        if failures:
            raise failures.pop()
        answers.append(values)

    batch, other = Batch[str, int](write), Batch[str, int](answers.append)
    batch.add("alice", 1, soon=True)
    other.add("carol", 3, soon=True)
    until(lambda: bool(answers))
    batch.add("bob", 2, soon=True)
    until(lambda: len(answers) == 2)
    assert answers == [{"carol": 3}, {"alice": 1, "bob": 2}]
    assert "could not be stored: away" in caplog.text
