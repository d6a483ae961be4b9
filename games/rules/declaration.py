"""What a game declares besides its rules: its names, its bot, its stakes at a demonstration.

The rules of a family declare its games in a module `declared`, and an installed package under the
entry point `cardroom.games`; `catalogue.py` finds both. All lists of games are made from what is
declared, so a new game is named nowhere else. Amounts are minor units.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple


def marked(text: str) -> str:
    """A text that gettext finds here and pages translate; modules import it as `_n`."""
    return text


def marked_as(_context: str, text: str) -> str:
    """The same in a context; modules import it as `_p`."""
    return text


class Group(NamedTuple):
    """Games that stand together in the lobby; the key is that of no game, so that addresses may
    name either."""

    key: str
    name: str
    # The cards on the group's tile in the lobby: a fan, or one row of cards above the other.
    picture: tuple[str, ...] = ()


class Stakes(NamedTuple):
    """The stakes of a table at a demonstration."""

    options: dict[str, Any]
    buy_in_min: int
    buy_in_max: int
    stack_min: int
    decision_seconds: int = 30
    # As long as one needs to read a result, unless all are ready before. Against the house a bet
    # ends the pause of a player who is alone.
    pause_seconds: int = 3


class Residents(NamedTuple):
    """The table of a demonstration where bots play on without people: its name, and how many."""

    table: str
    bots: int


class SitAndGo(NamedTuple):
    """A sit-and-go that is always open: its name, its seats, and how stakes rise."""

    name: str
    seats: int
    # The point of each level, or the smallest bet, of which the largest is three times as much.
    points: tuple[int, ...]
    banked: bool = False
    decision_seconds: int = 60


class Speed(NamedTuple):
    """The deviation of a seat's result in points, and the clocks that a hand takes."""

    deviation: float
    clocks: float


AGAINST_THE_HOUSE: Final = Stakes({}, 10_000, 500_000, 100)
# A game that has not been measured is previewed like this.
UNMEASURED: Final = Speed(5.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """One game. Names are in English; catalogues translate them."""

    key: str
    name: str
    # The module with the struct of the options, in the package of the family's rules.
    module: str
    struct: str
    family: str
    group: Group
    # What the game is called next to the name of its group, if that says the rest.
    short: str = ""
    # The cards on the tile that leads to it, if they are not those of its group.
    picture: tuple[str, ...] = ()
    # What the house expects to keep of a usual bet, in hundred-thousandths; 0 among players.
    edge: int = 0
    # Its sign in a small square.
    sign: str = "♠"
    # Games stand in the order of their places; those without one are the last.
    place: int = 1_000
    # The edition of its rules that the game is played by today. A hand says in its options by
    # which it was played; one that does not was played by the first.
    edition: int = 1
    # Modules with the bots, and with what a family answers besides the rules. Without their names
    # they are those of the house's own families.
    bots: str = ""
    answers: str = ""
    # Terms of the rules in words, besides those of `games/words/naming.py`.
    terms: Mapping[str, str] = field(default_factory=dict)
    # Labels of options that it alone has, or that mean something else at it, by their names; and
    # what their fields say below.
    options: Mapping[str, str] = field(default_factory=dict)
    options_help: Mapping[str, str] = field(default_factory=dict)
    # What a level of its stakes is called where that is no "point": a text with names of the
    # options and properties of its rules that are amounts, such as "Blinds {small_blind}/{point}".
    stakes_words: str = ""
    # Whether a first hand is guided.
    is_guided: bool = False

    # The name and the stakes of the table at a demonstration, and the pool it is played for.
    table: str
    stakes: Stakes = AGAINST_THE_HOUSE
    pool: Literal["", "progressive", "mystery"] = ""
    residents: Residents | None = None
    sit_and_go: SitAndGo | None = None
    # For the forecast of tournaments.
    speed: Speed = UNMEASURED
    # The share of the hands of a made-up history.
    share: int = 1

    @property
    def package(self) -> str:
        """The package of the family's rules."""
        return self.module.rpartition(".")[0]

    @property
    def bots_module(self) -> str:
        return self.bots or f"games.bots.{self.family}"

    @property
    def answers_module(self) -> str:
        return self.answers or f"games.families.{self.family}.family"
