"""Runs of a world, by steps or by hours of its clock; a failure says how to have it again."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from games.rules.catalogue import GAMES
from tests.simulation import ending
from tests.simulation.month import Month
from tests.simulation.world import BUSY, FEW, World

# A long run says every so many steps how far it is.
REPORTED: Final = 500


class Failed(AssertionError):
    """A world in which something did not hold, with its seed."""

    def __init__(self, world: World, why: BaseException) -> None:
        last = "\n  ".join(world.trace[-6:])
        super().__init__(
            f"seed {world.seed}, step {world.steps}: {why}\n  {last}\nagain: {world.again()}"
        )
        self.what = getattr(why, "what", type(why).__name__)
        self.digest = world.digest()


def run(
    seed: int,
    go_on: Callable[[World], bool],
    games: Sequence[str] = tuple(GAMES),
    *,
    weights: Sequence[int] = BUSY,
    people: int = FEW,
    to_the_end: bool = True,
    month: Month | None = None,
) -> tuple[World, str]:
    """Let a world go on as long as it is wanted; return it with what its end has shown."""
    world = World(seed, games, weights, people)
    said = ""
    try:
        with world.opened():
            while go_on(world):
                world.step()
                if month is not None:
                    month.step(world)
            if month is not None:
                month.close(world)
            if to_the_end:
                said = ending.check(world)
    except Exception as why:
        raise Failed(world, why) from why
    return world, said


def steps(count: int) -> Callable[[Any], bool]:
    return lambda world: world.steps < count


def hours(count: float) -> Callable[[Any], bool]:
    return lambda world: world.hours() < count


def with_progress(
    go_on: Callable[[World], bool], report: Callable[[str], object]
) -> Callable[[World], bool]:
    """The same, and now and then how far the world has come."""

    def go_on_and_report(world: World) -> bool:
        if world.steps and world.steps % REPORTED == 0:
            report(f"{world.steps} steps, {world.hours():.1f} hours")
        return go_on(world)

    return go_on_and_report
