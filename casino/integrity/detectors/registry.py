"""The detectors by name, in the order in which staff read them."""

from collections.abc import Mapping
from typing import Final

from casino.integrity.detectors.detector import Detector
from casino.integrity.detectors.flows import Dumping, SoftPlay
from casino.integrity.detectors.grants import Grants
from casino.integrity.detectors.reveals import Reveals
from casino.integrity.detectors.shared import Shared
from casino.integrity.detectors.timing import Timing
from casino.integrity.detectors.wins import Wins

_ALL: Final[tuple[Detector, ...]] = (
    Wins(),
    Dumping(),
    SoftPlay(),
    Shared(),
    Timing(),
    Reveals(),
    Grants(),
)
DETECTORS: Final[Mapping[str, Detector]] = {one.name: one for one in _ALL}
