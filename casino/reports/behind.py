"""What makes a figure: its days, the hands of one day, or the lines of the ledger.

A figure over several days opens those days, and a day opens its hands, so that no page is longer
than a day's play. Everything listed adds up to the figure that was opened.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet, Sum

from casino.reports.counting import DayCount, played_hands
from casino.reports.figures import Figures
from casino.reports.grants import at_the_desk
from casino.reports.held import start_of
from casino.reports.spans import ONE_DAY, Span
from casino.reports.sums import WHOLE, Place, PlayerSums, TableSums
from games.models import Hand
from games.records.closed_days import stood_on, taken_back_on
from games.rules.catalogue import against_house
from wallets.holders import player_reference
from wallets.models import Entry


class Only(NamedTuple):
    """Which hands make a figure; what is empty does not matter."""

    currency: str = ""
    game: str = ""
    table: int = 0
    profile: str = ""
    player: int = 0

    def fits(self, place: Place) -> bool:
        return (
            self.currency in ("", place.currency)
            and self.game in ("", place.game)
            and self.table in (0, place.table)
            and self.profile in ("", place.profile)
        )


class HandLine(NamedTuple):
    """One hand, or its reversal, with what it adds to the figures."""

    hand: int
    code: str
    sums: TableSums


def of_player(place: Place, mine: PlayerSums) -> TableSums:
    """What the house has from one player."""
    won = -(mine.net + mine.rake) if against_house(place.game) else 0
    return TableSums(hands=mine.hands, handle=mine.handle, won=won, rake=mine.rake)


def days_behind(span: Span, only: Only) -> dict[date, TableSums]:
    """The sums of each day of a range."""
    found: dict[date, TableSums] = {}
    figures = Figures(span)
    if only.player:
        for place, player, mine in figures.players():
            if player == only.player and only.fits(place):
                found.setdefault(place.on, TableSums()).add(of_player(place, mine))
        return dict(sorted(found.items()))
    for place, _bet, sums in figures.tables():
        if only.fits(place):
            found.setdefault(place.on, TableSums()).add(sums)
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
    for found, sign in ((stood_on(day), 1), (taken_back_on(day), -1)):
        yield from _lines(found.filter(wanted), day, only, sign)


def _lines(found: QuerySet[Hand], day: date, only: Only, sign: int) -> Iterator[HandLine]:
    for hand in played_hands(found, day):
        if not only.fits(hand.place):
            continue
        counted = DayCount()
        counted.add(hand, sign)
        sums = counted.tables[hand.place, WHOLE]
        if only.player:
            sums = of_player(hand.place, counted.players[hand.place, only.player])
        yield HandLine(hand.number, f"T{hand.place.table}-H{hand.number_at_table}", sums)


def entries_behind(span: Span, only: Mapping[str, Any]) -> QuerySet[Entry]:
    """The lines of the ledger: of a pool's account, or of wallets in the cashier's book."""
    entries = Entry.objects.filter(
        transaction__time__gte=start_of(span.first),
        transaction__time__lt=start_of(span.last) + ONE_DAY,
    ).select_related("transaction", "account__currency")
    if only.get("account"):
        return entries.filter(account=only["account"])
    entries = entries.filter(at_the_desk())
    for column, name in (
        ("account__currency", "currency"),
        ("transaction__kind", "kind"),
        ("transaction__actor", "actor"),
    ):
        if only.get(name):
            entries = entries.filter(**{column: only[name]})
    if only.get("player"):
        entries = entries.filter(account__owner=player_reference(only["player"]))
    return entries


def total(entries: QuerySet[Entry]) -> int:
    return int(entries.aggregate(sum=Sum("amount"))["sum"] or 0)
