"""The differences of a table from the standard rules, in words; `rule_tables` has the figures."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l
from msgspec.structs import fields

from games.rules.contract import AnyGame
from games.rules.house.sides import DRAWS

# By an option and its value. Only values that are not the default of a game are ever said.
MANNERS: Final[Mapping[tuple[str, object], str | Promise]] = {
    ("tournament", True): _l(
        "Tournament chips: no rake and no pools, and wins are not limited by the stack."
    ),
    ("table", "bonus"): _l(
        "A bonus table: a row won with a premium earns the premium instead of its point."
    ),
    ("extra_point", "no_premium"): _l(
        "A bonus table too gives the point for more rows, where neither side wins a premium."
    ),
    ("twelve", "suit"): _l("Twelve and one are twelve cards of one suit."),
    ("residual_tie", True): _l(
        "Suits decide straights and flushes only; other rows of equal ranks are a tie."
    ),
    ("banker", "rotating"): _l(
        "There is a banker, a new one each hand; the others are compared with the banker only."
    ),
    ("banker", "fixed"): _l(
        "One seat is the banker in every hand; the others are compared with the banker only."
    ),
    ("banker_eats_ties", True): _l(
        "The banker eats ties: only what a row is and its biggest point are compared, and "
        "equals go to the banker."
    ),
    ("prices", "low"): _l("Four of a kind and straight flushes pay less (low prices)."),
    ("jokers", 0): _l("Played without jokers: there is no five of a kind."),
    ("allow_foul", True): _l("Rows out of order are accepted and count as a foul."),
    ("wings", "strict"): _l(
        "Strict wings: neither both jokers, nor four equal cards, nor a three next to the "
        "chain are carried along."
    ),
    ("both_springs", False): _l(
        "A landlord who goes out with the first play gets one doubling for it, not two."
    ),
    ("banker_note_literal", True): _l("The banker does not draw when the player has stood."),
    ("hit_soft_17", True): _l("The dealer draws on a soft 17."),
    ("original_bets_only", True): _l(
        "If the dealer has blackjack, you lose only your original bet; doubles and splits are "
        "returned."
    ),
    ("insurance", "whole"): _l("The whole stake can be insured."),
    ("third_card", "dealer_up"): _l("The third card of the bonus is the dealer's first."),
    ("shuffle_every_round", True): _l("Every round is dealt from a full shoe."),
    ("bonus_card", True): _l("A bonus card is drawn."),
    ("bonus_card", False): _l("No bonus card is drawn."),
    ("wheel", True): _l("A wheel card is drawn."),
    ("wheel", False): _l("No wheel card is drawn."),
    ("lucky_game", True): _l("A lucky card is drawn."),
    ("lucky_game", False): _l("No lucky card is drawn."),
}


def manners(game: AnyGame) -> tuple[str, ...]:
    """The rules of this table that differ from the standard ones."""
    kind: Any = type(game)
    usual = {field.name: field.default for field in fields(kind)}
    # A switch for what a game does not have changes nothing there.
    idle = set(DRAWS) - set(getattr(game, "features", DRAWS))
    return tuple(
        str(sentence)
        for (name, value), sentence in MANNERS.items()
        if name in usual and name not in idle and getattr(game, name) == value != usual[name]
    )
