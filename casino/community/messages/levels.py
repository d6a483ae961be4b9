"""The levels of promotions as a filter, and who wants to see no promotion, in a house with them."""

from datetime import datetime

from django.db.models import QuerySet
from django.utils.functional import Promise

from casino.community.messages import segments
from casino.community.messages.models import Kind
from casino.community.promotions.models import PointsMonth, PromotionsHidden
from casino.community.promotions.rules import levels
from games.words.players import LEVEL_NAMES
from wallets.values.days import day_of


def begin() -> None:
    segments.LEVELS.append(segments.Levels(_names, _reached))
    segments.HIDDEN.append((Kind.PROMOTIONS, PromotionsHidden))


def _names() -> list[str | Promise]:
    return list(LEVEL_NAMES.values())


def _reached(level: int, now: datetime) -> QuerySet[PointsMonth]:
    """The months, this or the last, in which a player reached a level."""
    month = levels.month_of(day_of(now))
    points = levels.LEVELS[level].points * levels.A_POINT
    return PointsMonth.objects.filter(
        month__in=(month, levels.month_before(month)), kept__gte=points
    )
