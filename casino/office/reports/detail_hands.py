"""The hands that make a figure: day by day, or hand by hand for one day.

A figure over several days opens those days, and a day opens its hands, so that no page is longer
than a day's play. Everything listed adds up to the figure that was opened.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from datetime import date
from typing import Final, NamedTuple, Protocol

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from casino.office.reports.columns import GROSS, Column
from casino.office.reports.counting import DayCount, played_hands
from casino.office.reports.earnings import earned_from
from casino.office.reports.fees import fee_lines
from casino.office.reports.figures import Figures
from casino.office.reports.grants import gifts, number_in
from casino.office.reports.people import bots
from casino.office.reports.spans import Span, bounds
from casino.office.reports.sums import (
    WHOLE,
    Place,
    PlayerFigure,
    PlayerSums,
    PoolFigure,
    PoolSums,
    TableFigure,
    TableSums,
)
from games.models import Hand
from games.records.closed_days import stood_on, taken_back_on
from games.rules.catalogue import against_house

# By the name of a figure: how much of it a day or a hand makes.
Amounts = Counter[str]
# Against whom hands are played.
HOUSE, PLAYERS = "house", "players"

_HANDS: Final = Column("hands", _("Hands"), "count")
_HANDLE: Final = Column("handle", _("Handle"), "money")
_WON: Final = Column("won", _("Won by the house"), "money")
_RAKE: Final = Column("rake", _("Rake"), "money")
_FEES: Final = Column("fees", _("Fees of tournaments"), "money")
_KEPT: Final = Column("kept", _("Kept by the house"), "money")
_NET: Final = Column("earned", _("Net revenue"), "money")
_OF_A_BET: Final = (Column("counted", _("Hands"), "count"), _HANDLE, _KEPT)
_OF_A_POOL: Final = (
    Column("fed", _("Fed by bets"), "money"),
    Column("hit", _("Paid out"), "money"),
    Column("hits", _("Hits"), "count"),
)
_OF_TABLES: Final = (
    *(_HANDS, Column("with_people", _("Hands with people"), "count")),
    *(Column("reversed", _("Reversed"), "count"), _HANDLE, _WON, _RAKE, *GROSS),
    Column("pools", _("To jackpots"), "money"),
)
_OF_PLAYERS: Final = (
    *(_HANDS, _HANDLE, _WON, _RAKE, *GROSS),
    Column("net", _("Won by the player"), "money"),
    Column("days", _("Days played"), "count"),
)


class Only(NamedTuple):
    """The hands that make a figure, and the part of them; empty fields do not matter."""

    currency: str = ""
    game: str = ""
    table: int = 0
    profile: str = ""
    player: int = 0
    bet: str = WHOLE
    jackpot: int = 0
    against: str = ""
    # Without the house's bots.
    people: bool = False
    less_grants: bool = False
    # With the fees of tournaments.
    fees: bool = False

    def fits(self, place: Place) -> bool:
        return (
            self.currency in ("", place.currency)
            and self.game in ("", place.game)
            and self.table in (0, place.table)
            and self.profile in ("", place.profile)
            and self.against in ("", HOUSE if against_house(place.game) else PLAYERS)
        )

    @property
    def columns(self) -> tuple[Column, ...]:
        """The figures that a page lists for these hands."""
        if self.jackpot:
            return _OF_A_POOL
        if self.against == HOUSE:
            return _OF_A_BET
        found = _OF_PLAYERS if self.player or self.people else _OF_TABLES
        return (*found, *((_FEES,) if self.fees else ()), _NET)


class Source(Protocol):
    """The source of figures: a range of days, or a single hand."""

    def tables(self, *, bets: bool = False) -> Iterator[TableFigure]: ...

    def players(self) -> Iterator[PlayerFigure]: ...

    def pools(self) -> Iterator[PoolFigure]: ...


class _OneHand:
    """A hand, or its reversal, as a source of figures."""

    def __init__(self, counted: DayCount) -> None:
        self._counted = counted

    def tables(self, *, bets: bool = False) -> Iterator[TableFigure]:
        return (one for one in self._counted.table_figures() if bets or not one.bet)

    def players(self) -> Iterator[PlayerFigure]:
        return self._counted.player_figures()

    def pools(self) -> Iterator[PoolFigure]:
        return self._counted.pool_figures()


class HandLine(NamedTuple):
    """One hand, or its reversal, with what it adds to the figures."""

    hand: int
    code: str
    amounts: Amounts


def days_behind(span: Span, only: Only) -> dict[date, Amounts]:
    found: dict[date, Amounts] = {}
    for day, amounts in _parts(Figures(span), only, bots()):
        found.setdefault(day, Counter()).update(amounts)
    for amounts in found.values():
        amounts["days"] = int(amounts["hands"] > 0)
    for further in (grants_behind(span, only), fees_behind(span, only)):
        for day, amounts in further.items():
            found.setdefault(day, Counter()).update(amounts)
    return dict(sorted(found.items()))


def hands_behind(day: date, only: Only) -> Iterator[HandLine]:
    """The hands of a day, and after them those of earlier days that were reversed on it."""
    wanted = Q()
    for column, value in (
        ("table__currency", only.currency),
        ("game", only.game),
        ("table", only.table),
        ("seats__player", only.player),
    ):
        if value:
            wanted &= Q(**{column: value})
    of_the_house = bots()
    for found, sign in ((stood_on(day), 1), (taken_back_on(day), -1)):
        yield from _lines(found.filter(wanted), day, only, of_the_house, sign)


def grants_behind(span: Span, only: Only) -> dict[date, Amounts]:
    """What the grants of each day take away, if the figure is what is left after them."""
    found: dict[date, Amounts] = {}
    for line in gifts(*bounds(span)) if only.less_grants else ():
        if line.currency == only.currency and only.player in (0, number_in(line.owner)):
            found.setdefault(line.on, Counter()).update({"earned": -line.amount})
    return found


def fees_behind(span: Span, only: Only) -> dict[date, Amounts]:
    """What the fees of tournaments add on each day, if the figure has them."""
    found: dict[date, Amounts] = {}
    for line in fee_lines(*bounds(span)) if only.fees else ():
        if only.fits(line.place) and only.player in (0, line.player):
            names = ("from_bots",) if line.is_bot else ("from_people", "earned")
            added = dict.fromkeys(("fees", "gross", *names), line.amount)
            found.setdefault(line.place.on, Counter()).update(added)
    return found


def _lines(
    found: QuerySet[Hand], day: date, only: Only, of_the_house: Collection[int], sign: int
) -> Iterator[HandLine]:
    for hand in played_hands(found, day):
        counted = DayCount()
        counted.add(hand, sign)
        parts = [amounts for _day, amounts in _parts(_OneHand(counted), only, of_the_house)]
        if parts:
            whole: Amounts = Counter()
            for amounts in parts:
                whole.update(amounts)
            yield HandLine(hand.number, f"T{hand.place.table}-H{hand.number_at_table}", whole)


def _parts(
    source: Source, only: Only, of_the_house: Collection[int]
) -> Iterator[tuple[date, Amounts]]:
    """Yield what each pool, player or table of a source adds, with its day."""
    if only.jackpot:
        for place, jackpot, sums in source.pools():
            if jackpot == only.jackpot and only.fits(place):
                yield place.on, _of_pool(sums)
    elif only.player or only.people:
        for place, player, mine in source.players():
            is_bot = player in of_the_house
            if only.player in (0, player) and not (only.people and is_bot) and only.fits(place):
                yield place.on, _of_player(place, mine, is_bot=is_bot)
    else:
        for place, bet, of_bet in source.tables(bets=only.bet != WHOLE):
            if bet == only.bet and only.fits(place):
                yield place.on, _of_table(of_bet)


def _of_table(sums: TableSums) -> Amounts:
    return Counter(
        hands=sums.hands,
        with_people=sums.with_people,
        reversed=sums.reversed,
        counted=sums.counted,
        handle=sums.handle,
        won=sums.won,
        rake=sums.rake,
        gross=sums.gross,
        from_people=sums.from_people,
        from_bots=sums.from_bots,
        pools=sums.pools,
        kept=sums.kept,
        earned=sums.earned,
    )


def _of_player(place: Place, mine: PlayerSums, *, is_bot: bool) -> Amounts:
    amounts = _of_table(earned_from(place, mine, is_bot=is_bot))
    amounts["net"] = mine.net
    return amounts


def _of_pool(sums: PoolSums) -> Amounts:
    return Counter(fed=sums.fed, hit=sums.hit, hits=sums.hits)
