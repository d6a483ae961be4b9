"""The metrics that processes count, each with its labels.

Every value of a label is from a closed set: no player, no address and no text that a user has
typed can become one, and the number of series has a bound.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Final

from games.models import Move
from games.rules.catalogue import GAMES, game_type

PREFIX: Final = "cardroom_"
GAME_KEYS: Final = frozenset(GAMES)
BY: Final = frozenset(Move.By.values)
METHODS: Final = frozenset(("GET", "HEAD", "POST", "other"))
STATUSES: Final = frozenset(("2xx", "3xx", "4xx", "5xx", "other"))
# The parts of the house by the first part of an address.
PARTS: Final = frozenset(
    (
        "admin", "api", "desk", "fairness", "health", "history", "lobby", "metrics", "other",
        "play", "players", "private", "ready", "rules", "running", "shared", "static", "tables",
        "tournaments", "verify", "wallet",
    )
)  # fmt: skip
OUTCOMES: Final = frozenset(("sent", "gone", "failed"))
# In seconds; longer times have their own bucket.
SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


@cache
def verbs() -> frozenset[str]:
    """The names of all moves of all games."""
    return frozenset(
        str(action.__struct_config__.tag) for game in GAMES for action in game_type(game).actions
    )


@dataclass(frozen=True)
class Metric:
    """A counter, or with buckets a histogram."""

    name: str
    words: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = field(default=())

    def allows(self, values: tuple[str, ...]) -> bool:
        """Whether these are values of its labels."""
        return len(values) == len(self.labels) and all(
            value in allowed(label) for label, value in zip(self.labels, values, strict=True)
        )


def allowed(label: str) -> frozenset[str]:
    sets = {
        "game": GAME_KEYS,
        "by": BY,
        "method": METHODS,
        "status": STATUSES,
        "part": PARTS,
        "outcome": OUTCOMES,
    }
    return verbs() if label == "verb" else sets[label]


MOVES: Final = Metric("moves", "Moves played", ("game", "verb", "by"))
HANDS_ENDED: Final = Metric("hands_ended", "Hands played to their end", ("game",))
ACT_SECONDS: Final = Metric(
    "act_seconds", "How long a player's move took, its transaction included", ("game",), SECONDS
)
REQUEST_SECONDS: Final = Metric(
    "request_seconds", "How long a request took", ("part", "method", "status"), SECONDS
)
SWEEP_SECONDS: Final = Metric(
    "sweep_seconds", "How long a sweep took that found tables due", (), SECONDS
)
SWEPT_TABLES: Final = Metric("swept_tables", "Tables that a sweep found due")

PUSHES: Final = Metric("pushes", "Notifications sent to browsers", ("outcome",))

_ALL: Final = (
    MOVES,
    HANDS_ENDED,
    ACT_SECONDS,
    REQUEST_SECONDS,
    SWEEP_SECONDS,
    SWEPT_TABLES,
    PUSHES,
)
COUNTED: Final = {one.name: one for one in _ALL}
