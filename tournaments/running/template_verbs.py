"""The verbs of staff for templates: each is an entry of the journal, with a reason."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments.mathematics.structure import Structure
from tournaments.models import Template
from tournaments.running import announcing
from tournaments.running.control import PERMISSION, require_permission
from wallets.models.staff_models import JournalEntry
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.values.player import Viewer

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
