"""The scan: each minute a bounded number of hands that have ended since, asked all questions.

The detectors are listed in the order in which staff read them, and put a suspicion into words.

Sums, suspicions and how far the scan came are one transaction, which begins when all questions have
been answered: they may take long, and SQLite lets one transaction write at a time. Of several
scans of the same hands one is stored, so a hand counts once. A hand is looked at when it ended a
while ago: its transaction has ended then, too.
"""

import logging
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Prefetch, Q, prefetch_related_objects

from casino.accounts.models import Player
from casino.office.integrity.detectors.behaviour import Grants, Reveals, Shared, Timing
from casino.office.integrity.detectors.results import Dumping, SoftPlay, Wins
from casino.office.integrity.models import Scan, Suspicion
from casino.office.integrity.results import Detector, Finding, Span, finished, read
from games.words.naming import game_name
from wallets.of_record.verbs import verb

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
    return [_in_words(suspicion) for suspicion in suspicions]


def _in_words(suspicion: Suspicion) -> InWords:
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


SETTLED: Final = timedelta(minutes=1)
# Hands in one transaction, and transactions in one run.
HANDS_AT_ONCE: Final = 200
BATCHES_MAX: Final = 25
# New evidence is so many times what was decided about.
NEW_EVIDENCE: Final = 2

log = logging.getLogger(__name__)


@verb("house:integrity.scan")
def scan(now: datetime) -> int:
    """Look at the hands that have ended; return how many suspicions were opened."""
    opened = 0
    for _batch in range(BATCHES_MAX):
        hands, suspicions = _scan_batch(now)
        opened += suspicions
        if hands < HANDS_AT_ONCE:
            break
    return opened


def _scan_batch(now: datetime) -> tuple[int, int]:
    row, _made = Scan.objects.get_or_create(pk=1)
    until = now - SETTLED
    ended = finished().filter(ended_at__lte=until).order_by("ended_at", "pk")
    if row.ended_at is not None:
        later = Q(ended_at__gt=row.ended_at)
        ended = ended.filter(later | Q(ended_at=row.ended_at, pk__gt=row.hand))
    numbers = list(ended.values_list("pk", "ended_at")[:HANDS_AT_ONCE])
    if len(numbers) == HANDS_AT_ONCE:
        until = numbers[-1][1] or until
    since = row.ran_at or datetime.min.replace(tzinfo=now.tzinfo)
    span = Span(read([number for number, _at in numbers]), since, until, [])
    findings = [
        (name, finding) for name, detector in DETECTORS.items() for finding in detector.look(span)
    ]
    hand, ended_at = numbers[-1] if numbers else (row.hand, row.ended_at)
    same = Scan.objects.filter(pk=1, hand=row.hand, ended_at=row.ended_at, ran_at=row.ran_at)
    with transaction.atomic():
        if not same.update(hand=hand, ended_at=ended_at, ran_at=until):
            # Another worker was quicker, and has counted these hands.
            return 0, 0
        for sums in span.sums:
            sums.save()
        opened = sum(_open(name, finding, now) for name, finding in findings)
    return len(numbers), opened


def _open(name: str, finding: Finding, now: datetime) -> bool:
    """Open a suspicion, unless it is open, or was decided upon half as much evidence or more."""
    same = Suspicion.objects.filter(detector=name, subjects=finding.key, game=finding.game)
    last = same.order_by("-opened_at", "-pk").first()
    if last is not None and (
        last.state == Suspicion.State.OPEN or finding.weight < NEW_EVIDENCE * last.weight
    ):
        return False
    suspicion = Suspicion.objects.create(
        detector=name,
        subjects=finding.key,
        game=finding.game,
        table_id=finding.table,
        since=finding.since,
        until=finding.until,
        score=finding.score,
        bound=finding.bound,
        weight=finding.weight,
        evidence={
            "hands": list(finding.hands),
            "figures": dict(finding.figures),
            "by_day": dict(finding.by_day),
        },
        opened_at=now,
    )
    suspicion.players.set(Player.objects.filter(pk__in=finding.subjects))
    log.warning("suspicion %s: %s", suspicion.pk, name)
    return True
