"""Taking an alarm: a member of staff says that they see to it, and how."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from casino.office.alarms.condition_checks import changed
from casino.office.alarms.conditions import CONDITIONS
from casino.office.alarms.models import Alarm
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.values.days import in_house_zone
from wallets.values.errors import Refused
from wallets.values.player import Viewer

SEE: Final = "alarms.see_alarm"
TAKE: Final = "alarms.take_alarm"
TAKEN: Final = journal.register("alarm.take", _("Took an alarm"), permission=TAKE)


def visible_to(member: Viewer) -> QuerySet[Alarm]:
    """The alarms of the member's own work, the newest first."""
    if not member.has_perm(SEE):
        return Alarm.objects.none()
    kinds = [kind for kind, one in CONDITIONS.items() if member.has_perm(one.permission)]
    return Alarm.objects.filter(kind__in=kinds).order_by("-raised_at", "-pk")


@under(TAKEN)
def take(member: Viewer, alarm_id: int, note: str, now: datetime) -> Alarm:
    """Take an alarm, once; this clears an alarm about a single event."""
    with transaction.atomic():
        alarm = Alarm.objects.select_for_update().filter(pk=alarm_id).first()
        if alarm is None or not visible_to(member).filter(pk=alarm_id).exists():
            raise Refused("no_such_alarm", _("There is no such alarm."))
        if not member.is_active or not member.has_perm(TAKE):
            raise Refused("not_taker", _("Your role cannot take alarms."))
        if alarm.taken_at is not None:
            raise Refused(
                "alarm_taken",
                _("{name} took this alarm at {time}: {note}"),
                name=alarm.taken_by_name,
                time=f"{in_house_zone(alarm.taken_at):%H:%M}",
                note=alarm.note,
            )
        who, note = journal.by(member), journal.reason_of(note)
        alarm.taken_by, alarm.taken_by_name = who
        alarm.taken_at, alarm.note = now, note
        condition = CONDITIONS.get(alarm.kind)
        if condition is not None and not condition.lasting:
            alarm.cleared_at = alarm.cleared_at or now
        alarm.save()
        journal.write(
            who,
            TAKEN,
            alarm.reference,
            before={"taken_by": ""},
            after={"taken_by": who.reference, "kind": alarm.kind, "subject": alarm.subject},
            reason=note,
        )
        changed.send(sender=__name__)
    return alarm
