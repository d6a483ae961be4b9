"""The steps of each stage: its next step, and whether it is over."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Protocol

from tournaments.event.organiser import stage_of
from tournaments.mathematics.stage import (
    DuplicateStage,
    FreezeOut,
    KnockOutStage,
    RoundsStage,
    Stage,
)
from tournaments.models import Tournament
from tournaments.stages import duplicate_stage, levels_stage, rounds_stage


class Turns(Protocol):
    """A module of a stage, which takes its steps under the lock of the event."""

    def is_over(self, tournament: Tournament, /) -> bool:
        """Whether everything has been played."""

    def turn(self, tournament: Tournament, now: datetime, /) -> bool:
        """Take the next step; return whether another may follow immediately."""


_BY_STAGE: Final[Mapping[type[Stage], Turns]] = {
    FreezeOut: levels_stage,
    KnockOutStage: levels_stage,
    RoundsStage: rounds_stage,
    DuplicateStage: duplicate_stage,
}


def turns_of(tournament: Tournament) -> Turns:
    return _BY_STAGE[type(stage_of(tournament))]
