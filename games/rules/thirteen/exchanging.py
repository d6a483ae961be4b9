"""The Philippine exchange: all players give three cards at once, then receive three."""

from msgspec.structs import replace

from games.rules.cards import Card
from games.rules.errors import Illegal
from games.rules.thirteen.state import Exchange, Give, ThirteenState

ROUNDS_MAX = 2
GIFT_SIZE = 3
# How many places further on the cards go, counted in the way of dealing.
PLACES_ON = {"clockwise": 1, "opposite": 2, "anticlockwise": -1}


def order_exchanges(state: ThirteenState, action: Exchange) -> ThirteenState:
    """The banker's order; without an exchange all players arrange at once."""
    if action.rounds not in range(ROUNDS_MAX + 1):
        raise Illegal("exchange_rounds", "There are at most {most} exchanges.", most=ROUNDS_MAX)
    if not action.rounds:
        return replace(state, phase="arrange")
    return replace(
        state,
        phase="give",
        exchanges=action.rounds,
        exchanges_left=action.rounds,
        direction=action.direction,
        gifts=((),) * len(state.stakes),
    )


def give(state: ThirteenState, place: int, action: Give) -> ThirteenState:
    """A seat's gift, kept aside until the last has given."""
    if len(action.cards) != GIFT_SIZE:
        raise Illegal("gift_size", "A gift is {size} cards.", size=GIFT_SIZE)
    for card in action.cards:
        if card not in state.hands[place]:
            raise Illegal("card_not_held", "You do not hold {card}.", card=card.text)
    if len(set(action.cards)) < len(action.cards):
        raise Illegal("card_twice", "A card appears twice among those you pass.")
    gifts = (*state.gifts[:place], action.cards, *state.gifts[place + 1 :])
    state = replace(state, gifts=gifts)
    return _pass_on(state) if all(gifts) else state


def _pass_on(state: ThirteenState) -> ThirteenState:
    assert state.direction is not None
    step, count = PLACES_ON[state.direction], len(state.stakes)
    received = tuple(state.gifts[(place - step) % count] for place in range(count))
    hands = tuple(
        (*_without(hand, gift), *arriving)
        for hand, gift, arriving in zip(state.hands, state.gifts, received, strict=True)
    )
    left = state.exchanges_left - 1
    return replace(
        state,
        phase="give" if left else "arrange",
        exchanges_left=left,
        hands=hands,
        gifts=((),) * count if left else (),
        received=received,
    )


def _without(hand: tuple[Card, ...], gone: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(card for card in hand if card not in gone)
