"""A scene that lasts in the database from test to test, until a test wants another or none."""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Final

# The fixtures that ask for a scene.
FIXTURES: Final = frozenset({"evening", "seeded"})

_scenes: list[tuple[object, Any, ExitStack]] = []


def scene_of(key: object, build: Callable[[], AbstractContextManager[Any]], blocker: Any) -> Any:
    """Return what is built under this key: the one that lasts, or one that is built now."""
    if _scenes and _scenes[0][0] == key:
        return _scenes[0][1]
    clear()
    with ExitStack() as closing:
        closing.enter_context(blocker.unblock())
        built = closing.enter_context(build())
        _scenes.append((key, built, closing.pop_all()))
    return built


def clear() -> None:
    for _key, _built, closing in _scenes:
        closing.close()
    _scenes.clear()
