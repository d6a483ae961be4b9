"""A crowd of players over HTTP and streams, who come when they come, whatever the house does.

Each player's arrivals are a Poisson process that does not wait for answers: a slow house gets as
many requests as a quick one, and a time counts from the arrival, with all waiting in it.
"""

import asyncio
import json
import random
import time
from bisect import bisect_left
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, get_type_hints
from uuid import uuid4

from bench.crowd_http import Answer, Http
from tests.houses.guests import BUY_IN, Person

RETRY_SECONDS: Final = 0.5
# How long a request goes on being sent again with its key.
RETRIES: Final = 120
SITTING_AT_ONCE: Final = 8


@dataclass
class Habits:
    """How often players come on average, and how often they look though nothing calls them.

    A crowd that is already there takes up what is changed here.
    """

    arrivals_a_second: float = 1.0
    look_seconds: float = 1.0


class Acknowledged(NamedTuple):
    """A move that the house said it had made."""

    hand: int
    seat: int
    turn: int
    player: int
    table: int
    action: str
    began: float
    answered: float
    version: int


@dataclass
class Notes:
    """What the crowd notes: the moves, refusals, and when a version was on whose screen."""

    moves: list[Acknowledged] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    screens: dict[tuple[int, int], list[tuple[int, float]]] = field(default_factory=dict)

    def count(self, answer: Answer) -> Answer:
        self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
        return answer

    def play_to_screen(self, moves: Iterable[Acknowledged]) -> list[float]:
        """From an act's arrival until each other player's screen at the table showed it."""
        at_table: dict[int, list[tuple[int, list[tuple[int, float]]]]] = {}
        for (table, player), seen in self.screens.items():
            at_table.setdefault(table, []).append((player, seen))
        delays = []
        for move in moves:
            for player, seen in at_table.get(move.table, ()):
                if player == move.player:
                    continue
                at = bisect_left(seen, (move.version, 0.0))
                if at < len(seen):
                    delays.append(max(0.0, seen[at][1] - move.began))
        return delays


def decide(view: dict[str, Any], draw: random.Random) -> Any:
    """A move from what the API says of the table, as JSON, by a quick bot, as cores are shared."""
    import msgspec

    from games.bots.simulate import quick_strategies, strategies
    from games.tables.replay import game_from

    game = game_from(view["game"], view["options"])
    kind = get_type_hints(type(game).view)["return"]
    shown = msgspec.convert(view["view"], kind, str_keys=True)
    action = strategies(game)[draw.choice(quick_strategies(game))](game, shown)
    return json.loads(msgspec.json.encode(action))


