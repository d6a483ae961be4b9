"""Whether the frame of a page links to the rewards of its reader."""

from functools import cache

from django.http import HttpRequest

from casino.community.promotions.books.hiding import is_open_to


def frame(request: HttpRequest) -> dict[str, object]:
    # A request that is refused early has no reader.
    return {"has_rewards": cache(lambda: hasattr(request, "user") and is_open_to(request.user))}
