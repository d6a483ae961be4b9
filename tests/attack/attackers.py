"""Those who attack by HTTP: a browser with its cookies, and a program with its token."""

import http.client
import json
import re
import time
from collections.abc import Callable
from http.cookies import SimpleCookie
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

from tests.waiting import PATIENCE_SECONDS

API = "/api/v1/"
# A program that asks more than six hundred times a minute is refused.
POLL_SECONDS = 0.2
T = TypeVar("T")


def until(condition: Callable[[], T]) -> T:
    """Wait for a truthy answer, polling no faster than the API's rate limit allows."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (answer := condition()):
        assert time.monotonic() < deadline, "what was waited for did not come"
        time.sleep(POLL_SECONDS)
    return answer


class Answer(NamedTuple):
    status: int
    text: str
    headers: dict[str, str]

    @property
    def content(self) -> Any:
        return json.loads(self.text) if self.text else None

    @property
    def code(self) -> str:
        """Why it was refused, as pages and programs say."""
        if self.text.startswith("{"):
            return str(self.content.get("code", ""))
        match = re.search(r'data-code="([a-z_]+)"', self.text)
        return match[1] if match else ""


def sent(
    address: str, method: str, path: str, body: str = "", headers: dict[str, str] | None = None
) -> Answer:
    """One request on a connection of its own."""
    place = urlsplit(address)
    assert place.hostname
    line = http.client.HTTPConnection(place.hostname, place.port, timeout=PATIENCE_SECONDS)
    try:
        line.request(method, path, body.encode() or None, headers or {})
        answer = line.getresponse()
        cookies = answer.headers.get_all("Set-Cookie") or []
        fields = {name.lower(): value for name, value in answer.getheaders()}
        fields["set-cookie"] = "\n".join(cookies)
        return Answer(answer.status, answer.read().decode(errors="replace"), fields)
    finally:
        line.close()


class Browser:
    """An attacker's browser; redirects are looked at and not followed."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies: dict[str, str] = {}

    def request(self, method: str, path: str, body: str = "", **headers: str) -> Answer:
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        fields["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = sent(self.address, method, path, body, fields)
        for cookie in answer.headers["set-cookie"].splitlines():
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(cookie).items()}
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        return self.request("GET", path, **headers)

    def post(self, path: str, form: dict[str, Any] | None = None, **headers: str) -> Answer:
        """A form with the token of its pages."""
        if "csrftoken" not in self.cookies:
            self.get("/players/sign-in/")
        fields = {"csrfmiddlewaretoken": self.cookies.get("csrftoken", ""), **(form or {})}
        kind = "application/x-www-form-urlencoded"
        return self.request("POST", path, urlencode(fields), Content_Type=kind, **headers)

    def sign_in(self, name: str, password: str, **headers: str) -> Answer:
        fields = {"username": name, "password": password}
        return self.post("/players/sign-in/", fields, **headers)


class Program:
    """An attacker's program; without a token it is a stranger's."""

    def __init__(self, address: str, token: str = "") -> None:
        self.address = address
        self.token = token

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            fields["Authorization"] = f"Bearer {self.token}"
        if method == "POST":
            fields |= {"Content-Type": "application/json"}
            fields.setdefault("Idempotency-Key", str(uuid4()))
        text = "" if method == "GET" else json.dumps({} if body is None else body)
        return sent(self.address, method, API + path, text, fields)

    def get(self, path: str) -> Answer:
        return self.request("GET", path)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.request("POST", path, body, **headers)

    def sign_in(self, name: str, password: str) -> Answer:
        answer = self.post("sign-in/", {"name": name, "password": password})
        if answer.status == 201:
            self.token = answer.content["token"]
        return answer

    def at(self, table: int) -> Any:
        """The table as this program's player sees it."""
        return self.get(f"tables/{table}/").content

    def act(self, table: int, action: dict[str, Any], **other: Any) -> Answer:
        """An action in the turn that the table shows, or for another hand or turn."""
        board = self.at(table)
        hand = board["hand"]["id"] if board["hand"] else 0
        body = {"hand": hand, "turn": board["turn"] or 0, "action": action} | other
        return self.post(f"tables/{table}/act/", body)
