"""The refusal of a posting: a stable code, a translatable sentence, and the account.

The sentence is a template with separate values, so it is translated into the reader's language
before it is filled in.
"""

from django.utils.functional import Promise


class Refused(Exception):
    """A posting was refused; nothing of it is stored, and the caller's transaction can continue."""

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
    """The posting would take an account below zero that must not go there."""


class Conflict(Refused):
    """The key has already been used for a different posting."""
