"""The protocol of a kind of promotion, and the values that it works on."""

from datetime import date, datetime
from functools import lru_cache
from typing import Any, ClassVar, Final, Literal, NamedTuple, Protocol

from msgspec import Struct

from casino.community.promotions.rules.facts import Fact, HandFact
from wallets.values.days import monday_of

# The window in which progress adds up; `all` is the whole promotion.
Window = Literal["hour", "day", "week", "all"]
# When a kind pays: as soon as its goal is reached, or when the window is over.
Moment = Literal["at_once", "at_end"]
BASIS_POINTS: Final = 10_000
# What contradicts itself: the code of a refusal, with the figures of its sentence.
Fault = tuple[str, dict[str, Any]]
Faults = list[Fault]


class Gain(NamedTuple):
    """What one fact adds to a player's progress; a reversal subtracts the same."""

    points: int
    hands: int = 0


class Progress(NamedTuple):
    """What a player has gained in a window."""

    player: int
    window: str
    # The hand by which a high hand is ranked; otherwise empty.
    entry: str = ""
    points: int = 0
    hands: int = 0
    # When it last grew: of two with the same points the earlier is ahead.
    reached_at: datetime | None = None


class Standing(NamedTuple):
    """What is known when a window ends: the place among all, and the player's level."""

    place: int
    level: int = 0


# What is paid at once depends on neither.
NO_STANDING: Final = Standing(0)


class Payment(NamedTuple):
    """The amounts due to a player and to the inviting player."""

    amount: int
    to_inviter: int = 0


class Kind(Protocol):
    """A kind of promotion: what earns, and what it pays. Neither sees a clock or a database."""

    key: ClassVar[str]
    window: Window
    pays_when: ClassVar[Moment]

    def earns(self, fact: Fact) -> Gain | None: ...

    def pays(self, progress: Progress, standing: Standing) -> Payment | None: ...

    def faults(self, budget: int) -> Faults: ...


class OfHands(Struct, frozen=True, kw_only=True):
    """What most kinds have in common: the games that count; none means all of them."""

    pays_when: ClassVar[Moment] = "at_once"

    games: tuple[str, ...] = ()

    def earns(self, fact: Fact) -> Gain | None:
        return self.gains(fact) if isinstance(fact, HandFact) and self.counts(fact) else None

    def counts(self, hand: HandFact) -> bool:
        return not self.games or hand.game in self.games

    def is_open(self, game: str, day: date, hour: int) -> bool:
        """Whether a hand of a game can add anything at that time: what a table says of it."""
        return not self.games or game in self.games

    def gains(self, hand: HandFact) -> Gain | None:
        """What a hand at one of these games adds."""
        raise NotImplementedError


def payment(amount: int) -> Payment | None:
    return Payment(amount) if amount > 0 else None


def fault(code: str, is_there: object, **figures: Any) -> Faults:
    return [(code, figures)] if is_there else []


def too_dear(award: int, budget: int) -> Faults:
    """The fault of one award that the budget does not hold."""
    return fault("budget_below_award", award > budget, budget=budget, award=award)


class Calendar(Protocol):
    """The house's days: the rules know no time zone."""

    def ends(self, window: Window, name: str) -> datetime: ...

    def day_of(self, moment: datetime) -> date: ...


def window_of(kind: Window, fact: Fact) -> str:
    """The name of the window in which a fact counts."""
    return window_at(kind, fact.at, fact.day)


def window_at(kind: Window, at: datetime, day: date) -> str:
    """The name of a window; names sort by time."""
    return at.strftime("%Y-%m-%dT%H") if kind == "hour" else _of_day(kind, day)


@lru_cache(maxsize=1_000)
def _of_day(kind: Window, day: date) -> str:
    if kind == "day":
        return day.isoformat()
    return monday_of(day).isoformat() if kind == "week" else ""
