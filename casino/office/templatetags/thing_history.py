"""What colleagues have done to a thing, on its page: entries of the journal, and proposals."""

from typing import Any, Final

from django import template
from django.db.models import Q
from django.urls import reverse

from casino.office.frame.journal_page import READ, rows_of
from wallets.models.staff_models import JournalEntry
from wallets.staff import approvals, journal

register = template.Library()
SHOWN: Final = 12


@register.inclusion_tag("backoffice/thing_history.html", takes_context=True)
def history(context: Any, subject: str, also: str = "", key: object = None) -> dict[str, object]:
    """Render the latest first, and nothing that the viewer may not read.

    Proposals about a thing may name it otherwise, as `also`, or have the key of what they made.
    """
    member = context["request"].user
    wanted = Q(subject=subject)
    if also:
        wanted |= Q(subject=also)
    if key:
        wanted |= Q(key=key)
    proposals = approvals.visible_to(member).filter(wanted).order_by("-pk")
    shown: dict[str, object] = {
        "proposals": [(proposal, journal.words_of(proposal.verb)) for proposal in proposals[:SHOWN]]
    }
    if member.has_perm(READ):
        entries = JournalEntry.objects.filter(subject=subject).order_by("-position")
        shown["acts"] = rows_of(list(entries[:SHOWN]))
        shown["journal"] = f"{reverse('journal')}?subject={subject}"
    return shown
