"""A player's data in this package: for their own file, and for erasure."""

from collections.abc import Iterator

from casino.accounts.models import Player
from casino.community.returning.models import (
    Achievement,
    CountedHand,
    DayPlayed,
    GamePlayed,
    Rating,
    TaskReward,
)


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
