"""The protocol of detectors: each returns what chance hardly explains in a span of hands."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, Protocol

from django.utils.functional import Promise

from casino.office.integrity.results import Played, Span

# So many hands are named as evidence, those that weigh most.
HANDS_SHOWN: Final = 20


class Finding(NamedTuple):
    """A finding: the people, the question and the evidence; never a card."""

    subjects: tuple[int, ...]
    score: float
    bound: float
    # How much was looked at: as much again is new evidence.
    weight: int
    since: datetime
    until: datetime
    game: str = ""
    table: int | None = None
    hands: tuple[str, ...] = ()
    figures: Mapping[str, Any] = {}
    by_day: Mapping[str, int] = {}

    @property
    def key(self) -> str:
        """The key of a suspicion: its one or two people, or the first of a group."""
        pair = self.subjects if len(self.subjects) <= 2 else self.subjects[:1]
        return ",".join(str(player) for player in pair)


class Detector(Protocol):
    """One question. `sentence` is filled in with the figures, in the reader's language."""

    @property
    def name(self) -> str: ...
    @property
    def words(self) -> str | Promise: ...
    @property
    def sentence(self) -> str | Promise: ...
    @property
    def measure(self) -> str | Promise:
        """The unit of score and bound."""

    @property
    def charted(self) -> str | Promise:
        """The name of what the chart shows by day."""

    def look(self, span: Span) -> Iterable[Finding]: ...


class Weighed(NamedTuple):
    """A hand, and what it adds to the suspicion."""

    hand: Played
    value: float


def evidence_of(weighed: Sequence[Weighed]) -> dict[str, Any]:
    """The hands that weigh most, all of them by day, and when they were."""
    by_day: dict[str, float] = {}
    for hand, value in weighed:
        day = hand.ended_at.date().isoformat()
        by_day[day] = by_day.get(day, 0.0) + value
    heaviest = sorted(weighed, key=lambda one: -one.value)[:HANDS_SHOWN]
    return {
        "hands": tuple(one.hand.code for one in heaviest),
        "by_day": {day: round(value) for day, value in by_day.items()},
        "since": min(one.hand.ended_at for one in weighed),
    }
