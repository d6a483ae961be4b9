"""Who is dealt in, from which shoe, and what the world outside decides before a hand opens."""

from collections.abc import Sequence
from typing import Any

import msgspec

from games import shoes
from games.models import Seat, Shoe, Table
from games.pools import mystery_left
from games.rules.contract import AnyGame, LastingShoe
from games.rules.draws import drawn_context
from games.rules.shoe import ROUNDS_MAX, Draw
from wallets.models import Jackpot


def ready_seats(table: Table, seats: Sequence[Seat]) -> list[Seat]:
    """Those who can be dealt in, if there are enough of them; otherwise nobody."""
    return [
        seat
        for seat in seats
        if not (seat.sits_out or seat.leaves) and seat.stack.balance >= table.purse_min
    ]


def enough(game: AnyGame, ready: Sequence[Seat]) -> bool:
    """Whether a hand can begin: bots do not play for one another."""
    return len(ready) in game.seats and any(not seat.player.is_bot for seat in ready)


def shoe_goes_on(game: AnyGame, shoe: Shoe | None) -> bool:
    """Whether the shoe on the table is mixed and serves for one more hand."""
    if shoe is None or shoe.status != Shoe.Status.OPEN:
        return False
    if shoe.rounds_played == 0:
        return True
    return isinstance(game, LastingShoe) and shoe.rounds_played < ROUNDS_MAX


def is_spent(game: AnyGame, cards_left: int) -> bool:
    """Whether a round that began with so many cards in the shoe was its last."""
    return not isinstance(game, LastingShoe) or game.is_last_round(cards_left)


def next_button(table: Table, players: Sequence[Seat]) -> int:
    """The button moves on to the next seat that is dealt in."""
    numbers = sorted(seat.number for seat in players)
    last = table.button or 0
    return next((number for number in numbers if number > last), numbers[0])


def banker_of(game: AnyGame, button: int, players: Sequence[Seat]) -> int | None:
    """The banker's seat: at most tables with one it goes round; a fixed one has sat longest."""
    kind = getattr(game, "banker", "none")
    if kind == "none":
        return None
    if kind == "rotating":
        return button
    return min(players, key=lambda seat: (seat.sat_down_at, seat.number)).number


def context_for(
    table: Table,
    game: AnyGame,
    shoe: Shoe,
    players: Sequence[Seat],
    played: dict[str, Jackpot],
) -> tuple[dict[str, Any], list[Draw]]:
    """What is decided before the hand opens, and the draws behind it."""
    draws: list[Draw] = []

    def draw(label: str, n: int) -> int:
        draws.append(shoes.draw(shoe, shoe.rounds_played, label, n))
        return draws[-1].value

    decided: dict[str, Any] = dict(drawn_context(game, draw))
    known = game.context_type.__struct_fields__
    if "button" in known and table.button is not None:
        decided["button"] = table.button
        if (banker := banker_of(game, table.button, players)) is not None:
            decided["banker"] = banker
    if "redeals" in known:
        decided["redeals"] = table.redeals
    if "mystery_left" in known and (left := mystery_left(table, played)) is not None:
        decided["mystery_left"] = left
    return msgspec.to_builtins(decided), draws
