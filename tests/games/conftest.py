"""A house for every test, with people in it."""

import pytest

from tests.games.house import House


@pytest.fixture
def house(db: None) -> House:
    return House()
