"""Whether the frame of a page links to the week of its reader."""

from functools import cache

from django.http import HttpRequest

from casino.community.returning.weeks import is_open_to


def frame(request: HttpRequest) -> dict[str, object]:
    # A request that is refused early has no reader.
    return {"has_my_week": cache(lambda: hasattr(request, "user") and is_open_to(request.user))}
