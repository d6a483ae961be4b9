"""Audits of what runs tables: the apps above put them in here, and `manage.py audit` runs them.

Games know no tournament. An app registers its audit under a name, which is the command's option:
with it nothing else is audited, and without any all of them follow upon the hands.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import Final, NamedTuple

from games.records.audit_rows import in_words
from wallets.values.registry import Registry

# The findings about what went on since a day, or about everything; each prints as a sentence.
Findings = Callable[[date | None], Iterable[object]]


class FurtherAudit(NamedTuple):
    """An audit, with what the command says of it."""

    name: str
    summary: str
    findings: Findings

    def sentences(self, since: date | None = None) -> Iterator[str]:
        """The findings; an exception is one, too."""
        try:
            for finding in self.findings(since):
                yield str(finding)
        except Exception as fault:
            yield f"the audit of {self.name} was broken off: {in_words(fault)}"


_AUDITS: Final = Registry[FurtherAudit]("audit")


def register(name: str, summary: str, findings: Findings) -> None:
    """Have the audit of the house go on with this one."""
    _AUDITS.add(name, FurtherAudit(name, summary, findings))


def registered() -> list[FurtherAudit]:
    return list(_AUDITS.values())
