"""What the forms of acts at a table say, as moves that answer a decision.

Nothing is read but what is given: the event loop asks here, too (`casino/acts.py`).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from django.http import QueryDict
from django.utils.translation import gettext_noop as _n
from msgspec import Meta

from games.boards.family import family_of
from games.boards.forms import ANSWER, action_from, answers_from
from games.boards.own_view import own_hand
from games.boards.spots import Felt, Spot
from games.models import Seat, Table
from games.rules.contract import AnyGame, View
from games.rules.errors import Unreadable
from games.rules.house.actions import Done
from games.tables.decisions import Decision
from games.tables.hand_state import read_action
from games.words.refusals import sentence_of
from wallets.models import Currency
from wallets.values import AMOUNT_MAX
from wallets.values.errors import Refused
from wallets.values.player import Player

# A page sends whole amounts by spot, so that the same request sent twice changes nothing more.
# Spots that it does not name stay as they are.

# More than the spots of any table.
SPOTS_MAX: Final = 30
Amount = Annotated[int, Meta(ge=0, le=AMOUNT_MAX)]
Wanted = dict[str, Amount]
Moves = list[dict[str, Any]]


class _Place(NamedTuple):
    """A box or a spot with its bets now and as they are to be: the main bet, and the bonus."""

    main: Spot
    bonus: Spot | None
    now: tuple[int, int]
    then: tuple[int, int]

    @property
    def where(self) -> dict[str, Any]:
        value = self.main.value
        return {self.main.name: int(value) if value.isdecimal() else value}


def wanted_from(sent: str) -> Wanted:
    """The amounts that a page has sent as JSON."""
    try:
        wanted = msgspec.json.decode(sent, type=Wanted)
    except msgspec.DecodeError as error:
        raise Unreadable("bets", _n("These are not bets")) from error
    if not 1 <= len(wanted) <= SPOTS_MAX:
        raise Unreadable("bets", _n("These are not bets"))
    return wanted


def moves_to(game: AnyGame, view: View, currency: Currency, wanted: Wanted) -> Moves:
    """The moves of the viewer, none where all lies as wanted."""
    family = family_of(game)
    offer = family.bets(Felt(game, currency, (), family.bet_winnings(game)), view)
    if offer is None:
        raise Unreadable("bets", _n("These are not bets"))
    pairs: list[tuple[Spot, Spot | None]] = [(spot, None) for spot in offer.spots]
    pairs += [(box.main, box.bonus) for box in offer.boxes if box.main]
    places = [_place(main, bonus, wanted) for main, bonus in pairs]
    unknown = wanted.keys() - {spot.key for pair in pairs for spot in pair if spot}
    if unknown:
        raise Unreadable("bets", _n("These are not bets"))
    return list(_moves([place for place in places if any((*place.now, *place.then))], wanted))


def _place(main: Spot, bonus: Spot | None, wanted: Wanted) -> _Place:
    now = (main.standing, bonus.standing if bonus else 0)
    then = (
        wanted.get(main.key, now[0]),
        wanted.get(bonus.key, now[1]) if bonus else 0,
    )
    # A box is given up with all that is on it.
    return _Place(main, bonus, now, then if then[0] or not now[0] else (0, 0))


def _moves(places: list[_Place], wanted: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    """First what is taken back, the blind boxes before the open one, then what is bet after it."""
    opened = _opened(places, wanted)
    blind = [place for place in places if opened and place is not opened]
    ante_changes = opened is not None and opened.now[0] != opened.then[0]
    first = [place for place in places if place not in blind]
    left: dict[str, tuple[int, int]] = {}
    for place in (*blind, *first):
        whole = place.now[0] and (not place.then[0] or (ante_changes and place in blind))
        left[place.main.key] = (0, 0) if whole else place.now
        less = [max(0, now - then) for now, then in zip(place.now, place.then, strict=True)]
        if whole:
            yield {"do": "remove", **place.where}
        elif any(less):
            left[place.main.key] = (place.now[0] - less[0], place.now[1] - less[1])
            yield {"do": "remove", **place.where, **_amounts(place, *less)}
    for place in (*first, *blind):
        amount, bonus = (
            then - now for now, then in zip(left[place.main.key], place.then, strict=True)
        )
        if amount or bonus:
            is_blind = {"blind": True} if place in blind else {}
            yield {"do": place.main.do, **place.where, **_amounts(place, amount, bonus), **is_blind}


def _amounts(place: _Place, amount: int, bonus: int) -> dict[str, int]:
    return {"amount": amount, **({"bonus": bonus} if place.bonus else {})}


def _opened(places: list[_Place], wanted: Mapping[str, int]) -> _Place | None:
    """The open box where further ones are blind: the one that lies, or the first that was put."""
    antes = [place for place in places if place.main.ante and not place.main.is_blind]
    lying = [ante for ante in antes if ante.now[0] and ante.then[0]]
    order = list(wanted)
    put = sorted(
        (ante for ante in antes if ante.then[0] and ante.main.key in wanted),
        key=lambda place: order.index(place.main.key),
    )
    given_up = [ante for ante in antes if ante.now[0]]
    return next(iter((*lying, *put, *given_up)), None)


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
