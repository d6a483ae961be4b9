"""A player who is a program: the API and a stream."""

import json
import random
import time
from typing import Any, get_type_hints
from uuid import uuid4

from bench.crowd_guest import Guest
from bench.crowd_http import Answer, Event
from tests.houses.guests import BUY_IN


def decide(view: dict[str, Any], draw: random.Random) -> Any:
    """A move from what the API says of the table, as JSON, by a quick bot, as cores are shared."""
    import msgspec

    from games.bots.simulate import quick_strategies, strategies
    from games.tables.hand_state import game_from

    game = game_from(view["game"], view["options"])
    kind = get_type_hints(type(game).view)["return"]
    shown = msgspec.convert(view["view"], kind, str_keys=True)
    action = strategies(game)[draw.choice(quick_strategies(game))](game, shown)
    return json.loads(msgspec.json.encode(action))


class Program(Guest):
    """Its stream brings the table; it looks when that only names a version."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.view: dict[str, Any] = {}
        # Both parts of the table, as the stream has brought them.
        self.parts: dict[str, dict[str, Any]] = {"public": {}, "own": {}}
        # The stream's path: each response has one with a new ticket.
        self.opened = ""

    def stream(self) -> tuple[str, dict[str, str]]:
        # A stream begins with the whole table.
        self.parts = {"public": {}, "own": {}}
        return f"{self.opened}&as=json", self._identity

    async def find_stream(self) -> None:
        await self.look("")

    @property
    def _identity(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.person.token}"}

    @property
    def _path(self) -> str:
        return f"/api/v1/tables/{self.person.table}/"

    def heard(self, event: Event) -> None:
        if event.name == "parts":
            self._take(json.loads(event.data))
        elif event.name == "version" and int(event.data) > self.version:
            self.news.set()

    def _take(self, sent: dict[str, Any]) -> None:
        """Put the fields that have come to those that came before."""
        for part, fields in self.parts.items():
            fields.update(sent.get(part, {}))
            for gone in sent.get("removed", {}).get(part, ()):
                del fields[gone]
        self.show(self.parts["public"] | self.parts["own"])

    def show(self, view: Any) -> None:
        """A view has come; an older one than is shown already is thrown away."""
        if isinstance(view, dict) and "stream" in view:
            self.opened = view["stream"]
        if isinstance(view, dict) and "version" in view and self.saw(int(view["version"])):
            self.view = view

    async def look(self, known: str | None = None) -> None:
        self.looked = time.monotonic()
        if known is None and self.view:
            known = f"?known={self.version}"
        answer = await self.http.ask("GET", self._path + (known or ""), self._identity)
        if answer.status == 200:
            self.show(answer.content)

    async def send(self, verb: str, body: Any, query: str = "") -> Answer:
        """One request with one key, until the house says something about it."""
        headers = {
            **self._identity,
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid4()),
        }
        content = json.dumps(body).encode()
        answer = await self.surely(
            lambda: self.http.ask("POST", f"{self._path}{verb}/{query}", headers, content)
        )
        if answer.status == 200:
            self.show(answer.content)
        return answer

    async def sit(self) -> int:
        await self.look()
        if not self.person.seat:
            return 200 if self.view else 0
        return (await self.send("sit", {"seat": self.person.seat, "amount": BUY_IN})).status

    async def leave(self) -> None:
        if self.person.seat:
            await self.send("leave", {})

    async def arrive(self) -> None:
        began, view = time.monotonic(), self.view
        if view and view.get("turn") is not None and view.get("hand"):
            at = (int(view["hand"]["id"]), int(view["turn"]))
            if at != self.acting:
                self.acting = at
                await self.act(view, at, began)
                return
        mine = view.get("mine") if view else None
        if mine and mine.get("sits_out"):
            await self.send("sit-in", {})
        elif view and not mine:
            await self.sit()
        if not self.streams and began - self.looked >= self.habits.look_seconds:
            await self.look()

    async def act(self, view: dict[str, Any], at: tuple[int, int], began: float) -> None:
        action = decide(view, self.draw)
        query = "?streamed=true" if self.streams else ""
        answer = await self.send("act", {"hand": at[0], "turn": at[1], "action": action}, query)
        if answer.status in (200, 204):
            self.made(at, json.dumps(action, sort_keys=True), began, answer.version_made)
        elif answer.status == 409 and not self.streams:
            await self.look()
