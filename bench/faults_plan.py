"""Which fault comes when, drawn from a seed; and the table of what held after each."""

import random
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from bench.faults_checks import NAMES

# Each, with what it does in the words of the report.
FAULTS: Final = {
    "kill web": "kill -9 of a web process",
    "kill worker": "kill -9 of the worker",
    "kill sweeper": "kill -9 of the sweeper",
    "kill beat": "kill -9 of the beat",
    "freeze valkey": "Valkey stopped (SIGSTOP) for ten seconds",
    "flush valkey": "Valkey flushed, killed and started again",
    "end backend": "a PostgreSQL backend terminated in mid-transaction",
    "stop postgres": "PostgreSQL stopped immediately and started again",
    "two beats": "two beats for ten seconds",
    "clock behind": "the sweeper's clock an hour behind for ten seconds",
    "clock ahead": "the sweeper's clock an hour ahead for ten seconds",
}

# What it leaves behind would be found after every later fault, too.
LAST: Final = "clock ahead"


class Planned(NamedTuple):
    at: float
    fault: str


def schedule(seed: int, seconds: float) -> list[Planned]:
    """Every fault once in a drawn order, at drawn times, and again in other orders if time is left.

    The first faults wait until everybody plays, and there is time to recover after each.
    """
    draw = random.Random(seed)
    count = max(len(FAULTS), int(seconds // 30))
    order: list[str] = []
    others = [fault for fault in FAULTS if fault != LAST]
    while len(order) < count - 1:
        order += draw.sample(others, len(others))
    order[count - 1 :] = [LAST]
    apart = seconds / (count + 1)
    return [
        Planned((number + draw.uniform(0.6, 1.0)) * apart, fault)
        for number, fault in enumerate(order)
    ]


class Outcome(NamedTuple):
    """What was found after a fault: by invariant, "" where it held, and otherwise what broke."""

    fault: str
    found: Mapping[str, str]
    seconds: float


def broken(outcomes: Sequence[Outcome]) -> list[str]:
    """Every invariant that broke, with the fault after which it did."""
    return [
        f"{one.fault}: {name}: {what}"
        for one in outcomes
        for name, what in one.found.items()
        if what
    ]


def markdown(outcomes: Sequence[Outcome]) -> str:
    """The table, a row a kind of fault: how often it held, and the longest recovery."""
    lines = [
        f"| fault | times | {' | '.join(NAMES)} | longest wait for a turn |",
        f"| --- | --- | {' | '.join('---' for _ in NAMES)} | --- |",
    ]
    for fault in dict.fromkeys(one.fault for one in outcomes):
        those = [one for one in outcomes if one.fault == fault]
        cells = ["BROKEN" if any(one.found[name] for one in those) else "held" for name in NAMES]
        longest = max(one.seconds for one in those)
        what = FAULTS.get(fault, fault)
        lines.append(f"| {what} | {len(those)} | {' | '.join(cells)} | {longest:.1f} s |")
    return "\n".join(lines)


def with_section(page: str, heading: str, text: str) -> str:
    """The page with this section in place of the one of that heading, or at its end."""
    before, found, rest = page.partition(f"## {heading}\n")
    _old, following, after = rest.partition("\n## ")
    section = f"## {heading}\n\n{text.strip()}\n"
    if not found:
        return f"{page.rstrip()}\n\n{section}"
    return f"{before}{section}{following}{after}"
