"""Changes of record that tests make by hand, and those that lack a verb.

A test may write rows itself, or call a helper that the house calls under some verb: that is done
under `setup:tests`, which may change everything. What the house itself changes, because a request,
a command or a task asked for it, must have a verb that the table's declaration allows.
"""

import inspect
from types import FrameType
from typing import Final

from wallets.of_record import verbs
from wallets.values import columns

TESTS: Final = "setup:tests"
HOUSE: Final = ("casino.", "games.", "tournaments.", "wallets.")
# What asks the house for something.
ASKS: Final = (
    "django.core.handlers.",
    "django.core.management.",
    "celery.",
    "asyncio.",
    "concurrent.",
)
# The modules of tests.
TESTING: Final = ("tests.", "test_", "conftest", "bench.")
_ACT: Final = verbs.Act(TESTS)
# Changes without a verb, each with the functions that led to it.
found: list[str] = []


def allow_tests() -> None:
    columns.everywhere.add(TESTS)
    verbs.otherwise = of_a_test


def of_a_test() -> verbs.Act | None:
    """The verb of a change that has none."""
    led: list[str] = []
    frame: FrameType | None = inspect.currentframe()
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith(TESTING):
            return _ACT
        if module.startswith(ASKS) and led:
            break
        if module.startswith(HOUSE) and not module.startswith("wallets.of_record."):
            led.append(f"{module}.{frame.f_code.co_qualname}")
        frame = frame.f_back
    if led:
        found.append(" < ".join(led[:6]))
    return None


def missing() -> list[str]:
    """What has been found since the last time, in a sentence each."""
    some = sorted(set(found))
    found.clear()
    return [
        f"This changes a row of record without a verb: {caller}. Give the outermost function that "
        "is one doing a verb: CONTRIBUTING.md says how."
        for caller in some
    ]
