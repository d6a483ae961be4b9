"""How often each thing is wanted, and what is wanted next."""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Final

from tests.simulation import intents, office_intents
from tests.simulation.intents import Intent

if TYPE_CHECKING:
    from tests.simulation.world import World

WANTED: Final[dict[Callable[["World", Random], Intent | None], int]] = {
    intents.act: 60,
    intents.late: 6,
    intents.sit: 14,
    intents.top_up: 8,
    intents.leave: 3,
    intents.switch: 4,
    intents.limit: 1,
    intents.close_table: 1,
    intents.open_table: 3,
    intents.void: 1,
    office_intents.deposit: 1,
    office_intents.cash_out: 2,
    office_intents.pay: 2,
    office_intents.call_off: 1,
    office_intents.shift: 1,
    office_intents.decide: 3,
    office_intents.rules: 2,
    office_intents.take_break: 1,
    office_intents.loosen: 1,
}


def draw(world: "World", chance: Random) -> Intent | None:
    (kind,) = chance.choices([*WANTED], [*WANTED.values()])
    return kind(world, chance)
