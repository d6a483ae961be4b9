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
from html import unescape
from typing import Any, Final
from urllib.parse import urlencode

from bench.crowd_forms import Part, Press, help_link, parts, press, put_together, sent, tag
from bench.crowd_guest import Guest
from bench.crowd_http import Answer, Event
from games.rules.links import chain_of
from games.rules.shoe import ShoeProtocol
from tests.houses.guests import BUY_IN, BUY_IN_MIN

FILES: Final = re.compile(r'<(?:link|script)\b[^>]*\b(?:href|src)="(/static/[^"]+)"')
STREAM: Final = re.compile(r'\bdata-stream="([^"]+)" data-form="([^"]+)"')
TOKEN: Final = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
TRIGGERED: Final = re.compile(r"(?i)^hx-trigger: (\{.*\})\r?$", re.M)
VERSION: Final = re.compile(r'\bdata-version="(\d+)"')
CONNECTIONS_MAX: Final = 6
# What that script calls the events of the stream within the page.
CALLED: Final = {"version": "news"}
# A page that waits for the lock of a shoe looks by itself when it is due, and so often at the most.
LOCK_LATE_SECONDS: Final = 0.7
# When a page fetches what an act has made, if its stream brings nothing: after a second, or after
# so many times what the answer took.
LATE_SECONDS: Final = 1.0
LATE_ANSWERS: Final = 4
LOOKS_FOR_LOCK: Final = 3


class Page(Guest):
    """One table in a browser that is signed in."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        if self.person.session:
            self.http.cookies["sessionid"] = self.person.session
        self.board = self.token = ""
        # The stream's path, the form in which it carries the table, and what it has brought.
        self.opened = self.form = ""
        self.pieces: dict[str, dict[str, str]] = {"public": {}, "own": {}}
        self.parts: dict[str, Part] = {}
        self.looking: asyncio.Task[None] | None = None
        # This browser's chain of numbers, and what its next act carries of it; the shoes that have
        # got a number without an act, and those before which a chain was started.
        self.chain: list[str] = []
        self.carried = ""
        self.revealed: set[str] = set()
        self.started: set[str] = set()

    @property
    def _path(self) -> str:
        return f"/tables/{self.person.table}/"

    def stream(self) -> tuple[str, dict[str, str]]:
        # A stream begins with all pieces.
        self.pieces = {"public": {}, "own": {}}
        return self.opened, {}

    async def find_stream(self) -> None:
        """A ticket is good for a minute, so the page asks for another one."""
        answer = await self.http.ask("GET", f"{self._path}stream/", {"HX-Request": "true"})
        if answer.status == 200:
            self.opened = f"{json.loads(answer.text)['stream']}&as={self.form}"

    @property
    def polls(self) -> bool:
        return not self.streams

    async def sit(self) -> int:
        """Open the page with its files, and take the seat."""
        answer = await self.surely(lambda: self.http.ask("GET", self._path))
        if answer.status != 200:
            return answer.status
        if stream := STREAM.search(answer.text):
            self.form = stream[2]
            self.opened = f"{unescape(stream[1])}&as={self.form}"
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
        """Put a board in its place, unless the page has something newer."""
        named = VERSION.search(html)
        if named and not self.saw(int(named[1])) and int(named[1]) < self.version:
            return
        self.board = html
        # The pieces of a stream have none.
        if match := TOKEN.search(html):
            self.token = match[1]
        self.parts |= parts(html)
        self.errand(self.mix(tag(self.board, "shoe")))
        if self.looking:
            self.looking.cancel()
        self.looking = asyncio.create_task(self.look_for_lock(tag(self.board, "shoe")))

    def heard(self, event: Event) -> None:
        if event.name == "parts":
            self._take(json.loads(event.data))
            return
        if event.name == "version" and int(event.data) > self.version:
            self.news.set()
        names = {event.name, CALLED.get(event.name, event.name)}
        for name, part in self.parts.items():
            if name != "board" and part.events & names:
                self.errand(self.fetch(name))

    def _take(self, parts: dict[str, Any]) -> None:
        """Put the pieces that the stream has brought to those that it brought before."""
        for part, pieces in self.pieces.items():
            pieces.update(parts.get(part, {}))
            for gone in parts.get("removed", {}).get(part, ()):
                del pieces[gone]
        self.put(put_together(self.pieces["public"] | self.pieces["own"]))

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
        path = path or f"{self._path}board/"
        answer = await self.http.ask("GET", path, {"HX-Request": "true"})
        if answer.status == 200:
            self.put(answer.text)

    async def look_if_late(self, version: int, patience: float) -> None:
        """What an act has made comes by the stream; if that brings nothing, the page fetches it."""
        shown = -1
        while shown < self.version < version:
            shown = self.version
            await asyncio.sleep(patience)
        if self.version < version:
            await self.look()

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
            "HX-Request": "true",
            "X-CSRFToken": self.token,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        if not self.polls and self.pieces["public"]:
            headers["Stream-Version"] = str(self.version)
        began = time.monotonic()
        answer = await self.http.ask("POST", form.path, headers, urlencode(form.fields).encode())
        if answer.status < 500 and "text/html" in answer.head:
            self.put(answer.text)
        if made := answer.version_made:
            patience = max(LATE_SECONDS, LATE_ANSWERS * (time.monotonic() - began))
            self.errand(self.look_if_late(made, patience))
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
        if self.carried:
            form = Press(form.path, [*form.fields, ("mix", self.carried)])
        answer = await self.send(form)
        if answer.status in (200, 204):
            self.made(at, "", began, answer.version_made)
        elif answer.status == 0 or answer.status >= 500:
            # The page says that it may be lost, so the player presses again.
            self.acting = None

    # The browser's part in mixing a shoe.

    async def mix(self, shoe: dict[str, str]) -> None:
        """Start a chain; then its numbers go with acts, or by themselves between two hands."""
        code, seat, wants = (shoe.get(f"data-{name}", "") for name in ("shoe", "seat", "wants"))
        self.carried = ""
        if not code or not seat:
            return
        if wants == "start" and code not in self.started:
            self.started.add(code)
            secret, protocol = self.draw.randbytes(32), ShoeProtocol(code)
            self.chain = [element.hex() for element in chain_of(protocol, int(seat), secret)]
            await self._give(shoe, f"start {self.chain[0]}")
        own = json.loads(shoe.get("data-commits") or "{}").get(seat)
        if wants == "link" and own in self.chain[:-1]:
            link = f"{code} {self.chain[self.chain.index(own) + 1]}"
            if shoe.get("data-live"):
                self.carried = link
            elif code not in self.revealed:
                self.revealed.add(code)
                await self._give(shoe, link)

    async def _give(self, shoe: dict[str, str], mix: str) -> None:
        await self.surely(lambda: self.send(Press(shoe["data-mix-to"], [("mix", mix)])))

    async def look_for_lock(self, shoe: dict[str, str]) -> None:
        """Look when the shoe should be locked, as the time to reveal is short."""
        if not shoe.get("data-due") or not shoe.get("data-seat") or shoe.get("data-lock"):
            return
        if not shoe.get("data-now"):
            # The stream brings the lock, too.
            return
        due, now = (datetime.fromisoformat(shoe[f"data-{name}"]) for name in ("due", "now"))
        for _ in range(LOOKS_FOR_LOCK):
            await asyncio.sleep(max(0.0, (due - now).total_seconds()) + LOCK_LATE_SECONDS)
            # What comes begins anew, and this one ends.
            self.news.set()
