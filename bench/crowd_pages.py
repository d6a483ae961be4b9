"""A player with a browser: the table's page with its files, its stream, its polling, and its forms.

It fetches what a browser would fetch, when the page says so: the intervals and events are read from
the page's own `hx-trigger`. Where a script of the house opens the stream (`data-stream`), nothing
is fetched by the clock while the stream is open.
"""

import asyncio
import json
import re
import time
from collections.abc import Coroutine
from datetime import datetime
from hashlib import sha256
from html import unescape
from typing import Any, Final
from urllib.parse import urlencode

from bench.crowd_forms import Part, Press, help_link, parts, press, put_together, sent, tag
from bench.crowd_guest import Guest
from bench.crowd_http import Answer, Event
from tests.houses.guests import BUY_IN, BUY_IN_MIN

FILES: Final = re.compile(r'<(?:link|script)\b[^>]*\b(?:href|src)="(/static/[^"]+)"')
STREAM: Final = re.compile(r'\b(sse-connect|data-stream)="([^"]+)"')
TOKEN: Final = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
TRIGGERED: Final = re.compile(r"(?i)^hx-trigger: (\{.*\})\r?$", re.M)
VERSION: Final = re.compile(r'\bdata-version="(\d+)"')
CONNECTIONS_MAX: Final = 6
# What that script calls the events of the stream within the page.
CALLED: Final = {"version": "news"}
# A page that waits for the lock of a shoe looks by itself when it is due, and so often at the most.
LATE_SECONDS: Final = 0.7
LOOKS_FOR_LOCK: Final = 3


