"""What the frame and the page of a table show of promotions: a link, and a quiet line."""

from collections.abc import Mapping
from functools import cache

from django.http import HttpRequest
from django.utils import timezone

from casino.accounts.models import Player
from casino.community.promotions.books import visibility
from casino.community.promotions.books.running import by_game
from games.models.combined import Read


def frame(request: HttpRequest) -> dict[str, object]:
    # A request that is refused early has no reader.
    reader = getattr(request, "user", None)
    return {
        "has_rewards": cache(lambda: reader is not None and visibility.is_open_to(reader)),
        "rewards_by_game": cache(lambda: _counting_for(reader)),
    }


def reads(reader: Player) -> list[Read]:
    return visibility.reads(reader)


def _counting_for(reader: object) -> Mapping[str, Mapping[str, str]]:
    """The titles of what counts, by game, for a reader who sees promotions."""
    now = timezone.now()
    if not isinstance(reader, Player) or not visibility.sees(reader, now):
        return {}
    return by_game(now)
