"""Actions of a game that a seat cannot take now, each with the reason that the rules give."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from games.boards.family import family_of
from games.boards.forms import label_of
from games.rules.contract import AnyGame, Choice, Choices, State
from games.rules.errors import Illegal
from games.words.refusals import sentence_of
from wallets.models import Currency


class DisabledAction(NamedTuple):
    """A button that cannot be pressed now, and why."""

    do: str
    label: str
    reason: str


def disabled_actions(
    game: AnyGame, state: State, seat: int, choices: Choices, currency: Currency | None = None
) -> tuple[DisabledAction, ...]:
    """The decisions of the game that are not among the choices; none while bets are placed."""
    offered = {choice.do for choice in choices}
    bars = family_of(game).decision_bar(game)
    leads = next((choice for choice in choices if choice.do in bars), None)
    missing = [do for do in bars[leads.do] if do not in offered] if leads else []
    if leads is None or not missing:
        return ()
    return tuple(_refused(game, state, seat, leads, missing, currency))


def _refused(
    game: AnyGame,
    state: State,
    seat: int,
    beside: Choice,
    missing: list[str],
    currency: Currency | None,
) -> Iterator[DisabledAction]:
    kinds: dict[str, Any] = {str(kind.__struct_config__.tag): kind for kind in game.actions}
    where = {"box": beside.box, "hand": beside.hand}
    for do in missing:
        names = {field.name for field in msgspec.structs.fields(kinds[do])}
        action = kinds[do](**{name: value for name, value in where.items() if name in names})
        try:
            game.apply(state, seat, action)
        except Illegal as reason:
            yield DisabledAction(do, str(label_of(game, do)), sentence_of(reason, currency))
