"""The two kinds of refusal by the rules.

`Unreadable` refuses input without a meaning: no card, no action, a number out of bounds. `Illegal`
refuses a meaningful action that is not allowed now.
"""

from wallets.values.errors import Refused


class Unreadable(Refused):
    """Input of a wrong shape; `path` names the place, as in `$.moves[3].seat`."""

    status = 400

    def at(self, path: str) -> "Unreadable":
        self.path = path
        return self


class Illegal(Refused):
    """An action that means something, but is not allowed now."""
