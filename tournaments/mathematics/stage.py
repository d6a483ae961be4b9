"""The stages of events: what the rules of one stage decide, in one object each.

A freeze-out and a sit-and-go have one stage, until one player has all chips. A knock-out may be
followed by rounds. Duplicate rounds are one stage. `turns.py` has what each stage does next.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from games.rules.contract import AnyGame
from tournaments.mathematics.payouts import Out, best_first
from tournaments.mathematics.rounds import KnockOut, Rounds, fallen, line_of
from tournaments.mathematics.structure import Structure, game_at, game_of

# A knock-out's second stage, which has rounds and one stake.
ROUNDS_STAGE: Final = 2
# The kind of events whose tables all play the same deals.
DUPLICATE: Final = "duplicate"


class Stage(Protocol):
    """The differences between stages, for the running of an event."""

    @property
    def has_levels(self) -> bool:
        """Whether levels and breaks follow one another."""

    @property
    def has_line(self) -> bool:
        """Whether players are out below a number of chips, also those who did not play."""

    @property
    def compares_deals(self) -> bool:
        """Whether all tables play the same deals, and points rank the entrants."""

    def game(self, level: int, /) -> AnyGame:
        """The game at a level."""

    def least_to_stay(self, level: int, /) -> int:
        """With fewer chips than these a player is out when a hand of that level has ended."""

    def out_after(
        self, level: int, chips: Mapping[int, int], before: Sequence[Out], /
    ) -> list[Out]:
        """The players who are out, the best place first.

        `before` has the players with their chips at the start of the hand, `chips` what they have
        after it.
        """

    def in_step(self, spare: int, players: int, /) -> bool | None:
        """Whether tables play in step where some players are spare; None: the prizes decide."""

    def ends_with(self, players: int, /) -> bool:
        """Whether the event is over when so many players are left."""


@dataclass(frozen=True)
class PlainStage:
    """The answers of most stages: players are out when they have no chips."""

    structure: Structure
    has_levels = True
    has_line = False
    compares_deals = False

    def game(self, level: int) -> AnyGame:
        return game_at(self.structure, max(1, level))

    def least_to_stay(self, _level: int) -> int:
        return 1

    def out_after(self, level: int, chips: Mapping[int, int], before: Sequence[Out]) -> list[Out]:
        least = self.least_to_stay(level)
        return best_first(out for out in before if chips[out.entry] < least)

    def in_step(self, spare: int, players: int) -> bool | None:
        return True if 0 < spare < players else None

    def ends_with(self, _players: int) -> bool:
        return False


class FreezeOut(PlainStage):
    """A freeze-out or a sit-and-go: it lasts until no hand can be played."""


@dataclass(frozen=True)
class KnockOutStage(PlainStage):
    """A knock-out: tables play in step, and a line rises with the levels."""

    knock_out: KnockOut
    has_line = True

    def least_to_stay(self, level: int) -> int:
        return line_of(self.knock_out, self._point(level))

    def out_after(self, level: int, chips: Mapping[int, int], before: Sequence[Out]) -> list[Out]:
        return fallen(self.knock_out, self._point(level), chips, before)

    def in_step(self, _spare: int, _players: int) -> bool | None:
        return True

    def ends_with(self, players: int) -> bool:
        return self.structure.rounds is None and players <= self.knock_out.until

    def _point(self, level: int) -> int:
        return self.structure.levels[max(1, level) - 1].point or 0


@dataclass(frozen=True)
class RoundsStage(PlainStage):
    """Rounds after a knock-out: one stake, a number of rounds, and no line."""

    rounds: Rounds
    has_levels = False

    def game(self, _level: int) -> AnyGame:
        return game_of(self.structure, {"point": self.rounds.point})

    def in_step(self, _spare: int, _players: int) -> bool | None:
        return False


class DuplicateStage(PlainStage):
    """Duplicate rounds: no player is out, with any chips."""

    compares_deals = True

    def least_to_stay(self, _level: int) -> int:
        return 0

    def in_step(self, spare: int, players: int) -> bool | None:
        return False if 0 < spare < players else None


def stage_at(structure: Structure, number: int) -> Stage:
    """The first or the second stage of an event."""
    if structure.duplicate is not None:
        return DuplicateStage(structure)
    if number == ROUNDS_STAGE and structure.rounds is not None:
        return RoundsStage(structure, structure.rounds)
    if structure.knock_out is not None:
        return KnockOutStage(structure, structure.knock_out)
    return FreezeOut(structure)
