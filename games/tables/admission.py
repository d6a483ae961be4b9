"""The rules about who may play, asked before a player sits down, brings money, or is dealt in.

The games know no limits, no exclusion and no staff. Packages that know them register a rule here
when the site starts; a rule answers with a refusal, which has a code and a sentence, or with None.
The rules are asked in the order in which they were registered, and the first refusal counts. Bots
are not asked about: the house seats them.

Being dealt in is asked before each hand for each seat, so a rule for that must be cheap. A **hold**
is asked about no player: while it refuses, no new hand opens at any table, and live ones finish.
"""

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from games.models.combined_reads import Read, read_together
from wallets.values.errors import Refused, require_none
from wallets.values.player import Viewer, is_player
from wallets.values.registry import Registry


class Occasion(StrEnum):
    """The thing that a player is about to do."""

    # Take a seat, have one found or reserved, or open a table to sit at.
    SIT = "sit"
    TOP_UP = "top_up"
    DEAL = "deal"
    # Be given play money by the house.
    GRANT = "grant"
    # Open a table of one's own, type a message, or arrange something with another player: asked
    # separately, because not every player may do it.
    OPEN = "open"
    TALK = "talk"
    MEET = "meet"


class Request(NamedTuple):
    """A request to play: who wants to do what. Table and amount are None while undecided."""

    occasion: Occasion
    player: Viewer
    now: datetime | None = None
    # A row of `games.Table`.
    table: Any = None
    # The amount to take from the wallet, in minor units of the currency.
    amount: int = 0
    # The code of the currency where there is no table: an event has several, or none yet.
    event_currency: str = ""

    @property
    def currency(self) -> str:
        """The code of the currency, empty while undecided."""
        return self.event_currency if self.table is None else str(self.table.currency_id)


Rule = Callable[[Request], Refused | None]

Hold = Callable[[datetime], Refused | None]


class Holding(NamedTuple):
    """A hold that is asked before each hand, and what it reads for its answer."""

    hold: Hold
    read: Read


RULES: Final = Registry[Rule]("rule of admission")
HOLDS: Final = Registry[Holding]("hold")


def refusal(request: Request) -> Refused | None:
    """Return why a player may not do this, or None if they may."""
    if not is_player(request.player) or request.player.is_bot:
        return None
    return next((why for rule in RULES.values() if (why := rule(request))), None)


def require(request: Request) -> None:
    """Refuse what any rule refuses."""
    require_none(refusal(request))


def held(now: datetime) -> Refused | None:
    """Return why the house opens no new hand at any table, or None while it does."""
    with read_together(reads_of_holds()):
        return next((why for hold in HOLDS.values() if (why := hold.hold(now))), None)


def reads_of_holds() -> list[Read]:
    """The reads of the holds, for callers that combine them with others."""
    return [hold.read for hold in HOLDS.values()]
