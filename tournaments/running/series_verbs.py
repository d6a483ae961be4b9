"""What staff do about series and tickets: begin a series, add an event, end it, give a ticket."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n
from msgspec import ValidationError, convert, to_builtins

from tournaments.event.organiser import save
from tournaments.mathematics.series_points import Fault, SeriesRules
from tournaments.models import Schedule, Series, SeriesEvent, Template, Ticket, Tournament
from tournaments.running import announcing, giving, series
from tournaments.running.control import PERMISSION, require_permission
from tournaments.running.staff_verbs import LIMIT, SECONDS_MAX, RunVerb, template_of, time_of
from wallets.money import limits
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import money
from wallets.values.days import house_time
from wallets.values.errors import Refused
from wallets.values.player import Viewer

BEGIN: Final = "series.begin"
GIVE: Final = "ticket.give"
NAME_MAX: Final = 80
# An event is announced so long ahead.
AHEAD: Final = timedelta(days=7)
HOUR: Final = 3_600

_SENTENCES: Final[dict[str, str]] = {
    "best_of_fewer": _n("The best {best} of {events} events cannot count."),
    "points_table": _n("A table of points names 1 to {most} places, the largest first."),
    "no_points": _n("The first place must bring points."),
}


def rules_in(values: object) -> SeriesRules:
    """Read the rules of a series, or refuse what contradicts itself."""
    try:
        rules = convert(values, SeriesRules)
    except ValidationError:
        raise Refused("series_rules", _n("These are not the rules of a series.")) from None
    for code, figures in rules.faults():
        raise refused((code, figures))
    return rules


def refused(fault: Fault) -> Refused:
    code, figures = fault
    return Refused(code, _SENTENCES[code], **figures)


class BeginSeries(RunVerb):
    """Begin a series. Arguments: `name`, `rules`; `template`, `next_at` and `every_hours` of the
    events that are announced for it, if any; `final`, a template, and `final_at`, if it has one.
    """

    name, words = BEGIN, _("Begin a series")

    def check(self, arguments: Arguments) -> Arguments:
        name = str(arguments.get("name", "")).strip()
        if not 1 <= len(name) <= NAME_MAX:
            raise Refused("series_name", _n("A series needs a name."))
        rules = rules_in(arguments.get("rules"))
        kept: dict[str, Any] = {"name": name, "rules": to_builtins(rules)}
        kept |= {"template": None, "next_at": None, "every_hours": None}
        if arguments.get("template") is not None:
            template = template_of(arguments, "template")
            _require_timed(template)
            every = arguments.get("every_hours")
            if type(every) is not int or not 1 <= every <= SECONDS_MAX // HOUR:
                raise Refused("series_interval", _n("Events follow one another by hours."))
            kept |= {"template": template.pk, "next_at": _start(arguments, "next_at")}
            kept["every_hours"] = every
        kept |= {"final": None, "final_at": None}
        if arguments.get("final") is not None:
            final = template_of(arguments, "final")
            _require_timed(final)
            kept |= {"final": final.pk, "final_at": _start(arguments, "final_at")}
            _require_after_last(kept, rules)
        return kept

    def admit(self, order: Order) -> None:
        if Series.objects.filter(key=order.key).exists():
            return
        if Series.objects.filter(name=order.arguments["name"]).exists():
            raise _exists()
        for name in ("next_at", "final_at"):
            at = order.arguments[name]
            if at is not None and datetime.fromisoformat(at) <= order.now:
                raise Refused("starts_in_the_past", _n("The start must be in the future."))

    def subject(self, arguments: Arguments) -> str:
        return f"series:{arguments['name']}"[:64]

    def needs_approval(self, order: Order) -> bool:
        """Compare the threshold with each guarantee, and with the cost of the tickets."""
        arguments = order.arguments
        named = [name for name in ("template", "final") if arguments[name] is not None]
        for name in named:
            template = template_of(arguments, name)
            guarantee = template.structure.get("guarantee", 0)
            if limits.reaches(LIMIT, guarantee, template.currency):
                return True
        return "final" in named and limits.reaches(
            LIMIT, _cost_of_tickets(arguments), template_of(arguments, "final").currency
        )

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        rules = rules_in(arguments["rules"])
        lines = [
            Change(str(_("series")), "", str(arguments["name"])),
            Change(str(_("events")), "", f"{rules.best} / {rules.events}"),
        ]
        for name, words, at in (
            ("template", _("template"), "next_at"),
            ("final", _("final"), "final_at"),
        ):
            if arguments[name] is not None:
                template = template_of(arguments, name)
                start = house_time(datetime.fromisoformat(arguments[at]))
                lines.append(Change(str(words), "", f"{template} · {start}"))
                guarantee = template.structure.get("guarantee", 0)
                lines.append(Change(str(_("guarantee")), "", money(guarantee, template.currency)))
        if arguments["final"] is not None:
            currency = template_of(arguments, "final").currency
            cost = money(_cost_of_tickets(arguments), currency)
            lines.append(Change(str(_("tickets")), "", f"{rules.finalists} · {cost}"))
        return lines

    def carry_out(self, order: Order) -> Series:
        if earlier := Series.objects.filter(key=order.key).first():
            return earlier
        arguments = order.arguments
        with transaction.atomic():
            final = self._final(order)
            schedule = self._schedule(arguments)
            try:
                with transaction.atomic():
                    begun = Series.objects.create(
                        key=order.key,
                        name=arguments["name"],
                        rules=arguments["rules"],
                        schedule=schedule,
                        final=final,
                        began_at=order.now,
                    )
            except IntegrityError:
                raise _exists() from None
            order.note(BEGIN, begun.reference, before={}, after=arguments)
        return begun

    def _final(self, order: Order) -> Tournament | None:
        if order.arguments["final"] is None:
            return None
        final = announcing.announce(
            template_of(order.arguments, "final"),
            order.now,
            by=journal.by(order.maker).reference,
            starts_at=datetime.fromisoformat(order.arguments["final_at"]),
        )
        final.tickets_only = True
        save(final, ["tickets_only"])
        return final

    def _schedule(self, arguments: Arguments) -> Schedule | None:
        if arguments["template"] is None:
            return None
        every = HOUR * arguments["every_hours"]
        return Schedule.objects.create(
            template=template_of(arguments, "template"),
            kind=Schedule.Kind.RECURRING,
            next_at=datetime.fromisoformat(arguments["next_at"]),
            every_seconds=every,
            ahead_seconds=max(every, AHEAD.days * 24 * HOUR),
        )


def _cost_of_tickets(arguments: Arguments) -> int:
    entry = giving.admits(template_of(arguments, "final")).worth
    return entry * rules_in(arguments["rules"]).finalists


def _require_timed(template: Template) -> None:
    if template.structure["kind"] == "sit_and_go":
        raise Refused("series_sit_and_go", _n("Events of a series have a start."))


def _start(arguments: Arguments, name: str) -> str:
    start = time_of(arguments.get(name))
    if start is None:
        raise Refused("no_time", _n("This is not a valid time."))
    return start


def _require_after_last(kept: Mapping[str, Any], rules: SeriesRules) -> None:
    """The final begins after the last event has begun."""
    if kept["next_at"] is None:
        return
    first = datetime.fromisoformat(kept["next_at"])
    last = first + (rules.events - 1) * timedelta(hours=kept["every_hours"])
    if datetime.fromisoformat(kept["final_at"]) <= last:
        raise Refused(
            "final_too_early",
            _n("The last event of the series starts {last}; the final must start later."),
            last=house_time(last),
        )


def _exists() -> Refused:
    return Refused("series_exists", _n("There is a series of this name."))


ADD: Final = journal.register("series.add", _("Added an event to a series"), permission=PERMISSION)
END: Final = journal.register("series.end", _("Ended a series"), permission=PERMISSION)


@under(ADD)
def add_event(
    member: Viewer, number: int, tournament_id: int, reason: str, now: datetime
) -> SeriesEvent:
    """Add an event that has been announced and has not begun."""
    require_permission(member)
    with transaction.atomic():
        event = Tournament.objects.select_for_update(of=("self",)).filter(pk=tournament_id).first()
        if event is None or event.state != Tournament.State.ANNOUNCED or event.tickets_only:
            raise Refused("not_open", _n("Only an announced event can be added to a series."))
        if SeriesEvent.objects.filter(tournament=event.pk).exists():
            raise Refused("in_a_series", _n("This event belongs to a series."))
        added = series.add(series.locked(number), event)
        after = {"event": event.reference, "number": added.number}
        about = added.series.reference
        journal.write(journal.by(member), ADD, about, before={}, after=after, reason=reason)
    return added


@under(END)
def end(member: Viewer, number: int, reason: str, now: datetime) -> Series:
    """End a series before all its events are over; the standings stay as they are."""
    require_permission(member)
    with transaction.atomic():
        # The schedule comes before its series, as where it announces an event.
        Schedule.objects.filter(series=number, active=True).update(active=False)
        ended = series.locked(number)
        if ended.ended_at is not None:
            raise Refused("series_ended", _n("This series has ended."))
        series.end(ended, now)
        journal.write(
            journal.by(member),
            END,
            ended.reference,
            before={"ended": False},
            after={"ended": True, "events": ended.events.count()},
            reason=reason,
        )
    return ended


class GiveTicket(RunVerb):
    """Give a player a ticket. Arguments: `player` and `template`, numbers."""

    name, words = GIVE, _("Give a ticket to an event")

    def check(self, arguments: Arguments) -> Arguments:
        players: Any = get_user_model().objects
        people = players.filter(is_bot=False, is_staff=False, is_active=True)
        number = arguments.get("player")
        if type(number) is not int or not people.filter(pk=number).exists():
            raise Refused("no_such_player", _n("There is no such player."))
        template = template_of(arguments, "template")
        if template.retired_at is not None:
            raise Refused(
                "template_retired",
                _n("This template is retired; it can no longer announce events."),
            )
        return {"player": number, "template": template.pk}

    def subject(self, arguments: Arguments) -> str:
        return f"player:{arguments['player']}"

    def needs_approval(self, order: Order) -> bool:
        template = template_of(order.arguments, "template")
        worth = giving.admits(template).worth
        return limits.reaches(LIMIT, worth, template.currency)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        template = template_of(arguments, "template")
        return [
            Change(str(_("ticket")), "", template.name),
            Change(str(_("worth")), "", money(giving.admits(template).worth, template.currency)),
        ]

    def carry_out(self, order: Order) -> Ticket:
        who, template = journal.by(order.maker), template_of(order.arguments, "template")
        with transaction.atomic():
            player = order.arguments["player"]
            given = giving.give(
                player,
                giving.admits(template),
                source=who.reference,
                what=str(order.key),
                now=order.now,
            )
            after = {"ticket": given.pk, "name": template.name, "worth": given.worth}
            order.note(GIVE, self.subject(order.arguments), before={}, after=after)
        return given


VERBS: Final = (BeginSeries(), GiveTicket())
