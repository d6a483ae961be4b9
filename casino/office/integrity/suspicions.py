"""Suspicions: opened by the scan, put into words, and decided by staff with a reason.

The scan asks all questions of a bounded number of hands that have ended, each minute. Sums,
suspicions and how far the scan came are one transaction, which begins when all questions have been
answered: they may take long, and SQLite lets one transaction write at a time. Of several scans of
the same hands one is stored, so a hand counts once. A hand is looked at when it ended a while ago:
its transaction has ended then, too.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Count, Min, Prefetch, Q, QuerySet, prefetch_related_objects
from django.utils.translation import gettext_lazy as _

from casino.accounts.models import Player
from casino.office.alarms.conditions import Condition, Moment, State
from casino.office.integrity.detectors.behaviour import Grants, Reveals, Shared, Timing
from casino.office.integrity.detectors.results import Dumping, SoftPlay, Wins
from casino.office.integrity.models import Scan, Suspicion
from casino.office.integrity.results import Detector, Finding, Span, finished, read
from games.words.naming import game_name
from wallets.of_record.verbs import under, verb
from wallets.staff import journal
from wallets.values.days import house_time
from wallets.values.errors import Refused
from wallets.values.player import Viewer

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


SEE: Final = "integrity.see_suspicion"
DECIDE: Final = "integrity.decide_suspicion"
DECIDED: Final = journal.register("suspicion.decide", _("Decided a suspicion"), permission=DECIDE)


def visible_to(member: Viewer) -> QuerySet[Suspicion]:
    """The queue, for staff who may see it; the newest first."""
    if not member.has_perm(SEE):
        return Suspicion.objects.none()
    return Suspicion.objects.order_by("-opened_at", "-pk")


@under(DECIDED)
def decide(member: Viewer, number: int, decision: str, note: str, now: datetime) -> Suspicion:
    """Decide a suspicion, once."""
    with transaction.atomic():
        suspicions = visible_to(member).select_for_update().filter(pk=number)
        suspicion = suspicions.first()
        if suspicion is None:
            raise Refused("no_such_suspicion", _("There is no such suspicion."))
        if not member.is_active or not member.has_perm(DECIDE):
            raise Refused("not_decider", _("Your role cannot decide suspicions."))
        if decision not in Suspicion.Decision.values:
            raise Refused("no_such_decision", _("There is no such decision."))
        if suspicion.state != Suspicion.State.OPEN:
            raise Refused(
                "suspicion_decided",
                _("{name} decided this suspicion on {time}: {note}"),
                name=suspicion.decided_by_name,
                time=house_time(suspicion.decided_at),
                note=suspicion.note,
            )
        who, note = journal.by(member), journal.reason_of(note)
        suspicion.state, suspicion.decision = Suspicion.State.DECIDED, decision
        suspicion.decided_by, suspicion.decided_by_name = who
        suspicion.decided_at, suspicion.note = now, note
        suspicion.save()
        journal.write(
            who,
            DECIDED,
            suspicion.reference,
            before={"state": Suspicion.State.OPEN.value},
            after={
                "state": Suspicion.State.DECIDED.value,
                "decision": decision,
                "question": suspicion.detector,
                "subjects": suspicion.subjects,
            },
            reason=note,
        )
    return suspicion


WAITS_MAX: Final = timedelta(days=7)
MINUTE: Final = 60


def waiting(moment: Moment) -> Iterator[State]:
    late = Suspicion.objects.filter(
        state=Suspicion.State.OPEN, opened_at__lt=moment.now - WAITS_MAX
    ).aggregate(count=Count("pk"), since=Min("opened_at"))
    if late["count"]:
        days = (moment.now - late["since"]).days
        yield State("suspicions", {"count": late["count"], "days": days})


OVERDUE: Final = Condition(
    "suspicions",
    _("Suspicions wait"),
    _("{count} suspicions wait for a decision, the oldest for {days} days."),
    SEE,
    waiting,
    every_seconds=MINUTE,
)
