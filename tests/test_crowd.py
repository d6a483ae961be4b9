"""The crowd's requests and streams: what is lost, what is counted, and how figures compare."""

import asyncio
import gzip

from bench.crowd_http import Answer, Event, Http
from bench.load_costs import counted
from bench.load_report import compared

BODY = gzip.compress(b"{}")
ANSWER = (
    b"HTTP/1.1 200 OK\r\nSet-Cookie: one=two; Path=/\r\nContent-Encoding: gzip\r\n"
    b"Content-Length: %d\r\n\r\n%b" % (len(BODY), BODY)
)
STREAM = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
# An event that two chunks share, a beat, and the end.
CHUNKS = b"f\r\nid: 7\nevent: a\n\r\n9\r\ndata: x\n\n\r\n3\r\n:\n\n\r\n0\r\n\r\n"
LOG = """web 1|10|LOG:  statement: BEGIN
web 1|10|LOG:  execute <unnamed>: UPDATE games_table
\tSET version = 1
web 2|11|LOG:  statement: SELECT 1
web 1|10|LOG:  statement: COMMIT
worker|12|LOG:  statement: SELECT 1
bench|13|LOG:  statement: SELECT 1
|14|LOG:  checkpoint starting: time
"""


async def one_answer_a_connection(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    if await reader.readuntil(b"\r\n\r\n"):
        writer.write(ANSWER)
        await writer.drain()
    writer.close()


async def none(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


async def stream(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(STREAM + CHUNKS)
    writer.close()


async def answers_of(house: object, count: int) -> tuple[Http, list[Answer]]:
    server = await asyncio.start_server(house, "127.0.0.1", 0)  # type: ignore[arg-type]
    async with server:
        http = Http(server.sockets[0].getsockname()[1])
        return http, [await http.ask("GET", "/tables/12/?known=3") for _ in range(count)]


async def heard(house: object) -> tuple[Http, list[Event]]:
    server = await asyncio.start_server(house, "127.0.0.1", 0)  # type: ignore[arg-type]
    async with server:
        http = Http(server.sockets[0].getsockname()[1])
        return http, [event async for event in http.events("/live/tables/12/")]


def test_a_closed_connection_is_replaced_at_once_and_all_is_counted() -> None:
    http, answers = asyncio.run(answers_of(one_answer_a_connection, 3))
    assert [(answer.status, answer.content) for answer in answers] == [(200, {})] * 3
    assert http.cookies == {"one": "two"}
    assert http.traffic.requests == {("GET /tables/N/", 200): 3}
    assert http.traffic.received == {"GET /tables/N/": 3 * len(ANSWER)}


def test_a_house_that_answers_nothing_is_no_endless_loop() -> None:
    assert asyncio.run(answers_of(none, 2))[1] == [Answer(0)] * 2


def test_events_are_read_whatever_chunks_they_come_in() -> None:
    http, events = asyncio.run(heard(stream))
    assert events == [Event("open", "", ""), Event("a", "x", "7")]
    assert http.traffic.received == {"GET /live/tables/N/": len(STREAM + CHUNKS)}


def test_a_statement_outside_of_a_transaction_is_one_by_itself() -> None:
    found = counted(LOG.splitlines(keepends=True))
    assert found.statements == {"web": 4, "worker": 1}
    assert found.transactions == {"web": 2, "worker": 1}


def test_runs_are_compared_figure_by_figure() -> None:
    before, after = {"all games": {"a": 4.0, "b: x": 1.0}}, {"all games": {"a": 1.0}}
    assert compared(before, after).splitlines()[-2:] == [
        "| a | 4 | 1 | 0.25 |",
        "| b: x | 1 | – | – |",
    ]
