"""The hands of a player as others see them: results in points, and never an amount of money.

It is made of what is counted here, so of hands for play money alone.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Avg, Count, Q, Sum

from casino.accounts.models import Player
from casino.community.returning import achievements, ratings
from casino.community.returning.counting import HUNDREDTHS, KEPT
from casino.community.returning.models import CountedHand, DayPlayed
from casino.community.returning.weeks import is_open_to
from games.rules.catalogue import GAMES
from games.words.naming import GAME_NAMES


class GamePlayed(NamedTuple):
    name: str
    hands: int
    won_percent: int
    # Points a hand; None where every hand was at a private table.
    points: float | None
    sign: str
    # Of its group.
    cloth: str
    # Against people; None before there are enough hands, and against the house.
    rating: int | None


class Played(NamedTuple):
    """A player's games: all hands ever, and the games of the last weeks, most played first.

    The first game is the favourite one.
    """

    hands: int
    # Of the hands of these weeks; None without any.
    won_percent: int | None
    days: int
    games: Sequence[GamePlayed]
    badges: Sequence[achievements.Shown]


def of_player(reader: Player, player_id: int) -> Played | None:
    """The rows that a reader may see; None if it is not for them."""
    if not is_open_to(reader):
        return None
    rows = CountedHand.objects.filter(player=player_id).values("game")
    counted = rows.annotate(
        hands=Count("pk"), won=Count("pk", filter=Q(won=True)), average=Avg("points")
    )
    rated = ratings.of_player(player_id)
    games = [
        GamePlayed(
            str(GAME_NAMES[one["game"]]),
            one["hands"],
            round(100 * one["won"] / one["hands"]),
            None if one["average"] is None else one["average"] / HUNDREDTHS,
            GAMES[one["game"]].sign,
            GAMES[one["game"]].group.key,
            rated.get(one["game"]),
        )
        for one in counted.order_by("-hands", "game")
    ]
    counted_hands, won = (sum(one[what] for one in counted) for what in ("hands", "won"))
    percent = round(100 * won / counted_hands) if counted_hands else None
    days = DayPlayed.objects.filter(player=player_id).aggregate(hands=Sum("hands"))
    badges = [shown for shown in achievements.shown(player_id) if shown.day]
    return Played(days["hands"] or 0, percent, KEPT.days, games, badges)
