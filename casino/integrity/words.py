"""A suspicion as staff read it: its question, and a sentence with its figures."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from django.utils.translation import gettext as _t

from casino.integrity.detectors.registry import DETECTORS
from casino.integrity.models import Suspicion
from casino.players.models import Player
from games.words.naming import game_name


class InWords(NamedTuple):
    """What staff read of a suspicion."""

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
    """Several at once; those who are named in them are looked up together."""
    numbers = {number for one in suspicions for number in numbers_of(one)}
    players = Player.objects.in_bulk(numbers)
    return [_one(suspicion, players) for suspicion in suspicions]


def numbers_of(suspicion: Suspicion) -> list[int]:
    return [int(number) for number in suspicion.subjects.split(",") if number.isdecimal()]


def _one(suspicion: Suspicion, players: dict[int, Player]) -> InWords:
    who = [players[number] for number in numbers_of(suspicion) if number in players]
    detector = DETECTORS.get(suspicion.detector)
    if detector is None:
        # A newer or older house has opened it.
        return InWords(suspicion, suspicion.detector, "", "", "", who)
    figures = dict(suspicion.evidence.get("figures", {}))
    for role in ("source", "target"):
        if role in figures:
            known = players.get(figures[role])
            figures[role] = known.username if known else str(figures[role])
    names = _t(" and ").join(player.username for player in who)
    return InWords(
        suspicion,
        str(detector.words),
        str(detector.sentence).format(players=names, **figures),
        str(detector.measure),
        str(detector.charted),
        who,
    )


def by_day(suspicion: Suspicion) -> dict[date, int]:
    """What the chart shows."""
    found = suspicion.evidence.get("by_day", {})
    return {date.fromisoformat(day): amount for day, amount in found.items()}
