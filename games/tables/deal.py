"""Whether a hand may open, whether a shoe continues, the button, and the context of the hand."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext_noop as _n

from games.models import HandSeat, Seat, Shoe, Table
from games.rules.cards import composition
from games.rules.contract import AnyGame, lasting_shoe
from games.rules.shoe import ROUNDS_MAX
from games.tables import admission
from games.tables.jackpots import mystery_left
from wallets.models import Jackpot
from wallets.values.errors import Refused


def no_new_hand(table: Table, now: datetime) -> Refused | None:
    """Return why no new hand opens here: the table is closing, or the house is halted."""
    if table.status != Table.Status.OPEN:
        return Refused("table_closed", _n("This table is closed."))
    return admission.held(now)


def is_mixed(shoe: Shoe) -> bool:
    """Whether the next hand is dealt from the current shoe.

    It continues from an earlier hand, or its cards were dictated and mixed elsewhere.
    """
    return shoe.status == Shoe.Status.OPEN


def is_spent(game: AnyGame, shoe: Shoe, dealt: int) -> bool:
    """Whether the round just played, which took this many cards, was the last of its shoe.

    Each round has its own draw, and a shoe has only so many.
    """
    lasting = lasting_shoe(game)
    if lasting is None or shoe.rounds_played >= ROUNDS_MAX:
        return True
    left = len(composition(shoe.decks, shoe.jokers)) - shoe.cards_dealt
    return lasting.is_last_round(left + dealt) or left < lasting.cards_for_a_round


def is_last(game: AnyGame, shoe: Shoe) -> bool:
    """Whether the round that is being dealt will be the last of its shoe, as far as one can tell.

    A round that takes many cards may turn out to be the last as well.
    """
    lasting = lasting_shoe(game)
    if lasting is None or shoe.rounds_played >= ROUNDS_MAX:
        return True
    return lasting.is_last_round(len(composition(shoe.decks, shoe.jokers)) - shoe.cards_dealt)


def next_button(table: Table, players: Sequence[Seat]) -> int:
    """The button moves on to the next seat that is dealt in."""
    numbers = sorted(seat.number for seat in players)
    last = table.button or 0
    return next((number for number in numbers if number > last), numbers[0])


def joined_since(table: Table, players: Sequence[Seat]) -> list[int]:
    """The seats whose players the hand before was dealt without; none in a table's first hand."""
    before = HandSeat.objects.filter(hand__table=table, hand__number=table.hands_dealt - 1)
    played = set(before.values_list("seat_id", flat=True))
    return sorted(seat.number for seat in players if played and seat.pk not in played)


def banker_of(game: AnyGame, button: int, players: Sequence[Seat]) -> int | None:
    """The seat of the banker, who rotates with the button or is the player who has sat longest."""
    kind = getattr(game, "banker", "none")
    if kind == "none":
        return None
    if kind == "rotating":
        return button
    return min(players, key=lambda seat: (seat.sat_down_at, seat.number)).number


def context_for(
    table: Table, game: AnyGame, players: Sequence[Seat], played: dict[str, Jackpot]
) -> dict[str, object]:
    """Return the facts before the hand opens; the shoe gives the rest."""
    decided: dict[str, object] = {}
    known = game.context_type.__struct_fields__
    if "button" in known and table.button is not None:
        decided["button"] = table.button
        if (banker := banker_of(game, table.button, players)) is not None:
            decided["banker"] = banker
    if "joined" in known and (joined := joined_since(table, players)):
        decided["joined"] = joined
    if "redeals" in known:
        decided["redeals"] = table.redeals
    if "mystery_left" in known and (left := mystery_left(table, played)) is not None:
        decided["mystery_left"] = left
    return decided
