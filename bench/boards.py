"""What the part of a table that changes costs: processor time, queries and compressed size.

    python -m bench.boards

A house of its own is filled in a temporary folder: for every family a table in the middle of a
hand, Dou Dizhu after thirty moves or as many as a hand has. Each part is asked for as a browser
does, by its player; processor time is that of this process, so other work on the machine disturbs
it little. R says how many parts are made for every million additions the same core makes. For
everybody at the table it prints what rendering the board, a whole part and the whole page take, in
thousands of additions.
"""

import gzip
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from time import process_time
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

from bench.calibration import additions_per_second, measure
from tests.houses import open_house

if TYPE_CHECKING:
    from django.test import Client

    from games.models import Table

ROUNDS: Final = 9
PARTS: Final = 40
REPEATED: Final = 15
DOUDIZHU_MOVES: Final = 30
# What is aimed at for Dou Dizhu.
MILLISECONDS_MAX: Final = 5
BYTES_MAX: Final = 12 * 1024
NAMES: Final = ("alice", "bob", "carol", "dave")
GAMES: Final = (
    "doudizhu",
    "thirteen_fujian",
    "blackjack",
    "russian_poker",
    "casino_holdem",
    "baccarat",
)


def table_of(game: str) -> "Table":
    """A table of people in the middle of a hand."""
    from games.models import Table
    from games.rules.catalogue import game_type
    from tests.games.house import House

    house = House()
    house.now = datetime.now(UTC)
    people = [f"{name}-{game}" for name in NAMES[: max(2, game_type(game).seats[0])]]
    table = house.dealt_in(game, *people, grace_seconds=36_000, pause_seconds=0)
    if game != "doudizhu":
        return table
    for _ in range(50):
        # Long hands are rare among good players: deal until there is one.
        while table.hand_id and table.moves_made < DOUDIZHU_MOVES and house.let_people_act(table):
            table.refresh_from_db()
        if table.hand_id and table.moves_made >= DOUDIZHU_MOVES:
            return table
        house.until(table, lambda table: table.phase == Table.Phase.PLAY and not table.moves_made)
    raise SystemExit("no hand was so long")


def parts(client: "Client", address: str, count: int) -> bytes:
    text = b""
    for _ in range(count):
        answer = client.get(address, headers={"HX-Request": "true"})
        assert answer.status_code == 200
        text = bytes(answer.content)
    return text


def measured(game: str) -> tuple[float, int]:
    """Milliseconds for a part, and its compressed size; one line says them."""
    from django.db import connection
    from django.test import Client

    from games.models import Seat

    table = table_of(game)
    # The player who is to act has the larger part: the cards and the possible actions.
    acting = sorted(table.turns, key=int)[-1]
    client = Client()
    client.force_login(Seat.objects.get(table=table, number=int(acting)).player)
    address = f"/tables/{table.pk}/board/"
    text = parts(client, address, PARTS)
    queries: list[str] = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        queries.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        parts(client, address, 1)

    def work() -> int:
        parts(client, address, PARTS)
        return PARTS

    figure = measure(work, ROUNDS, process_time)
    milliseconds = 1000 / figure.rate
    size = len(gzip.compress(text, 6))
    figures = f"{milliseconds:7.2f} ms {figure.ratio:8.2f} R {len(queries):3} queries"
    print(f"{game:<16} {figures} {len(text):7,} bytes, {size:6,} compressed", flush=True)
    for_everybody(table, acting)
    if os.environ.get("QUERIES"):
        for query in queries:
            print("   ", query[:300])
    return milliseconds, size


def for_everybody(table: "Table", acting: str) -> None:
    """Print what the player whose turn it is, another player and a stranger cost."""
    from django.test import Client

    from games.boards.pieces.assembly import board
    from games.models import Seat
    from games.templatetags import pieces

    seats = {str(seat.number): seat.player for seat in Seat.objects.filter(table=table)}
    waiting = next((player for number, player in seats.items() if number not in table.turns), None)
    for words, player in (("acts", seats[acting]), ("waits", waiting), ("stranger", None)):
        if player is None and words != "stranger":
            continue
        client = Client()
        if player is not None:
            client.force_login(player)
        made: list[tuple[Any, ...]] = []

        def note(*facts: Any, made: list[tuple[Any, ...]] = made) -> Any:
            made.append(facts)
            return board(*facts)

        with patch.object(pieces, "board", note):
            assert client.get(f"/tables/{table.pk}/").status_code == 200
        costs = {
            "board": thousands(partial(board, *made[-1])),
            "part": thousands(partial(parts, client, f"/tables/{table.pk}/board/", 1)),
            "page": thousands(partial(client.get, f"/tables/{table.pk}/")),
        }
        print("   ", f"{words:<10}", *(f"{name} {cost:6,.1f}k" for name, cost in costs.items()))


def thousands(work: Callable[[], object]) -> float:
    """The cost of some work, in thousands of additions of the same core."""

    def repeated() -> int:
        for _ in range(REPEATED):
            work()
        return REPEATED

    return 1000 / measure(repeated, ROUNDS, process_time).ratio


def main() -> None:
    with open_house():
        speed, load = additions_per_second(process_time) / 1e6, os.getloadavg()[0]
        print(f"{speed:.1f} million additions a second; load {load:.1f}")
        measurements = {game: measured(game) for game in sys.argv[1:] or GAMES}
        if "doudizhu" in measurements:
            milliseconds, size = measurements["doudizhu"]
            print(f"Dou Dizhu: {milliseconds:.2f} of {MILLISECONDS_MAX} ms, ", end="")
            print(f"{size:,} of {BYTES_MAX:,} bytes")


if __name__ == "__main__":
    main()
