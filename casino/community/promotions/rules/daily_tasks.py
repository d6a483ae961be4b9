"""What the tasks of "My week" bring, in place of the house's small fixed sums.

The tasks judge themselves, and players take what they have earned; a promotion sets the sums.
"""

from typing import ClassVar

from msgspec import Struct

from casino.community.promotions.rules.facts import Fact
from casino.community.promotions.rules.kinds import (
    Faults,
    Gain,
    Moment,
    Payment,
    Progress,
    Standing,
    Window,
    fault,
    too_dear,
)


class DailyTasks(Struct, frozen=True, kw_only=True, tag="tasks"):
    """The sums of a day's three tasks, of all three, and of a hand on each day of a week."""

    key: ClassVar[str] = "tasks"
    pays_when: ClassVar[Moment] = "at_once"
    games: ClassVar[tuple[str, ...]] = ()

    first: int = 5_000
    second: int = 8_000
    third: int = 6_000
    all_three: int = 15_000
    whole_week: int = 8_000
    window: Window = "day"

    @property
    def of_tasks(self) -> tuple[int, int, int]:
        return self.first, self.second, self.third

    def earns(self, fact: Fact) -> Gain | None:
        """No hand brings anything by itself: what is taken is paid where it is taken."""
        return None

    def pays(self, progress: Progress, standing: Standing) -> Payment | None:
        return None

    def faults(self, budget: int) -> Faults:
        sums = (*self.of_tasks, self.all_three, self.whole_week)
        return fault("nothing_to_do", min(sums) < 1) or too_dear(sum(sums), budget)
