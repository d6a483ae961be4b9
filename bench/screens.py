"""From one player's play to the other's screen, while a hundred tables play.

    python -m bench.screens [TABLES [PLAYS]]

A house is opened in a temporary folder as `make run` does it: a web process, the clock, Redis,
SQLite. At each table the house plays Dou Dizhu for a player and two bots, with their usual pauses.
At one more table two people sit with a bot. Each does what a browser does: it listens to the
table's stream, and fetches the part that changes when a version arrives. A figure goes from sending
a move to having the part that shows it in the other's hands. House, tables and players share this
machine; the load stands beside the figures.
"""

import asyncio
import gzip
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from tests.casino.processes import demo_server

TABLES: Final = 100
PLAYS: Final = 60
SECONDS_MAX: Final = 240
MILLISECONDS_MAX: Final = 150
AGAIN_SECONDS: Final = 1.0
TOKEN: Final = "a" * 32
FILL: Final = """
import json, sys
import django
django.setup()
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone
from games import seating
from games.models import Table

players = get_user_model()
first = Table.objects.filter(game="doudizhu").select_related("currency").first()


def table(name, **options):
    fields = {"name": name, "game": "doudizhu", "options": first.options, "places": 3}
    fields |= {"currency": first.currency, "buy_in_min": 5_000, "buy_in_max": 50_000}
    fields |= {"stack_min": 1_000, "decision_seconds": 60, "grace_seconds": 36_000}
    return Table.objects.create(**fields, bots_max=2, pause_seconds=1, **options)


def sit(name, at, number, auto_play):
    player = players.objects.create_user(name)
    now = timezone.now()
    seating.sit(player, at.pk, number, 50_000, now)
    if auto_play:
        seating.change(player, at.pk, now, auto_play=True)
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = "casino.players.backends.PlayersBackend"
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.save()
    return session.session_key


for number in range(int(sys.argv[1])):
    sit(f"busy-{number}", table(f"busy {number}"), 1, True)
watched = table("watched")
print(json.dumps([watched.pk, sit("first", watched, 1, False), sit("second", watched, 2, False)]))
"""


