"""Decide a suspicion: a member of staff enters the outcome and a reason."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Count, Min, QuerySet
from django.utils.translation import gettext_lazy as _

from casino.office.alarms.conditions import Condition, Moment, State
from casino.office.integrity.models import Suspicion
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.values.days import house_time
from wallets.values.errors import Refused
from wallets.values.player import Viewer

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
