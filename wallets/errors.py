"""Why a posting is refused: a stable code, a sentence that can be translated, and the account.

The sentence is a template whose values are kept apart, so that it is looked up in the reader's
language before it is filled in.
"""

from django.utils.functional import Promise


class Refused(Exception):
    """A posting that is not made; nothing of it is stored, and the caller's transaction goes on."""

    def __init__(
        self, code: str, template: str | Promise, *, account: int | None = None, **values: object
    ) -> None:
        super().__init__(code, values, account)
        self.code = code
        self.template = template
        self.values = values
        self.account = account

    @property
    def sentence(self) -> str:
        return str(self.template).format(**self.values)

    def __str__(self) -> str:
        named = "" if self.account is None else f" (account {self.account})"
        return f"{self.sentence}{named}"


class Overdrawn(Refused):
    """An account that may not fall below zero would."""


class Conflict(Refused):
    """The key has been used for another posting."""
