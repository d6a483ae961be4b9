"""How quickly a move is made in the service layer, beside pgbench on the same cluster.

    python -m bench.play [HANDS STORED]

Eight clients, each a process with one connection, play Dou Dizhu at tables of their own: every move
is locked, replayed, applied, stored, committed to disk and announced by a Redis of its own. They
and pgbench take turns. Then so many finished hands are put beside them, and the same is measured
again.
"""

import multiprocessing
import sys
from datetime import UTC, datetime, timedelta
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from statistics import median
from time import perf_counter
from typing import Any, Final

from bench.ledger import CLIENTS, PGBENCH_SCALE, pgbench, pgbench_rate
from tests.houses import open_house

SECONDS: Final = 4
ROUNDS: Final = 3
HANDS_STORED: Final = 1_000_000
NAMES: Final = ("alice", "bob", "carol")


def open_table(number: int) -> int:
    """A table of three people with money."""
    from tests.games.house import House

    house = House()
    house.now = datetime.now(UTC)
    table = house.table("doudizhu", name=f"bench {number}", pause_seconds=0, grace_seconds=3600)
    for seat, name in enumerate(NAMES, 1):
        house.sit(house.player(f"{name} {number}"), table, seat)
    return table.pk


def play(table_id: int, start: Barrier, results: "Queue[list[float]]") -> None:
    """Make moves for a while, and tell how long each took."""
    from django.db import connection
    from msgspec import to_builtins

    from games.models import Hand, Table
    from games.tables import clock, hand_verbs
    from games.tables.hand_state import game_of, state_of

    connection.ensure_connection()
    start.wait()
    took: list[float] = []
    end = perf_counter() + SECONDS
    while perf_counter() < end:
        table = Table.objects.get(pk=table_id)
        if table.hand_id is None:
            clock.tick(table_id, max(table.due_at or datetime.now(UTC), datetime.now(UTC)))
            continue
        hand = Hand.objects.select_related("shoe").get(pk=table.hand_id)
        game = game_of(hand)
        state = state_of(hand, game, hand.moves.order_by("number"))
        players = {seat.number: seat.player for seat in table.seats.select_related("player")}
        # One after the other: whose turn it is has had it since the last move.
        turn = table.moves_made
        while game.to_act(state) and perf_counter() < end:
            (seat,) = game.to_act(state)
            action = game.fallback(state, seat)
            now, began = datetime.now(UTC), perf_counter()
            hand_verbs.act(players[int(seat)], table_id, hand.pk, turn, to_builtins(action), now)
            took.append(perf_counter() - began)
            state, turn = game.apply(state, seat, action), turn + 1
    results.put(took)
    connection.close()


def moves(tables: list[int]) -> list[float]:
    """How long each move took, of all clients together."""
    context = multiprocessing.get_context("fork")
    start, results = context.Barrier(CLIENTS), context.Queue()
    clients = [context.Process(target=play, args=(table, start, results)) for table in tables]
    for client in clients:
        client.start()
    took = [each for _client in clients for each in results.get()]
    for client in clients:
        client.join()
    return took


def store_hands(count: int) -> None:
    """So many finished hands at an empty table, each with five moves."""
    from django.db import connection

    from games.models import Table

    copied = Table.objects.order_by("pk").first()
    assert copied is not None
    now = datetime.now(UTC) - timedelta(days=1)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO games_hand (table_id, number, game, rules_version, options, stakes,"
            " context, draws, shoe_id, first_card, cards_dealt, round_number, status, started_at,"
            " ended_at, settlement, rake, bank, jackpots)"
            " SELECT table_id, 1000000 + n, game, rules_version, options, stakes, context, draws,"
            " shoe_id, 0, 54, 1, 'finished', %s, %s, settlement, 0, 0, jackpots"
            " FROM generate_series(1, %s) AS n,"
            " (SELECT * FROM games_hand ORDER BY id LIMIT 1) AS h",
            [now, now, count],
        )
        cursor.execute(
            "INSERT INTO games_move (hand_id, number, seat, action, turn, by, at)"
            " SELECT h.id, n, 1, '{\"do\": \"pass\"}', n, 'player', %s"
            " FROM games_hand AS h, generate_series(0, 4) AS n WHERE h.number > 1000000",
            [now],
        )
        cursor.execute("ANALYZE")


def report(tables: list[int], what: str) -> None:
    """Moves a second and how long they took, as the middle of a few rounds."""
    ratios, took = [], []
    for _round in range(ROUNDS):
        simple = pgbench_rate()
        each = moves(tables)
        took += each
        ratios.append(len(each) / SECONDS / simple)
    took.sort()
    at: Any = lambda share: took[int(len(took) * share)] * 1_000  # noqa: E731
    print(
        f"{what}: {median(ratios):.2f} of pgbench's simple transaction, "
        f"p50 {at(0.5):.1f} ms, p99 {at(0.99):.1f} ms",
        flush=True,
    )


def main() -> None:
    with open_house(database="durable", redis=True):
        measure(int(sys.argv[1]) if sys.argv[1:] else HANDS_STORED)


def measure(count: int) -> None:
    """Moves with few hands stored, and with many."""
    from django.db import connection

    pgbench("-i", "-q", "-s", str(PGBENCH_SCALE))
    tables = [open_table(number) for number in range(CLIENTS)]
    connection.close()
    report(tables, "moves with few hands stored")
    store_hands(count)
    connection.close()
    report(tables, f"moves with {count:,} hands stored")


if __name__ == "__main__":
    main()
