"""A finding of reconciliation: one mismatch, and where it is."""

from typing import NamedTuple

from django.utils.functional import Promise


class Finding(NamedTuple):
    """`check` is a stable name; `subject` is the account, transaction or book with the mismatch."""

    check: str
    subject: str
    template: str | Promise

    @property
    def sentence(self) -> str:
        return str(self.template).format(subject=self.subject)
