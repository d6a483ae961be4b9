"""The one refusal of rules, ledger and pages: a stable code, a sentence, and its values.

The sentence is a template with separate values, so it is translated into the reader's language
before it is filled in. Subclasses say what kind of refusal it is, which decides the status of the
response. The class knows neither Django nor the database, because the rules of games use it, too.
"""


class Refused(Exception):
    """A request that makes sense, but is not allowed now or to this person; nothing has changed."""

    status = 409
    # Where in the input the problem is, as in `$.moves[3].seat`.
    path = ""

    def __init__(self, code: str, template: object, **values: object) -> None:
        super().__init__(code, template, values)
        self.code = code
        self.template = template
        self.values = values

    @property
    def sentence(self) -> str:
        return str(self.template).format(**self.values)

    def __str__(self) -> str:
        account = self.values.get("account")
        return self.sentence if account is None else f"{self.sentence} (account {account})"


def require_none(refusal: Refused | None) -> None:
    if refusal is not None:
        raise refusal


class WrongAmount(Refused):
    """Input that is not an amount, or not within the bounds of one."""

    status = 400


class Overdrawn(Refused):
    """The posting would take an account below zero that must not go there."""


class Conflict(Refused):
    """The key has already been used for a different posting."""


class Stale(Refused):
    """A move for a turn that is over, or for a hand that has ended."""


class Hidden(Refused):
    """Something that this player cannot see; forbidden and missing are answered alike."""

    status = 404


class Gone(Hidden):
    """Something that the reader knows to have existed once."""

    status = 410
