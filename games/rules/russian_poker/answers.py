"""The boxes' answers to a dealer who does not qualify, and the dealer's cards afterwards."""

from typing import Final

from msgspec.structs import replace

from games.rules.contract import Choice, Choices, Party
from games.rules.russian_poker.actions import Accept, BuyDealer
from games.rules.russian_poker.boxes import RussianBox, RussianState
from games.rules.russian_poker.dealer import dealer_draws

ANSWERS: Final = (Accept, BuyDealer)


def unanswered(state: RussianState) -> list[RussianBox]:
    """The boxes still in that have not said what they do about a dealer who does not qualify."""
    if state.phase != "dealer":
        return []
    return [box for box in state.boxes if box.is_in and not box.answer]


def answer_choices(state: RussianState, seat: Party, free: int) -> Choices:
    choices = []
    for box in unanswered(state):
        if box.seat == seat:
            choices.append(Choice("accept", box=box.box))
            if box.ante <= free:
                choices.append(Choice("buy_dealer", box=box.box, cost=box.ante))
    return tuple(choices)


def with_dealer_drawn(state: RussianState) -> RussianState:
    """The round when all have answered: the dealer draws if a player has bought the card."""
    state = replace(state, phase="over")
    if not [box for box in state.boxes if box.answer == "buy_dealer"]:
        return state
    draws = dealer_draws(state.dealer, state.cards, state.taken)
    return replace(state, dealer_draws=draws, taken=state.taken + len(draws))
