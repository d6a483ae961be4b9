"""The Celery application. Celery makes the site fast; the database makes it correct."""

import os
from typing import Any, Final

from celery import Celery
from celery.signals import (
    beat_init,
    setup_logging,
    task_prerun,
    worker_init,
    worker_ready,
    worker_shutdown,
)
from kombu.transport.redis import Channel, Transport
from redis import UnixDomainSocketConnection

from wallets.storage.database_connections import renew_connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

# A worker that loses its broker would return its tasks over a connection that it has already
# forgotten, and die of that with all its timers (celery 5.7). It need not return anything: the
# broker redelivers unacknowledged tasks, and tables do not wait for a broker.
Channel.do_restore = False

# Where a connection fails, redis-py (8.1) reads its port, which one over a socket does not have.
# The worker would take that error for one of its own, and end.
UnixDomainSocketConnection.port = 0  # type: ignore[attr-defined]

_registers: Final[Any] = Transport.register_with_event_loop


def _registers_without_expiry(transport: Any, connection: Any, loop: Any) -> None:
    """Let a worker sleep, which would look each second for queues that expire: we have none."""
    _registers(transport, connection, loop)
    transport.cycle._binding_expiry_tref.cancel()


Transport.register_with_event_loop = _registers_without_expiry  # type: ignore[method-assign]

app = Celery("casino")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A part of the app `games` with tasks of its own.
app.autodiscover_tasks(["games.profiles"])
# Celery would close a thread's connection before and after each task, and PostgreSQL take longer to
# open the next one than most tasks take. It is kept as that of a page is: see `_connections_age`.
app.conf.CELERY_DB_REUSE_MAX = 10**9


def _begin(program: str) -> None:
    # The apps are ready only now.
    from casino.ops.metrics import processes  # noqa: PLC0415

    processes.start(program)


def _build_types(**_signal: object) -> None:
    """Before a program has threads, and before a worker has children, which inherit this."""
    from casino.ops import made_at_start  # noqa: PLC0415

    made_at_start.build()


def _worker_begins(sender: Any, **_signal: object) -> None:
    _begin("worker")
    from casino.ops import due_work, health  # noqa: PLC0415

    # A simulation takes minutes, so a task that notes the heartbeat would wait behind it.
    if health.SIMULATIONS in sender.app.amqp.queues.consume_from:
        health.keep_noting(health.SIMULATIONS)
    else:
        due_work.start_worker()


def _beat_begins(**_signal: object) -> None:
    _build_types()
    _begin("beat")
    say_what_waits()


def say_what_waits() -> None:
    """The rows that the jobs of several packages work on: beat sends none that finds no rows.

    A package with a job of its own may say the same itself (`casino/community/push/apps.py`).
    """
    from casino.accounts import freezing  # noqa: PLC0415
    from casino.care import exclusions  # noqa: PLC0415
    from casino.ops.existence import ROWS  # noqa: PLC0415
    from games.lobby import private_tables  # noqa: PLC0415
    from games.records import card_index  # noqa: PLC0415
    from wallets.staff import approvals  # noqa: PLC0415

    ROWS.add("close-deserted", private_tables.deserted)
    ROWS.add("index-cards", card_index.waiting_recently)
    ROWS.add("carry-out-exclusions", exclusions.not_carried_out)
    ROWS.add("end-freezes", freezing.freezes_that_ended)
    ROWS.add("expire-proposals", approvals.proposals_to_expire)


def _worker_ends(**_signal: object) -> None:
    from casino.ops import due_work  # noqa: PLC0415
    from casino.ops.metrics import processes  # noqa: PLC0415

    due_work.stop_worker()
    processes.stop()


def _connections_age(**_signal: object) -> None:
    """Close the connection of this thread where it is old or broken, as before each request."""
    renew_connections()


def _log_is_ours(**_signal: object) -> None:
    """Listen to this signal only to keep Celery from adding log formats of its own."""


# Settings cannot be read yet: the package imports this module before it has found a house.
if os.environ.get("LOG_FORMAT") == "json":
    setup_logging.connect(_log_is_ours, weak=False)
task_prerun.connect(_connections_age, weak=False)
worker_init.connect(_build_types, weak=False)
worker_ready.connect(_worker_begins, weak=False)
beat_init.connect(_beat_begins, weak=False)
worker_shutdown.connect(_worker_ends, weak=False)
