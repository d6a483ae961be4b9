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
    from games.tables.replay import game_from

    game = game_from(view["game"], view["options"])
    kind = get_type_hints(type(game).view)["return"]
    shown = msgspec.convert(view["view"], kind, str_keys=True)
    action = strategies(game)[draw.choice(quick_strategies(game))](game, shown)
    return json.loads(msgspec.json.encode(action))


class Program(Guest):
    """It looks when its stream names a newer version, and takes a view that the stream brings."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.view: dict[str, Any] = {}

    def stream(self) -> tuple[str, dict[str, str]]:
        return f"/live/tables/{self.person.table}/", self._identity

    @property
    def _identity(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.person.token}"}

    @property
    def _path(self) -> str:
        return f"/api/v1/tables/{self.person.table}/"

    def heard(self, event: Event) -> None:
        if event.data.startswith("{"):
            self.show(self.view | json.loads(event.data))
        elif event.name == "version" and int(event.data) > self.version:
            self.news.set()

    def show(self, view: Any) -> None:
        """A view has come; an older one than is shown already is thrown away."""
        if isinstance(view, dict) and "version" in view and self.saw(int(view["version"])):
            self.view = view

    async def look(self) -> None:
        self.looked = time.monotonic()
        known = f"?known={self.version}" if self.view else ""
        answer = await self.http.ask("GET", self._path + known, self._identity)
        if answer.status == 200:
            self.show(answer.content)

    async def send(self, verb: str, body: Any) -> Answer:
        """One request with one key, until the house says something about it."""
        headers = {
            **self._identity,
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid4()),
        }
        content = json.dumps(body).encode()
        answer = await self.surely(
            lambda: self.http.ask("POST", f"{self._path}{verb}/", headers, content)
        )
        if answer.status == 200:
            self.show(answer.content)
        return answer

    async def sit(self) -> int:
        if not self.person.seat:
            await self.look()
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
        if began - self.looked >= self.habits.look_seconds:
            await self.look()

    async def act(self, view: dict[str, Any], at: tuple[int, int], began: float) -> None:
        action = decide(view, self.draw)
        answer = await self.send("act", {"hand": at[0], "turn": at[1], "action": action})
        if answer.status == 200:
            self.made(at, json.dumps(action, sort_keys=True), began)
        elif answer.status == 409:
            await self.look()
