"""What an attacker finds in copies of all that the house stores and prints."""

import base64
import binascii
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import redis

from tests.games.storage import BASE64, HEX, Cell


def stored(house: Any) -> Iterator[Cell]:
    """Every cell of the database file, every key of Redis, and all that was printed."""
    for (table,) in house.sql("SELECT name FROM sqlite_master WHERE type = 'table'"):
        names = [row[1] for row in house.sql(f'PRAGMA table_info("{table}")')]
        for row in house.sql(f'SELECT * FROM "{table}"'):
            for name, value in zip(names, row, strict=True):
                yield Cell(f"{table}.{name}", value)
    client = redis.Redis.from_url(house.redis)
    for key in client.scan_iter():
        value = client.get(key) if client.type(key) == b"string" else client.dump(key)
        yield Cell(f"redis {key!r}", value)
    client.close()
    yield Cell("log", house.log())


def octets_in(value: Any) -> Iterator[bytes]:
    """Every 32 bytes that a cell may hold, however they are written."""
    text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
    runs = [value] if isinstance(value, bytes) else []
    runs += [bytes.fromhex(run) for run in HEX.findall(text)]
    for run in BASE64.findall(text):
        for decode in (base64.b64decode, base64.urlsafe_b64decode):
            with suppress(binascii.Error):
                runs.append(decode(run.rstrip("=") + "=" * (-len(run.rstrip("=")) % 4)))
    for run in runs:
        for at in range(len(run) - 31):
            yield run[at : at + 32]
