"""An evening in a house that is played once for all tests of a module that ask for it.

To play hands takes most of a test's time. A module that says `evening = played_once(play)` has them
played in a transaction around its tests. A test that asks for the fixture `tonight` begins where
the evening ended, with a copy of what `play` returned; what the test does is rolled back. Its
fixture `house` is the evening's house. The evening ends before a test that does not ask for it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, NamedTuple, TypeVar

import pytest
from django.db import transaction
from django.utils import timezone

from tests.games.house import House
from tests.repeating import repeat_draws
from tests.scenes import scene_of

Made = TypeVar("Made")


class Evening(NamedTuple, Generic[Made]):
    house: House
    made: Made


def played_once(play: Callable[..., Any], params: Sequence[str] | None = None) -> Any:
    """Return the fixture `evening` of a module; with `params` there is one evening for each."""

    # Of the module, so that pytest runs all tests of one evening before those of the next; a test
    # asks for the scene anew, which may have ended since.
    @pytest.fixture(name="evening", params=params, scope="module")
    def evening(
        request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: Any
    ) -> Callable[[], Evening[Any]]:
        given = (request.param,) if params else ()
        key = (play, *given)
        return lambda: scene_of(key, lambda: played(play, given), django_db_blocker)

    return evening


@contextmanager
def played(play: Callable[..., Any], given: tuple[str, ...]) -> Iterator[Evening[Any]]:
    with transaction.atomic():
        with pytest.MonkeyPatch.context() as patch:
            repeat_draws(patch, f"{play.__module__} {given}")
            house = House()
            patch.setattr(timezone, "now", lambda: house.now)
            made = play(house, *given)
        yield Evening(house, made)
        transaction.set_rollback(True)
