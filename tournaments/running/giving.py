"""Giving tickets: for a place, as an award, for points, or by staff; no money moves yet."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib.auth import get_user_model

from games.tables.settle import posting_key
from tournaments.event.organiser import structure_of
from tournaments.models import Template, Ticket, Tournament
from wallets.models import Currency
from wallets.of_record.verbs import verb

# Of one that is not for one event alone.
VALID_FOR: Final = timedelta(days=90)


def key_of(source: str, player: int, what: str) -> UUID:
    return posting_key(f"ticket {source} {player} {what}")


class Admits(NamedTuple):
    """For what a ticket is: any event of a name, up to a price."""

    name: str
    currency: Currency
    worth: int


def admits(template: Template) -> Admits:
    """A ticket that pays an entry to the events of a template."""
    structure = template.structure
    cost = structure["stake"] + structure.get("fee", 0)
    return Admits(template.name, template.currency, cost)


@verb("house:ticket.give")
def give(player: int, admitting: Admits, *, source: str, what: str, now: datetime) -> Ticket:
    """Give a ticket; the same source and word give one."""
    return Ticket.objects.get_or_create(
        key=key_of(source, player, what),
        defaults={
            "player_id": player,
            "name": admitting.name,
            "currency": admitting.currency,
            "worth": admitting.worth,
            "given_at": now,
            "expires_at": now + VALID_FOR,
            "source": source,
        },
    )[0]


def give_places(event: Tournament, players: Iterable[int], *, source: str, now: datetime) -> None:
    """Give each of these players a ticket to one event."""
    structure = structure_of(event)
    Ticket.objects.bulk_create(
        [
            Ticket(
                key=key_of(source, player, event.reference),
                player_id=player,
                tournament=event,
                name=event.name,
                currency=event.currency,
                worth=structure.stake + structure.fee,
                given_at=now,
                expires_at=None,
                source=source,
            )
            for player in players
        ],
        ignore_conflicts=True,
    )


def newest(name: str) -> Template | None:
    """The newest version of a template that is not retired."""
    versions = Template.objects.filter(name=name, retired_at=None)
    return versions.select_related("currency").order_by("-version").first()


def people(players: Iterable[int]) -> set[int]:
    """Those among these players who are no bots."""
    rows: Any = get_user_model().objects
    return set(rows.filter(pk__in=list(players), is_bot=False).values_list("pk", flat=True))
