"""The detectors by name, in the order in which staff read them, and a suspicion in words."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from django.db.models import Prefetch, prefetch_related_objects

from casino.accounts.models import Player
from casino.office.integrity.detectors.behaviour import Grants, Reveals, Shared, Timing
from casino.office.integrity.detectors.results import Dumping, SoftPlay, Wins
from casino.office.integrity.models import Suspicion
from casino.office.integrity.results import Detector
from games.words.naming import game_name

_ALL: Final[tuple[Detector, ...]] = (
    Wins(),
    Dumping(),
    SoftPlay(),
    Shared(),
    Timing(),
    Reveals(),
    Grants(),
)
DETECTORS: Final[Mapping[str, Detector]] = {detector.name: detector for detector in _ALL}


class InWords(NamedTuple):
    """A suspicion as staff read it."""

    suspicion: Suspicion
    title: str
    sentence: str
    measure: str
    charted: str
    players: list[Player]

    @property
    def game(self) -> str:
        return str(game_name(self.suspicion.game)) if self.suspicion.game else ""


def in_words(suspicions: Sequence[Suspicion]) -> list[InWords]:
    """Several together; the players whom they concern are read in one query."""
    prefetch_related_objects(suspicions, Prefetch("players", Player.objects.order_by("pk")))
    return [_one(suspicion) for suspicion in suspicions]


def _one(suspicion: Suspicion) -> InWords:
    players = list(suspicion.players.all())
    detector = DETECTORS.get(suspicion.detector)
    if detector is None:
        # A newer or older house has opened it.
        return InWords(suspicion, suspicion.detector, "", "", "", players)
    figures, names = (
        dict(suspicion.evidence.get("figures", {})),
        [str(player) for player in players],
    )
    for role in ("source", "target"):
        if role in figures:
            known = (str(player) for player in players if player.pk == figures[role])
            figures[role] = next(known, str(figures[role]))
    return InWords(
        suspicion,
        str(detector.words),
        str(detector.sentence).format(players=", ".join(names), **figures),
        str(detector.measure),
        str(detector.charted),
        players,
    )


def by_day(suspicion: Suspicion) -> dict[date, int]:
    amounts = suspicion.evidence.get("by_day", {})
    return {date.fromisoformat(day): amount for day, amount in amounts.items()}
