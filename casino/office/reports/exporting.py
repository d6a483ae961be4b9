"""A report that leaves the house as a file is an entry of the journal, as every export is."""

from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from casino.office.reports.report import Query
from wallets.staff import journal

READ: Final = "reports.read_reports"
EXPORTED: Final = journal.register(
    "report.export", _("Exported a report"), needs_reason=False, permission=READ
)


# At the command line `--by` is the grouping of a report, so the journal names the system account.
COMMAND: Final = journal.By("command:report", "manage.py report")


def what(query: Query, kind: str) -> dict[str, str]:
    """Return a description of the file for the journal."""
    span = query.span
    return {"from": str(span.first), "to": str(span.last), "by": query.by, "format": kind}


@transaction.atomic
def note(who: journal.By, query: Query, kind: str) -> None:
    subject = f"report:{query.report.name}"
    journal.write(who, EXPORTED, subject, before={}, after=what(query, kind), reason="")
