"""An open house under load: python -m bench.load --players 60 --tables 15 --seconds 60 --web 2

People play all games over HTTP, with a stream each, on PostgreSQL that commits to disk: half of
them with pages, half with programs. They come whether the house has answered or not, and share the
processors with it. Then follow short phases at tables with 1, 3, 9 and 100 viewers. With `--ramp`
the players come more and more often, so many seconds a step, until the house no longer keeps up:
the step before is the knee. It exits with 1 where the ledger does not sum to zero or an
acknowledged move is missing. Memory and processor time are read from /proc, so this needs Linux.
"""

import argparse
import asyncio
import json
import logging
import os
import sys
from pathlib import Path
from typing import Final

from bench.crowd import Crowd
from bench.crowd_guest import Acknowledged, Habits
from bench.faults_checks import acknowledged_are_stored, ledger_at_zero
from bench.load_costs import CORE, OWN, Figures, measure
from bench.load_report import Run, table
from casino.ops.server.supervisor import allow_many_connections
from games.rules.catalogue import GAMES
from tests.houses import open_house
from tests.houses.guests import Guests
from tests.houses.programs import Programs

# Once in so many seconds each program looks at the table though nothing has changed there.
LOOK_SECONDS: Final = 30.0
# Statements are counted for this share of the time that was measured.
COUNTED: Final = 0.5
COUNTED_MIN: Final = 20.0
# A phase by number of viewers lasts for this share of the time of the first one.
PHASE: Final = 0.4
RAMP_FACTOR: Final = 1.5
STEPS_MAX: Final = 12
# The goal for nearly all acts, in ms; the knee is where half of them no longer reach it.
ACT_MAX: Final = 200
LOGGED_MAX: Final = 4_000


async def phase(
    house: Programs, chosen: argparse.Namespace, viewers: int, run: Run
) -> list[Acknowledged]:
    """Let the people of one phase play; its moves, for they must all be stored."""
    people = [person for person in house.people if person.viewers == viewers]
    crowd = Crowd(people, house.port_of, chosen.seed, Habits(chosen.arrivals, LOOK_SECONDS))
    name = f"{viewers} viewers" if viewers else "all games"
    print(f"{name}: {len(people)} people came, with which status: {await crowd.sit()}", flush=True)
    opened = crowd.notes.traffic.copy()
    crowd.begin()
    await asyncio.sleep(chosen.warm_up)
    seconds = chosen.seconds * (PHASE if viewers else 1)
    run[name] = await measure(house, crowd, seconds, max(COUNTED_MIN, COUNTED * seconds))
    if pages := sum(bool(person.session) for person in people):
        files = opened.requests["static", 200]
        run[name] |= {
            "a page opened: static files": files / pages,
            "a page opened: bytes of static files": opened.received["static"] / pages,
            "a page opened: bytes of HTML": opened.received["GET /tables/N/"] / pages,
        }
    print(f"{name}: {_rate(run[name]):.2f} acts a second", flush=True)
    if not viewers and chosen.ramp:
        await ramp(house, crowd, chosen, run)
    await crowd.leave()
    return crowd.notes.moves


async def ramp(house: Programs, crowd: Crowd, chosen: argparse.Namespace, run: Run) -> None:
    """Come more and more often until half the acts are too slow, or no more are made."""
    crowd.habits.arrivals_a_second = chosen.ramp_from
    steps: list[Figures] = []
    while len(steps) < STEPS_MAX:
        await asyncio.sleep(chosen.warm_up)
        steps.append(await measure(house, crowd, chosen.ramp))
        run[f"{crowd.habits.arrivals_a_second:.2f} arrivals"] = steps[-1]
        slowest = ACT_MAX * CORE / 1e6 / steps[-1]["additions a second of processor time, million"]
        late = steps[-1]["act, p50, ms"] > slowest
        if late or (len(steps) > 1 and _rate(steps[-1]) < _rate(steps[-2])):
            break
        crowd.habits.arrivals_a_second *= RAMP_FACTOR
    print(f"the knee: {max(map(_rate, steps[:-1] or steps)):.1f} acts a second", flush=True)


def _rate(step: Figures) -> float:
    return step["acts a second"]


def first_fault(house: Programs) -> str:
    """The end of what a program logged of its first fault, or "" if none did."""
    for log in sorted(house.folder.glob("*.log")):
        _before, fault, after = log.read_text(errors="replace").partition("Traceback")
        if fault:
            return f"{log.stem}: {after.partition('Traceback')[0][:LOGGED_MAX]}"
    return ""


async def play(house: Programs, chosen: argparse.Namespace) -> bool:
    """Every phase, then the tables; whether nothing was wrong."""
    run, moves = Run(), list[Acknowledged]()
    for viewers in (0, *chosen.viewers):
        moves += await phase(house, chosen, viewers, run)
    with house.postgres.connect() as database:
        wrong = {
            "the ledger": ledger_at_zero(database),
            "acknowledged moves": acknowledged_are_stored(database, moves),
        }
    print(f"\n{table(run)}\n", flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps(run, indent=1))
    for name, what in wrong.items():
        print(f"{name}: {what or 'held'}")
    if fault := first_fault(house):
        print(f"the first fault that was logged: {fault}")
    return not any(wrong.values()) and bool(moves)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--players", type=int, default=60)
    parser.add_argument("--tables", type=int, default=15)
    parser.add_argument("--empty", type=int, default=0, help="further tables without players")
    parser.add_argument("--spectators", type=int, default=10)
    parser.add_argument("--pages", type=float, default=0.5, help="the share of them with a browser")
    parser.add_argument("--viewers", type=int, nargs="*", default=[1, 3, 9, 100])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--warm-up", type=int, default=8, help="seconds; a large crowd wants more")
    parser.add_argument("--arrivals", type=float, default=1.0, help="of each player, a second")
    parser.add_argument("--ramp", type=int, default=0, help="seconds of each step; 0 for no ramp")
    parser.add_argument("--ramp-from", type=float, default=0.1, help="arrivals of the first step")
    parser.add_argument("--web", type=int, default=2)
    parser.add_argument("--by-table", action="store_true", help="one web process a table")
    parser.add_argument("--json", type=Path, help="where the figures are kept, to be compared")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    allow_many_connections()
    logging.disable(logging.INFO)
    os.environ["PGAPPNAME"] = OWN
    guests = Guests(
        chosen.players,
        chosen.tables,
        tuple(GAMES),
        chosen.empty,
        chosen.spectators,
        chosen.pages,
        chosen.viewers,
    )
    with open_house(
        Programs, database="durable", web=chosen.web, by_table=chosen.by_table, guests=guests
    ) as house:
        return 0 if asyncio.run(play(house, chosen)) else 1


if __name__ == "__main__":
    sys.exit(main())
