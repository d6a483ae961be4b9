"""A program that has not taken a message for two days, which is given up, is an alarm."""

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.office.alarms.conditions import OF_THE_HOUSE, Condition, Moment, State
from casino.office.hooks.models import Endpoint


def _given_up(_moment: Moment) -> Iterator[State]:
    lost = Endpoint.objects.filter(
        ended_at=None, sendings__next_at=None, sendings__delivered_at=None,
        sendings__attempts__gt=0,
    )  # fmt: skip
    for endpoint in lost.distinct():
        yield State(endpoint.reference, {"name": endpoint.name})


GIVEN_UP: Final = Condition(
    "hook_given_up",
    _("A webhook does not answer"),
    _("Messages for {name} were given up: send them again, or end the webhook."),
    OF_THE_HOUSE,
    _given_up,
    every_seconds=60,
    may_stand=lambda _now: Endpoint.objects.filter(ended_at=None),
)
