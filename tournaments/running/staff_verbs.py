"""The verbs of staff for templates, and those for events that need an approval.

Each is an entry of the journal, with a reason. An approval is needed to announce, schedule and
cancel, where money of the house or of many players moves.
"""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from tournaments.event import closing
from tournaments.event.organiser import locked, no_such_tournament
from tournaments.mathematics.structure import Structure
from tournaments.models import Schedule, Template, Tournament
from tournaments.running import announcing, progress
from tournaments.running.control import PERMISSION, require_permission
from wallets.models.staff_models import JournalEntry
from wallets.money import limits
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted, money
from wallets.values.days import house_time, in_house_zone
from wallets.values.errors import Refused
from wallets.values.player import Viewer

ANNOUNCE: Final = "tournament.announce"
SCHEDULE: Final = "tournament.schedule"
UNSCHEDULE: Final = "tournament.unschedule"
CANCEL: Final = "tournament.cancel"
LIMIT: Final = "tournament"


class RunVerb(Permitted):
    """Let managers of tournaments propose, and others who also decide proposals approve."""

    permission = PERMISSION


class ByTemplate(RunVerb):
    """A verb that announces by a template, which the arguments name as `template`."""

    def subject(self, arguments: Arguments) -> str:
        return f"template:{arguments['template']}"

    def state(self, arguments: Arguments) -> Arguments:
        """An unused version can still be corrected."""
        template = template_of(arguments)
        return {"structure": template.structure, "retired": template.retired_at is not None}

    def needs_approval(self, order: Order) -> bool:
        template = template_of(order.arguments)
        return limits.reaches(LIMIT, template.structure.get("guarantee", 0), template.currency)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        template = template_of(arguments)
        guarantee = template.structure.get("guarantee", 0)
        lines = [
            Change(str(_("template")), "", str(template)),
            Change(str(_("guarantee")), "", money(guarantee, template.currency)),
        ]
        for name in ("starts_at", "next_at"):
            if arguments.get(name):
                start = datetime.fromisoformat(str(arguments[name]))
                lines.append(Change(str(_("starts")), "", house_time(start)))
        return lines


class Announce(ByTemplate):
    """Arguments: `template`, and `starts_at` as ISO text unless it starts when it is full."""

    name, words = ANNOUNCE, _("Announce a tournament")

    def check(self, arguments: Arguments) -> Arguments:
        return {
            "template": template_of(arguments).pk,
            "starts_at": time_of(arguments.get("starts_at")),
        }

    def carry_out(self, order: Order) -> Tournament:
        who, template = journal.by(order.maker), template_of(order.arguments)
        starts_at = order.arguments["starts_at"]
        if earlier := Tournament.objects.filter(key=order.key).first():
            return earlier
        with transaction.atomic():
            tournament = announcing.announce(
                template,
                order.now,
                by=who.reference,
                starts_at=datetime.fromisoformat(starts_at) if starts_at else None,
                key=order.key,
            )
            order.note(
                self.name,
                tournament.reference,
                before={},
                after={"template": template, "starts_at": starts_at},
            )
        return tournament


# The fields of a schedule that an operator sets.
SETTINGS: Final = (
    *("every_seconds", "weekdays", "ahead_seconds", "open_count", "bots_after_seconds"),
)
SECONDS_MAX: Final = 366 * 24 * 3_600
ALL_WEEK: Final = 0b1111111


class Plan(ByTemplate):
    """Events that are announced by themselves. Arguments: `template`, `kind`, `next_at` as ISO
    text for a recurring one, and the settings.
    """

    name, words = SCHEDULE, _("Schedule tournaments")

    def check(self, arguments: Arguments) -> Arguments:
        template = template_of(arguments)
        if arguments.get("kind") not in Schedule.Kind.values:
            raise Refused("schedule_kind", _n("A schedule is recurring, or always open."))
        always = arguments["kind"] == Schedule.Kind.ALWAYS_OPEN
        next_at = time_of(arguments.get("next_at"))
        if always != (template.structure["kind"] == "sit_and_go") or always == bool(next_at):
            raise Refused(
                "schedule_kind",
                _n("A sit-and-go is always open; all others are recurring, and have a start."),
            )
        settings = {name: arguments[name] for name in SETTINGS if arguments.get(name) is not None}
        if not all(type(value) is int and 0 <= value <= SECONDS_MAX for value in settings.values()):
            raise Refused(
                "schedule_settings", _n("A schedule is set with whole numbers, up to a year.")
            )
        weekdays = settings.get("weekdays")
        if weekdays is not None:
            _require_weekdays(weekdays, next_at)
        return {**settings, "template": template.pk, "kind": arguments["kind"], "next_at": next_at}

    def carry_out(self, order: Order) -> Schedule:
        values = dict(order.arguments)
        template = template_of(values)
        values["next_at"] = datetime.fromisoformat(values["next_at"]) if values["next_at"] else None
        if values.get("weekdays"):
            values["house_time"] = in_house_zone(values["next_at"]).time()
        if earlier := Schedule.objects.filter(key=order.key).first():
            return earlier
        with transaction.atomic():
            values |= {"template": template, "key": order.key}
            schedule = Schedule.objects.create(**values)
            order.note(self.name, schedule.reference, before={}, after=order.arguments)
        return schedule


