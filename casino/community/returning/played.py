"""The hands of a player as others see them: results in points, and never an amount of money.

It is made of what is counted here, so of hands for play money alone. Only games among players have
a winner between two of them: against the house each plays alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import accumulate, groupby
from typing import Any, Final, NamedTuple

from django.db.models import Count, F, OuterRef, Q, Subquery, Sum
from django.utils import timezone

from casino.accounts.models import Player
from casino.community.returning import achievements, counting
from casino.community.returning.counting import HUNDREDTHS, KEPT
from casino.community.returning.models import CountedHand, DayPlayed
from casino.community.returning.weeks import is_open_to
from games.rules.catalogue import GAMES, against_house
from games.words.naming import GAME_NAMES
from wallets.values.days import day_of, monday_of


class Score(NamedTuple):
    """The hands of a game that the reader won and the other did not, and the other way round."""

    name: str
    sign: str
    # Of its group.
    cloth: str
    mine: int
    theirs: int

    @property
    def hands(self) -> int:
        return self.mine + self.theirs


class FaceToFace(NamedTuple):
    games: Sequence[Score]

    @property
    def mine(self) -> int:
        return sum(score.mine for score in self.games)

    @property
    def theirs(self) -> int:
        return sum(score.theirs for score in self.games)


def between(reader_id: int, player_id: int) -> FaceToFace | None:
    """Hands won against each other by game, most hands first; None without any."""
    if reader_id == player_id:
        return None
    of_the_other = CountedHand.objects.filter(player=player_id, hand=OuterRef("hand"))
    apart = (
        CountedHand.objects.filter(player=reader_id)
        .annotate(other_won=Subquery(of_the_other.values("won")[:1]))
        .filter(other_won__isnull=False)
        .exclude(won=F("other_won"))
    )
    counted = apart.values("game").annotate(
        mine=Count("pk", filter=Q(won=True)), theirs=Count("pk", filter=Q(won=False))
    )
    scores = [
        Score(
            str(GAME_NAMES[row["game"]]),
            GAMES[row["game"]].sign,
            GAMES[row["game"]].group.key,
            row["mine"],
            row["theirs"],
        )
        for row in counted.order_by("game")
        if not against_house(row["game"])
    ]
    return FaceToFace(sorted(scores, key=lambda score: -score.hands)) if scores else None


# The size of a curve, and of the bar of a day.
CURVE: Final = (100, 28)
BAR: Final = 80


class Curve(NamedTuple):
    """Points from the first hand on, as the corners of a line, and the height of no points."""

    line: str
    zero: float

    @property
    def area(self) -> str:
        """The corners of what lies between the line and no points."""
        width, _height = CURVE
        return f"0,{self.zero} {self.line} {width},{self.zero}"


class GamePlayed(NamedTuple):
    name: str
    hands: int
    won_percent: int
    # Points a hand; None where every hand was at a private table.
    points: float | None
    # None before there are two days with points.
    curve: Curve | None
    sign: str
    # Of its group.
    cloth: str
    # Against people; None before there are enough hands, and against the house.
    rating: int | None


class Day(NamedTuple):
    """A day of this week; its bar is as high as its share of the day with most hands."""

    day: date
    hands: int
    bar: int
    is_today: bool

    @property
    def top(self) -> int:
        return BAR - self.bar


class Played(NamedTuple):
    """A player's games: all hands ever, and the games of the last weeks, most played first.

    The first game is the favourite one.
    """

    hands: int
    # Of the hands of these weeks; None without any.
    won_percent: int | None
    days: int
    games: Sequence[GamePlayed]
    week: Sequence[Day]
    badges: Sequence[achievements.Shown]
    # The reader against the player.
    against: FaceToFace | None

    @property
    def hands_of_week(self) -> int:
        return sum(day.hands for day in self.week)


def of_player(reader: Player, player_id: int) -> Played | None:
    """The rows that a reader may see; None if it is not for them."""
    if not is_open_to(reader):
        return None
    rows = CountedHand.objects.filter(player=player_id).values("game", "day")
    by_day = rows.annotate(
        hands=Count("pk"),
        won=Count("pk", filter=Q(won=True)),
        with_points=Count("points"),
        total=Sum("points"),
    )
    days = list(by_day.order_by("game", "day"))
    hands, won = (sum(day[what] for day in days) for what in ("hands", "won"))
    ever = DayPlayed.objects.filter(player=player_id).aggregate(hands=Sum("hands"))
    return Played(
        ever["hands"] or 0,
        round(100 * won / hands) if hands else None,
        KEPT.days,
        sorted(_games(player_id, days), key=lambda game: -game.hands),
        _week(days, day_of(timezone.now())),
        [shown for shown in achievements.shown(player_id) if shown.day],
        between(reader.pk, player_id),
    )


def _games(player_id: int, days: Sequence[Mapping[str, Any]]) -> Iterator[GamePlayed]:
    rated = counting.of_player(player_id)
    for key, group in groupby(days, key=lambda day: day["game"]):
        rows = list(group)
        hands, won, with_points = (
            sum(row[what] for row in rows) for what in ("hands", "won", "with_points")
        )
        totals = [row["total"] / HUNDREDTHS for row in rows if row["with_points"]]
        yield GamePlayed(
            str(GAME_NAMES[key]),
            hands,
            round(100 * won / hands),
            sum(totals) / with_points if with_points else None,
            _curve(totals),
            GAMES[key].sign,
            GAMES[key].group.key,
            rated.get(key),
        )


def _curve(totals: Sequence[float]) -> Curve | None:
    """The sum of points after each day, drawn from none."""
    if len(totals) < 2:
        return None
    sums = list(accumulate(totals, initial=0.0))
    width, height = CURVE
    highest, step = max(sums), width / (len(sums) - 1)
    scale = height / ((highest - min(sums)) or 1)
    corners = [(at * step, (highest - value) * scale) for at, value in enumerate(sums)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    return Curve(line, round(highest * scale, 1))


def _week(days: Sequence[Mapping[str, Any]], today: date) -> list[Day]:
    """The days of this week with the hands of all games."""
    first = monday_of(today)
    dates = [first + timedelta(days=number) for number in range(7)]
    hands = [sum(row["hands"] for row in days if row["day"] == day) for day in dates]
    most = max(hands) or 1
    return [
        Day(day, count, BAR * count // most, day == today)
        for day, count in zip(dates, hands, strict=True)
    ]
