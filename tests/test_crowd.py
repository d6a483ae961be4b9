"""The crowd's requests: a connection that the house has closed costs no answer."""

import asyncio

from bench.crowd_http import Answer, Http

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


async def one_answer_a_connection(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    if await reader.readuntil(b"\r\n\r\n"):
        writer.write(ANSWER)
        await writer.drain()
    writer.close()


async def none(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


async def answers(house: object, count: int) -> list[Answer]:
    server = await asyncio.start_server(house, "127.0.0.1", 0)  # type: ignore[arg-type]
    async with server:
        http = Http(server.sockets[0].getsockname()[1])
        return [await http.ask("GET", "/") for _ in range(count)]


def test_a_closed_connection_is_replaced_at_once() -> None:
    assert asyncio.run(answers(one_answer_a_connection, 3)) == [Answer(200, {})] * 3


def test_a_house_that_answers_nothing_is_no_endless_loop() -> None:
    assert asyncio.run(answers(none, 2)) == [Answer(0)] * 2
