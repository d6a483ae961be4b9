"""A sit-and-go of every game that people play against one another, always open, for play money."""

from datetime import datetime
from typing import Final, NamedTuple

from msgspec import convert

from tournaments import announcing, schedules
from tournaments.models import Schedule, Template
from tournaments.structure import Structure
from wallets.cashier import HOUSE

# A person who has waited so long finds the other seats taken by bots.
BOTS_AFTER_SECONDS: Final = 15
STAKE: Final = 10_000
CHIPS: Final = 2_000


class SitAndGo(NamedTuple):
    """The differences between the games: the name, the seats, and how stakes rise."""

    name: str
    seats: int
    # The point of each level, or the smallest bet, of which the largest is three times as much.
    points: tuple[int, ...]
    banked: bool = False
    decision_seconds: int = 60


def _p(_where: str, name: str) -> str:
    """The stored form of a name; the catalogues translate it."""
    return name


EVENTS: Final[dict[str, SitAndGo]] = {
    "chinese_poker": SitAndGo(_p("a tournament", "Pagoda sit-and-go"), 4, (50, 100, 200, 400)),
    "thirteen_hongkong": SitAndGo(
        _p("a tournament", "Harbour sit-and-go"), 4, (100, 200, 400, 600), banked=True
    ),
    "thirteen_taiwan": SitAndGo(
        _p("a tournament", "Night market sit-and-go"), 4, (50, 100, 200, 400)
    ),
    "thirteen_philippine": SitAndGo(
        _p("a tournament", "Intramuros sit-and-go"), 4, (100, 200, 400, 600), banked=True
    ),
    "thirteen_fujian": SitAndGo(_p("a tournament", "Tulou sit-and-go"), 4, (25, 50, 100, 200)),
    "doudizhu": SitAndGo(
        _p("a tournament", "Yard sit-and-go"), 3, (50, 100, 200, 400), decision_seconds=25
    ),
}
# Their tables bear the names of the events, and a number.
TABLES: Final = (
    _p("a table", "Pagoda sit-and-go"),
    _p("a table", "Harbour sit-and-go"),
    _p("a table", "Night market sit-and-go"),
    _p("a table", "Intramuros sit-and-go"),
    _p("a table", "Tulou sit-and-go"),
    _p("a table", "Yard sit-and-go"),
)


def seed(now: datetime) -> int:
    """Make the templates and schedules that are missing, and announce what they say."""
    made = sum(_schedule(game, now) for game in EVENTS)
    schedules.run(now)
    return made


def _schedule(game: str, now: datetime) -> bool:
    event = EVENTS[game]
    if Template.objects.filter(name=event.name).exists():
        return False
    template = announcing.store_template(structure_of(game), HOUSE, now)
    Schedule.objects.create(
        template=template,
        kind=Schedule.Kind.ALWAYS_OPEN,
        bots_after_seconds=BOTS_AFTER_SECONDS,
    )
    return True


def structure_of(game: str) -> Structure:
    """The sit-and-go of a game: the winner gets two thirds, the second the rest."""
    event = EVENTS[game]
    *levels, last = [_level(event, point) for point in event.points]
    fields: dict[str, object] = {
        "name": event.name,
        "kind": "sit_and_go",
        "game": game,
        "field_min": event.seats,
        "field_max": event.seats,
        "table_size": event.seats,
        "stake": STAKE,
        "fee": STAKE // 10,
        "payouts": {"by": "percentage", "shares": [{"share": 6_700}, {"share": 3_300}]},
        "starting_chips": CHIPS,
        "levels": [*({**level, "hands": 5} for level in levels), last],
        "decision_seconds": event.decision_seconds,
    }
    return convert(fields, Structure)


def _level(event: SitAndGo, point: int) -> dict[str, int]:
    return {"bet_min": point, "bet_max": 3 * point} if event.banked else {"point": point}
