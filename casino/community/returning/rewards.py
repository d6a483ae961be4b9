"""Play money for a day's tasks: small fixed sums, each posted once, when the player takes it.

What a task brings is declared with it (`weeks`). All three of a day bring a further sum, and so
does a week with a hand on each of its days. Yesterday's can still be taken today, because hands
are counted a minute after they end. The limits of play money hold for these sums, too.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import Final, NamedTuple, Protocol

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.community.returning import weeks
from casino.community.returning.models import CountedHand, TaskReward
from casino.community.returning.weeks import DAY, Progress
from games.models.prepared import Query
from games.tables import play_money
from wallets.models import Currency
from wallets.of_record.verbs import verb
from wallets.values.days import day_of
from wallets.values.errors import Refused
from wallets.values.registry import Registry

ALL_THREE: Final = "all_three"
WHOLE_WEEK: Final = "whole_week"
# In minor units of play money, as the tasks' own sums.
PAYS: Final = {
    **{name: task.pays for name, task in weeks.TASKS.items()},
    ALL_THREE: 15_000,
    WHOLE_WEEK: 8_000,
}
SUNDAY: Final = 6


class Sums(Protocol):
    """Who may set other sums than these: one for each task of a day, all three, a whole week."""

    def shown(self, at: datetime) -> Sequence[int] | None:
        """What pages show; None where these sums hold."""

    def reader(self) -> Callable[[datetime], Sequence[int] | None]:
        """A function that tells what was due at a time, from what is read once."""

    def require_left(self, player: int, at: datetime) -> None:
        """Refuse the sum whose row was just written if it is not left."""


SUMS: Final = Registry[Sums]("sums of tasks")


# What was due at a time, by a source of other sums.
Due = Callable[[datetime], Sequence[int] | None]


def readers() -> list[Due]:
    return [source.reader() for source in SUMS.values()]


def shown(day: date) -> dict[str, int]:
    """What the tasks of a day and its further sums bring, as pages show it."""
    return _named(day, timezone.now(), [source.shown for source in SUMS.values()])


def due(day: date, at: datetime, sources: Iterable[Due] | None = None) -> dict[str, int]:
    """The same as due at a time."""
    return _named(day, at, readers() if sources is None else sources)


def _named(day: date, at: datetime, sources: Iterable[Due]) -> dict[str, int]:
    names = [*(task.name for task in weeks.tasks_of(day)), ALL_THREE, WHOLE_WEEK]
    for source in sources:
        sums = source(at)
        if sums is not None:
            return dict(zip(names, sums, strict=True))
    return {name: PAYS[name] for name in names}


class Reward(NamedTuple):
    """A sum of a day: not earned yet, to be taken, or taken."""

    name: str
    day: date
    amount: int
    is_earned: bool
    is_taken: bool

    @property
    def is_due(self) -> bool:
        return self.is_earned and not self.is_taken


def currency() -> Currency | None:
    """The play money in which tasks pay; None in a house without these sums."""
    return play_money.usual_currency() if settings.TASK_REWARDS else None


def names_of(day: date) -> list[str]:
    """What can be earned on a day."""
    names = [*(task.name for task in weeks.tasks_of(day)), ALL_THREE]
    return [*names, WHOLE_WEEK] if day.weekday() == SUNDAY else names


def earned(day: date, tasks: Iterable[Progress], *, is_whole_week: bool) -> set[str]:
    """What a player has earned on a day with this progress."""
    tasks = list(tasks)
    done = {task.name for task in tasks if task.is_complete}
    if len(done) == len(tasks):
        done.add(ALL_THREE)
    if is_whole_week and day.weekday() == SUNDAY:
        done.add(WHOLE_WEEK)
    return done


TAKEN: Final = Query(
    lambda player, day: TaskReward.objects.filter(player=player, day=day), int, date
)


def of_day(
    player_id: int,
    day: date,
    hands: Iterable[CountedHand] | None = None,
    at: datetime | None = None,
) -> list[Reward]:
    """The rewards of a day, as pages show them or as due at a time; a caller may know its hands."""
    sums = shown(day) if at is None else due(day, at)
    hands = weeks.hands_of(player_id, day) if hands is None else hands
    whole = day.weekday() == SUNDAY and weeks.is_whole_week(player_id, day)
    done = earned(day, weeks.progress(day, hands), is_whole_week=whole)
    taken = {row.name for row in TAKEN(player_id, day)} if done else set[str]()
    return [Reward(name, day, sums[name], name in done, name in taken) for name in names_of(day)]


@verb("player:tasks.take")
def take(player: Player, day: date, name: str, now: datetime) -> TaskReward:
    """Pay what a task has brought; taken again, it is the same payment."""
    paid_in = currency()
    if paid_in is None or not weeks.is_open_to(player):
        raise Refused("no_rewards", _n("Tasks bring no play money here."))
    if not day_of(now) - DAY <= day <= day_of(now):
        raise Refused("task_over", _n("What a task has brought can be taken until the next day."))
    rewards = {each.name: each for each in of_day(player.pk, day, at=now)}
    reward = rewards.get(name)
    if reward is None or not reward.is_earned:
        raise Refused("task_not_done", _n("This task is not done yet."))
    with transaction.atomic():
        row, is_new = TaskReward.objects.get_or_create(
            player=player,
            day=day,
            name=name,
            defaults={"amount": reward.amount, "currency": paid_in, "taken_at": now},
        )
        if is_new:
            for source in SUMS.values():
                source.require_left(player.pk, now)
            occasion = occasion_of(day, name)
            play_money.give(
                player, paid_in, row.amount, occasion=occasion, reason=play_money.FOR_A_TASK
            )
    return row


def occasion_of(day: date, name: str) -> str:
    return f"task {day.isoformat()} {name}"


def occasions(day: date) -> Iterator[str]:
    return (occasion_of(day, name) for name in names_of(day))
