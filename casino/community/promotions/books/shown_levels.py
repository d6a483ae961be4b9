"""The level on a plate, where the player wishes: kept in the row of the player for the tables."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from casino.accounts.models import Player
from casino.community.promotions.models import LevelShown, PointsMonth
from casino.community.promotions.rules import levels
from wallets.of_record.verbs import verb
from wallets.values.days import day_of


@verb("player:promotion.show_level")
def set_shown(player: Player, *, is_shown: bool, now: datetime) -> None:
    """Name this player's level at the tables, or name it no more."""
    with transaction.atomic():
        if is_shown:
            LevelShown.objects.get_or_create(player=player)
            _write({player.pk: highest([player.pk], now).get(player.pk, 0)})
        else:
            LevelShown.objects.filter(player=player).delete()
            Player.objects.filter(pk=player.pk).update(level="")


def refresh(now: datetime) -> None:
    """Follow new points, and months that have ended."""
    shown = dict(LevelShown.objects.values_list("player", "player__level"))
    due = highest(shown, now)
    names = {number: levels.LEVELS[due.get(number, 0)].key for number in shown}
    _write({number: due.get(number, 0) for number in shown if shown[number] != names[number]})


def highest(players: Iterable[int], now: datetime) -> dict[int, int]:
    """The number of each player's level, in the currency in which it is highest."""
    month = levels.month_of(day_of(now))
    rows = PointsMonth.objects.filter(
        player__in=list(players), month__in=(month, levels.month_before(month))
    )
    best: defaultdict[int, int] = defaultdict(int)
    for row in rows:
        best[row.player_id] = max(best[row.player_id], levels.level_of(row.kept, 0))
    return dict(best)


def _write(due: dict[int, int]) -> None:
    """One statement a level, so that nothing else of a player is overwritten."""
    by_level = defaultdict(list)
    for player, number in due.items():
        by_level[levels.LEVELS[number].key].append(player)
    for level, players in by_level.items():
        Player.objects.filter(pk__in=players).update(level=level)
