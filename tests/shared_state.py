"""What stands in the database for one test after the other until a test asks for something else."""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import Any

_standing: list[tuple[object, Any, ExitStack]] = []


def stand(key: object, build: Callable[[], AbstractContextManager[Any]], blocker: Any) -> Any:
    """Return what is built under this key: what stands already, or else now."""
    if _standing and _standing[0][0] == key:
        return _standing[0][1]
    clear()
    with ExitStack() as closing:
        closing.enter_context(blocker.unblock())
        built = closing.enter_context(build())
        _standing.append((key, built, closing.pop_all()))
    return built


def clear() -> None:
    for _key, _built, closing in _standing:
        closing.close()
    _standing.clear()
