"""A player's week: who has one, its three tasks a day, and the days played in a row.

A list that grows every day invites players to return, and players who have set a limit have asked
not to be invited.

A task brings a small fixed sum of play money (`rewards`). None asks for an amount, a bet or a table
of higher stakes.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.accounts.models import Player
from casino.care.rules import has_limited_time
from casino.community.returning.models import CountedHand, DayPlayed
from games.models.prepared import Query
from games.rules.catalogue import against_house
from wallets.values.player import Viewer


def is_open_to(viewer: Viewer) -> bool:
    """Whether the viewer has the page; for most players this costs no query."""
    if not settings.RETURNING or not isinstance(viewer, Player):
        return False
    return not (viewer.is_bot or viewer.is_guest or viewer.is_staff or has_limited_time(viewer))


Hands = Sequence[CountedHand]
# With one of these a hand is won in a way that one remembers.
MEMORABLE: Final = frozenset({"bomb", "rocket", "natural"})


class DailyTask(NamedTuple):
    """Something to do within a day: how often, and how often these hands have done it.

    Rows of rewards keep the name. A task that is to pay another sum gets a new name, because the
    audit compares what was paid with the sum of that name.
    """

    name: str
    words: str | Promise
    goal: int
    done: Callable[[Hands], int]
    # In minor units of play money.
    pays: int


class Progress(NamedTuple):
    words: str
    goal: int
    done: int
    name: str
    pays: int

    @property
    def is_complete(self) -> bool:
        return self.done >= self.goal


def _count(wanted: Callable[[CountedHand], bool]) -> Callable[[Hands], int]:
    return lambda hands: sum(1 for hand in hands if wanted(hand))


def _kinds(hands: Hands) -> int:
    return len({against_house(hand.game) for hand in hands})


# One of each group a day.
GROUPS: Final[tuple[tuple[DailyTask, ...], ...]] = (
    (
        DailyTask("three_hands", _("Finish three hands"), 3, len, 5_000),
        DailyTask("five_hands", _("Finish five hands"), 5, len, 5_000),
    ),
    (
        DailyTask(
            "two_games",
            _("Play two different games"),
            2,
            lambda hands: len({hand.game for hand in hands}),
            8_000,
        ),
        DailyTask(
            "two_tables",
            _("Play at two tables"),
            2,
            lambda hands: len({hand.table for hand in hands}),
            8_000,
        ),
        DailyTask(
            "both_kinds",
            _("Play a game among players and one against the house"),
            2,
            _kinds,
            8_000,
        ),
    ),
    (
        DailyTask(
            "memorable_win",
            _("Win a hand with a bomb, the rocket or a natural"),
            1,
            _count(lambda hand: bool(MEMORABLE.intersection(hand.feats))),
            6_000,
        ),
        DailyTask("two_wins", _("Win two hands"), 2, _count(lambda hand: hand.won), 6_000),
        DailyTask(
            "win_among_players",
            _("Win a hand among players"),
            1,
            _count(lambda hand: hand.won and not against_house(hand.game)),
            6_000,
        ),
    ),
)
TASKS: Final = {task.name: task for group in GROUPS for task in group}


def tasks_of(day: date) -> list[DailyTask]:
    """The tasks of a day. Groups of different lengths go round with different periods."""
    return [group[day.toordinal() % len(group)] for group in GROUPS]


def progress(day: date, hands: Iterable[CountedHand]) -> list[Progress]:
    """Return a player's progress in each task of the day, from that day's hands."""
    played = list(hands)
    return [
        Progress(
            str(task.words),
            task.goal,
            min(task.goal, task.done(played)),
            task.name,
            task.pays,
        )
        for task in tasks_of(day)
    ]


HANDS: Final = Query(
    lambda player, day: CountedHand.objects.filter(player=player, day=day).order_by("hand"),
    int,
    date,
)


def hands_of(player_id: int, day: date) -> list[CountedHand]:
    return HANDS(player_id, day)


DAY: Final = timedelta(days=1)
WEEK_DAYS: Final = 7


class Streak(NamedTuple):
    """Days in a row up to now, the most there ever were, and all days."""

    now: int
    longest: int
    days: int


class ShownDay(NamedTuple):
    day: date
    hands: int
    is_today: bool


def streak(player_id: int, today: date) -> Streak:
    """A streak lasts through a day that is not over yet."""
    days = list(DayPlayed.objects.filter(player=player_id).order_by("day").values_list("day"))
    longest = running = 0
    last: date | None = None
    for (day,) in days:
        running = running + 1 if last is not None and day - last == DAY else 1
        longest, last = max(longest, running), day
    holds = last is not None and today - last <= DAY
    return Streak(running if holds else 0, longest, len(days))


def is_whole_week(player_id: int, sunday: date) -> bool:
    """Whether the player has finished a hand on each day of the week that ends with this day."""
    monday = sunday - (WEEK_DAYS - 1) * DAY
    days = DayPlayed.objects.filter(player=player_id, day__gte=monday, day__lte=sunday)
    return days.count() == WEEK_DAYS


def week_of(player_id: int, monday: date, today: date) -> list[ShownDay]:
    """The days of a week, with the hands finished on each."""
    rows = DayPlayed.objects.filter(
        player=player_id, day__gte=monday, day__lt=monday + WEEK_DAYS * DAY
    )
    hands = dict(rows.values_list("day", "hands"))
    days = [monday + number * DAY for number in range(WEEK_DAYS)]
    return [ShownDay(day, hands.get(day, 0), day == today) for day in days]