class Page(Guest):
    """One table in a browser that is signed in."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        if self.person.session:
            self.http.cookies["sessionid"] = self.person.session
        self.board = self.token = ""
        # How the page has its stream, and the stream's path.
        self.opened = ("", "")
        self.parts: dict[str, Part] = {}
        self.looking: asyncio.Task[None] | None = None
        # The number for each shoe that this browser helps to mix, and the shoes that have it.
        self.numbers: dict[str, bytes] = {}
        self.revealed: set[str] = set()

    @property
    def _path(self) -> str:
        return f"/tables/{self.person.table}/"

    def stream(self) -> tuple[str, dict[str, str]]:
        return self.opened[1], {}

    @property
    def polls(self) -> bool:
        return self.opened[0] != "data-stream" or not self.streams

    async def sit(self) -> int:
        """Open the page with its files, and take the seat."""
        answer = await self.surely(lambda: self.http.ask("GET", self._path))
        if answer.status != 200:
            return answer.status
        self.opened = next(
            ((one[1], unescape(one[2])) for one in STREAM.finditer(answer.text)), ("", "")
        )
        self.parts = parts(answer.text)
        gate = asyncio.Semaphore(CONNECTIONS_MAX)

        async def fetch(path: str) -> None:
            async with gate:
                await self.http.ask("GET", path)

        await asyncio.gather(*map(fetch, dict.fromkeys(FILES.findall(answer.text))))
        self.put(answer.text)
        await asyncio.gather(*(self.fetch(name) for name in self.parts if self.parts[name].at_once))
        return await self._take_seat() if self.person.seat else answer.status

    async def _take_seat(self) -> int:
        form = sent(self.board, "sit")
        if form is None:
            return 200 if 'id="seat-menu"' in self.board else 0
        amount = float(form.value("amount")) * BUY_IN / BUY_IN_MIN
        wanted = {"seat": str(self.person.seat), "amount": f"{amount:g}"}
        fields = [(name, wanted.get(name, value)) for name, value in form.fields]
        return (await self.send(Press(form.path, fields))).status

    async def leave(self) -> None:
        if 'id="do-leave"' in self.board:
            await self.send(Press(f"{self._path}leave/", []))

    # What comes.

    def put(self, html: str) -> None:
        """Put what has come in its place, unless the page has something newer."""
        named = VERSION.search(html)
        if named and not self.saw(int(named[1])) and int(named[1]) < self.version:
            return
        board = put_together(self.board, html)
        if board is None:
            # Another answer has changed the board meanwhile: all of it is wanted.
            self.board, self.version = "", -1
            self.news.set()
            return
        self.board = board
        if found := TOKEN.search(html):
            self.token = found[1]
        self.parts |= parts(html)
        self.errand(self.mix(tag(self.board, "shoe")))
        if self.looking:
            self.looking.cancel()
        self.looking = asyncio.create_task(self.look_for_lock(tag(self.board, "shoe")))

    def heard(self, event: Event) -> None:
        if event.data.startswith("<"):
            self.put(event.data)
            return
        if event.name == "version" and self._asks_for(int(event.data)):
            self.news.set()
        names = {event.name, CALLED.get(event.name, event.name)}
        for name, part in self.parts.items():
            if name != "board" and part.events & names:
                self.errand(self.fetch(name))

    def _asks_for(self, version: int) -> bool:
        """htmx asks for every version that it hears of, and the page's own script for news."""
        return self.opened[0] != "data-stream" or version > self.version

    async def fetch(self, name: str) -> None:
        """A part of the page, as its own attributes say."""
        if name == "board":
            await self.look()
            return
        answer = await self.http.ask("GET", self.parts[name].path, {"HX-Request": "true"})
        if answer.status == 200:
            self.parts |= parts(answer.text)

    async def look(self, path: str = "") -> None:
        self.looked = time.monotonic()
        path = path or f"{self._path}board/?known={self.version}"
        answer = await self.http.ask("GET", path, self._known)
        if answer.status == 200:
            self.put(answer.text)

    @property
    def _known(self) -> dict[str, str]:
        """What htmx says of itself, and the marks of the pieces that the page has."""
        marks = tag(self.board, "shoe").get("data-marks")
        return {"HX-Request": "true", **({"Known-Pieces": marks} if marks else {})}

    async def poll(self, name: str) -> None:
        while True:
            await asyncio.sleep(self.parts[name].seconds)
            if self.polls:
                await self.fetch(name)

    def works(self) -> list[Coroutine[Any, Any, None]]:
        polls = [self.poll(name) for name, part in self.parts.items() if part.seconds]
        return [*super().works(), *polls]

    # What the player does.

    async def send(self, form: Press) -> Answer:
        """Send a form as htmx does, and show the table as it is answered."""
        headers = {
            **self._known,
            "X-CSRFToken": self.token,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        answer = await self.http.ask("POST", form.path, headers, urlencode(form.fields).encode())
        if answer.status < 500 and "text/html" in answer.head:
            self.put(answer.text)
        if triggered := TRIGGERED.search(answer.head):
            for event in json.loads(triggered[1]):
                self.heard(Event(event, "", ""))
        return answer

    async def arrive(self) -> None:
        began, shoe = time.monotonic(), tag(self.board, "shoe")
        if shoe.get("data-turn") and shoe.get("data-hand"):
            at = (int(shoe["data-hand"]), int(shoe["data-turn"]))
            if at != self.acting:
                self.acting = at
                await self._act(at, began)
                return
        if 'id="sit-in"' in self.board:
            await self.send(Press(f"{self._path}sit-in/", []))
        elif 'id="sit"' in self.board:
            await self._take_seat()
        if began - self.looked >= self.habits.look_seconds and self.polls:
            await self.look()

    async def _act(self, at: tuple[int, int], began: float) -> None:
        if link := help_link(self.board, self.draw):
            await self.look(link)
        form = press(self.board, self.draw)
        if form is None or form.value("turn") != str(at[1]):
            return
        cards = [(name, value) for name, value in form.fields if name == "cards"]
        names_cards = tag(self.board, "reading").get("data-ask")
        if cards and names_cards:
            # The page says what the ticked cards are.
            await self.send(Press(names_cards, cards))
        answer = await self.send(form)
        if answer.status == 200:
            self.made(at, "", began)
        elif answer.status in (0, 409) or answer.status >= 500:
            await self.look()

    # The browser's part in mixing a shoe.

    async def mix(self, shoe: dict[str, str]) -> None:
        """Commit to a number for the next shoe, and show it once the shoe is locked."""
        code, seat, lock = (shoe.get(f"data-{name}", "") for name in ("shoe", "seat", "lock"))
        if not code or not seat:
            return
        if shoe.get("data-wants") == "commit" and code not in self.numbers:
            number = self.numbers[code] = self.draw.randbytes(32)
            text = f"CR1|{code}|seat".encode() + bytes([int(seat)]) + number
            fields = [("shoe", code), ("commit", sha256(text).hexdigest())]
            await self.surely(lambda: self.send(Press(shoe["data-commit-to"], fields)))
        elif lock and code in self.numbers and code not in self.revealed:
            self.revealed.add(code)
            fields = [("shoe", code), ("reveal", self.numbers[code].hex())]
            await self.surely(lambda: self.send(Press(shoe["data-reveal-to"], fields)))

    async def look_for_lock(self, shoe: dict[str, str]) -> None:
        """Look when the shoe should be locked, as the time to reveal is short."""
        if not shoe.get("data-due") or not shoe.get("data-seat") or shoe.get("data-lock"):
            return
        due, now = (datetime.fromisoformat(shoe[f"data-{name}"]) for name in ("due", "now"))
        for _ in range(LOOKS_FOR_LOCK):
            await asyncio.sleep(max(0.0, (due - now).total_seconds()) + LATE_SECONDS)
            # What comes begins anew, and this one ends.
            self.news.set()
