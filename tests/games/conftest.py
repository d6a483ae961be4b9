"""Evenings that a module has played, and people who play by programs."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from django.core.cache import caches
from django.utils import translation

from games.boards import table_version
from games.boards.public_view import PublicView, public_view
from games.models import Table
from tests.games.evenings import Evening
from tests.games.house import PAID_IN, House
from tests.games.program import Program


@pytest.fixture
def evening_first(request: pytest.FixtureRequest) -> None:
    """Where a test begins with the evening of its module, that is played before all else."""
    if "evening" in request.fixturenames:
        request.getfixturevalue("evening")()


@pytest.fixture
def db(evening_first: None, db: None) -> None:
    """The database as the evening of the module has left it, if there is one."""


@pytest.fixture
def tonight(evening: Callable[[], Evening[Any]], db: None) -> Evening[Any]:
    """A test's own copy of the evening that its module has played."""
    return deepcopy(evening())


# What the evening has made, by the name that the module's tests have for it.


@pytest.fixture
def table(tonight: Evening[Any]) -> Any:
    return tonight.made


@pytest.fixture
def tables(tonight: Evening[Any]) -> Any:
    return tonight.made


@pytest.fixture
def hand(tonight: Evening[Any]) -> Any:
    return tonight.made


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """Requests of earlier tests do not count against this test's rate limits."""
    caches["default"].clear()


# Programs of people who play by the API.


@pytest.fixture
def alice(house: House) -> Program:
    house.player("alice")
    return Program("alice")


@pytest.fixture
def bob(house: House) -> Program:
    house.player("bob")
    return Program("bob")


@pytest.fixture
def stranger(house: House) -> Program:
    return Program()


@pytest.fixture
def baccarat(house: House, alice: Program) -> Table:
    """A table where alice has just been dealt in."""
    table = house.table("baccarat")
    house.sit(house.person("alice"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    return table


@pytest.fixture
def public_parts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The languages in which public parts were made, one entry for each."""
    parts: list[str] = []
    real = public_view

    def noted(*given: Any) -> PublicView:
        parts.append(translation.get_language())
        return real(*given)

    monkeypatch.setattr(table_version, "public_view", noted)
    return parts


@pytest.fixture
def paid_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """What players have came from themselves: only the house's own gifts are grants."""
    monkeypatch.setattr(House, "source", PAID_IN)
