"""The offer of notifications, in the settings of every page."""

from functools import cache

from django.http import HttpRequest

from casino.community.push import subscribing


def frame(request: HttpRequest) -> dict[str, object]:
    return {"push": cache(lambda: subscribing.offer(request))}
