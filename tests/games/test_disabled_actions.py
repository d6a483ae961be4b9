"""Actions that are not possible now are greyed, with the reason from the rules."""

import pytest

from games.boards.action_places import disabled_actions
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.state import Bet
from games.rules.contract import SeatStack
from tests.rules.blackjack_table import closed


@pytest.mark.parametrize(
    ("up_card", "reasons"),
    [
        ("9d", {"double": "your stack", "split": "equal points"}),
        # Insurance is offered first; what is greyed belongs to the hand that is played.
        ("Ad", {"double": "your stack", "split": "equal points", "surrender": "ace"}),
    ],
)
def test_blackjacks_bar_gives_the_reasons_for_the_hand_that_is_played(
    up_card: str, reasons: dict[str, str]
) -> None:
    state = closed(f"2c{up_card}6h", [(1, Bet(1, 100))], stakes=[SeatStack(1, 150)])
    disabled = disabled_actions(Blackjack(), state, 1, Blackjack().choices(state, 1))
    assert {action.do for action in disabled} == reasons.keys()
    for action in disabled:
        assert reasons[action.do] in action.reason.lower()
