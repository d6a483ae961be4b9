"""What staff propose about tournaments, series and tickets, each with its form."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from django.urls import reverse

from tests.games.house import House
from tests.tournaments.events import Event, sit_and_go, structure
from tournaments.mathematics.structure import Structure
from tournaments.models import Schedule, Template
from tournaments.running import announcing


class Case(NamedTuple):
    """What is proposed, and the form that proposes it, where there is one."""

    arguments: dict[str, Any]
    address: str = ""
    form: Mapping[str, Any] = MappingProxyType({})
    is_counted_first: bool = False


def stored(house: House, played: Structure) -> Template:
    return announcing.store_template(played, "player:1", house.now)


def announcing_an_event(house: House) -> Case:
    template = stored(house, structure(guarantee=5_000))
    address = reverse("admin:template-announce", args=[template.pk])
    arguments = {"template": template.pk, "starts_at": "2099-03-02T19:30:00+00:00"}
    return Case(arguments, address, {"starts_at": "2099-03-02 19:30"})


def scheduling(house: House) -> Case:
    template = stored(house, sit_and_go())
    form = {"template": template.pk, "every_hours": 24, "ahead_hours": 24, "open_count": 1}
    arguments = {"template": template.pk, "kind": "always_open"}
    return Case(arguments, reverse("admin:tournaments_schedule_add"), form)


def stopping_a_schedule(house: House) -> Case:
    schedule = Schedule.objects.create(
        template=stored(house, sit_and_go()), kind=Schedule.Kind.ALWAYS_OPEN
    )
    address = reverse("admin:schedule-stop", args=[schedule.pk])
    return Case({"schedule": schedule.pk}, address)


def cancelling(house: House) -> Case:
    """What players paid goes back to them later, when the event is swept."""
    event = Event(house)
    event.open(structure(), 1)
    address = reverse("admin:tournament-cancel", args=[event.number])
    return Case({"tournament": event.number}, address, {"typed": "CANCEL"})


def beginning_a_series(_house: House) -> Case:
    rules = {"formula": {"base": 100}, "events": 4, "best": 3, "finalists": 0}
    form = {"name": "Autumn", "manner": "root", "base": 100} | {
        name: rules[name] for name in ("events", "best", "finalists")
    }
    return Case({"name": "Autumn", "rules": rules}, reverse("series-new"), form)


def giving_a_ticket(house: House) -> Case:
    template, alice = stored(house, structure()), house.player("alice")
    wanted = {"player": alice.pk, "template": template.pk}
    return Case(wanted, reverse("tickets"), wanted | {"player": "alice"})


def offering_a_ticket(house: House) -> Case:
    """For points, in the shop."""
    stored(house, structure())
    wanted = {"event": "Evening", "points": 500}
    return Case(wanted, reverse("shop"), wanted)


TOURNAMENT_CASES: Final[dict[str, Callable[[House], Case]]] = {
    "tournament.announce": announcing_an_event,
    "tournament.schedule": scheduling,
    "tournament.unschedule": stopping_a_schedule,
    "tournament.cancel": cancelling,
    "series.begin": beginning_a_series,
    "ticket.give": giving_a_ticket,
}