def _require_weekdays(weekdays: int, next_at: str | None) -> None:
    """Refuse days of the week that are none, or that the first start is not on."""
    if not 0 < weekdays <= ALL_WEEK or next_at is None:
        raise Refused("schedule_weekdays", _n("Choose at least one day of the week."))
    first = in_house_zone(datetime.fromisoformat(next_at))
    if not weekdays >> first.weekday() & 1:
        raise Refused(
            "schedule_first_day", _n("The first start is not on a day of the week that was chosen.")
        )


class Unplan(RunVerb):
    """Announce nothing more by a schedule. Arguments: `schedule`, a number."""

    name, words = UNSCHEDULE, _("Stop a schedule")

    def check(self, arguments: Arguments) -> Arguments:
        schedule = Schedule.objects.filter(pk=_number(arguments.get("schedule")), active=True)
        row = schedule.first()
        if row is None:
            raise Refused("no_such_schedule", _n("There is no such schedule."))
        return {"schedule": row.pk}

    def subject(self, arguments: Arguments) -> str:
        return f"schedule:{arguments['schedule']}"

    def needs_approval(self, order: Order) -> bool:
        return False

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        return []

    def carry_out(self, order: Order) -> None:
        Schedule.objects.filter(pk=order.arguments["schedule"]).update(active=False)
        order.note(
            self.name,
            self.subject(order.arguments),
            before={"active": True},
            after={"active": False},
        )


class Cancel(RunVerb):
    """Call an event off and give everything back. Arguments: `tournament`, a number."""

    name, words = CANCEL, _("Cancel a tournament")

    def check(self, arguments: Arguments) -> Arguments:
        tournament = _tournament(arguments)
        if tournament.state not in Tournament.ALIVE:
            raise Refused("tournament_over", _n("This tournament is over."))
        return {"tournament": tournament.pk}

    def subject(self, arguments: Arguments) -> str:
        return _tournament(arguments).reference

    def state(self, arguments: Arguments) -> Arguments:
        return {"state": _tournament(arguments).state}

    def needs_approval(self, order: Order) -> bool:
        """Compare the threshold with the sum of all refunds."""
        tournament = _tournament(order.arguments)
        return limits.reaches(LIMIT, tournament.stakes + tournament.fees, tournament.currency)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        tournament = _tournament(arguments)
        back = tournament.stakes + tournament.fees
        return [
            Change(str(_("tournament")), "", str(tournament)),
            Change(str(_("players")), "", str(tournament.entrants)),
            Change(str(_("returned")), "", money(back, tournament.currency)),
        ]

    def carry_out(self, order: Order) -> Tournament:
        who = journal.by(order.maker)
        with transaction.atomic():
            tournament = locked(order.arguments["tournament"])
            self.check(order.arguments)
            before = {"state": tournament.state}
            closing.begin(tournament, who.reference, order.reason, order.now)
            progress.soon(tournament, order.now)
            order.note(
                self.name,
                tournament.reference,
                before=before,
                after={"state": tournament.state, "entries": tournament.entries},
            )
        return tournament


def _number(value: object) -> int:
    return value if type(value) is int else 0


def template_of(arguments: Arguments, name: str = "template") -> Template:
    templates = Template.objects.select_related("currency")
    template = templates.filter(pk=_number(arguments.get(name))).first()
    if template is None:
        raise Refused("no_such_template", _n("There is no such template."))
    return template


def _tournament(arguments: Arguments) -> Tournament:
    tournaments = Tournament.objects.select_related("currency")
    tournament = tournaments.filter(pk=_number(arguments.get("tournament"))).first()
    if tournament is None:
        raise no_such_tournament()
    return tournament


def time_of(text: object) -> str | None:
    """A time as ISO text with its zone; None where none is given."""
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(str(text))
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        raise Refused("no_time", _n("This is not a valid time."))
    return time.isoformat()


VERBS: Final = (Announce(), Plan(), Unplan(), Cancel())


STORE: Final = journal.register(
    "template.store", _("Stored a template of tournaments"), permission=PERMISSION
)
RETIRE: Final = journal.register(
    "template.retire", _("Retired a template of tournaments"), permission=PERMISSION
)


@under(STORE)
def store(member: Viewer, structure: Structure, reason: str, now: datetime) -> Template:
    """Store a structure as the next version of the template of its name."""
    require_permission(member)
    who = journal.by(member)
    with transaction.atomic():
        template = announcing.store_template(structure, who.reference, now)
        after = {"template": template, "structure": template.structure}
        journal.write(who, STORE, template.reference, before={}, after=after, reason=reason)
        return template


@under(RETIRE)
def retire(member: Viewer, template_id: int, reason: str, now: datetime) -> Template:
    """Let no further event be announced by a template."""
    require_permission(member)
    with transaction.atomic():
        template = announcing.retire_template(template_id, now)
        journal.write(
            journal.by(member),
            RETIRE,
            template.reference,
            before={"retired": False},
            after={"retired": True},
            reason=reason,
        )
        return template


def reason_of(member: Viewer, template: Template) -> str:
    """Why this member stored a version, if they did: announcing it has the same reason."""
    stored = JournalEntry.objects.filter(
        subject=template.reference, verb=STORE, actor=journal.by(member).reference
    )
    return stored.values_list("reason", flat=True).order_by("-position").first() or ""
