"""Faults on real processes while a crowd plays: python -m bench.faults --minutes 3 --seed 1

The schedule is drawn from the seed. After each fault, and at the end, the house's invariants are
looked at; the table is printed last, and the result goes to docs/operations.md. It exits with 1
where one broke. Only processes that were started here are ever stopped, each by its number.
"""

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Collection
from datetime import date
from typing import Final, NamedTuple

from bench.crowd import Crowd
from bench.documents import replace_section
from bench.faults_checks import NAMES, audited, invariants, none_is_stranded
from bench.faults_house import FaultyHouse
from bench.faults_line import FaultyLine
from bench.faults_list import FAULTS, FULL_DISK
from bench.faults_plan import (
    WHOLE_SECONDS,
    Outcome,
    Planned,
    broken,
    markdown,
    schedule,
)
from bench.faults_scene import Scene
from casino.ops.server.process_guard import allow_many_connections
from tests.houses import open_house
from tests.houses.guests import Guests

PAGE: Final = "operations.md"
HEADING: Final = "#### The last full run"
# Play goes on if a move is acknowledged within so long after everything works again.
PLAY_SECONDS_MAX: Final = 30.0


def look(house: FaultyHouse, crowd: Crowd, fault: str) -> Outcome:
    """The invariants, right after everything has been started again."""
    seen, began = len(crowd.notes.moves), time.monotonic()
    with house.postgres.connect() as database:
        verdicts, waited = invariants(database, list(crowd.notes.moves))
        while len(crowd.notes.moves) == seen and time.monotonic() - began < PLAY_SECONDS_MAX:
            time.sleep(0.1)
        verdicts["play goes on"] = (
            none_is_stranded(database)
            if len(crowd.notes.moves) > seen
            else "no move was acknowledged"
        )
    verdicts["audit clean"] = audited(house)
    assert set(verdicts) == set(NAMES)
    return Outcome(fault, verdicts, waited)


class Run(NamedTuple):
    outcomes: list[Outcome]
    moves: int
    kills: int
    # What ended by itself, and during which fault: a supervisor would have started it again, too.
    ended: list[str]
    # Faults that could not be made as they are meant.
    failed: list[str]


async def run(house: FaultyHouse, plan: list[Planned], seconds: float, seed: int) -> Run:
    line = FaultyLine(house.port, random.Random(f"line {seed}"))
    tables = sorted({person.table for person in house.people})
    draw = random.Random(f"faults {seed}")
    scene = Scene(house, line, tables, draw, whole=seconds >= WHOLE_SECONDS)
    async with line.open():
        crowd = Crowd(house.people, lambda _table: line.port, seed)
        print(f"seated, with which status: {await crowd.sit()}", flush=True)
        crowd.begin()
        done = await suffer(scene, crowd, plan)
        await crowd.end()
    return done


async def suffer(scene: Scene, crowd: Crowd, plan: list[Planned]) -> Run:
    """Every fault of the plan, and what was found after each."""
    house, outcomes, ended, failed = scene.house, list[Outcome](), list[str](), list[str]()
    began = time.monotonic()
    for planned in plan:
        await asyncio.sleep(max(0.0, began + planned.at - time.monotonic()))
        kills = house.killed
        try:
            await asyncio.to_thread(FAULTS[planned.fault].do, scene)
        except Exception as problem:
            # The figures of the others are still of use, but the run fails.
            failed.append(f"{planned.fault}: {problem!r}"[:600])
        mended = time.monotonic() - began
        for name in house.ended():
            ended.append(f"{planned.fault}: {name}")
            house.start(name)
        outcome = await asyncio.to_thread(look, house, crowd, planned.fault)
        outcomes.append(outcome)
        print(
            f"{mended:6.1f} s, {time.monotonic() - began - mended:4.1f} s to look  "
            f"{planned.fault:<26} {house.killed - kills:2} kills, {len(crowd.notes.moves)} moves, "
            f"{'; '.join(broken([outcome])) or 'all held'}",
            flush=True,
        )
    outcomes.append(await asyncio.to_thread(look, house, crowd, "the end of the run"))
    return Run(outcomes, len(crowd.notes.moves), house.killed, ended, failed)


def impossible(house: FaultyHouse) -> set[str]:
    """Only root may mount a disk small enough to fill."""
    return set() if house.disk else {FULL_DISK}


def report(chosen: argparse.Namespace, done: Run, left_out: Collection[str]) -> str:
    """What the run was, and what broke in it."""
    command = f"make faults MINUTES={chosen.minutes:g} SEED={chosen.seed}"
    words = (
        f"`{command}` on {date.today()}: {chosen.players} players at {chosen.tables} tables, "
        f"{chosen.web} web processes, {len(done.outcomes) - 1} faults, **{done.kills} kills**, "
        f"{done.moves} acknowledged moves."
    )
    notes = [f"BROKEN after {line.strip()}" for line in broken(done.outcomes)]
    notes += [f"FAILED to make {line}" for line in done.failed]
    notes += [f"ended by itself during {name}" for name in done.ended]
    notes += [
        f"left out, as only root may mount a disk: {FAULTS[fault].words}" for fault in left_out
    ]
    held = "" if broken(done.outcomes) else "After each fault everything held."
    return f"{words}\n{held}\n\n" + "".join(f"- {n}\n" for n in notes)


def exit_code(done: Run) -> int:
    return 1 if broken(done.outcomes) or done.failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.faults", description=__doc__)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--players", type=int, default=18)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--web", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=FAULTS, help="these faults, in this order")
    chosen = parser.parse_args()
    allow_many_connections()
    guests = Guests(chosen.players, chosen.tables)
    with open_house(FaultyHouse, database="durable", web=chosen.web, guests=guests) as house:
        left_out, seconds = impossible(house), 60 * chosen.minutes
        plan = [Planned(0.0, name) for name in chosen.only or ()]
        plan = plan or schedule(chosen.seed, seconds, without=left_out)
        done = asyncio.run(run(house, plan, seconds, chosen.seed))
    text = report(chosen, done, left_out)
    if not chosen.only:
        replace_section(PAGE, HEADING, text)
    print(markdown(done.outcomes), text, sep="\n\n")
    return exit_code(done)


if __name__ == "__main__":
    sys.exit(main())
