"""Whether the deal is uniform: a million deals of 52 and of 54 cards, fewer of long shoes, at 99 %.

    make shuffles [DEALS=1000000]      # minutes on two processors

Each deal is made as the house makes it: a sealed order and a cut from the mix, with keys from the
operating system. Long shoes get a tenth of the deals. A sound shuffle passes all statistics of a
run together with a probability of 99 %: the hundredth is shared out among them (Bonferroni). Each
control is a shuffle that was once taken for sound, and must fail. The table is written to
docs/decisions.md; the command ends with 1 where the house fails or a control passes.
"""

import hashlib
import secrets
import sys
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing import Pool
from typing import Final, NamedTuple

from bench.documents import replace_section
from bench.uniformity import STATISTICS, Tally
from games.rules.shoe import ShoeProtocol, perm

PAGE: Final = "decisions.md"
HEADING: Final = "### Is the deal uniform?"
DEALS: Final = 1_000_000
PART: Final = 10_000
# The chance that a sound shuffle fails any statistic of the whole run.
LEVEL: Final = 0.01

Shuffle = Callable[[int], Sequence[int]]


# The shuffle of the house, and some that are wrong.


def house(n: int) -> Sequence[int]:
    """A sealed order and a cut, each under a key of its own."""
    order = perm(secrets.token_bytes(32), b"CR1|S1|deck", n)
    return [order[place] for place in ShoeProtocol("S1").cut(secrets.token_bytes(32), n)]


def remainders(n: int) -> Sequence[int]:
    """The remainder of a byte chooses whom to swap with: low places are favoured."""
    order, drawn = list(range(n)), secrets.token_bytes(n)
    for last in range(n - 1, 0, -1):
        other = drawn[last] % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def any_place(n: int) -> Sequence[int]:
    """Each place is swapped with any other: the ways do not divide evenly among the orders."""
    order = list(range(n))
    for place in range(n):
        other = secrets.randbelow(n)
        order[place], order[other] = order[other], order[place]
    return order


def never_itself(n: int) -> Sequence[int]:
    """No place is swapped with itself, so that no card stays where it was."""
    order = list(range(n))
    for last in range(n - 1, 0, -1):
        other = secrets.randbelow(last)
        order[last], order[other] = order[other], order[last]
    return order


def short_seed(n: int) -> Sequence[int]:
    """A sound shuffle under a seed of 32 bits: each deal looks right, and deals come again."""
    return perm(hashlib.sha256(secrets.token_bytes(4)).digest(), b"short", n)


class Run(NamedTuple):
    """One shuffle of so many cards, so many times."""

    name: str
    shuffle: Shuffle
    cards: int
    deals: int


def runs_of(deals: int) -> list[Run]:
    sizes = {52: deals, 54: deals, 312: deals // 10, 416: deals // 10}
    return [Run(f"the house, {n} cards", house, n, count) for n, count in sizes.items()]


def controls() -> list[Run]:
    """How many deals show what is wrong; of a seed of 32 bits 500,000 repeat 29 on average."""
    wrong = {
        "remainders of a byte": (remainders, 50_000),
        "swaps with any place": (any_place, 50_000),
        "no swap with itself": (never_itself, 50_000),
        "a seed of 32 bits": (short_seed, 500_000),
    }
    return [Run(name, shuffle, 52, count) for name, (shuffle, count) in wrong.items()]


# Counting, on all processors.


def counted(run: Run, count: int) -> Tally:
    tally = Tally(run.cards)
    for _ in range(count):
        tally.add(run.shuffle(run.cards))
    return tally


def tally_of(run: Run) -> Tally:
    parts = [PART] * (run.deals // PART) + [run.deals % PART] * bool(run.deals % PART)
    whole = Tally(run.cards)
    with Pool() as pool:
        for tally in pool.imap_unordered(partial(counted, run), parts):
            whole.merge(tally)
    return whole


def row(run: Run, bound: float) -> tuple[str, bool]:
    """The line of a run, and whether it passed."""
    tally = tally_of(run)
    chances = {name: statistic(tally) for name, statistic in STATISTICS.items()}
    passed = all(chance >= bound for chance in chances.values())
    cells = " | ".join(
        f"{chance:.3f}" if chance >= bound else f"**{chance:.0g}**" for chance in chances.values()
    )
    line = f"| {run.name} | {run.deals:,} | {cells} | {'passes' if passed else '**fails**'} |"
    print(line, flush=True)
    return line, passed


WORDS: Final = """`make shuffles`: {deals} deals of 52 and of 54 cards, a tenth as many of six and
eight decks, made as the house makes them. The numbers say how often a sound shuffle would look at
least as odd; a sound shuffle passes all {count} statistics of the house in 99 runs of 100, so each
must reach {bound:.1e}. The last {wrong} rows are controls: shuffles that are a little wrong, and
have to fail.

| shuffle | deals | {names} | |
| --- | ---: | {dashes} | --- |
{rows}
"""


def main(deals: int) -> int:
    bound = LEVEL / (len(runs_of(deals)) * len(STATISTICS))
    sound = [row(run, bound) for run in runs_of(deals)]
    wrong = [row(run, bound) for run in controls()]
    replace_section(
        PAGE,
        HEADING,
        WORDS.format(
            deals=f"{deals:,}",
            count=len(sound) * len(STATISTICS),
            bound=bound,
            names=" | ".join(STATISTICS),
            dashes=" | ".join("---:" for _ in STATISTICS),
            rows="\n".join(line for line, _ in sound + wrong),
            wrong=len(wrong),
        ),
    )
    held = all(passed for _, passed in sound) and not any(passed for _, passed in wrong)
    print("the deal is uniform, and each control fails" if held else "NOT AS IT SHOULD BE")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else DEALS))
