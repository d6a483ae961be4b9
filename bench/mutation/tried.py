"""Which tests a run tries its changes against, and in what order: `MUTATION_SAMPLE=seed`.

Tests for a release are left out, and of a matrix all cases but one a row and one a column: they
take most of the time, and hardly notice what the others do not.
"""

import os
from typing import Final

import pytest

from tests import sampling

SAMPLE: Final = "MUTATION_SAMPLE"
# A test that so many samples in a row take is taken by every one.
SAMPLES: Final = 3
# Who notices a change: every sample, this sample, or only the other tests.
EVERY, THIS, OTHERS = RANKS = range(3)


def samples(items: list[pytest.Item]) -> list[set[str]]:
    """The tests of this sample of `make test`, and of those after it.

    A sample has tests on both databases; here all of them run on one.
    """
    cases = [item for item in items if isinstance(item, pytest.Function)]
    seed = int(os.environ.get(SAMPLE, "0"))
    folders = tuple(f"tests/{name}/" for name in sampling.ON_THE_DATABASE)
    there = [item for item in cases if item.nodeid.startswith(folders)]
    return [
        {one.nodeid for one in (*sampling.sampled(cases, at), *sampling.on_postgresql(there, at))}
        for at in range(seed, seed + SAMPLES)
    ]


def tried(items: list[pytest.Item]) -> list[pytest.Item]:
    cases = [item for item in items if isinstance(item, pytest.Function)]
    names = {item.nodeid for item in sampling.thinned(cases)}.union(*samples(items))
    return [item for item in items if item.nodeid in names]


def ranks(items: list[pytest.Item]) -> dict[str, int]:
    """By test: whether every sample has it, this sample, or neither."""
    sample_sets = samples(items)
    every, this = set.intersection(*sample_sets), sample_sets[0]
    return {
        item.nodeid: EVERY if item.nodeid in every else THIS if item.nodeid in this else OTHERS
        for item in items
    }
