"""Operations of the API as plain values, which the site serves and the description lists.

An operation reads its request into types and answers with bytes. The site checks the sender and
their rate (`casino/accounts/api.py`); it also turns every refusal into a response.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import msgspec
from django.http import HttpResponse

from wallets.values.player import Player, Viewer, is_player

JSON: Final = "application/json"
# The component that describes every refusal.
REFUSAL: Final = "Refusal"


@dataclass(frozen=True)
class ApiRequest:
    """A request that has been read, and whose sender is known."""

    method: str
    path: str
    headers: Mapping[str, str]
    user: Viewer
    # The name of the session or token that signs the user in (`games/live/tickets.py`).
    sign_in: str
    # Of the types that the operation names.
    query: Any
    body: Any
    # The body as it was sent.
    data: object

    @property
    def player(self) -> Player:
        """The sender of a request that needs a sign-in."""
        assert is_player(self.user)
        return self.user


Answer = Callable[..., HttpResponse]


class Operation(NamedTuple):
    name: str
    # Behind `/api/v1/`, as Django's URLs have it, and the name by which it is found.
    route: str
    address: str
    description: str
    answer: Answer
    query: type[msgspec.Struct]
    # By status: the component of the description that the body is, or why there is none.
    responses: Mapping[int, str]
    body: type[msgspec.Struct] | None = None
    method: str = "GET"
    # Whether the operation needs no sign-in.
    for_all: bool = False
    # Whether each request has an idempotency key.
    has_key: bool = False


def answer(payload: object, status: int = 200) -> HttpResponse:
    return json_response(msgspec.json.encode(payload), status)


def json_response(content: bytes, status: int = 200) -> HttpResponse:
    return HttpResponse(content, content_type=JSON, status=status)


def nothing() -> HttpResponse:
    """A response without a body."""
    return HttpResponse(status=204)
