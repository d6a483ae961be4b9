"""What reconciliation finds: one thing that does not fit, and where."""

from typing import NamedTuple

from django.utils.functional import Promise


class Finding(NamedTuple):
    """`check` is a stable name, `subject` the account, transaction or book that does not fit."""

    check: str
    subject: str
    template: str | Promise

    @property
    def sentence(self) -> str:
        return str(self.template).format(subject=self.subject)
