"""The notice on pages while the history of a demonstration is being made, and how far it is."""

from contextlib import suppress
from functools import cache
from typing import Final

import redis
from django.http import HttpRequest

from games.live.announcing import client

KEY: Final = "card-room:history"
# A process that dies says nothing more, and is forgotten after this time.
BELIEVED_SECONDS: Final = 120


def tell(percent: int) -> None:
    with suppress(redis.RedisError):
        client().set(KEY, percent, ex=BELIEVED_SECONDS)


def forget() -> None:
    with suppress(redis.RedisError):
        client().delete(KEY)


def percent() -> str:
    """How many percent are there; empty while no history is being made."""
    with suppress(redis.RedisError):
        value = client().get(KEY)
        if isinstance(value, bytes):
            return value.decode()
    return ""


def frame(_request: HttpRequest) -> dict[str, object]:
    return {"history_percent": cache(percent)}
