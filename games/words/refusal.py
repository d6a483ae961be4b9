"""The refusals of the house beside those of the rules: a seat that is taken, a turn gone by."""

from games.rules.errors import RulesError


class Refused(RulesError):
    """A request that means something, but not now or not for this player; nothing has changed."""


def require_none(refusal: Refused | None) -> None:
    """Refuse what an answer says is not allowed."""
    if refusal is not None:
        raise refusal


class Stale(Refused):
    """A move for a turn that is over, or for a hand that has ended."""


class Hidden(Refused):
    """Something that this player cannot see; forbidden and missing answer alike."""


class Gone(Hidden):
    """Something that existed once, as the reader knows."""
