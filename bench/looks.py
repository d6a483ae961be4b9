"""What a look at a table costs a program: work of this process, statements and size.

    python -m bench.looks [GAME ...]

A house of its own is filled in a temporary folder, as for `bench.boards`. The player who is to act,
another player and a stranger look at the table by the API, through all of Django. The cost is
counted in additions of the same core, and in calls of Python functions, which do not depend on
the machine; next to them is the first look at a version, which makes the public part.
"""

import cProfile
import logging
import os
import pstats
import sys
from collections.abc import Callable
from time import process_time
from typing import TYPE_CHECKING, Any, Final

from bench.boards import GAMES, table_of
from bench.calibration import additions_per_second, measure
from tests.houses import open_house

if TYPE_CHECKING:
    from games.boards.renderings import Rendering
    from games.models import Table
    from wallets.values.player import Player

ROUNDS: Final = 9
LOOKS: Final = 40


def calls_of(look: Callable[[], object]) -> int:
    """The functions of Python that one look calls."""
    profile = cProfile.Profile()
    profile.enable()
    look()
    profile.disable()
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


def statements_of(look: Callable[[], object]) -> int:
    from django.db import connection

    sent: list[str] = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        sent.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        look()
    return len(sent)


def measured(who: str, name: str | None, table: "Table") -> None:
    from django.core.cache import caches

    from games.boards.table_version import VERSIONS
    from tests.games.program import Program

    program, address = Program(name), f"/api/v1/tables/{table.pk}/"

    def look() -> bytes:
        # The house would refuse a program that looks so often.
        caches["default"].clear()
        answer = program.client.get(address, headers=program.headers)
        assert answer.status_code == 200, answer.content
        return bytes(answer.content)

    def work() -> int:
        for _ in range(LOOKS):
            look()
        return LOOKS

    size, figure = len(look()), measure(work, ROUNDS, process_time)
    VERSIONS.clear()
    first = calls_of(look)
    cost = f"{1_000 / figure.ratio:5.0f}k additions {calls_of(look):7,} calls ({first:6,} first)"
    print(f"{table.game:<16} {who:<8} {cost} {statements_of(look):3} statements {size:7,} bytes")


def parts(table: "Table", player: "Player") -> None:
    """What the two parts of a stream cost by themselves, from rows that are read already."""
    from django.utils import timezone

    from games.boards.renderings import RENDERINGS
    from games.boards.shoe_status import kept_parts
    from games.boards.table_version import VERSIONS
    from games.tables.lock import ROW, seats_at

    row = ROW.get(table.pk)
    seats, now = seats_at(row), timezone.now()

    def cost(part: Callable[[], object]) -> str:
        def work() -> int:
            for _ in range(LOOKS):
                part()
            return LOOKS

        return f"{1_000 / measure(work, ROUNDS, process_time).ratio:4.1f}k"

    for form, rendering in RENDERINGS.items():

        def made(rendering: "Rendering" = rendering) -> None:
            VERSIONS.clear()
            rendering.public(row, seats, "en")

        @kept_parts()
        def own(rendering: "Rendering" = rendering) -> None:
            rendering.own(player, row, seats, now, "en")

        public, mine = cost(made), cost(own)
        print(f"{table.game:<16} {form:<8} public {public} once; own {mine} additions")


def main() -> None:
    with open_house():
        from games.models import Seat

        logging.disable()
        speed, load = additions_per_second(process_time) / 1e6, os.getloadavg()[0]
        print(f"{speed:.1f} million additions a second; load {load:.1f}")
        for game in sys.argv[1:] or GAMES:
            table = table_of(game)
            seats = Seat.objects.filter(table=table).select_related("player")
            acting = sorted(table.turns, key=int)[-1]
            measured("to act", seats.get(number=int(acting)).player.username, table)
            measured("waiting", seats.exclude(number=int(acting))[0].player.username, table)
            measured("stranger", None, table)
            parts(table, seats.get(number=int(acting)).player)


if __name__ == "__main__":
    main()
