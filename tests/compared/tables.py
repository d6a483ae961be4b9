"""The tables: each game before a round, at a decision, and with its result."""

from typing import Final

from tests.compared.scenes import Scene

SCENES: Final[tuple[Scene, ...]] = ()
