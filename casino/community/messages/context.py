"""What the frame of a page shows of messages: a link, and whether one is unread."""

from functools import cache

from django.http import HttpRequest
from django.utils import timezone

from casino.accounts.models import Player
from casino.community.messages import wishes
from casino.community.messages.pages import UNREAD, received
from casino.community.messages.wishes import is_open_to
from games.models.combined import Read


def frame(request: HttpRequest) -> dict[str, object]:
    # A request that is refused early has no reader.
    reader = getattr(request, "user", None)
    return {
        "has_inbox": cache(lambda: is_open_to(reader)),
        "unread_messages": cache(lambda: _unread(reader)),
    }


def reads(reader: Player) -> list[Read]:
    """The query of the sign, read together with the others of the frame."""
    return [(UNREAD, (reader.pk,))] if is_open_to(reader) else []


def _unread(reader: object) -> int:
    if not isinstance(reader, Player) or not is_open_to(reader):
        return 0
    rows, now = UNREAD(reader.pk), timezone.now()
    if rows and wishes.unseen(reader, now):
        return received(reader, now).filter(opened_at=None).count()
    return len(rows)
