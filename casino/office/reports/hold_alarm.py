"""The alarm for a bet that does not hold what its rules promise, checked once an hour.

It reads the sums of closed days alone, which are few rows however many hands there were.
"""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from casino.office.alarms.conditions import Condition, Moment, State
from casino.office.reports.figures import Figures
from casino.office.reports.hold import bet_in_words, held_by
from casino.office.reports.report import READ
from casino.office.reports.spans import Span
from casino.office.reports.sums import WHOLE
from games.words.naming import game_name
from wallets.values.days import day_of

KIND: Final = "hold"
# Long enough for some thousand hands at a quiet table, and short enough to notice a change.
DAYS: Final = timedelta(days=90)
EVERY_SECONDS: Final = 3_600


def drifting(moment: Moment) -> Iterator[State]:
    """The bets whose hold of the last days chance does not explain, by game and currency."""
    today = day_of(moment.now)
    figures = Figures(Span(today - DAYS, today), stored_only=True)
    for ((game, currency), bet), held in held_by(figures, "game").items():
        if held.drifts:
            shares = held.sums.kept, held.promised
            kept, due = (f"{float(100 * one / held.sums.handle):.2f}" for one in shares)
            yield State(
                f"bet:{game}:{bet or 'all'}:{currency}",
                {
                    "game": game,
                    "bet": bet,
                    "currency": currency,
                    "held": kept,
                    "promised": due,
                    "off": f"{held.off:+.1f}",
                    "hands": held.sums.counted,
                },
            )


def _shown(figures: Mapping[str, Any]) -> dict[str, object]:
    """The figures with game and bet as their readers call them."""
    bet = bet_in_words(figures.get("bet", WHOLE))
    return {**figures, "game": game_name(figures["game"]), "bet": bet}


DRIFTS: Final = Condition(
    KIND,
    _("A bet drifts from its promised hold"),
    _(
        "{game}, {bet}, in {currency}: the house held {held} % of {hands} hands instead of"
        " {promised} %, {off} standard errors off."
    ),
    READ,
    drifting,
    every_seconds=EVERY_SECONDS,
    shown=_shown,
)
