"""The compression of streams: who gets it, and that it comes whole and in steps."""

import zlib

import pytest

from games.live.packing import STEP, Packing, takes_gzip
from games.models import Table
from games.views import streams
from games.views.streams import Streams
from tests.games.house import House
from tests.games.listener import Listener
from tests.games.live_streams import meet
from tests.games.stream_contents import carried_now, stranger


@pytest.mark.parametrize(
    ("said", "takes"),
    [
        ("gzip, deflate, br, zstd", True),
        ("GZIP;q=0.5", True),
        ("br, *;q=0.1", True),
        ("*", True),
        ("gzip;q=0, *", False),
        ("*;q=0, gzip", True),
        ("gzip; q=0.000", False),
        ("*;q=0", False),
        ("br;q=1", False),
        ("gzip;q=high", False),
        ("gzipped", False),
        ("", False),
    ],
)
def test_a_stream_is_compressed_where_its_reader_says_so(said: str, takes: bool) -> None:
    assert takes_gzip([(b"host", b"gzip"), (b"accept-encoding", said.encode())]) == takes


def test_each_text_comes_whole_and_at_once_in_steps_of_length() -> None:
    packing, reader = Packing(), zlib.decompressobj(16 + zlib.MAX_WBITS)
    for length in range(3 * STEP):
        # Numbers that follow no rule are as long as they are written.
        text = b"".join(b"%x" % (number * number * 7919 % 65_521) for number in range(length))
        # Viewers with a seat, then without one, and the other way round.
        sent = packing.packed(text, shared=length % 7 < 4)
        assert len(sent) % STEP == 0
        assert reader.decompress(sent) == text
    assert reader.decompress(packing.end()) == b""
    assert reader.eof


def test_a_text_for_many_is_compressed_once_behind_the_same_text() -> None:
    texts = [b"event %d: " % number + b"%x" % 7**900 for number in range(4)]
    early, late = Packing(), Packing()
    for packing in (early, late):
        packing.packed(b"retry")
    early.packed(texts[0], shared=True)
    first = [packing.packed(texts[1], shared=True) for packing in (early, late)]
    second = [packing.packed(texts[2], shared=True) for packing in (early, late)]
    # Who comes late was sent nothing that could be repeated.
    assert len(first[0]) < len(first[1])
    assert second[0] is second[1]


@pytest.mark.django_db(transaction=True)
def test_a_stream_of_versions_and_one_too_many_are_sent_as_they_are(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.table("doudizhu")
    monkeypatch.setattr(streams, "PACKED_MAX", 2)

    async def meeting(at: Streams) -> None:
        await _compare(at, table)

    meet(meeting)


async def _compare(at: Streams, table: Table) -> None:
    path, packed = f"/live/tables/{table.pk}/", {"accept_encoding": "gzip"}
    bare = Listener(at, path, **packed).open()
    await bare.until_version(0)
    listener = stranger(at, table, **packed)
    (first,) = await carried_now(at, table, listener)
    another = stranger(at, table, **packed)
    (second,) = await carried_now(at, table, another)
    assert first.public == second.public
    encodings = [stream.headers.get("content-encoding") for stream in (bare, listener, another)]
    assert encodings == [None, "gzip", None]
    assert listener.headers["vary"] == "accept-encoding"
    for stream in (bare, listener, another):
        await stream.leave()