class Client:
    """A browser at the table: one line for its stream, and one for each thing it asks."""

    def __init__(self, port: int, table: int, session: str) -> None:
        self.port, self.table = port, table
        self.cookies = f"sessionid={session}; csrftoken={TOKEN}"
        self.moves = -1
        self.hand = ""
        self.text = ""
        self.renewed = asyncio.Condition()

    async def ask(self, method: str, path: str, fields: list[tuple[str, str]] | None = None) -> str:
        body = urlencode(fields or []).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {self.cookies}\r\n"
        head += f"HX-Request: true\r\nX-CSRFToken: {TOKEN}\r\nAccept-Encoding: gzip\r\n"
        head += (
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        )
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
        answer = await reader.read()
        writer.close()
        headers, _, content = answer.partition(b"\r\n\r\n")
        if b"content-encoding: gzip" in headers.lower():
            content = gzip.decompress(
                unchunked(content) if b"chunked" in headers.lower() else content
            )
        return content.decode()

    async def renew(self) -> None:
        text = await self.ask("GET", f"/tables/{self.table}/board/")
        if 'id="shoe"' not in text:
            return
        async with self.renewed:
            self.text = text
            self.hand = found(r'data-hand="(\d*)"', text)
            self.moves = int(found(r'data-moves="(\d+)"', text) or 0)
            self.renewed.notify_all()

    async def listen(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        request = f"GET /live/tables/{self.table}/ HTTP/1.1\r\nHost: localhost\r\n"
        writer.write(f"{request}Cookie: {self.cookies}\r\n\r\n".encode())
        async for line in reader:
            if line.startswith(b"data: "):
                await self.renew()

    async def until(self, hand: str, moves: int) -> None:
        async with self.renewed:
            await self.renewed.wait_for(lambda: self.hand != hand or self.moves >= moves)

    def move(self) -> list[tuple[str, str]]:
        """What the page offers: the highest call, what a hint has ticked, or a pass."""
        turn = found(r'name="turn" value="(\d+)"', self.text)
        common = [("played_hand", self.hand), ("turn", turn)]
        if 'id="act-call"' in self.text:
            return [*common, ("do", "call"), ("points", "3")]
        cards = re.findall(r'name="cards" value="(\w\w)"[^>]* checked', self.text)
        if cards:
            return [*common, ("do", "play"), *(("cards", card) for card in cards)]
        return [*common, ("do", "pass")]


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    return match[1] if match else ""


def unchunked(content: bytes) -> bytes:
    whole, rest = b"", content
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        count = int(size, 16)
        if not count:
            break
        whole, rest = whole + rest[:count], rest[count + 2 :]
    return whole


async def watch(port: int, table: int, sessions: list[str], plays: int) -> list[float]:
    """How many milliseconds each play took to the other's screen."""
    clients = [Client(port, table, session) for session in sessions]
    streams = [asyncio.create_task(client.listen()) for client in clients]
    took: list[float] = []
    ends = time.monotonic() + SECONDS_MAX
    while len(took) < plays and time.monotonic() < ends:
        at = next((n for n, one in enumerate(clients) if 'class="act ' in one.text), None)
        if at is None:
            await asyncio.sleep(0.02)
            continue
        mover, other = clients[at], clients[1 - at]
        hinted = await mover.ask("GET", f"/tables/{table}/board/?help=0")
        mover.text = hinted if 'class="act ' in hinted else mover.text
        hand, moves, fields = mover.hand, mover.moves, mover.move()
        began = time.perf_counter()
        sent = asyncio.create_task(mover.ask("POST", f"/tables/{table}/act/", fields))
        try:
            await asyncio.wait_for(other.until(hand, moves + 1), 10)
            took.append(1000 * (time.perf_counter() - began))
        except TimeoutError:
            print("  a move was not seen")
        await sent
        await mover.renew()
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    return sorted(took)


def again(folder: Path) -> None:
    """Have the house play on at the tables that only make load: auto-play ends with each hand."""
    with closing(sqlite3.connect(folder / "house.sqlite3", timeout=20)) as database, database:
        database.execute(
            "UPDATE games_seat SET auto_play = 1 WHERE left_at IS NULL AND NOT auto_play "
            "AND player_id IN (SELECT id FROM players_player WHERE username LIKE 'busy-%')"
        )


async def keep_playing(folder: Path) -> None:
    while True:
        await asyncio.to_thread(again, folder)
        await asyncio.sleep(AGAIN_SECONDS)


async def measure(
    folder: Path, port: int, table: int, sessions: list[str], plays: int
) -> list[float]:
    busy = asyncio.create_task(keep_playing(folder))
    try:
        return await watch(port, table, sessions, plays)
    finally:
        busy.cancel()


def filled(folder: Path, tables: int) -> tuple[int, list[str]]:
    """Tables that play by themselves, and one with two people: its number and their sessions."""
    keys = json.loads((folder / "keys.json").read_text())
    environment = {
        "DEMO": "1",
        "DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "casino.settings",
    }
    environment["REDIS_URL"] = f"unix://{folder}/valkey.sock"
    words = [sys.executable, "-c", FILL, str(tables)]
    answer = subprocess.run(
        words,
        env={**os.environ, **environment, **keys},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    table, *sessions = json.loads(answer.stdout.splitlines()[-1])
    return table, sessions


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    plays = int(sys.argv[2]) if len(sys.argv) > 2 else PLAYS
    with tempfile.TemporaryDirectory(prefix="house-", dir="/tmp") as name:
        folder = Path(name) / "house"
        with demo_server(folder) as house:
            address = house.wait_until_open()
            port = int(address.rstrip("/").rpartition(":")[2])
            print(f"load before: {os.getloadavg()[0]:.1f}")
            table, sessions = filled(folder, tables)
            time.sleep(5)
            took = asyncio.run(measure(folder, port, table, sessions, plays))
            if not took:
                raise SystemExit("nobody has played")
            p50, p95 = took[len(took) // 2], took[len(took) * 95 // 100]
            print(
                f"{len(took)} plays beside {tables} tables: p50 {p50:.0f} ms, p95 {p95:.0f} ms, ",
                end="",
            )
            print(f"slowest {took[-1]:.0f} ms; aimed at {MILLISECONDS_MAX} ms at p95; ", end="")
            print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
