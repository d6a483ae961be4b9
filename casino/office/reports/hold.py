"""The hold of bets, the share that the rules promise the house, and the alarm for a drift.

The promise follows from the rules, if a bet involves no decision; otherwise it is what best play
leaves the house, with the error of that figure. How people play is not known, so the house may hold
more of a main bet than is promised, and only less is wrong. The pools' share of a bonus bet is paid
back some day, so both sides leave it out; the house's own payments into pools are excluded, too.

The standard error is that of a ratio over the hands, as stakes differ. A bet more than four
standard errors off is flagged: chance alone does so once in 16,000 times.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from fractions import Fraction
from functools import lru_cache
from math import hypot, sqrt
from typing import Any, Final, NamedTuple

import msgspec
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.office.alarms.conditions import Condition, Moment, State
from casino.office.reports.columns import By
from casino.office.reports.facts import MAIN, WHOLE, Group, Place, Span, Sums, group_of
from casino.office.reports.figures import Figures
from casino.office.reports.report import READ
from games.profiles.public_figures import main_figure
from games.rules.analysis.edges import house_edges
from games.rules.catalogue import against_house
from games.rules.contract import AnyGame
from games.tables.hand_state import game_from
from games.words.naming import game_name, term
from wallets.values.days import day_of
from wallets.values.errors import Refused

DRIFTS: Final = 4
# Of so many standard errors is the interval that holds the truth 95 times in 100.
LIKELY: Final = 1.96
# With fewer hands the errors follow no bell.
HANDS_LEAST: Final = 100
_PROFILES: Final = 256
# Figures that were sampled are no more exact than this.
_PARTS: Final = 10**12
# The alarm looks at so many days once an hour: long enough for some thousand hands at a quiet
# table, and short enough to notice a change.
DAYS: Final = timedelta(days=90)
EVERY_SECONDS: Final = 3_600


class Promise(NamedTuple):
    """The share that the house keeps on average, and how far off that may be."""

    edge: Fraction
    error: float = 0.0
    # Whether it is what the best play leaves: others leave more.
    at_best: bool = False


def exact_edges(game: str, options: Mapping[str, object]) -> dict[str, Fraction]:
    """By bet without a decision: the share that the house keeps on average."""
    promises, _played = _exact(game, msgspec.json.encode(options, order="sorted"))
    return {bet: promise.edge for bet, promise in promises.items()}


def promised(game: str, options: Mapping[str, object]) -> dict[str, Promise]:
    promises, played = _exact(game, msgspec.json.encode(options, order="sorted"))
    main = None if played is None else main_figure(played)
    if main is None:
        return promises
    edge = Fraction(main.mean).limit_denominator(_PARTS)
    return promises | {MAIN: Promise(edge, main.error or 0.0, at_best=True)}


@lru_cache(maxsize=_PROFILES)
def _exact(game: str, options: bytes) -> tuple[dict[str, Promise], AnyGame | None]:
    try:
        played = game_from(game, msgspec.json.decode(options))
    except Refused:
        # Options that no rules read any more promise nothing.
        return {}, None
    return {bet: Promise(edge) for bet, edge in house_edges(played).items()}, played


class BetHold:
    """The sums of one bet, with what was promised of its handle as far as the rules say it."""

    def __init__(self) -> None:
        self.sums = Sums()
        self.promised = Fraction(0)
        # How far off the promise may be, as an amount; errors of one figure do not even out.
        self.uncertain = 0.0
        self.reckoned = True
        self.at_best = False

    def add(self, sums: Sums, promise: Promise | None) -> None:
        self.sums.add(sums)
        self.add_promise(promise, sums.handle)

    def add_promise(self, promise: Promise | None, handle: int) -> None:
        if promise is None:
            self.reckoned = False
            return
        self.promised += promise.edge * handle
        self.uncertain += promise.error * handle
        self.at_best |= promise.at_best

    def join(self, other: "BetHold") -> None:
        self.sums.add(other.sums)
        self.promised += other.promised
        self.uncertain += other.uncertain
        self.reckoned &= other.reckoned
        self.at_best |= other.at_best

    @property
    def share(self) -> Fraction | None:
        """The promised share of the handle, if all of it is known."""
        return self.promised / self.sums.handle if self.reckoned and self.sums.handle else None

    @property
    def error(self) -> float | None:
        """The standard error of the hold, as a share of the handle."""
        sums, handle = self.sums, self.sums.handle
        if not handle or sums.counted < 2:
            return None
        # Whole numbers up to the last step: squares of amounts outgrow what a float holds.
        squares = (
            sums.kept_squares * handle**2
            - 2 * sums.kept * handle * sums.products
            + sums.kept**2 * sums.handle_squares
        )
        return sqrt(max(0, squares) / handle**4)

    @property
    def off(self) -> float | None:
        """The distance between hold and promise, in standard errors."""
        error = self.error
        if not self.reckoned or not error:
            return None
        error = hypot(error, self.uncertain / self.sums.handle)
        return float((self.sums.kept - self.promised) / self.sums.handle) / error

    @property
    def drifts(self) -> bool:
        """Whether neither chance explains it nor, above what best play leaves, how people play."""
        off = self.off
        if off is None or self.sums.counted < HANDS_LEAST:
            return False
        return off < -DRIFTS or (off > DRIFTS and not self.at_best)


def bet_in_words(bet: str) -> str:
    if bet in (WHOLE, MAIN):
        return gettext("all bets") if bet == WHOLE else gettext("main bet")
    return str(term(bet))


def verdict(held: BetHold) -> str:
    if not held.reckoned:
        return gettext("not calculated")
    if held.sums.counted < HANDS_LEAST:
        return gettext("too few hands")
    if held.drifts:
        return gettext("drifts")
    if held.off is not None and held.off > DRIFTS:
        return gettext("above best play")
    return gettext("as promised")


HeldBy = dict[tuple[Any, str], BetHold]


def held_by(figures: Figures, by: By) -> HeldBy:
    """The bets against the house by group; all bets of a hand together have an empty name."""
    if by not in ("day", "game"):
        return _held(figures, lambda place: group_of(place, by))
    # One reading serves the table of a page, its chart by day, and its notices by game.
    if "held" not in figures.derived:
        figures.derived["held"] = _held(
            figures, lambda place: (place.on, place.game, place.currency)
        )
    holds: HeldBy = {}
    for ((on, game, code), bet), held in figures.derived["held"].items():
        group: Group = (on if by == "day" else game, code)
        holds.setdefault((group, bet), BetHold()).join(held)
    return holds


def _held(figures: Figures, key_of: Callable[[Place], Any]) -> HeldBy:
    promises = _promises(figures)
    holds: HeldBy = {}
    for place, bet, sums in figures.bets():
        key = key_of(place)
        if bet == WHOLE:
            holds.setdefault((key, WHOLE), BetHold()).sums.add(sums)
            continue
        if place.profile not in promises:
            # Its first day has been stored since.
            promises = _promises(figures)
        promise = promises[place.profile].get(bet)
        holds.setdefault((key, bet), BetHold()).add(sums, promise)
        holds.setdefault((key, WHOLE), BetHold()).add_promise(promise, sums.handle)
    return holds


def _promises(figures: Figures) -> dict[str, dict[str, Promise]]:
    """What the rules promise of each bet against the house, by profile."""
    return {
        profile: promised(game, options)
        for profile, (game, options) in figures.settings().items()
        if against_house(game)
    }


def drifting(moment: Moment) -> Iterator[State]:
    """The bets whose hold of the last days chance does not explain, by game and currency."""
    today = day_of(moment.now)
    figures = Figures(Span(today - DAYS, today), stored_only=True)
    for ((game, currency), bet), held in held_by(figures, "game").items():
        if held.drifts:
            shares = held.sums.kept, held.promised
            kept, due = (f"{float(100 * share / held.sums.handle):.2f}" for share in shares)
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


DRIFTING: Final = Condition(
    "hold",
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
