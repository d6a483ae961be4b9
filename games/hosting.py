"""Between hands the house looks after its tables: seats are cleared, topped up, and filled.

Whoever leaves, is out of sight or keeps a seat too long without playing stands up. What was asked
for during the hand arrives. Bots come where a person waits for a game, as far as the table allows
them, and leave when no person is left. Each seat is a transaction of its own, so that one that
cannot be done does not hold up the others.
"""

from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.utils.translation import gettext_noop as _n

from games import keeping, seating
from games.autoplay import is_absent
from games.dealing import ready_seats
from games.hands import game_from
from games.models import Seat, Table
from games.paying import posting_key
from games.refusal import Refused
from games.rows import seats_at
from wallets import cashier
from wallets.errors import Refused as PostingRefused
from wallets.holders import player_reference
from wallets.models import Currency

# What a new player gets of a play money, in minor units.
WELCOME: Final = 1_000_000


def tidy(table_id: int, now: datetime) -> None:
    """Do what waits for the end of a hand."""
    keeping.hand_over(table_id, now)
    table = Table.objects.select_related("currency").get(pk=table_id)
    seats = seats_at(table)
    going = {seat.pk: why for seat in seats if (why := _has_to_go(table, seat, now)) is not None}
    people = [seat for seat in seats if not seat.player.is_bot and seat.pk not in going]
    for seat in seats:
        lonely = seat.player.is_bot and (not people or seat.stack.balance < table.purse_min)
        if lonely or seat.pk in going:
            seating.leave(seat.player, table_id, now, going.get(seat.pk, ""))
        elif seat.top_up:
            seating.top_up_after_hand(table_id, seat.pk, now)
    _note_the_idle(table, now)
    if people and table.status == Table.Status.OPEN:
        _invite_bots(table, now)


def _has_to_go(table: Table, seat: Seat, now: datetime) -> str | None:
    """Why a seat is given up now: an empty text where its player leaves, None where it is kept."""
    if seat.leaves:
        return ""
    if table.status != Table.Status.OPEN:
        return Seat.LeftWhy.CLOSED
    if is_absent(table, seat, now):
        return Seat.LeftWhy.ABSENT
    kept = timedelta(seconds=table.idle_seconds)
    if seat.idle_since is not None and now - seat.idle_since > kept:
        return Seat.LeftWhy.IDLE
    return None


def _note_the_idle(table: Table, now: datetime) -> None:
    seats = seats_at(table)
    ready = {seat.pk for seat in ready_seats(table, seats)}
    Seat.objects.filter(pk__in=ready, idle_since__isnull=False).update(idle_since=None)
    idle = [seat.pk for seat in seats if seat.pk not in ready and seat.idle_since is None]
    Seat.objects.filter(pk__in=idle).update(idle_since=now)


def _invite_bots(table: Table, now: datetime) -> None:
    """As many bots as the game still needs to begin."""
    seats = seats_at(table)
    bots = sum(1 for seat in seats if seat.player.is_bot)
    needed = game_from(table.game, table.options).seats[0] - len(ready_seats(table, seats))
    taken = {seat.number for seat in seats}
    free = [number for number in range(1, table.places + 1) if number not in taken]
    for number in free[: max(0, min(needed, table.bots_max - bots))]:
        bot = _idle_bot(table)
        if bot is None:
            return
        try:
            grant(bot, table.currency, table.buy_in_max, f"{table} {table.version}")
            seating.sit(bot, table.pk, number, table.buy_in_max, now, table.invitation)
        except (Refused, PostingRefused):
            # A person was quicker, or the house has no play money left for bots.
            return


def _idle_bot(table: Table) -> Any:
    """A bot that does not sit at this table, one that sits nowhere first."""
    seated = Seat.objects.filter(left_at__isnull=True)
    bots = get_user_model().objects.filter(is_bot=True, is_active=True)
    here = bots.exclude(pk__in=seated.filter(table=table).values("player"))
    return here.exclude(pk__in=seated.values("player")).first() or here.first()


def grant(player: Any, currency: Currency, amount: int, occasion: str) -> None:
    """Play money from the house; money of any other kind is never given away like that."""
    if currency.kind != Currency.Kind.PLAY:
        raise Refused("not_play_money", _n("Only play money is given away."))
    cashier.grant(
        player_reference(player.pk),
        currency,
        amount,
        key=posting_key(f"grant {player.pk} {currency.code} {occasion}"),
        actor="house",
        reason=occasion,
    )


def welcome(player: Any, currency: Currency) -> None:
    """Whoever first comes to a table for play money is given some, once."""
    if currency.kind == Currency.Kind.PLAY and not player.is_bot:
        grant(player, currency, WELCOME, "welcome")
