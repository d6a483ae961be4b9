"""Notable results of a round against the house, from its settlement lines.

Bonus bets, ties and jackpots are none: players should not bet on them for an achievement.
"""

from collections.abc import Mapping
from typing import Any, Final

FEATS: Final = frozenset(("twenty_one", "showdown", "coup"))
# Lines that name what they pay by its bet.
_BY_BET: Final = {
    "blackjack": "twenty_one",
    "call": "showdown",
    "player": "coup",
    "banker": "coup",
}
_PAID: Final = frozenset(("box_won", "bet_won"))


def feat_of(key: str, values: Mapping[str, Any]) -> str | None:
    """The feat of the seat that a line pays, if it is one."""
    if key == "hand_won":
        return "showdown"
    return _BY_BET.get(values.get("bet", "")) if key in _PAID else None
