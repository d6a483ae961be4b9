"""A finding of reconciliation: one mismatch, and where it is."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from django.utils.functional import Promise


class Finding(NamedTuple):
    """`check` is a stable name; `subject` is the account, transaction, book or row that is wrong.

    `values` are further words of the sentence.
    """

    check: str
    subject: str
    template: str | Promise
    values: Mapping[str, object] = MappingProxyType({})

    @property
    def sentence(self) -> str:
        return str(self.template).format(subject=self.subject, **self.values)
