"""The leaderboard of a game for a week: who won most points a hand, of enough hands.

An average and not a sum, so that more hands alone raise no rank. It is of play money alone, at
tables that are open to all.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final, NamedTuple

from django.db.models import Avg, Count
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.accounts.models import Player
from casino.care.rules import shown_to_others
from casino.community.returning.counting import HUNDREDTHS
from casino.community.returning.models import CountedHand

HANDS_MIN: Final = 20
SHOWN: Final = 10
# The share of the board's players that this tier contains, in percent, rounded up.
TIERS: Final[tuple[tuple[str, int, str | Promise], ...]] = (
    ("gold", 10, _("Gold")),
    ("silver", 40, _("Silver")),
    ("bronze", 100, _("Bronze")),
)


class Place(NamedTuple):
    number: int
    player: Player
    # Points a hand.
    points: float
    hands: int
    tier: str
    tier_words: str
    is_mine: bool


class Board(NamedTuple):
    """The best, and the viewer's own place where it is below them; how many hands are missing."""

    places: Sequence[Place]
    mine: Place | None
    hands: int
    players: int

    @property
    def hands_missing(self) -> int:
        return max(0, HANDS_MIN - self.hands)


def board(game: str, week: date, viewer: Player, now: datetime) -> Board:
    rows = CountedHand.objects.filter(week=week, game=game, points__isnull=False)
    withs = rows.values("player").annotate(hands=Count("pk"), average=Avg("points"))
    results = list(withs.order_by("-average", "-hands", "player"))
    ranked = [result for result in results if result["hands"] >= HANDS_MIN]
    named = shown_to_others([row["player"] for row in ranked], now)
    ranked = [row for row in ranked if row["player"] in named]
    places = [
        Place(
            number,
            named[row["player"]],
            row["average"] / HUNDREDTHS,
            row["hands"],
            *tier_of(number, len(ranked)),
            row["player"] == viewer.pk,
        )
        for number, row in enumerate(ranked, 1)
    ]
    own = next((result["hands"] for result in results if result["player"] == viewer.pk), 0)
    mine = next((place for place in places if place.is_mine), None)
    below = mine if mine is not None and mine.number > SHOWN else None
    return Board(places[:SHOWN], below, own, len(places))


def tier_of(number: int, players: int) -> tuple[str, str]:
    """The tier of a place among so many, as a name and in words."""
    return next(
        (name, str(words))
        for name, percent, words in TIERS
        if number <= -(-players * percent // 100)
    )


def games_of(player_id: int, week: date) -> list[str]:
    """The games that a player has played in a week, the one played most first."""
    rows = CountedHand.objects.filter(player=player_id, week=week)
    withs = rows.values("game").annotate(hands=Count("pk")).order_by("-hands", "game")
    return [row["game"] for row in withs]
