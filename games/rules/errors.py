"""The two kinds of refusal, each with a stable code and a sentence that can be translated.

`Unreadable` is said of input that means nothing: not a card, not an action, a number out of bounds.
`Illegal` is said of a meaningful action that is not allowed now. The sentence is a template whose
values are kept apart, so that a page can look the template up in the player's language and fill it
in there.
"""

from typing import Final

# What one amount of money may be, in minor units.
AMOUNT_MIN: Final = 1
AMOUNT_MAX: Final = 10**15


class RulesError(Exception):
    """A refusal; the state it was said of is untouched."""

    def __init__(self, code: str, template: str, **values: object) -> None:
        super().__init__(code, template, values)
        self.code = code
        self.template = template
        self.values = values

    @property
    def sentence(self) -> str:
        return self.template.format(**self.values)

    def __str__(self) -> str:
        return self.sentence


class Unreadable(RulesError):
    """Input that is not what it should be; `path` says where, as in `$.moves[3].seat`."""

    path: str = ""

    def at(self, path: str) -> "Unreadable":
        self.path = path
        return self


class Illegal(RulesError):
    """An action that means something, but is not allowed now."""
