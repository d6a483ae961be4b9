"""A program that plays by the API alone, and what a test asks of an answer."""

import json
import re
from collections.abc import Iterator
from typing import Any, get_type_hints
from uuid import uuid4

import msgspec
from django.test import Client

from games.bots.simulate import strategies
from games.models import Table
from games.tables.hand_state import game_from
from tests.games.house import House
from tests.games.listener import SIGN_INS, ticket_of

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
    "ready",
    "again",
    "next-bets",
    "leave",
    "mix",
)


class Program:
    """A player's program: it knows addresses, a token, and what it is answered. None is a stranger.

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
            answer = self.post("sign-in/", {"name": name, "password": PASSWORD}, key="")
            assert self.status == 201, answer
            self.headers["Authorization"] = f"Bearer {answer['token']}"

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
        answer = json.loads(self.text) if self.text else None
        if isinstance(answer, dict) and "Authorization" in self.headers:
            sent = {"authorization": self.headers["Authorization"]}
            SIGN_INS[ticket_of(str(answer.get("stream", "")))] = sent
        return answer

    def refused(self, answer: Any) -> tuple[int, str]:
        """Status and code of a refusal, which has a sentence too."""
        assert answer["sentence"], answer
        return self.status, answer["code"]

    def act(self, table: Table) -> bool:
        """Do what a bot would do, from what the API tells; False where it is not our turn."""
        view = self.get(f"tables/{table.pk}/")
        if view["turn"] is None:
            return False
        body = {"hand": view["hand"]["id"], "turn": view["turn"], "action": best(view)}
        self.post(f"tables/{table.pk}/act/", body)
        assert self.status == 200, self.text
        return True


def best(table_view: dict[str, Any]) -> Any:
    """A bot's action at a table as the API tells it: its options and the seat's view are enough."""
    game = game_from(table_view["game"], table_view["options"])
    kind = get_type_hints(type(game).view)["return"]
    view = msgspec.convert(table_view["view"], kind, str_keys=True)
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


def texts(answer: Any) -> Iterator[str]:
    if isinstance(answer, dict):
        for name, part in answer.items():
            yield name
            yield from texts(part)
    elif isinstance(answer, list):
        for part in answer:
            yield from texts(part)
    elif isinstance(answer, str) and not HASH.fullmatch(answer):
        yield answer


def cards_in(answer: Any) -> set[str]:
    """Every card that is named anywhere in an answer."""
    cards: set[str] = set()
    for text in texts(answer):
        for run in CARDS.findall(text):
            parts = [run] if run in ("BJ", "RJ") else re.findall("..", run)
            cards.update(parts)
    return cards


def bet(program: Program, table: Table, **more: Any) -> dict[str, Any]:
    """What a program sends to bet on the player at baccarat."""
    view = program.get(f"tables/{table.pk}/")
    action = {"do": "bet", "on": "player", "amount": 500} | more
    return {"hand": view["hand"]["id"], "turn": view["turn"], "action": action}
