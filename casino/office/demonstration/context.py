"""The notice on pages with figures while the history of a demonstration is being made."""

from functools import cache

from django.http import HttpRequest

from casino.office.demonstration import progress


def frame(_request: HttpRequest) -> dict[str, object]:
    return {"history_percent": cache(progress.percent)}
