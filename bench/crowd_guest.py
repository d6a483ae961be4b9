"""One person of a crowd, and what a crowd notes of all of them.

A player's arrivals are a Poisson process that does not wait for answers: a slow house gets as many
requests as a quick one, and a time counts from the arrival, with all waiting in it.
"""

import asyncio
import random
import time
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from bench.crowd_http import Answer, Event, Http, Traffic
from tests.houses.guests import Person

RETRY_SECONDS: Final = 0.5
# How often a guest repeats a request that got no answer.
RETRIES: Final = 120
REOPENED_AFTER_SECONDS: Final = 1.0


@dataclass
class Habits:
    """How often players come on average, and how often they look though nothing calls them.

    A crowd that is already there takes up what is changed here.
    """

    arrivals_a_second: float = 1.0
    look_seconds: float = 1.0


class Acknowledged(NamedTuple):
    """A move that the house said it had made; "" is the action that a form has sent."""

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
    """What the crowd notes: the moves, the traffic, and when a version was on whose screen."""

    moves: list[Acknowledged] = field(default_factory=list)
    traffic: Traffic = field(default_factory=Traffic)
    screens: dict[tuple[int, int], list[tuple[int, float]]] = field(default_factory=dict)

    def play_to_screen(self, moves: Iterable[Acknowledged]) -> list[float]:
        """From an act's arrival until each other person's screen at the table showed it."""
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


class Guest:
    """A person with a stream, who arrives again and again."""

    def __init__(
        self, person: Person, http: Http, notes: Notes, habits: Habits, draw: random.Random
    ) -> None:
        self.person, self.http, self.notes = person, http, notes
        self.habits, self.draw = habits, draw
        self.version = -1
        self.news = asyncio.Event()
        self.looked = 0.0
        self.streams = False
        # The decision that was answered last, by hand and turn.
        self.acting: tuple[int, int] | None = None
        self.errands: set[asyncio.Task[Any]] = set()

    # What a kind of person does in its own way.

    async def sit(self) -> int:
        """Open the table, and sit down unless the person only watches; the status."""
        raise NotImplementedError

    async def arrive(self) -> None:
        raise NotImplementedError

    async def look(self) -> None:
        raise NotImplementedError

    async def leave(self) -> None:
        raise NotImplementedError

    def stream(self) -> tuple[str, dict[str, str]]:
        """The path of the stream, and the headers of its request."""
        raise NotImplementedError

    async def find_stream(self) -> None:
        """Learn the path of a stream that is opened again."""

    def heard(self, event: Event) -> None:
        raise NotImplementedError

    def works(self) -> list[Coroutine[Any, Any, None]]:
        """The tasks that run beside the acts: to come, to listen, and to refresh by the clock."""
        coming = [self.come()] if self.person.seat else []
        return [self.listen(), self.refresh(), *coming]

    # What all do alike.

    def saw(self, version: int) -> bool:
        """Whether this version is news; if so it is on the screen now."""
        if version <= self.version:
            return False
        self.version = version
        seen = self.notes.screens.setdefault((self.person.table, self.person.number), [])
        seen.append((version, time.monotonic()))
        return True

    def made(self, at: tuple[int, int], action: str, began: float, version: int = 0) -> None:
        """Note a move that was just acknowledged, with the version that it has made if said."""
        person = self.person
        self.notes.moves.append(
            Acknowledged(
                at[0], person.seat, at[1], person.number, person.table, action, began,
                time.monotonic(),
                version or self.version,
            )
        )  # fmt: skip

    async def surely(self, send: Callable[[], Awaitable[Answer]]) -> Answer:
        """The same request until the house says something about it."""
        answer = Answer(0)
        for _ in range(RETRIES):
            answer = await send()
            if answer.status and answer.status < 500 and answer.status != 429:
                return answer
            await asyncio.sleep(RETRY_SECONDS)
        return answer

    def errand(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self.errands.add(task)
        task.add_done_callback(self.errands.discard)

    async def listen(self) -> None:
        """The stream, opened again when it ends; a lost one is what a fault looks like."""
        while True:
            with suppress(OSError, EOFError, ValueError):
                async for event in self.http.events(*self.stream()):
                    self.streams = True
                    self.heard(event)
            self.streams = False
            await asyncio.sleep(REOPENED_AFTER_SECONDS)
            await self.find_stream()

    async def refresh(self) -> None:
        """Fetch the table whenever there is a newer version."""
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
            self.errand(self.arrive())
