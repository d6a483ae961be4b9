"""The detectors by name, in the order in which staff read them."""

from collections.abc import Mapping
from typing import Final

from casino.office.integrity.detectors.detector import Detector
from casino.office.integrity.detectors.flows import Dumping, SoftPlay
from casino.office.integrity.detectors.grants import Grants
from casino.office.integrity.detectors.reveals import Reveals
from casino.office.integrity.detectors.shared_origin import Shared
from casino.office.integrity.detectors.timing import Timing
from casino.office.integrity.detectors.wins import Wins

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
