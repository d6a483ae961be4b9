"""What the forms of acts at a table say, as moves that answer a decision.

Nothing is read but what is given: the event loop asks here, too (`casino/acts.py`).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext_noop as _n

from games.boards.family import family_of
from games.boards.forms import ANSWER, action_from, answers_from
from games.boards.own_view import own_hand
from games.boards.spot_moves import moves_to, wanted_from
from games.models import Seat, Table
from games.rules.contract import AnyGame
from games.rules.errors import Unreadable
from games.rules.house.actions import Done
from games.tables.decisions import Decision
from games.tables.hand_state import read_action
from games.words.refusals import sentence_of
from wallets.values.errors import Refused
from wallets.values.player import Player

# The field of a form that says what is to lie on the spots of the felt.
SPOTS: Final = "spots"
# The parameter that confirms a foul.
MEANT: Final = "meant"
NUMBER_DIGITS_MAX: Final = 18


class Sent(NamedTuple):
    """The moves of a form, the decision that they answer, and what they carry for a shoe."""

    decision: Decision
    moves: Sequence[object]
    mix: str


def number_in(form: QueryDict, name: str) -> int:
    text = form.get(name, "")
    if not text.isdecimal() or len(text) > NUMBER_DIGITS_MAX:
        raise Unreadable("number", _n("{name} is not a whole number"), name=name)
    return int(text)


def moves_in(form: QueryDict, table: Table, game: AnyGame) -> Sent:
    """The moves of a form that names its decision.

    A form that answers about insurance answers for all boxes at once.
    """
    moves: Sequence[object]
    if ANSWER in form:
        moves = answers_from(form, table.currency)
    else:
        action = action_from(game, form, table.currency)
        if MEANT not in form and (foul := family_of(game).foul(game, read_action(game, action))):
            raise Refused(
                "would_foul",
                _n("Foul: {reason} It loses every row."),
                reason=sentence_of(foul),
            )
        moves = [action]
    hand, turn = number_in(form, "played_hand"), number_in(form, "turn")
    return Sent(Decision(hand, turn, form.get("decision", "")), moves, form.get("mix", ""))


def bets_in(
    form: QueryDict, player: Player, table: Table, seats: Sequence[Seat] | None
) -> Sent | None:
    """The moves that make what lies on the player's spots what the form says.

    What is to lie there is meant whatever has been bet meanwhile, so only the hand is named; `deal`
    ends the betting. None where the player has no part in that hand, or the round is over.
    """
    wanted, hand = wanted_from(form.get(SPOTS, "")), number_in(form, "played_hand")
    own = own_hand(player, table, seats) if table.hand_id == hand else None
    if own is None:
        return None
    moves: list[object] = [*moves_to(own.game, own.view, table.currency, wanted)]
    turn = table.turns.get(str(own.view.seat))
    if "deal" in form and turn is not None:
        moves.append({"do": Done.__struct_config__.tag})
    decision = Decision(hand, table.moves_made if turn is None else turn)
    return Sent(decision, moves, form.get("mix", ""))
