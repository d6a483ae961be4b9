"""Facts about each person in a finished hand.

Points compare players of small and of large stakes. Between players they are the table's; against
the house, the amount won per unit bet, so betting more does not raise a player's rank.
"""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from casino.office.reports.counting import PlayedHand
from games.rules.catalogue import against_house
from games.rules.house.notable_results import feat_of
from wallets.values.days import day_of

HUNDREDTHS: Final = 100
# Lines of a settlement that say what a seat has played, or by which it is paid.
_PLAYED: Final = frozenset({"bomb", "rocket"})
_FEATS: Final = {
    **{key: key for key in ("bomb", "rocket", "natural", "home_run", "spring")},
    "anti_spring": "spring",
}


class Fact(NamedTuple):
    """A hand for one of its players; `points` in hundredths."""

    player: int
    hand: int
    table: int
    game: str
    day: date
    won: bool
    points: int
    feats: tuple[str, ...]


def facts_of(hand: PlayedHand, ended_at: datetime) -> Iterator[Fact]:
    """One for each seat that had something at stake, bots included."""
    for seat, (player, net, _rake) in hand.seats.items():
        unit = _unit(hand, seat)
        if not unit:
            continue
        yield Fact(
            player,
            hand.number,
            hand.place.table,
            hand.place.game,
            day_of(ended_at),
            net > 0,
            round(HUNDREDTHS * net / unit),
            feats_of(hand.settlement, seat, won=net > 0),
        )


def _unit(hand: PlayedHand, seat: int) -> int:
    """Return the unit of a seat's result; 0 if the seat has bet nothing."""
    if against_house(hand.place.game):
        return sum(amount for (whose, _bet), amount in hand.bets.items() if whose == seat)
    return max(1, int(hand.options.get("point", 1)))


def feats_of(settlement: Mapping[str, Any], seat: int, *, won: bool) -> tuple[str, ...]:
    """Return the feats with which a seat won its hand; empty if it did not win."""
    if not won:
        return ()
    found = set()
    for line in settlement.get("lines", ()):
        key, values = line["key"], line.get("values", {})
        mine = values.get("seat") if key in _PLAYED else line["target"]
        feat = _FEATS.get(key) or feat_of(key, values)
        if mine == seat and feat:
            found.add(feat)
    return tuple(sorted(found))


def monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
