"""An attacker evades limits, sends nonsense, or wants the house's commands to fail."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import redis

from tests.attack.attackers import Browser, Program, sent
from tests.attack.registry import Outcome, attack, broken, refused, unless
from tests.houses.surroundings import KEYS, environment
from tests.waiting import PATIENCE_SECONDS

TYPED = "a wrong word typed in haste"


@attack(
    "limits",
    "try passwords from everywhere",
    "eight wrong passwords for bob, each with another X-Forwarded-For, by page and API",
    "addresses",
    "passwords",
)
def _(house: Any) -> Outcome:
    before = len(house.log())
    statuses = []
    for number in range(6):
        place = {"X_Forwarded_For": f"203.0.113.{number}", "X_Real_IP": f"203.0.113.{number}"}
        statuses.append(Browser(house.address).sign_in("bob", TYPED, **place).status)
    program = Program(house.address)
    for number in range(2):
        place = {"X_Forwarded_For": f"198.51.100.{number}"}
        body = {"name": "bob", "password": TYPED}
        statuses.append(program.post("sign-in/", body, **place).status)
    log = house.log()[before:]
    holes = []
    if statuses[5:] != [429, 429, 429]:
        holes.append(f"answers are {statuses}")
    if TYPED in log or "203.0.113." in log:
        holes.append("the log holds the password, or the made up address")
    lines = [splitline for splitline in log.splitlines() if "sign-in" in splitline]
    if len(lines) > len(statuses):
        holes.append(f"{len(lines)} lines for {len(statuses)} sign-ins")
    return unless(
        holes, refused(f"locked after five, with {len(lines)} lines and no password in the log")
    )


@attack(
    "limits",
    "sign up thirty times",
    "thirty newcomers from one address, each with another X-Forwarded-For",
    "sign-ups",
    "addresses",
)
def _(house: Any) -> Outcome:
    answers = []
    for number in range(30):
        name, place = f"guest{number}x", {"X_Forwarded_For": f"203.0.113.{number}"}
        answers.append(house.newcomer(name, **place))
    welcomed = sum(answer.status == 302 for answer in answers)
    players = house.sql("SELECT count(*) FROM players_player WHERE username LIKE 'guest%x'")
    if not 0 < welcomed <= 10 or players[0][0] != welcomed:
        return broken(f"{players[0][0]} of thirty are in")
    return refused(f"{welcomed} are in, and then {answers[-1].status} until tomorrow")


def connected(house: Any) -> socket.socket:
    place = urlsplit(house.address)
    return socket.create_connection((str(place.hostname), int(place.port or 80)), PATIENCE_SECONDS)


@attack(
    "limits",
    "never finish a request",
    "sixty connections that send headers a byte at a time, and one that does nothing",
    "headers",
)
def _(house: Any) -> Outcome:
    lines = [connected(house) for _ in range(60)]
    for line in lines[1:]:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
    began = time.monotonic()
    page = house.visit("/health/").status
    for line in lines:
        line.settimeout(60)
    try:
        for line in lines:
            while line.recv(4096):
                pass
    except TimeoutError:
        return broken("a connection is open after a minute")
    except ConnectionError:
        pass  # that is an end, too
    finally:
        for line in lines:
            line.close()
    if page != 200:
        return broken(f"no other visitor is served: {page}")
    return refused(f"all are shown out within {time.monotonic() - began:.0f} s; others are served")


@attack(
    "limits",
    "come by another name",
    "a wrong host at pages, streams, API and health, and hosts that are none",
    "odd-input",
)
def _(house: Any) -> Outcome:
    before = len(house.log())

    def answers() -> Iterator[tuple[str, int]]:
        table = house.tables["baccarat"]
        for path in ("/", f"/live/tables/{table}/", "/live/", "/api/v1/tables/", "/admin/"):
            for host in ("evil.example", "localhost@evil.example", "[::", "a" * 300):
                yield (
                    f"{path} as {host[:20]}",
                    sent(house.address, "GET", path, "", {"Host": host}).status,
                )

    holes = [f"{what}: {status}" for what, status in answers() if status not in (400, 404)]
    raw = connected(house)
    raw.sendall(b"GET /live/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
    text = b""
    while piece := raw.recv(4096):
        text += piece
    raw.close()
    if text.count(b"HTTP/1.1 ") != 1:
        holes.append(f"one request is answered {text.count(b'HTTP/1.1 ')} times")
    if "Traceback" in house.log()[before:]:
        holes.append("the log has a traceback")
    return unless(holes, refused("twenty times, once each, without a traceback"))


@attack(
    "limits",
    "send what means nothing",
    "bodies, keys and addresses of the API and of pages that nothing can be made of",
    "odd-input",
)
def _(house: Any) -> Outcome:
    before = len(house.log())
    alice, table = house.program("alice"), house.tables["baccarat"]
    act = f"/api/v1/tables/{table}/act/"
    headers = {"Authorization": f"Bearer {alice.token}", "Content-Type": "application/json"}
    bodies = ("", "[", "[" * 5000, "{}", '{"hand": 1e400}', '"x"', "\x00", '{"a": "' + "x" * 2**20)
    statuses = {
        f"body {body[:12]!r}": sent(
            house.address, "POST", act, body, {**headers, "Idempotency-Key": f"odd {number}"}
        ).status
        for number, body in enumerate(bodies)
    }
    for path in ("tables/99999999999999999999/", "hands/0/", "hands/?limit=-1", "wallet/%00/"):
        statuses[path] = alice.get(path).status
    for path in ("/history/?before=x", "/fairness/chain.jsonl?after=x", "/shared/x/", "/%ff%fe/"):
        statuses[path] = house.visit(path).status
    holes = [f"{what}: {status}" for what, status in statuses.items() if status >= 500]
    if "Traceback" in house.log()[before:]:
        holes.append("the log has a traceback")
    return unless(holes, refused(f"{len(statuses)} of {len(statuses)}, without a traceback"))


@attack(
    "limits",
    "use up connections by asking",
    "a hundred counted requests, while the connections to Redis are counted",
    "connections",
)
def _(house: Any) -> Outcome:
    client = redis.Redis.from_url(house.redis)
    before = client.info("stats")["total_connections_received"]
    program = house.program("carol")
    for _ in range(100):
        program.get("wallet/")
    made = client.info("stats")["total_connections_received"] - before
    client.close()
    if made > 20:
        return broken(f"{made} connections for 100 requests")
    return refused(f"{made} connections for 100 requests")


@attack(
    "limits",
    "leave the auditor outside",
    "audit, reconcile and export without keys in the environment, and into a closed pipe",
    "commands",
)
def _(house: Any) -> Outcome:
    holes = []
    house.accept_edits()
    for words in (("audit",), ("reconcile",), ("export",)):
        done = house.manage(*words)
        if done.returncode or "is not set" in done.stderr:
            holes.append(f"{words[0]}: {(done.stdout + done.stderr)[-200:]}")
    writer = subprocess.Popen(
        [sys.executable, "manage.py", "help", "--commands"],
        env=environment(house.folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert writer.stdout
    assert writer.stderr
    writer.stdout.close()
    complaint = writer.stderr.read().decode()
    writer.stderr.close()
    writer.wait(PATIENCE_SECONDS)
    if "Traceback" in complaint:
        holes.append("a closed pipe is a traceback")
    elsewhere = house.scratch / "not" / "there" / "yet"
    prepared = subprocess.run(
        [sys.executable, "-m", "casino.ops.prepare"],
        env=environment(elsewhere, REDIS_URL=house.redis, DEMO="1", **KEYS),
        capture_output=True,
        text=True,
        check=False,
    )
    if prepared.returncode:
        holes.append(f"a folder that is not there: {prepared.stderr[-200:]}")
    return unless(holes, refused("commands find the house, a pipe may close, folders are made"))
