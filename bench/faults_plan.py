"""Which fault comes when, drawn from a seed; and the table of what held after each."""

import random
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from bench.faults_checks import NAMES
from bench.faults_list import FAULTS, LAST, NO_WORKERS, STORM
from bench.faults_programs import STORM_KILLS_SHORT, STORM_SECONDS
from bench.faults_scene import AWAY_SECONDS

# A run of this length has every fault in it, and storms enough for three hundred kills.
WHOLE_SECONDS: Final = 900.0
STORMS: Final = 8
# So long the crowd plays before the first fault.
FIRST_SECONDS: Final = 5.0
# So long the invariants are looked at after a fault.
LOOK_SECONDS: Final = 5.0
SHORTER: Final = {NO_WORKERS: AWAY_SECONDS, STORM: STORM_KILLS_SHORT * STORM_SECONDS}


class Planned(NamedTuple):
    at: float
    fault: str


def schedule(seed: int, seconds: float, without: Collection[str] = ()) -> list[Planned]:
    """In a long run every fault, with storms in between; in a short one as many as it has time for.

    Where there is time left, faults come later; where they take longer, so does the run.
    """
    draw = random.Random(seed)
    whole = seconds >= WHOLE_SECONDS
    lasts = {name: fault.seconds for name, fault in FAULTS.items()} | ({} if whole else SHORTER)
    others = [name for name in FAULTS if name not in {STORM, LAST, *without}]
    order = [*draw.sample(others, len(others)), LAST]
    if whole:
        for number in range(STORMS):
            order.insert(number * (len(order) + 1) // STORMS, STORM)
    else:
        order = fitting([STORM, *draw.sample(order, len(order))], lasts, seconds)
    needed = sum(lasts[name] + LOOK_SECONDS for name in order)
    spare = max(0.0, seconds - FIRST_SECONDS - needed) / len(order)
    at, planned = FIRST_SECONDS, []
    for name in order:
        planned.append(Planned(at + draw.uniform(0.0, spare), name))
        at += lasts[name] + LOOK_SECONDS + spare
    return planned


def fitting(order: Sequence[str], lasts: Mapping[str, float], seconds: float) -> list[str]:
    """The first of them that there is time for, in this order but for what must come last."""
    chosen: list[str] = []
    left = seconds - FIRST_SECONDS
    for name in order:
        left -= lasts[name] + LOOK_SECONDS
        if chosen and left < 0:
            break
        chosen.append(name)
    return sorted(chosen, key=LAST.__eq__)


class Outcome(NamedTuple):
    """What was found after a fault: by invariant, "" where it held, and otherwise what broke."""

    fault: str
    found: Mapping[str, str]
    seconds: float


def broken(outcomes: Sequence[Outcome]) -> list[str]:
    """Every invariant that broke, with the fault after which it did."""
    return [
        f"{outcome.fault}: {name}: {what}"
        for outcome in outcomes
        for name, what in outcome.found.items()
        if what
    ]


def markdown(outcomes: Sequence[Outcome]) -> str:
    """The table, a row a kind of fault: how often it held, and the longest recovery."""
    lines = [
        f"| fault | times | {' | '.join(NAMES)} | longest wait for a turn |",
        f"| --- | --- | {' | '.join('---' for _ in NAMES)} | --- |",
    ]
    for fault in dict.fromkeys(outcome.fault for outcome in outcomes):
        those = [outcome for outcome in outcomes if outcome.fault == fault]
        cells = [
            "BROKEN" if any(outcome.found[name] for outcome in those) else "held" for name in NAMES
        ]
        longest = max(outcome.seconds for outcome in those)
        what = FAULTS[fault].words if fault in FAULTS else fault
        lines.append(f"| {what} | {len(those)} | {' | '.join(cells)} | {longest:.1f} s |")
    return "\n".join(lines)
