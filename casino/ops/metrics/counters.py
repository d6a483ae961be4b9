"""Counting what happens: requests, moves and sweeps."""

from collections.abc import Callable
from time import perf_counter
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from casino.ops.metrics import catalogue
from casino.ops.metrics.counts import add, observe

GetResponse = Callable[[HttpRequest], HttpResponseBase]
KINDS: Final = {kind: f"{kind}xx" for kind in (2, 3, 4, 5)}


def requests(get_response: GetResponse) -> GetResponse:
    """Middleware that measures each request, by the part of the house that answers it."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        began = perf_counter()
        response = get_response(request)
        method = request.method if request.method in catalogue.METHODS else "other"
        note_request(str(method), request.path_info, response.status_code, perf_counter() - began)
        return response

    return respond


def note_request(method: str, path: str, status: int, seconds: float) -> None:
    labels = (part_of(path), method, KINDS.get(status // 100, "other"))
    observe(catalogue.REQUEST_SECONDS, *labels, seconds=seconds)


def part_of(path: str) -> str:
    """The part of the house by the first part of an address; the front page is the lobby's."""
    first = path.split("/", 2)[1] if path.startswith("/") else path
    first = first or "lobby"
    return first if first in catalogue.PARTS else "other"


def note_played(game: str, moves: list[tuple[str, str]], over: bool, **_signal: object) -> None:
    for verb, by in moves:
        add(catalogue.MOVES, game, verb, by)
    if over:
        add(catalogue.HANDS_ENDED, game)


def note_acted(game: str, seconds: float, **_signal: object) -> None:
    observe(catalogue.ACT_SECONDS, game, seconds=seconds)


def swept(sweep: Callable[[], int]) -> None:
    """Sweep, and count it."""
    began = perf_counter()
    due = sweep()
    observe(catalogue.SWEEP_SECONDS, seconds=perf_counter() - began)
    if due:
        add(catalogue.SWEPT_TABLES, amount=due)
