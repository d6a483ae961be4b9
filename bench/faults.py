"""Faults on real processes while a crowd plays: python -m bench.faults --minutes 3 --seed 1

The schedule is drawn from the seed. After each fault, and at the end, the house's invariants are
looked at; the table goes to docs/reliability.md and is printed last. It exits with 1 where one
broke. Only processes that were started here are ever stopped, each by its number.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Final

from bench.crowd import Crowd
from bench.crowd_house import CrowdHouse, crowd_house
from bench.crowd_people import Person, stock
from bench.faults_checks import (
    NAMES,
    OVERDUE_SECONDS_MAX,
    acknowledged_are_stored,
    ledger_at_zero,
    none_is_stranded,
    seconds_until_none_overdue,
    stacks_are_accounts,
)
from bench.faults_plan import Outcome, broken, markdown, schedule, with_section
from casino.supervisor import allow_many_connections
from tests.waiting import until

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "reliability.md"
HEADING: Final = "Faults on real processes"
AWAY_SECONDS: Final = 10.0
RESTART_SECONDS: Final = 1.0
# Play goes on if a move is acknowledged within so long after everything works again.
PLAY_SECONDS_MAX: Final = 30.0
IN_TRANSACTION: Final = """
    SELECT pid FROM pg_stat_activity WHERE datname = current_database()
    AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND backend_xid IS NOT NULL LIMIT 1
"""


class Faults:
    """Each fault of the plan as a method: it returns when what it broke has been mended."""

    def __init__(self, house: CrowdHouse) -> None:
        self.house = house
        self.ended: list[str] = []

    def do(self, fault: str) -> None:
        word, _, what = fault.partition(" ")
        ways: dict[str, Callable[[], None]] = {
            "freeze valkey": self.freeze_valkey,
            "flush valkey": self.flush_valkey,
            "end backend": self.end_backend,
            "stop postgres": self.stop_postgres,
            "two beats": self.two_beats,
            "clock behind": lambda: self.wrong_clock(-3600),
            "clock ahead": lambda: self.wrong_clock(3600),
        }
        if word == "kill":
            self.kill("web 1" if what == "web" else what)
        else:
            ways[fault]()
        # The supervisor of a real house does the same; here it is counted, too.
        for name in self.house.ended():
            self.ended.append(f"{fault}: {name}")
            self.house.start(name)

    def kill(self, name: str) -> None:
        self.house.kill(name)
        time.sleep(RESTART_SECONDS)
        self.house.start(name)

    def freeze_valkey(self) -> None:
        self.house.valkey.freeze()
        try:
            time.sleep(AWAY_SECONDS)
        finally:
            self.house.valkey.thaw()

    def flush_valkey(self) -> None:
        with self.house.valkey.client() as client:
            client.flushall()
        self.house.valkey.stop()
        time.sleep(RESTART_SECONDS)
        self.house.valkey.start()

    def end_backend(self) -> None:
        """One that has written something and has not committed it yet."""
        with self.house.postgres.connect() as database:
            row = until(lambda: database.execute(IN_TRANSACTION).fetchone())
            database.execute("SELECT pg_terminate_backend(%s)", row)

    def stop_postgres(self) -> None:
        self.house.postgres.stop_now()
        time.sleep(3 * RESTART_SECONDS)
        self.house.postgres.start()

    def two_beats(self) -> None:
        self.house.start("second beat", self.house.beat("second beat"))
        time.sleep(AWAY_SECONDS)
        self.house.kill("second beat")

    def wrong_clock(self, seconds: int) -> None:
        """A second sweeper with that clock in place of the first."""
        self.house.kill("sweeper")
        words = ("bench.faults_clock", str(seconds), "casino.sweeper")
        self.house.start("sweeper", words)
        time.sleep(AWAY_SECONDS)
        self.kill("sweeper")


def look(house: CrowdHouse, crowd: Crowd, fault: str) -> Outcome:
    """The invariants, right after everything has been started again."""
    seen, began = len(crowd.notes.moves), time.monotonic()
    with house.postgres.connect() as database:
        waited = seconds_until_none_overdue(database, 6 * OVERDUE_SECONDS_MAX)
        while len(crowd.notes.moves) == seen and time.monotonic() - began < PLAY_SECONDS_MAX:
            time.sleep(0.1)
        found = {
            "ledger at zero": ledger_at_zero(database),
            "stacks = accounts": stacks_are_accounts(database),
            "acknowledged = stored": acknowledged_are_stored(database, list(crowd.notes.moves)),
            "overdue resolved": "" if waited <= OVERDUE_SECONDS_MAX else f"after {waited:.0f} s",
            "play goes on": (
                none_is_stranded(database)
                if len(crowd.notes.moves) > seen
                else "no move was acknowledged"
            ),
        }
    found["audit clean"] = audit(house)
    assert set(found) == set(NAMES)
    return Outcome(fault, found, waited)


def audit(house: CrowdHouse) -> str:
    """The house's own audit of every hand and its reconciliation; "" where both are clean."""
    for words in (("audit",), ("reconcile",)):
        done = house.manage(*words)
        if done.returncode:
            return f"{words[0]}: {(done.stdout + done.stderr)[-600:]}"
    return ""


async def run(
    house: CrowdHouse, people: list[Person], seconds: float, seed: int
) -> tuple[list[Outcome], Crowd, list[str]]:
    crowd, faults, outcomes = Crowd(people, house.port, seed), Faults(house), []
    print(f"seated, with which status: {await crowd.sit()}", flush=True)
    crowd.begin()
    began = time.monotonic()
    for planned in schedule(seed, seconds):
        await asyncio.sleep(max(0.0, began + planned.at - time.monotonic()))
        await asyncio.to_thread(faults.do, planned.fault)
        outcome = await asyncio.to_thread(look, house, crowd, planned.fault)
        outcomes.append(outcome)
        wrong = "; ".join(broken([outcome])) or "all held"
        after = time.monotonic() - began
        print(
            f"{after:6.1f} s  {planned.fault:<14} {len(crowd.notes.moves)} moves, {wrong}",
            flush=True,
        )
    await asyncio.sleep(max(0.0, began + seconds - time.monotonic()))
    outcomes.append(await asyncio.to_thread(look, house, crowd, "the end of the run"))
    await crowd.end()
    return outcomes, crowd, faults.ended


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.faults", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--players", type=int, default=24)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--web", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    allow_many_connections()
    with crowd_house(chosen.web) as house:
        people = stock(house.variables, chosen.players, chosen.tables)
        house.open()
        outcomes, crowd, ended = asyncio.run(run(house, people, 60 * chosen.minutes, chosen.seed))
    words = (
        f"make faults MINUTES={chosen.minutes:g} SEED={chosen.seed}` on {date.today()}: "
        f"{chosen.players} players at {chosen.tables} tables, {chosen.web} web processes, "
        f"{len(outcomes) - 1} faults, {len(crowd.notes.moves)} acknowledged moves."
    )
    wrong = broken(outcomes)
    notes = "".join(f"- BROKEN after {line.strip()}\n" for line in wrong)
    notes += "".join(f"- ended by itself during {name}\n" for name in ended)
    text = f"`{words}\n\n{markdown(outcomes)}\n\n{notes}"
    page = PAGE.read_text() if PAGE.exists() else "# Reliability\n"
    PAGE.write_text(with_section(page, HEADING, text))
    print(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
