"""The moves that make what lies on a viewer's spots what the page says is to lie there.

A page sends whole amounts by spot, so that the same request sent twice changes nothing more. Spots
that it does not name stay as they are.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from django.utils.translation import gettext_noop as _n
from msgspec import Meta

from games.boards.family import family_of
from games.boards.spots import Felt, Spot
from games.rules.contract import AnyGame, View
from games.rules.errors import Unreadable
from wallets.models import Currency
from wallets.values import AMOUNT_MAX

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
    return list(_moves([one for one in places if any((*one.now, *one.then))], wanted))


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
    blind = [one for one in places if opened and one is not opened]
    ante_changes = opened is not None and opened.now[0] != opened.then[0]
    first = [one for one in places if one not in blind]
    left: dict[str, tuple[int, int]] = {}
    for one in (*blind, *first):
        whole = one.now[0] and (not one.then[0] or (ante_changes and one in blind))
        left[one.main.key] = (0, 0) if whole else one.now
        less = [max(0, now - then) for now, then in zip(one.now, one.then, strict=True)]
        if whole:
            yield {"do": "remove", **one.where}
        elif any(less):
            left[one.main.key] = (one.now[0] - less[0], one.now[1] - less[1])
            yield {"do": "remove", **one.where, **_amounts(one, *less)}
    for one in (*first, *blind):
        amount, bonus = (then - now for now, then in zip(left[one.main.key], one.then, strict=True))
        if amount or bonus:
            is_blind = {"blind": True} if one in blind else {}
            yield {"do": one.main.do, **one.where, **_amounts(one, amount, bonus), **is_blind}


def _amounts(place: _Place, amount: int, bonus: int) -> dict[str, int]:
    return {"amount": amount, **({"bonus": bonus} if place.bonus else {})}


def _opened(places: list[_Place], wanted: Mapping[str, int]) -> _Place | None:
    """The open box where further ones are blind: the one that lies, or the first that was put."""
    antes = [one for one in places if one.main.ante and not one.main.is_blind]
    lying = [one for one in antes if one.now[0] and one.then[0]]
    order = list(wanted)
    put = sorted(
        (one for one in antes if one.then[0] and one.main.key in wanted),
        key=lambda one: order.index(one.main.key),
    )
    given_up = [one for one in antes if one.now[0]]
    return next(iter((*lying, *put, *given_up)), None)
