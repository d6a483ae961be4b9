"""Templates, and announcing an event by one.

The guarantee is set aside and the shoe sealed in the transaction that makes the event, so that
every visible event has both. An event keeps a copy of its structure: a new version of the template
changes none that was announced.
"""

from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_noop as _n

from tournaments.event import mixing, money
from tournaments.event.organiser import stored, structure_of
from tournaments.mathematics.preview import likely_length
from tournaments.mathematics.problems import require_sound
from tournaments.mathematics.structure import Structure
from tournaments.models import Schedule, Template, Tournament
from wallets.models import Currency
from wallets.values.errors import Refused

# Before the first entry, an event is expected to last as long as with so many players.
EXPECTED_PLAYERS: Final = 50


def store_template(structure: Structure, by: str, now: datetime) -> Template:
    """Store a structure as the next version of the template of its name, or refuse it."""
    require_sound(structure)
    currency = _currency(structure.currency)
    with transaction.atomic():
        versions = Template.objects.filter(name=structure.name)
        last = versions.aggregate(last=Max("version"))["last"] or 0
        return Template.objects.create(
            name=structure.name,
            version=last + 1,
            structure=stored(structure),
            currency=currency,
            made_at=now,
            made_by=by,
        )


def retire_template(template_id: int, now: datetime) -> Template:
    """Let no further event be announced by a template."""
    with transaction.atomic():
        template = Template.objects.select_for_update().get(pk=template_id)
        if template.schedules.filter(active=True).exists():
            raise Refused("template_scheduled", _n("A schedule still announces events by this."))
        template.retired_at = template.retired_at or now
        template.save(update_fields=["retired_at"])
        return template


def announce(
    template: Template,
    now: datetime,
    *,
    by: str,
    starts_at: datetime | None = None,
    schedule: Schedule | None = None,
    key: UUID | None = None,
) -> Tournament:
    """Announce an event. A sit-and-go starts when it is full; any other needs a time.

    The same key announces once.
    """
    if key is not None and (earlier := Tournament.objects.filter(key=key).first()):
        return earlier
    if template.retired_at is not None:
        raise Refused(
            "template_retired", _n("This template is retired; it can no longer announce events.")
        )
    with transaction.atomic():
        tournament = Tournament(
            name=template.name,
            template=template,
            schedule=schedule,
            structure=template.structure,
            currency=template.currency,
            key=key,
            announced_at=now,
            starts_at=starts_at,
            due_at=starts_at,
        )
        structure = structure_of(tournament)
        _check_start(structure, starts_at, now)
        tournament.kind, tournament.game = structure.kind, structure.game
        tournament.guarantee = structure.guarantee
        expected = min(structure.field_max, EXPECTED_PLAYERS)
        tournament.likely_seconds = likely_length(structure, expected)[0]
        _insert(tournament)
        money.hold_guarantee(tournament, by)
        mixing.seal(tournament, now)
        return tournament


def _insert(tournament: Tournament) -> None:
    """Write the row, and then its accounts, whose owner is the row's number.

    The database looks for the accounts that the row names when the transaction ends.
    """
    for name in money.ACCOUNTS:
        setattr(tournament, f"{name}_id", 0)
    tournament.save(force_insert=True)
    money.open_accounts(tournament)
    tournament.save(update_fields=money.ACCOUNTS)


def _check_start(structure: Structure, starts_at: datetime | None, now: datetime) -> None:
    if structure.kind == "sit_and_go":
        if starts_at is not None:
            raise Refused("starts_when_full", _n("A sit-and-go starts when it is full."))
    elif starts_at is None or starts_at <= now:
        raise Refused("starts_in_the_past", _n("The start must be in the future."))


def _currency(code: str) -> Currency:
    currency = Currency.objects.filter(pk=code).exclude(kind=Currency.Kind.CHIPS).first()
    if currency is None:
        raise Refused("no_such_currency", _n("The house has no such currency."))
    return currency
