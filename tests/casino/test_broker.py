"""A worker keeps its broker and its database, however badly the broker answers."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest
from celery.fixups.django import DjangoWorkerFixup
from celery.signals import task_postrun, task_prerun
from django.db import connection
from kombu.exceptions import OperationalError

from casino.celery import app
from casino.ops.tasks import note_worker

# What arrives where the broker's `PONG` belongs.
WRONG = {
    "another command's answer": b"*2\r\n$5\r\nqueue\r\n$4\r\ntask\r\n",
    "nothing": b"$-1\r\n",
    "a number": b":1\r\n",
    "not the protocol": b"hello\r\n",
    "an error": b"-ERR unknown command\r\n",
    "a full disk": b"-MISCONF Errors writing to the AOF file\r\n",
    "still loading": b"-LOADING the dataset is loaded in memory\r\n",
    "the end": b"",
}


@contextmanager
def a_broker_that_says(answer: bytes, folder: Path) -> Iterator[str]:
    """The address of a broker which gives one answer to everything, or closes the connection."""

    def serve() -> None:
        with suppress(OSError):
            while True:
                with listening.accept()[0] as client:
                    while answer and client.recv(65536):
                        client.sendall(answer)

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "broker"))
        listening.listen()
        Thread(target=serve, daemon=True).start()
        yield f"redis+socket://{folder}/broker"
        listening.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG.keys())
def test_a_worker_asks_a_broker_that_answers_wrongly_again(answer: bytes, tmp_path: Path) -> None:
    with (
        a_broker_that_says(answer, tmp_path) as address,
        app.connection_for_read(address) as broker,
        # These errors let a worker wait and connect anew; any other ends it.
        pytest.raises((OperationalError, *broker.channel_errors)),
    ):
        broker.ensure_connection(max_retries=1, interval_start=0)


def test_a_worker_goes_on_after_an_error_of_its_channel() -> None:
    assert app.conf.broker_channel_error_retry


@pytest.mark.django_db(transaction=True)
def test_a_task_keeps_the_connection_of_its_thread_until_it_is_old(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worker = DjangoWorkerFixup(app).install()
    closed: list[str] = []
    # The connection of earlier tests may be old by now.
    connection.close()
    connection.ensure_connection()
    monkeypatch.setattr(connection, "close", lambda: closed.append("closed"))

    def run_a_task() -> None:
        task_prerun.send(sender=note_worker)
        task_postrun.send(sender=note_worker)

    run_a_task()
    assert closed == []
    connection.close_at = 0.0
    run_a_task()
    assert closed == ["closed"]
    assert worker.app is app
