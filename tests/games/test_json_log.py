"""The log as JSON: each line an object with its request's number, and no secret in any of them."""

import json
import logging
from collections.abc import Iterator
from io import StringIO
from typing import Any, Final

import pytest
from django.test import Client

from casino.ops.log_lines import JsonLines
from casino.ops.request_log import RequestLog
from casino.ops.server import web
from games.models import Hand
from games.records import sharing
from games.views import lobby
from tests.games.house import House
from tests.games.program import PASSWORD, Program, cards_in

TYPED: Final = "what-somebody-typed-in-the-wrong-field"
AGENT: Final = "a browser that says who it is"
# Of these parts of a line, which are made by us, hexadecimal digits may look like cards.
OURS: Final = ("request_id", "timestamp")


class Lines:
    def __init__(self) -> None:
        self.stream = StringIO()

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def all(self) -> list[dict[str, Any]]:
        """Every line, each a JSON object of its own."""
        entries = [json.loads(line) for line in self.text.splitlines()]
        assert all({"event", "level", "logger", "timestamp"} <= set(line) for line in entries)
        return entries

    def of_requests(self) -> list[dict[str, Any]]:
        return [line for line in self.all if line["event"] == "request_finished"]

    def hold_none_of(self, *secrets: str) -> None:
        assert all(secrets)
        for secret in (*secrets, TYPED, PASSWORD, AGENT):
            assert secret not in self.text
        for line in self.all:
            rest = {name: part for name, part in line.items() if name not in OURS}
            assert not cards_in(rest), line


@pytest.fixture
def lines(settings: Any) -> Iterator[Lines]:
    """The log of this test, as `LOG_FORMAT=json` has it."""
    settings.MIDDLEWARE = [f"{RequestLog.__module__}.{RequestLog.__name__}", *settings.MIDDLEWARE]
    settings.DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG
    settings.DJANGO_STRUCTLOG_USER_ID_FIELD = ""
    settings.DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
    written, root = Lines(), logging.getLogger()
    handler, before = logging.StreamHandler(written.stream), root.level
    handler.setFormatter(JsonLines())
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield written
    root.removeHandler(handler)
    root.setLevel(before)


def browser() -> Client:
    return Client(headers={"User-Agent": AGENT}, raise_request_exception=False)


def signed_in(name: str) -> Client:
    client = browser()
    answer = client.post("/players/sign-in/", {"username": name, "password": PASSWORD})
    assert answer.status_code == 302
    return client


@pytest.mark.slow
def test_no_line_holds_an_invitation_a_link_or_a_password(house: House, lines: Lines) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    table.invitation, table.private = "an-invitation-to-three", True
    table.save(update_fields=["sealed_invitation", "invitation_digest", "private"])
    house.until(table, lambda table: Hand.objects.filter(status="finished").exists())
    hand = Hand.objects.filter(status="finished").earliest("pk")
    token = sharing.share(house.person("alice"), hand.pk, house.now, named=True).token
    house.player("eve")
    eve, stranger = signed_in("eve"), browser()
    stranger.post("/players/sign-in/", {"username": TYPED, "password": PASSWORD})
    stranger.post("/players/sign-in/", {"username": "eve", "password": TYPED})
    stranger.post("/api/v1/sign-in/", {"name": TYPED, "password": TYPED}, "application/json")
    stranger.post("/players/first-password/", {"username": "eve", "one_time": TYPED})
    for client in (eve, stranger):
        for address in (
            f"/tables/{table.pk}/?invitation=an-invitation-to-three",
            f"/tables/{table.pk}/?invitation={TYPED}",
            f"/private/{table.pk}/?invitation=an-invitation-to-three",
            "/private/999/?invitation=an-invitation-to-three",
            f"/shared/{token}/",
            f"/shared/{token}/step/2/",
            f"/shared/{token}",
            f"/shared/{token}/nothing/",
            f"/shared/{TYPED}/",
            f"/{TYPED}/",
            f"/history/{hand.pk}/?next={TYPED}",
            f"/players/sign-in/?next=/shared/{token}/",
        ):
            client.get(address)
        client.generic(TYPED, "/lobby/")
        client.post(f"/shared/{token}/")
    Client(enforce_csrf_checks=True).post("/players/sign-in/", {"password": TYPED})
    sessions = [eve.cookies["sessionid"].value, eve.cookies["csrftoken"].value]
    lines.hold_none_of(token, "an-invitation-to-three", *sessions)
    requests = {line["request"] for line in lines.of_requests()}
    assert "GET /shared/<str:token>/" in requests
    assert "GET (no such address)" in requests
    assert "other /lobby/" in requests
    assert any(line.get("hand") == hand.pk for line in lines.of_requests())


def test_a_fault_of_ours_is_one_line_without_what_its_words_held(
    house: House, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no AsKd for Bearer abc at /shared/def/?invitation=ghi\nand more")

    monkeypatch.setattr(lobby, "render", broken)
    assert browser().get("/lobby/").status_code == 500
    faults = [line for line in lines.all if "exception" in line]
    (fault,) = faults
    (finished,) = lines.of_requests()
    assert "Traceback" in fault["exception"]
    assert "RuntimeError: no … for Bearer … at /shared/…/?invitation=…" in fault["exception"]
    assert finished["code"] == 500
    assert finished["request_id"] == fault["request_id"]
    lines.hold_none_of("abc", "ghi")


@pytest.mark.always
def test_requests_have_numbers_of_their_own(house: House, lines: Lines) -> None:
    """One that a client sends is not taken over, and none is left for the next request."""
    table = house.table("baccarat")
    client = Client(headers={"X-Request-ID": TYPED, "X-Correlation-ID": TYPED})
    client.get(f"/tables/{table.pk}/")
    client.get("/lobby/")
    first, second = lines.of_requests()
    assert first["table"] == table.pk
    assert "table" not in second
    assert first["request_id"] != second["request_id"]
    lines.hold_none_of(TYPED)


@pytest.mark.django_db(transaction=True)
def test_a_move_names_its_hand(house: House, lines: Lines) -> None:
    """Hands are noted after the commit, so a move that was refused names none."""
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    programs = [Program(name) for name in ("alice", "bob", "carol")]
    assert any(program.act(table) for program in programs)
    programs[0].post(f"tables/{table.pk}/act/", {"hand": table.hand_id, "turn": 99, "action": {}})
    played, refused = (line for line in lines.of_requests() if line["request"].endswith("/act/"))
    assert (played["table"], played["hand"]) == (table.pk, table.hand_id)
    assert refused["table"] == table.pk
    assert "hand" not in refused


@pytest.mark.parametrize(("value", "own"), [("json", True), ("line", False), ("", False)])
def test_the_server_leaves_the_format_to_us(
    monkeypatch: pytest.MonkeyPatch, value: str, own: bool
) -> None:
    monkeypatch.setenv("LOG_FORMAT", value)
    assert ("log_config" in web.options()) == own
