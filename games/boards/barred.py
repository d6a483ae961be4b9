"""What a seat could do in its game but not now, each with the reason that the rules give."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec
from django.utils.functional import Promise

from games.rules.catalogue import GAMES
from games.rules.contract import AnyGame, Choice, Choices, State
from games.rules.errors import Illegal
from games.words.forms import LABELS
from games.words.refusals import sentence_of
from wallets.models import Currency

# What stands in a family's bar, allowed or not, at the decisions where the choice before it is
# offered.
BARS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "doudizhu": {"play": ("pass",), "pass": ("pass",)},
    "blackjack": {
        "hit": ("hit", "stand", "double", "split", "surrender"),
    },
    "casino_holdem": {"fold": ("call",)},
    "russian_poker": {"fold": ("buy", "bet"), "accept": ("buy_dealer",)},
}


class Barred(NamedTuple):
    """A button that cannot be pressed now, and why."""

    do: str
    label: str | Promise
    reason: str


def barred(
    game: AnyGame, state: State, seat: int, choices: Choices, currency: Currency | None = None
) -> tuple[Barred, ...]:
    """The decisions of the game that are not among the choices; none while bets are placed."""
    offered = {choice.do for choice in choices}
    bars = BARS.get(GAMES[game.key].family, {})
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
) -> Iterator[Barred]:
    kinds: dict[str, Any] = {str(kind.__struct_config__.tag): kind for kind in game.actions}
    where = {"box": beside.box, "hand": beside.hand}
    for do in missing:
        names = {field.name for field in msgspec.structs.fields(kinds[do])}
        action = kinds[do](**{name: told for name, told in where.items() if name in names})
        try:
            game.apply(state, seat, action)
        except Illegal as reason:
            yield Barred(do, LABELS[do], sentence_of(reason, currency))
