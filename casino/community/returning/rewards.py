"""Play money for a day's tasks: small fixed sums, each posted once, when the player takes it.

What a task brings is declared with it (`weeks`). All three of a day bring a further sum, and so
does a week with a hand on each of its days. Yesterday's can still be taken today, because hands
are counted a minute after they end. The limits of play money hold for these sums, too.
"""

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Final, NamedTuple

from django.conf import settings
from django.db import transaction
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

ALL_THREE: Final = "all_three"
WHOLE_WEEK: Final = "whole_week"
# In minor units of play money, as the tasks' own sums.
PAYS: Final = {
    **{name: task.pays for name, task in weeks.TASKS.items()},
    ALL_THREE: 15_000,
    WHOLE_WEEK: 8_000,
}
SUNDAY: Final = 6


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


def of_day(player_id: int, day: date, hands: Iterable[CountedHand] | None = None) -> list[Reward]:
    """The rewards of a day; a caller may know its hands."""
    hands = weeks.hands_of(player_id, day) if hands is None else hands
    whole = day.weekday() == SUNDAY and weeks.is_whole_week(player_id, day)
    done = earned(day, weeks.progress(day, hands), is_whole_week=whole)
    taken = {row.name for row in TAKEN(player_id, day)} if done else set[str]()
    return [Reward(name, day, PAYS[name], name in done, name in taken) for name in names_of(day)]


@verb("player:tasks.take")
def take(player: Player, day: date, name: str, now: datetime) -> TaskReward:
    """Pay what a task has brought; taken again, it is the same payment."""
    paid_in = currency()
    if paid_in is None or not weeks.is_open_to(player):
        raise Refused("no_rewards", _n("Tasks bring no play money here."))
    if not day_of(now) - DAY <= day <= day_of(now):
        raise Refused("task_over", _n("What a task has brought can be taken until the next day."))
    reward = next((one for one in of_day(player.pk, day) if one.name == name), None)
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
            occasion = occasion_of(day, name)
            play_money.give(
                player, paid_in, row.amount, occasion=occasion, reason=play_money.FOR_A_TASK
            )
    return row


def occasion_of(day: date, name: str) -> str:
    return f"task {day.isoformat()} {name}"


def occasions(day: date) -> Iterator[str]:
    return (occasion_of(day, name) for name in names_of(day))
