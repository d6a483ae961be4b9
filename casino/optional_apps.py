"""What an optional app brings to the settings, each part in a module of the app that has it."""

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def brought(apps: Iterable[str], part: str) -> list[str]:
    """The full names of a part, such as `context.frame`, of the apps that have its module."""
    module = part.partition(".")[0]
    return [f"{app}.{part}" for app in apps if find_spec(f"{app}.{module}")]


def with_their_jobs(
    timetable: dict[str, dict[str, Any]], apps: Iterable[str]
) -> dict[str, dict[str, Any]]:
    for app in apps:
        if find_spec(f"{app}.timetable"):
            timetable = timetable | import_module(f"{app}.timetable").TIMETABLE
    return timetable
