"""What clients do to a house: they send half a request, read no stream, ask for searches.

Meanwhile others play: moves are stored, and what is asked is answered within a second.
"""

import http.client
import json
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from typing import Final, NamedTuple

from bench.faults_scene import AWAY_SECONDS, Scene
from bench.processors import megabytes
from casino.ops.server.web import AWAITED_MAX
from tests.houses.guests import Person

# So soon a player gets an answer, or is refused.
ANSWER_SECONDS_MAX: Final = 1.0
PATIENCE_SECONDS: Final = 30.0
# The most of half requests that this process has files for.
HALVES: Final = 10_000
DEAF: Final = 400
DEAF_BYTES: Final = 4_096
# A deaf stream costs at most what the server keeps for it, and its compressor.
DEAF_MEGABYTES_MAX: Final = 0.4
OPENED: Final = b"HTTP/1.1 200 OK"
SEARCHERS: Final = 8
MOVES: Final = "SELECT count(*) FROM games_move WHERE by = 'player'"
HALF: Final = b"POST /api/v1/sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Le"


class Said(NamedTuple):
    """How a request was answered, and after how many seconds."""

    status: int
    text: str
    seconds: float


def ask(scene: Scene, path: str, body: object = None, **headers: str) -> Said:
    """A request on a connection of its own; status 0 if none could be had."""
    began = time.monotonic()
    line = http.client.HTTPConnection("127.0.0.1", scene.house.port, timeout=PATIENCE_SECONDS)
    text = None if body is None else json.dumps(body)
    given = {"Host": "localhost", "Content-Type": "application/json", **headers}
    try:
        line.request("GET" if body is None else "POST", path, text, given)
        answer = line.getresponse()
        said = answer.read().decode()
        return Said(answer.status, said, time.monotonic() - began)
    except (OSError, http.client.HTTPException) as problem:
        return Said(0, repr(problem), time.monotonic() - began)
    finally:
        line.close()


def ask_as(scene: Scene, person: Person, path: str, body: object = None) -> Said:
    headers = {"Authorization": f"Bearer {person.token}", "Accept-Language": "zh-hans"}
    return ask(scene, path, body, **headers)


def acts_are_refused(scene: Scene, seconds: float) -> None:
    """While the database is away, each act is refused in time, in the language of its sender."""
    person = scene.house.people[0]
    path = f"/api/v1/tables/{person.table}/act/?streamed=true"
    act = {"hand": 1, "turn": 0, "action": {"do": "pass"}}
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        said = ask_as(scene, person, path, act)
        assert said.status == 503, said
        assert json.loads(said.text)["code"] == "database_gone", said
        assert "页面上显示的才算数" in json.loads(said.text)["sentence"], said
        assert said.seconds < ANSWER_SECONDS_MAX, said
        time.sleep(0.1)


@contextmanager
def play_goes_on(scene: Scene) -> Iterator[Callable[[], None]]:
    """Moves are stored in this block; what it is given asks whether the house answers in time."""

    def look() -> None:
        said = ask(scene, "/health/")
        assert said.status == 200, said
        assert said.seconds < ANSWER_SECONDS_MAX, said

    with scene.house.postgres.connect() as database:
        (before,) = database.execute(MOVES).fetchone() or (0,)
        yield look
        (after,) = database.execute(MOVES).fetchone() or (0,)
    assert after > before, "no move was stored"


def half_requests(scene: Scene) -> None:
    """Thousands of connections begin a request and send no more of it."""
    with ExitStack() as stack, play_goes_on(scene) as look:
        lines = []
        for number in range(HALVES):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", scene.house.port)))
            line.send(HALF)
            lines.append(line)
            if number % 500 == 0:
                look()
        look()
        left = sum(is_open(line) for line in lines)
    most = AWAITED_MAX * sum(name.startswith("web") for name in scene.house.programs)
    assert left <= most, f"{left} of {HALVES} are still open"


def is_open(line: socket.socket) -> bool:
    line.setblocking(False)
    with suppress(BlockingIOError):
        try:
            return bool(line.recv(1))
        except ConnectionError:
            return False
    return True


def deaf_streams(scene: Scene) -> None:
    """Streams of tables that are played at are opened, and nothing of them is read."""
    before = memory(scene)
    with ExitStack() as stack, play_goes_on(scene) as look:
        for number in range(DEAF):
            person = scene.house.people[number % len(scene.house.people)]
            line = stack.enter_context(socket.socket())
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, DEAF_BYTES)
            line.connect(("127.0.0.1", scene.house.port))
            path = f"/live/tables/{person.table}/?as=html"
            line.send(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            assert line.recv(len(OPENED), socket.MSG_WAITALL) == OPENED
        ends = time.monotonic() + AWAY_SECONDS
        while time.monotonic() < ends:
            look()
            time.sleep(0.5)
        more = memory(scene) - before
    assert more < DEAF * DEAF_MEGABYTES_MAX, f"{more:.0f} MB for {DEAF} streams"


def memory(scene: Scene) -> float:
    running: Mapping[str, object] = scene.house.running
    return sum(
        megabytes(scene.house.running[program].pid)
        for program in running
        if program.startswith("web")
    )


def searches(scene: Scene) -> None:
    """All players ask again and again what they could play, which takes a search."""
    ends = time.monotonic() + AWAY_SECONDS

    def search(person: Person) -> None:
        while time.monotonic() < ends:
            said = ask_as(scene, person, f"/api/v1/tables/{person.table}/?help=true")
            assert said.status in (200, 429, 503), said

    with play_goes_on(scene) as look, ThreadPoolExecutor(SEARCHERS) as threads:
        asked = [threads.submit(search, searcher) for searcher in scene.house.people[:SEARCHERS]]
        while time.monotonic() < ends:
            look()
            time.sleep(0.2)
        for future in asked:
            future.result()