class Guest:
    """One player: a stream, arrivals, and the newest view of the table."""

    def __init__(
        self, person: Person, http: Http, notes: Notes, habits: Habits, draw: random.Random
    ) -> None:
        self.person, self.http, self.notes = person, http, notes
        self.habits, self.draw = habits, draw
        self.path = f"/api/v1/tables/{person.table}/"
        self.view: dict[str, Any] = {}
        self.news = asyncio.Event()
        self.looked = 0.0
        self.acting: tuple[int, int] | None = None
        self.errands: set[asyncio.Task[None]] = set()

    async def surely(self, path: str, body: Any) -> Answer:
        """The same request with the same key until the house says something about it."""
        key = str(uuid4())
        answer = Answer(0)
        for _ in range(RETRIES):
            answer = self.notes.count(
                await self.http.ask("POST", path, self.person.token, body, key)
            )
            if answer.status and answer.status < 500 and answer.status != 429:
                return answer
            await asyncio.sleep(RETRY_SECONDS)
        return answer

    async def sit(self) -> int:
        body = {"seat": self.person.seat, "amount": BUY_IN}
        answer = await self.surely(f"{self.path}sit/", body)
        self.show(answer)
        return answer.status

    def show(self, answer: Answer) -> None:
        """A view has come; an older one than is shown already is thrown away."""
        if answer.status != 200 or not isinstance(answer.content, dict):
            return
        version = int(answer.content["version"])
        if version <= self.view.get("version", -1):
            return
        self.view = answer.content
        seen = self.notes.screens.setdefault((self.person.table, self.person.number), [])
        seen.append((version, time.monotonic()))

    async def look(self) -> None:
        self.looked = time.monotonic()
        known = f"?known={self.view['version']}" if self.view else ""
        self.show(
            self.notes.count(await self.http.ask("GET", self.path + known, self.person.token))
        )

    async def arrive(self) -> None:
        began = time.monotonic()
        view = self.view
        if view and view.get("turn") is not None and view.get("hand"):
            at = (int(view["hand"]["id"]), int(view["turn"]))
            if at != self.acting:
                self.acting = at
                await self.act(view, at, began)
                return
        mine = view.get("mine") if view else None
        if mine and mine.get("sits_out"):
            self.notes.count(await self._verb("sit-in/"))
        elif view and not mine:
            await self.sit()
        if began - self.looked >= self.habits.look_seconds:
            await self.look()

    async def _verb(self, name: str) -> Answer:
        return await self.http.ask("POST", self.path + name, self.person.token, {}, str(uuid4()))

    async def act(self, view: dict[str, Any], at: tuple[int, int], began: float) -> None:
        action = decide(view, self.draw)
        body = {"hand": at[0], "turn": at[1], "action": action}
        answer = await self.surely(f"{self.path}act/", body)
        self.show(answer)
        if answer.status == 200 and answer.content:
            ended, version = time.monotonic(), int(answer.content["version"])
            person, text = self.person, json.dumps(action, sort_keys=True)
            self.notes.moves.append(
                Acknowledged(
                    at[0], person.seat, at[1], person.number, person.table, text, began, ended,
                    version,
                )
            )  # fmt: skip
        elif answer.status == 409:
            await self.look()

    async def listen(self) -> None:
        """The stream, opened again when it ends; a lost one is what a fault looks like."""
        while True:
            with suppress(OSError, EOFError, ValueError):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.http.port)
                path = f"/live/tables/{self.person.table}/"
                writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                try:
                    async for line in reader:
                        if line.startswith(b"id: "):
                            self.news.set()
                finally:
                    writer.close()
            await asyncio.sleep(1)

    async def refresh(self) -> None:
        """What a page does: fetch the view whenever the stream says there is a newer one."""
        while True:
            await self.news.wait()
            self.news.clear()
            await self.look()

    async def come(self) -> None:
        """Arrive again and again, whether earlier arrivals have been answered or not."""
        following = time.monotonic()
        while True:
            following += self.draw.expovariate(self.habits.arrivals_a_second)
            await asyncio.sleep(max(0.0, following - time.monotonic()))
            errand = asyncio.create_task(self.arrive())
            self.errands.add(errand)
            errand.add_done_callback(self.errands.discard)


class Crowd:
    """All of them."""

    def __init__(
        self, people: list[Person], port: int, seed: int, habits: Habits | None = None
    ) -> None:
        self.http, self.notes, self.habits = Http(port), Notes(), habits or Habits()
        self.guests = [
            Guest(
                person, self.http, self.notes, self.habits, random.Random(f"{seed} {person.number}")
            )
            for person in people
        ]
        self.tasks: list[asyncio.Task[None]] = []

    async def sit(self) -> dict[int, int]:
        """Everybody takes their seat; how often with which status."""
        gate = asyncio.Semaphore(SITTING_AT_ONCE)

        async def one(guest: Guest) -> int:
            async with gate:
                return await guest.sit()

        found = await asyncio.gather(*map(one, self.guests))
        return {status: found.count(status) for status in set(found)}

    def begin(self) -> None:
        for guest in self.guests:
            for work in (guest.listen(), guest.refresh(), guest.come()):
                self.tasks.append(asyncio.create_task(work))

    async def end(self) -> None:
        """Nobody comes any more; what is under way is waited for."""
        await stopped(self.tasks)
        under_way = [errand for guest in self.guests for errand in guest.errands]
        await asyncio.gather(*under_way, return_exceptions=True)


async def stopped(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
