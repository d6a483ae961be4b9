"""The verbs of staff that need an approval: announce, schedule and cancel, where money of the house
or of many players moves.
"""

from datetime import datetime
from typing import Final, cast

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from games.words.refusal import Refused
from games.words.refusals import REFUSALS
from tournaments import announcing, cancelling, progress
from tournaments.control import PERMISSION
from tournaments.models import Schedule, Template, Tournament
from tournaments.organiser import locked, no_such_tournament
from wallets import approvals, journal, limits
from wallets.approvals import Arguments, Line, Order
from wallets.permitted import Permitted, money

ANNOUNCE: Final = "tournament.announce"
SCHEDULE: Final = "tournament.schedule"
UNSCHEDULE: Final = "tournament.unschedule"
CANCEL: Final = "tournament.cancel"
LIMIT: Final = "tournament"


class RunVerb(Permitted):
    """Let managers of tournaments propose, and others who also decide proposals approve."""

    permission = PERMISSION
    missing: tuple[type[Exception], ...] = REFUSALS


class ByTemplate(RunVerb):
    """A verb that announces by a template, which the arguments name as `template`."""

    def subject(self, arguments: Arguments) -> str:
        return f"template:{arguments['template']}"

    def state(self, arguments: Arguments) -> Arguments:
        """An unused version can still be corrected."""
        template = _template(arguments)
        return {"structure": template.structure, "retired": template.retired_at is not None}

    def needs_approval(self, order: Order) -> bool:
        template = _template(order.arguments)
        return limits.reaches(LIMIT, template.structure.get("guarantee", 0), template.currency)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Line]:
        template = _template(arguments)
        guarantee = template.structure.get("guarantee", 0)
        lines = [
            Line(str(_("template")), "", str(template)),
            Line(str(_("guarantee")), "", money(guarantee, template.currency)),
        ]
        if arguments.get("starts_at"):
            lines.append(Line(str(_("starts")), "", str(arguments["starts_at"])))
        return lines


class Announce(ByTemplate):
    """Arguments: `template`, and `starts_at` as ISO text unless it starts when it is full."""

    name, words = ANNOUNCE, _("Announce a tournament")

    def check(self, arguments: Arguments) -> Arguments:
        return {"template": _template(arguments).pk, "starts_at": _time(arguments.get("starts_at"))}

    def carry_out(self, order: Order) -> Tournament:
        who, template = journal.by(order.maker), _template(order.arguments)
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
            journal.write(
                who,
                self.name,
                tournament.reference,
                before={},
                after={"template": template, "starts_at": starts_at},
                reason=order.reason,
                cause=order.cause,
            )
        return tournament


# What an operator sets of a schedule.
SETTINGS: Final = ("every_seconds", "ahead_seconds", "open_count", "bots_after_seconds")


class Plan(ByTemplate):
    """Events that are announced by themselves. Arguments: `template`, `kind`, `next_at` as ISO
    text for a recurring one, and the settings.
    """

    name, words = SCHEDULE, _("Schedule tournaments")

    def check(self, arguments: Arguments) -> Arguments:
        template = _template(arguments)
        if arguments.get("kind") not in Schedule.Kind.values:
            raise Refused("schedule_kind", _n("A schedule is recurring, or always open."))
        always = arguments["kind"] == Schedule.Kind.ALWAYS_OPEN
        next_at = _time(arguments.get("next_at"))
        if always != (template.structure["kind"] == "sit_and_go") or always == bool(next_at):
            raise Refused(
                "schedule_kind",
                _n("A sit-and-go is always open; all others are recurring, and have a start."),
            )
        settings = {name: arguments[name] for name in SETTINGS if arguments.get(name) is not None}
        if any(type(value) is not int or value < 0 for value in settings.values()):
            raise Refused("schedule_settings", _n("A schedule is set with whole numbers."))
        return {**settings, "template": template.pk, "kind": arguments["kind"], "next_at": next_at}

    def carry_out(self, order: Order) -> Schedule:
        who, values = journal.by(order.maker), dict(order.arguments)
        template = _template(values)
        values["next_at"] = datetime.fromisoformat(values["next_at"]) if values["next_at"] else None
        if earlier := Schedule.objects.filter(key=order.key).first():
            return earlier
        with transaction.atomic():
            values |= {"template": template, "key": order.key}
            schedule = Schedule.objects.create(**values)
            journal.write(
                who,
                self.name,
                schedule.reference,
                before={},
                after=order.arguments,
                reason=order.reason,
                cause=order.cause,
            )
        return schedule


class Unplan(RunVerb):
    """Announce nothing more by a schedule. Arguments: `schedule`, a number."""

    name, words = UNSCHEDULE, _("Stop a schedule")

    def check(self, arguments: Arguments) -> Arguments:
        schedule = Schedule.objects.filter(pk=_number(arguments.get("schedule")), active=True)
        found = schedule.first()
        if found is None:
            raise Refused("no_such_schedule", _n("There is no such schedule."))
        return {"schedule": found.pk}

    def subject(self, arguments: Arguments) -> str:
        return f"schedule:{arguments['schedule']}"

    def needs_approval(self, order: Order) -> bool:
        return False

    def describe(self, arguments: Arguments, state: Arguments) -> list[Line]:
        return []

    def carry_out(self, order: Order) -> None:
        Schedule.objects.filter(pk=order.arguments["schedule"]).update(active=False)
        journal.write(
            journal.by(order.maker),
            self.name,
            self.subject(order.arguments),
            before={"active": True},
            after={"active": False},
            reason=order.reason,
            cause=order.cause,
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

    def describe(self, arguments: Arguments, state: Arguments) -> list[Line]:
        tournament = _tournament(arguments)
        back = tournament.stakes + tournament.fees
        return [
            Line(str(_("tournament")), "", str(tournament)),
            Line(str(_("players")), "", str(tournament.entrants)),
            Line(str(_("returned")), "", money(back, tournament.currency)),
        ]

    def carry_out(self, order: Order) -> Tournament:
        who = journal.by(order.maker)
        with transaction.atomic():
            tournament = locked(order.arguments["tournament"])
            self.check(order.arguments)
            before = {"state": tournament.state}
            cancelling.begin(tournament, who.reference, order.reason, order.now)
            progress.soon(tournament, order.now)
            journal.write(
                who,
                self.name,
                tournament.reference,
                before=before,
                after={"state": tournament.state, "entries": tournament.entries},
                reason=order.reason,
                cause=order.cause,
            )
        return tournament


def _number(value: object) -> int:
    return value if type(value) is int else 0


def _template(arguments: Arguments) -> Template:
    found = Template.objects.select_related("currency")
    template = found.filter(pk=_number(arguments.get("template"))).first()
    if template is None:
        raise Refused("no_such_template", _n("There is no such template."))
    return template


def _tournament(arguments: Arguments) -> Tournament:
    found = Tournament.objects.select_related("currency")
    tournament = found.filter(pk=_number(arguments.get("tournament"))).first()
    if tournament is None:
        raise no_such_tournament()
    return tournament


def _time(text: object) -> str | None:
    """A time as ISO text with its zone; None where none is given."""
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(str(text))
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        raise Refused("no_time", _n("This is no time."))
    return time.isoformat()


def register() -> None:
    for verb in (Announce(), Plan(), Unplan(), Cancel()):
        approvals.register(cast(approvals.Verb, verb))
