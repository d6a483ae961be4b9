"""What the house refuses beside what the rules forbid: a seat that is taken, a turn gone by."""

from games.rules.errors import RulesError


class Refused(RulesError):
    """A request that means something, but not now or not for this player; nothing has changed."""


class Stale(Refused):
    """A move for a turn that is over, or for a hand that has ended."""


class Hidden(Refused):
    """What is not there for this player; forbidden and missing answer alike."""


class Gone(Hidden):
    """What was there once, and whoever asks for it knows that."""
