"""A player's data in this package: for their own file, and for erasure."""

from collections.abc import Iterator

from casino.accounts.models import Player
from casino.community.returning.models import Achievement, CountedHand, DayPlayed, GamePlayed


def rows(player: Player) -> Iterator[dict[str, object]]:
    """Days and achievements; the hands themselves are in a part of their own."""
    for day in DayPlayed.objects.filter(player=player).order_by("day"):
        yield {"day": day.day, "hands": day.hands}
    for achievement in Achievement.objects.filter(player=player).order_by("day", "name"):
        yield {"achievement": achievement.name, "day": achievement.day}


def forget(player: Player) -> None:
    """Nothing of it is needed to prove a deal or a payment."""
    for kind in (CountedHand, DayPlayed, GamePlayed, Achievement):
        kind.objects.filter(player=player).delete()
