"""Everything that the house has stored, as the holder of all copies finds it.

Every cell of every table is read in each way that it may be written: as text, as JSON, as
hexadecimal digits or base64, as a session or a pickled object, and each of these within another.
"""

import base64
import binascii
import json
import pickle
import re
import zlib
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

import redis
from django.core.cache import caches
from django.db import connection

from games.rules.cards import Card

# Shorter ones are words and numbers that mean themselves.
HEX = re.compile(r"(?:[0-9a-fA-F]{2}){8,}")
BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
# Card names as records write them and as sentences do, one alone or several in a row.
RUN = re.compile(r"(?<![0-9A-Za-z])(?:(?:10|[2-9TJQKA])[cdhs♣♦♥♠]|BJ|RJ)+(?![0-9A-Za-z])")
ONE = re.compile(r"(?:10|[2-9TJQKA])[cdhs♣♦♥♠]|BJ|RJ")
SUITS = str.maketrans("♣♦♥♠", "cdhs")
# Its groups of four digits may read like cards.
UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
# Random letters, as of an invitation, a signature or the hash of a password, spell a card here and
# there: such a run is read by what it encodes, and as text only where it could be cards and nothing
# else.
TOKEN = re.compile(r"[A-Za-z0-9_-]{22,}|[A-Za-z0-9+/]{43}=")
CARDS_ALONE = re.compile(r"[0-9TJQKAcdhsBR_-]+")
NUMBER = re.compile(r"(?<![0-9A-Za-z.:])\d+(?![0-9A-Za-z.:])")


class Cell(NamedTuple):
    """Something stored, and where."""

    place: str
    value: Any


def everything(server_url: str) -> list[Cell]:
    """Every cell of the database, and all contents of caches and Redis."""
    return [*_database(), *_caches(), *_redis(server_url)]


def _database() -> Iterator[Cell]:
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            columns = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                for column, value in zip(columns, row, strict=True):
                    yield Cell(f"{table}.{column}", value)


def _caches() -> Iterator[Cell]:
    cache: Any = caches["default"]
    for key, value in cache._cache.items():
        yield Cell("cache", key)
        yield Cell(f"cache {key}", value)


def _redis(url: str) -> Iterator[Cell]:
    client = redis.Redis.from_url(url)
    for key in client.scan_iter():
        yield Cell("redis", key)
        kind = client.type(key)
        if kind == b"string":
            yield Cell(f"redis {key!r}", client.get(key))
        elif kind == b"hash":
            yield Cell(f"redis {key!r}", list(client.hgetall(key).items()))
        else:
            yield Cell(f"redis {key!r}", client.dump(key))
    client.close()


def readings(value: Any, depth: int = 4) -> Iterator[str | bytes | int]:
    """Every text, run of bytes and number that something stored may stand for."""
    if value is None or depth < 0:
        return
    if isinstance(value, bool):
        yield int(value)
    elif isinstance(value, int):
        yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from readings(name, depth)
            yield from readings(part, depth)
    elif isinstance(value, list | tuple | set | frozenset):
        if value and all(isinstance(part, int) for part in value):
            # Places in a deck.
            yield bytes(part % 256 for part in value)
        for part in value:
            yield from readings(part, depth)
    elif isinstance(value, bytes | bytearray | memoryview):
        yield from _readings_of_bytes(bytes(value), depth)
    else:
        yield from _readings_of_text(str(value), depth)


def _readings_of_bytes(value: bytes, depth: int) -> Iterator[str | bytes | int]:
    yield value
    if value[:1] == b"\x80" and value[-1:] == b".":
        with suppress(Exception):
            yield from readings(pickle.loads(value), depth - 1)
    with suppress(zlib.error):
        yield from readings(zlib.decompress(value), depth - 1)
    with suppress(UnicodeDecodeError):
        if (text := value.decode()).isprintable():
            yield from _readings_of_text(text, depth)


def _readings_of_text(text: str, depth: int) -> Iterator[str | bytes | int]:
    text = UUID.sub("", text)
    yield TOKEN.sub(lambda run: run[0] if CARDS_ALONE.fullmatch(run[0]) else "", text)
    try:
        parsed = json.loads(text)
    except ValueError:
        pass
    else:
        if not isinstance(parsed, str) or parsed != text:
            yield from readings(parsed, depth - 1)
    yield from (int(number) for number in NUMBER.findall(text) if len(number) < 20)
    for run in HEX.findall(text):
        yield from readings(bytes.fromhex(run), depth - 1)
    for run in BASE64.findall(text):
        for decode in (base64.b64decode, base64.urlsafe_b64decode):
            try:
                octets = decode(run.rstrip("=") + "=" * (-len(run.rstrip("=")) % 4))
            except binascii.Error:
                continue
            yield from readings(octets, depth - 1)


def cards_named(text: str) -> set[str]:
    return {
        card.replace("10", "T").translate(SUITS)
        for run in RUN.findall(text)
        for card in ONE.findall(run)
    }


class Meaning(NamedTuple):
    """What something stored says in all ways in which it can be read."""

    cards: frozenset[str]
    numbers: frozenset[int]
    raw: frozenset[bytes]


def meaning(value: Any) -> Meaning:
    cards, numbers, raw = set[str](), set[int](), set[bytes]()
    for reading in readings(value):
        if isinstance(reading, int):
            numbers.add(reading)
        elif isinstance(reading, bytes):
            raw.add(reading)
        else:
            cards |= cards_named(reading)
    return Meaning(frozenset(cards), frozenset(numbers), frozenset(raw))


# Most of what is stored is the same from step to step of a hand.
_meaning_kept = lru_cache(maxsize=50_000, typed=True)(meaning)


def found(
    cells: Iterable[Cell], cards: set[str], numbers: set[int], hands: Iterable[tuple[Card, ...]]
) -> set[str]:
    """The places where any of these cards, numbers or hands is stored."""
    deck = list(Card)
    runs = {
        bytes(deck.index(card) for card in hand[at : at + 5])
        for hand in hands
        for at in range(len(hand) - 4)
    }
    leaks = set()
    for place, value in cells:
        said = _meaning_kept(value) if isinstance(value, Hashable) else meaning(value)
        leak: set[Any] = {*(said.cards & cards), *(said.numbers & numbers)}
        leak |= {run.hex() for run in runs if any(run in octets for octets in said.raw)}
        leaks |= {f"{place}: {secret}" for secret in leak}
    return leaks
