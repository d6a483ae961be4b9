"""What other parts show of tasks and achievements: the lobby, and a player's own file."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from casino.accounts.models import Player
from casino.community.returning import rewards, weeks
from casino.community.returning.models import (
    Achievement,
    CountedHand,
    DayPlayed,
    GamePlayed,
    Rating,
    TaskReward,
)
from games.models.combined import Read
from wallets.values.amounts import show_amount
from wallets.values.days import day_of
from wallets.values.player import Viewer


class TasksToday(NamedTuple):
    """How many of a day's tasks are done, the first that is not, and what can be taken."""

    # One for each task: whether it is done.
    ticks: tuple[bool, ...]
    # Empty once all are done.
    next_words: str
    # What that brings, and what is to be taken; empty without either.
    brings: str
    to_take: str

    @property
    def done(self) -> int:
        return sum(self.ticks)


class TasksInLobby:
    template: str = "returning/in_lobby.html"
    place: str = "next"

    def reads(self, viewer: Viewer, now: datetime) -> Sequence[Read]:
        if not isinstance(viewer, Player) or not weeks.is_open_to(viewer):
            return []
        of_today = (viewer.pk, day_of(now))
        return [(weeks.HANDS, of_today), (rewards.TAKEN, of_today)]

    def content(self, viewer: Viewer, now: datetime) -> TasksToday | None:
        if not weeks.is_open_to(viewer) or not isinstance(viewer, Player):
            return None
        today = day_of(now)
        hands = weeks.hands_of(viewer.pk, today)
        tasks = weeks.progress(today, hands)
        following = next((task for task in tasks if not task.is_complete), None)
        brings = to_take = ""
        currency = rewards.currency()
        if currency is not None:
            due = [
                reward.amount for reward in rewards.of_day(viewer.pk, today, hands) if reward.is_due
            ]
            to_take = show_amount(sum(due), currency) if due else ""
            if following:
                brings = show_amount(rewards.shown(today)[following.name], currency)
        return TasksToday(
            tuple(task.is_complete for task in tasks),
            following.words if following else "",
            brings,
            to_take,
        )

    def state(self) -> object:
        """It is each reader's own; the lobby looks for itself every half a minute."""
        return None


def rows(player: Player) -> Iterator[dict[str, object]]:
    """Days, achievements and what tasks brought; hands are in a part of their own."""
    for day in DayPlayed.objects.filter(player=player).order_by("day"):
        yield {"day": day.day, "hands": day.hands}
    for achievement in Achievement.objects.filter(player=player).order_by("day", "name"):
        yield {"achievement": achievement.name, "day": achievement.day}
    for rating in Rating.objects.filter(player=player).order_by("game"):
        yield {"rating": rating.game, "mean": rating.mean, "deviation": rating.deviation}
    for reward in TaskReward.objects.filter(player=player).order_by("day", "pk"):
        yield {"task": reward.name, "day": reward.day, "amount": reward.amount}


def forget(player: Player) -> None:
    """What the player took for tasks stays, as its postings do; nothing else proves a payment."""
    for kind in (CountedHand, DayPlayed, GamePlayed, Rating, Achievement):
        kind.objects.filter(player=player).delete()
