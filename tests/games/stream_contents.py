"""What a stream has carried: the parts that its reader has put together from all its events."""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from bench.crowd_forms import put_together
from games.live.announcing import stream_path
from games.models import Table
from games.views.streams import Streams
from tests.games.house import House
from tests.games.listener import Listener
from tests.games.live_streams import address
from tests.people import client_of

EVENT: Final = re.compile(r"id: (\d+)\nevent: parts\ndata: (.*)\n\n")
Fields = dict[str, msgspec.Raw]


class Sent(msgspec.Struct, forbid_unknown_fields=True):
    """The data of an event."""

    version: int
    public: Fields = {}
    own: Fields = {}
    removed: dict[str, list[str]] = {}


class Carried:
    """The table as the reader of a stream has it after the events so far."""

    def __init__(self, listener: Listener) -> None:
        self.events: list[Sent] = []
        self.public: dict[str, bytes] = {}
        self.own: dict[str, bytes] = {}
        for number, data in EVENT.findall(listener.text):
            sent = msgspec.json.decode(data, type=Sent)
            assert sent.version == int(number)
            self.events.append(sent)
            self._take(sent)

    def _take(self, sent: Sent) -> None:
        for part, pieces in ((self.public, sent.public), (self.own, sent.own)):
            part.update({name: bytes(piece) for name, piece in pieces.items()})
        for half, names in sent.removed.items():
            for name in names:
                del getattr(self, half)[name]

    @property
    def versions(self) -> list[int]:
        return [sent.version for sent in self.events]

    @property
    def version(self) -> int:
        return self.versions[-1]

    @property
    def table(self) -> dict[str, bytes]:
        """The table as its viewer sees it."""
        return self.public | self.own


def board_of(pieces: Mapping[str, bytes]) -> str:
    """The board that a page puts together from the pieces of a stream."""
    return put_together({name: msgspec.json.decode(piece) for name, piece in pieces.items()})


def in_pieces(text: str) -> dict[str, bytes]:
    """The fields of a response, as bytes."""
    fields = msgspec.json.decode(text, type=Fields)
    return {name: bytes(field) for name, field in fields.items()}


def stranger(at: Streams, table: Table, form: str = "json", **headers: str) -> Listener:
    """A stream that carries the table in a form, opened by a visitor who is not signed in."""
    return Listener(at, f"{stream_path(table.pk)}?as={form}", **headers).open()


async def opened(
    at: Streams, house: House, table: Table, name: str, form: str = "json", **headers: str
) -> Listener:
    """A stream that carries the table in a form, opened by a player."""
    path = await at.hub.ask_database(lambda: address(client_of(house.person(name)), table))
    return Listener(at, f"{path}&as={form}", **headers).open()


async def carried_now(at: Streams, table: Table, *streams: Listener) -> list[Carried]:
    version = await now_at(at, table)
    return [await until_carried(stream, version) for stream in streams]


def act(house: House, table: Table) -> None:
    table.refresh_from_db()
    assert house.let_people_act(table)


async def until_carried(listener: Listener, version: int) -> Carried:
    """What a stream has carried once it has this version."""
    await listener.until(f"id: {version}\nevent: parts\n")
    return Carried(listener)


async def now_at(at: Streams, table: Table) -> int:
    """Tell the hub the table's version, as an announcement does, and return it."""
    version: Any = await at.hub.ask_database(lambda: Table.objects.get(pk=table.pk).version)
    at.hub.tell(table.pk, version)
    return int(version)
