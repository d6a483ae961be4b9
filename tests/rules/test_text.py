"""The text form of actions: refusals; that every action comes back is the harness's to show."""

import pytest

from games.rules.catalogue import game_type
from games.rules.errors import Unreadable
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.state import Arrange, Bet
from tests.rules.action_text import action_text, read_action
from tests.rules.cases import each


def test_an_action_is_its_name_and_its_fields() -> None:
    assert action_text(Bet(250)) == "bet 250"
    assert action_text(Arrange(declare=Natural.DRAGON)) == "arrange - - - dragon"


@each(
    ("", "no_such_action"),
    ("hit 1", "no_such_action"),
    ("give 2c3c4c", "no_such_action"),
    ("bet", "action_fields"),
    ("bet 1 2", "action_fields"),
    ("bet ten", "wrong_shape"),
    ("bet 0", "wrong_shape"),
    ("bet -", "wrong_shape"),
    ("bet 1.5", "wrong_shape"),
    ("bet 1e2", "wrong_shape"),
    ("bet 100.0", "wrong_shape"),
    ("bet +5", "wrong_shape"),
    ("bet ٣", "wrong_shape"),
    ("bet \udcff", "wrong_shape"),
    ("arrange - - - \udcff", "wrong_shape"),
    ("arrange 2c3c4c5c - - -", "wrong_shape"),
    ("arrange 2c3x4c - - -", "card"),
    ("arrange - - - whist", "wrong_shape"),
)
def test_unknown_actions_are_refused(text: str, code: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_action(game_type("thirteen_hongkong"), text)
    assert refused.value.code == code
    assert refused.value.sentence.endswith(".")
