"""An attacker kills or freezes parts of the house: do tables go on, and is an alarm raised?"""

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from redis import Redis

from tests.attack.attackers import until
from tests.attack.registry import Outcome, attack, broken, noticed, refused, unless
from tests.waiting import alive

PROGRAMS = ("casino.ops.server.web", "casino.ops.sweeper", "casino worker", "casino beat")
AWAY_SECONDS: Final = 30


@contextmanager
def frozen(house: Any, name: str) -> Iterator[None]:
    """A process that is there and does nothing."""
    pid = house.pid(name)
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@contextmanager
def unreachable(house: Any) -> Iterator[None]:
    """Every connection to Valkey is closed, and each new one refused."""
    there = Path(urlsplit(house.redis).path)
    aside = there.rename(there.with_suffix(".aside"))
    try:
        with Redis(unix_socket_path=str(aside)) as client:
            for kind in ("normal", "pubsub"):
                client.client_kill_filter(_type=kind)
        yield
    finally:
        aside.rename(there)


def verdicts(house: Any) -> tuple[int, set[str]]:
    """The answer of the health check: its status, and the parts that fail."""
    answer = house.visit("/ready/")
    checks = json.loads(answer.text)["checks"]
    return answer.status, {name for name, verdict in checks.items() if not verdict["ok"]}


def advances(house: Any) -> None:
    """Run what is due at a table."""
    table = house.tables["thirteen_fujian"]
    version = "SELECT version FROM games_table WHERE id = ?"
    before = house.sql(version, table)
    house.sql("UPDATE games_table SET due_at = '2026-01-01 00:00:00' WHERE id = ?", table)
    until(lambda: house.sql(version, table) != before)


@attack(
    "limits",
    "freeze the worker",
    "the worker stops working without ending, and the alarm is read",
    "readiness",
)
def _(house: Any) -> Outcome:
    until(lambda: verdicts(house)[0] == 200)
    with frozen(house, "casino worker"):
        until(lambda: "worker" in verdicts(house)[1])
        status, missing = verdicts(house)
        health = house.visit("/health/").status
        advances(house)
    until(lambda: verdicts(house)[0] == 200)
    if (status, missing) != (503, {"worker"}) or health != 200:
        return broken(f"/ready/ says {status} {sorted(missing)}, /health/ {health}")
    return noticed("/ready/ says 503 and worker, /health/ 200; tables go on, and all is well again")


@attack(
    "limits",
    "kill every part",
    "web, sweeper, worker, beat and Valkey killed one after the other",
    "broker",
    "readiness",
)
def _(house: Any) -> Outcome:
    for name in (*PROGRAMS, "valkey"):
        killed = house.pid(name)
        os.kill(killed, signal.SIGKILL)
        until(lambda: not alive(killed))  # noqa: B023 - it is called at once
        until(lambda: house.pid(name) != killed)  # noqa: B023
    until(lambda: house.visit("/health/").status == 200)
    until(lambda: verdicts(house)[0] == 200)
    advances(house)
    return noticed("each is started again, and /ready/ says 200")


@attack(
    "limits",
    "take Redis away",
    "Valkey hangs, and is killed while workers hold tasks; is a table late, does anything end?",
    "broker",
)
def _(house: Any) -> Outcome:
    before = {name: house.pid(name) for name in PROGRAMS}
    holes = []
    with frozen(house, "valkey"):
        advances(house)
        if house.visit("/lobby/").status != 200:
            holes.append("pages wait for it")
        until(lambda: "redis" in verdicts(house)[1])
    os.kill(house.pid("valkey"), signal.SIGKILL)
    advances(house)
    until(lambda: verdicts(house)[0] == 200)
    after = {name: house.pid(name) for name in PROGRAMS}
    holes += [f"{name} has ended" for name in PROGRAMS if before[name] != after[name]]
    if "Unrecoverable error" in house.log():
        holes.append("a worker says that its error is unrecoverable")
    return unless(holes, noticed("tables go on, /ready/ names redis, and no process has ended"))


@attack(
    "limits",
    "keep Redis away",
    f"Valkey refuses everybody for {AWAY_SECONDS} seconds, and then hangs for as long",
    "broker",
    "readiness",
)
def _(house: Any) -> Outcome:
    before = {name: house.pid(name) for name in PROGRAMS}
    ways: dict[str, Callable[[], AbstractContextManager[None]]] = {
        "refuses": lambda: unreachable(house),
        "hangs": lambda: frozen(house, "valkey"),
    }
    holes, waited = [], []
    for way, away in ways.items():
        until(lambda: verdicts(house)[0] == 200)
        waits = []
        with away():
            back = time.monotonic() + AWAY_SECONDS
            while time.monotonic() < back:
                began = time.monotonic()
                advances(house)
                waits.append(time.monotonic() - began)
            if "redis" not in verdicts(house)[1]:
                holes.append(f"/ready/ does not say that Redis {way}")
        advances(house)
        until(lambda: verdicts(house)[0] == 200)
        waited.append(f"it {way}: {len(waits)} steps, none later than {max(waits):.1f} s")
    after = {name: house.pid(name) for name in PROGRAMS}
    holes += [f"{name} has ended" for name in PROGRAMS if before[name] != after[name]]
    if "Unrecoverable error" in house.log():
        holes.append("a worker says that its error is unrecoverable")
    return unless(holes, noticed(f"{', '.join(waited)}; all programs are at work again"))


@attack(
    "limits",
    "open the house twice",
    "a second house in the same folder, while the first is open",
    "left-behind",
)
def _(house: Any) -> Outcome:
    second = type(house.server)(house.folder, PORT="0")
    code = second.process.wait(240)
    if code != 1 or "open already" not in second.text():
        return broken(f"it ends with {code}: {second.text()[-200:]}")
    return refused("it says by whom the house is open already")


@attack(
    "limits",
    "kill the supervisor",
    "the supervisor killed without warning: what of the house is left running?",
    "left-behind",
)
def _(house: Any) -> Outcome:
    family = house.server.family()
    house.server.stop(signal.SIGKILL)
    until(lambda: not [pid for pid in family if alive(pid)])
    return refused(f"all {len(family)} processes have ended")
