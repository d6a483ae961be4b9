"""An open house under load: python -m bench.load --players 60 --tables 15 --seconds 60 --web 2

People play all games over HTTP, with a stream each, on PostgreSQL that commits to disk: half of
them with pages, half with programs. They come whether the house has answered or not, and share the
processors with it. Then they come more and more often, until the house no longer keeps up: the
knee is the highest rate at which half of the acts are quick enough. Phases at tables with 1, 3, 9
and 100 viewers follow, and one of programs alone beside a peer (`bench/peer`) that plays a game of
the same kind. A phase is shown once enough acts were made in it. It exits with 1 where the ledger
does not sum to zero or an acknowledged move is missing. Memory and processor time are read from
/proc, so this needs Linux.
"""

import argparse
import asyncio
import json
import logging
import os
import sys
from math import sqrt
from pathlib import Path
from typing import Final

from bench import peer
from bench.crowd import Crowd
from bench.crowd_guest import Acknowledged, Habits
from bench.faults_checks import acknowledged_are_stored, ledger_at_zero
from bench.load_costs import ACTS_MIN, CORE, OWN, Figures, measure
from bench.load_report import Run, table
from casino.ops.server.process_guard import allow_many_connections
from games.rules.catalogue import GAMES
from tests.houses import open_house
from tests.houses.guests import PROGRAMS, Guests, phase_of
from tests.houses.programs import Programs

# Once in so many seconds each program looks at the table though nothing has changed there.
LOOK_SECONDS: Final = 30.0
# Statements are counted for this share of the time that was measured.
COUNTED: Final = 0.5
COUNTED_MIN: Final = 20.0
ALL_GAMES: Final = "all games"
# Any other phase lasts for this share of the time of the first one, and its people hurry.
PHASE: Final = 0.4
EAGER: Final = 4.0
RAMP_FACTOR: Final = 1.5
# The knee lies between two steps that are no further apart than this.
CLOSE: Final = 1.15
STEPS_MAX: Final = 12
# The goal for nearly all acts, in ms; the knee is where half of them no longer reach it.
ACT_MAX: Final = 200
LOGGED_MAX: Final = 4_000


async def phase(
    house: Programs, chosen: argparse.Namespace, kept: str, run: Run
) -> list[Acknowledged]:
    """Let the people of one phase play; its moves, for they must all be stored."""
    people = [person for person in house.people if person.phase == kept]
    arrivals = EAGER if kept else chosen.arrivals
    crowd = Crowd(people, house.port_of, chosen.seed, Habits(arrivals, LOOK_SECONDS))
    name = kept or ALL_GAMES
    print(f"{name}: {len(people)} people came, with which status: {await crowd.sit()}", flush=True)
    opened = crowd.notes.traffic.copy()
    crowd.begin()
    await asyncio.sleep(chosen.warm_up)
    seconds = chosen.seconds * (PHASE if kept else 1)
    figures = await measure(house, crowd, seconds, max(COUNTED_MIN, COUNTED * seconds))
    if pages := sum(bool(person.session) for person in people):
        files = opened.requests["static", 200]
        figures |= {
            "a page opened: static files": files / pages,
            "a page opened: bytes of static files": opened.received["static"] / pages,
            "a page opened: bytes of HTML": opened.received["GET /tables/N/"] / pages,
        }
    keep(run, name, figures)
    if not kept and chosen.ramp:
        await ramp(house, crowd, chosen, run)
    await crowd.leave()
    return crowd.notes.moves


def keep(run: Run, name: str, figures: Figures) -> None:
    """Keep the figures of a phase, unless so few acts were made that they say nothing."""
    if figures["acts"] < ACTS_MIN:
        print(f"{name}: {figures['acts']:.0f} acts are too few, not shown", flush=True)
        return
    run[name] = figures
    print(f"{name}: {_rate(figures):.2f} acts a second", flush=True)


async def ramp(house: Programs, crowd: Crowd, chosen: argparse.Namespace, run: Run) -> None:
    """Come more and more often until the house no longer keeps up, then look between the steps."""
    steps: list[Figures] = []
    good, bad = chosen.ramp_from, 0.0
    arrivals = good
    while len(steps) < STEPS_MAX and not (bad and bad / good < CLOSE):
        crowd.habits.arrivals_a_second = arrivals
        await asyncio.sleep(chosen.warm_up)
        step = await measure(house, crowd, chosen.ramp)
        fewer = bool(steps) and _rate(step) < max(map(_rate, steps))
        kept_up = not fewer and step["act, p50, ms"] <= _slowest(step)
        if kept_up:
            good = arrivals
            steps.append(step)
        else:
            bad = arrivals
        keep(run, f"{arrivals:.2f} arrivals", step)
        arrivals = sqrt(good * bad) if bad else arrivals * RAMP_FACTOR
    if not steps:
        print("no knee: the house did not keep up with the first step")
        return
    knee = max(steps, key=_rate)
    print(f"the knee: {_rate(knee):.1f} acts a second", flush=True)
    quick = [_rate(step) for step in steps if step["act, p99, ms"] <= _slowest(step)]
    print(
        f"with 99 of 100 in {ACT_MAX} ms: {max(quick, default=0.0):.1f} acts a second", flush=True
    )
    run["the knee"] = knee


def _slowest(step: Figures) -> float:
    """The goal for an act on this machine, in ms."""
    return ACT_MAX * CORE / 1e6 / step["additions a second of processor time, million"]


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
    for kept in ("", *map(phase_of, chosen.viewers), *([PROGRAMS] if chosen.peer else [])):
        moves += await phase(house, chosen, kept, run)
    with house.postgres.connect() as database:
        wrong = {
            "the ledger": ledger_at_zero(database),
            "acknowledged moves": acknowledged_are_stored(database, moves),
        }
    print(f"\n{table(run)}\n", flush=True)
    if chosen.peer:
        beside(run.get(PROGRAMS))
    if chosen.json:
        chosen.json.write_text(json.dumps(run, indent=1))
    for name, what in wrong.items():
        print(f"{name}: {what or 'held'}")
    if fault := first_fault(house):
        print(f"the first fault that was logged: {fault}")
    return not any(wrong.values()) and bool(moves)


def beside(programs: Figures | None) -> None:
    """Print what an act costs the peer, and how many times as much the house."""
    other = peer.measure()
    print(
        f"boardgame.io: {other.thousand_additions:.0f} thousand additions an act,"
        f" {other.acts} acts at {other.acts_a_second:.1f} a second"
    )
    if programs:
        own = programs["processor an act, thousand additions"]
        print(
            f"the house with programs: {own:.0f}, {own / other.thousand_additions:.1f} times that"
        )


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
    parser.add_argument("--ramp", type=int, default=20, help="seconds of each step; 0 for none")
    parser.add_argument("--ramp-from", type=float, default=0.1, help="arrivals of the first step")
    parser.add_argument("--peer", action=argparse.BooleanOptionalAction, default=True)
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
        chosen.peer,
    )
    with open_house(
        Programs, database="durable", web=chosen.web, by_table=chosen.by_table, guests=guests
    ) as house:
        return 0 if asyncio.run(play(house, chosen)) else 1


if __name__ == "__main__":
    sys.exit(main())
