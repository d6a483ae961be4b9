"""What a fault is given: the house, the line in front of it, and how long it is to last."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bench.faults_house import FaultyHouse
from bench.faults_line import FaultyLine

# How long a process is frozen, or runs twice.
AWAY_SECONDS: Final = 10.0
# All workers and beat are away for this long, where the run is long enough for all faults.
WORKERS_AWAY_SECONDS: Final = 120.0


@dataclass
class Scene:
    house: FaultyHouse
    line: FaultyLine
    tables: list[int]
    draw: random.Random
    whole: bool = True

    @property
    def workers_away(self) -> float:
        return WORKERS_AWAY_SECONDS if self.whole else AWAY_SECONDS


# It returns when what it broke has been mended.
Way = Callable[[Scene], None]
