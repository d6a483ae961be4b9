"""A program that plays by the API alone, and what a test asks of an answer."""

import json
import re
from collections.abc import Iterator
from typing import Any, get_type_hints
from uuid import uuid4

import msgspec
from django.test import Client

from games.bots.simulate import strategies
from games.hands import cards_of, game_from, game_of, state_of
from games.models import Hand, Table
from tests.games.house import House

PASSWORD = "a password for tests"
CARDS = re.compile(r"\b(?:(?:[2-9TJQKA][cdhs])+|BJ|RJ)\b")
HASH = re.compile(r"[0-9a-f]{64}")


# What a player can do at a table.
VERBS = (
    "act",
    "sit",
    "top-up",
    "sit-out",
    "sit-in",
    "trustee",
    "take-over",
    "leave",
    "commit",
    "reveal",
)


class Program:
    """Somebody's program: it knows addresses, a token, and what it is answered. None is a stranger.

    Every answer is kept, with its status in `status`.
    """

    def __init__(self, name: str | None = None, language: str = "en") -> None:
        self.name = name
        self.client = Client(raise_request_exception=False)
        self.headers = {"Accept-Language": language}
        self.status = 0
        self.answer_headers: dict[str, str] = {}
        self.text = ""
        if name is not None:
            told = self.post("sign-in/", {"name": name, "password": PASSWORD}, key="")
            assert self.status == 201, told
            self.headers["Authorization"] = f"Bearer {told['token']}"

    def get(self, path: str, **query: Any) -> Any:
        return self._heard(self.client.get(f"/api/v1/{path}", query, headers=self.headers))

    def post(self, path: str, body: Any = None, key: str | None = None) -> Any:
        """Send a body; with a key of its own unless one is named, with none where it is empty."""
        text = body if isinstance(body, (bytes, str)) else json.dumps({} if body is None else body)
        return self.send("POST", path, text, key)

    def send(self, method: str, path: str, text: str | bytes = "", key: str | None = None) -> Any:
        key = str(uuid4()) if key is None else key
        headers = self.headers | ({"Idempotency-Key": key} if key else {})
        sent = self.client.generic(
            method, f"/api/v1/{path}", text, "application/json", headers=headers
        )
        return self._heard(sent)

    def _heard(self, response: Any) -> Any:
        self.status, self.text = response.status_code, response.content.decode()
        self.answer_headers = dict(response.headers)
        return json.loads(self.text) if self.text else None

    def refused(self, told: Any) -> tuple[int, str]:
        """Status and code of a refusal, which has a sentence too."""
        assert told["sentence"], told
        return self.status, told["code"]

    def act(self, table: Table) -> bool:
        """Do what a bot would do, from what the API tells; False where it is not our turn."""
        told = self.get(f"tables/{table.pk}/")
        if told["turn"] is None:
            return False
        body = {"hand": told["hand"]["id"], "turn": told["turn"], "action": best(told)}
        self.post(f"tables/{table.pk}/act/", body)
        assert self.status == 200, self.text
        return True


def best(told: dict[str, Any]) -> Any:
    """A bot's action at a table as the API tells it: its options and the seat's view are enough."""
    game = game_from(told["game"], told["options"])
    kind = get_type_hints(type(game).view)["return"]
    view = msgspec.convert(told["view"], kind, str_keys=True)
    return json.loads(msgspec.json.encode(strategies(game)["best"](game, view)))


def play(house: House, table: Table, programs: list[Program], hands: int) -> Iterator[None]:
    """Let programs act and the clock go on until so many hands are over; a step at a time."""
    for _ in range(3_000):
        table.refresh_from_db()
        if table.hands_dealt > hands or (table.hands_dealt == hands and table.hand_id is None):
            return
        if not any(program.act(table) for program in programs):
            house.until_due(table)
        yield
    raise AssertionError("the hands never end")


def texts(told: Any) -> Iterator[str]:
    if isinstance(told, dict):
        for name, part in told.items():
            yield name
            yield from texts(part)
    elif isinstance(told, list):
        for part in told:
            yield from texts(part)
    elif isinstance(told, str) and not HASH.fullmatch(told):
        yield told


def cards_told(told: Any) -> set[str]:
    """Every card that is named anywhere in an answer."""
    found: set[str] = set()
    for text in texts(told):
        for run in CARDS.findall(text):
            parts = [run] if run in ("BJ", "RJ") else re.findall("..", run)
            found.update(parts)
    return found


def cards_open(hand: Hand, number: int | None) -> set[str]:
    """Every card that a seat, or a spectator, may know of a hand as it stands."""
    game, cards = game_of(hand), cards_of(hand)
    state = state_of(hand, game, hand.moves.order_by("number"))
    open_to_all = cards_told(hand.context)
    return {cards[place].text for place in game.shown(state, number)} | open_to_all


def bet(program: Program, table: Table, **more: Any) -> dict[str, Any]:
    """What a program sends to bet on the player at baccarat."""
    told = program.get(f"tables/{table.pk}/")
    action = {"do": "bet", "on": "player", "amount": 500} | more
    return {"hand": told["hand"]["id"], "turn": told["turn"], "action": action}
