"""What tournaments of 30, 300 and 3,000 players cost, on PostgreSQL.

    python -m bench.tournament [PLAYERS...]

For each field: registering (by one process, and by two at once), one balancing step from the rows
to the plan, the page of the event for one of its players, hands a second, statements a hand, the
memory of the process, and an act at a cash table beside the event. The first line has that act in
a house without an event, and registering for people with and without the welcome to be given.

Hands are played by one process, all tables one after another, for `--seconds` (0: to the end), and
not at all with `--start`. Times stand beside the additions of small numbers that the interpreter
makes in them, as the speed of a machine drifts; growth is close to linear where the figures of one
hand stay about the same.
"""

import argparse
import logging
import resource
from collections import Counter
from time import perf_counter, process_time
from typing import Any, Final

from msgspec import convert

from bench import tournament_parts as parts
from bench.calibration import additions_per_second
from tests.houses import open_house
from tournaments.mathematics.structure import Structure

FIELDS: Final = (30, 300, 3_000)
REGISTERED_A_MINUTE: Final = 3_000
MILLISECONDS_MAX: Final = 100
PAGE_BYTES_MAX: Final = 30_000
SECONDS: Final = 60
PEOPLE: Final = 60
POINTS: Final = (50, 80, 120, 200, 300, 500, 800, 1_200, 2_000, 3_000, 5_000, 8_000, 12_000)
LAST_POINT: Final = 100_000
PAID: Final = 24


def structure(players: int) -> Structure:
    """A freeze-out at tables of three: 3,000 players have a thousand of them."""
    levels: list[dict[str, int]] = [{"point": point, "seconds": 60} for point in POINTS]
    # Different prizes, so that none shares a line with another.
    shares = [10_000 // 48 + 9 * (PAID - place) for place in range(1, PAID)]
    fields: dict[str, Any] = {
        "name": f"Bench {players}",
        "kind": "freeze_out",
        "game": "chinese_poker",
        "field_min": 2,
        "field_max": players,
        "table_size": 3,
        "stake": 1_000,
        "fee": 100,
        "payouts": {
            "by": "percentage",
            "shares": [{"share": 10_000 - sum(shares)}, *({"share": share} for share in shares)],
        },
        "starting_chips": 1_000,
        "levels": [*levels, {"point": LAST_POINT}],
        "pause_seconds": 2,
    }
    return convert(fields, Structure)


def measure(players: int, seconds: float | None, cash: int) -> None:
    """Enter one tournament, start it, and play it for so long."""
    from django.contrib.auth import get_user_model

    from tournaments.models import Tournament
    from tournaments.rehearsal.play import Rehearsal, bot_name

    rehearsal = Rehearsal(structure(players), players - 1, str(players))
    event, now = rehearsal.number, rehearsal.now
    names = [bot_name(number) for number in range(1, players)]
    bots = list(get_user_model().objects.filter(username__in=names))
    viewer = parts.people(1, f"viewer {players}")[0]
    half = players // 2
    alone = parts.register(bots[:half], event, now)
    together = parts.register_in_two_processes(bots[half:], event, now)
    parts.register([viewer], event, now)
    a_minute = 60_000 / together.milliseconds
    say(f"{players} players, registered by one process: {alone}, {alone.statements:.0f} statements")
    say(f"  by two at once: {together}, {a_minute:,.0f} a minute of {REGISTERED_A_MINUTE:,}")
    began = perf_counter()
    while (row := rehearsal.row).state != Tournament.State.RUNNING:
        list(rehearsal.step(row))
    say(f"  {row.tables_opened} tables opened in {perf_counter() - began:.0f} s")
    say(f"  a balancing step: {parts.balancing(event)} of {MILLISECONDS_MAX} ms")
    shown = parts.page(viewer, f"/tournaments/{event}/")
    say(
        f"  the page: {shown.took} of {MILLISECONDS_MAX} ms, "
        f"{shown.took.statements:.0f} statements, {shown.size:,} bytes of {PAGE_BYTES_MAX:,}"
    )
    say(f"  an act at a cash table beside it: {parts.cash_acts(cash)}")
    if seconds is not None:
        play(rehearsal, seconds)


def play(rehearsal: Any, limit: float) -> None:
    """Play all tables of an event for so many seconds, or to its end."""
    counts, yardstick = Counter[str](), additions_per_second()
    began, worked = perf_counter(), process_time()
    with parts.counted() as count:
        while not (row := rehearsal.row).is_over and (not limit or perf_counter() - began < limit):
            counts.update(line["event"] for line in rehearsal.step(row))
    seconds, worked, hands = perf_counter() - began, process_time() - worked, counts["hand"]
    yardstick = (yardstick + additions_per_second()) / 2
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    say(
        f"  {hands:,} hands{'' if row.is_over else ' so far'}, {hands / seconds:.1f} a second "
        f"({hands / seconds / yardstick * 1_000_000:.2f} for each million additions a second; "
        f"{worked / seconds:.0%} of it in this process), {count.statements / hands:.0f} statements "
        f"a hand, {counts['moved']} moves, {counts['out']} places, {memory:.0f} MB"
    )


def measure_people() -> None:
    """Register people for a first event, which gives them the welcome, and for one after it."""
    from tournaments.rehearsal.play import Rehearsal

    people = parts.people(PEOPLE, "person")
    for what in ("and given the welcome", "who have had it"):
        rehearsal = Rehearsal(structure(PEOPLE), 0, what)
        took = parts.register(people, rehearsal.number, rehearsal.now)
        say(f"people registered {what}: {took}, {took.statements:.0f} statements")


def say(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    options = argparse.ArgumentParser(prog="bench.tournament")
    options.add_argument("players", type=int, nargs="*", default=FIELDS)
    options.add_argument("--start", action="store_true", help="play no hand")
    options.add_argument("--seconds", type=float, default=SECONDS, help="of play; 0: to the end")
    given = options.parse_args()
    with open_house(database="durable"):
        # No viewer needs Redis here, so its warnings mean nothing.
        logging.getLogger("games.live").setLevel(logging.ERROR)
        cash = parts.cash_table()
        say(f"an act at a cash table, without an event: {parts.cash_acts(cash)}")
        measure_people()
        for players in given.players:
            measure(players, None if given.start else given.seconds, cash)


if __name__ == "__main__":
    main()
