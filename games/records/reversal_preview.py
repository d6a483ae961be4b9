"""A preview of reversing a paid hand: who gains or loses what, and where.

It only reads: what it says is as true as the balances of that moment. `reversals` moves the money,
and holds every account while it does.
"""

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.models import Hand, Seat
from games.records.reversals import nets_of
from wallets.models import Account
from wallets.models.holders import player_reference
from wallets.money import limits


class Change(NamedTuple):
    """The change of one player's money, in minor units."""

    player: str
    is_bot: bool
    # The hand's results, and the results of reversing it.
    won: int
    change: int
    # Seat and wallet together, where money is taken from them.
    held: int
    # The amount that a winner can no longer pay; the house pays it for a bot.
    missing: int


class Preview(NamedTuple):
    changes: list[Change]
    # The sum that rake, bank and pools give back, and the shortfall that the house pays.
    house: int
    missing: int
    # Whether a colleague has to approve it.
    needs_approval: bool
    # Why it cannot be done at this moment, though perhaps later.
    not_now: str


def preview(hand: Hand, names: dict[int, str]) -> Preview:
    """Of a hand that is over and was paid; any other has nothing to give back."""
    changes = list(_changes(hand, names))
    won = sum(net for net in nets_of(hand).values() if net > 0)
    running = hand.table.hand_id is not None
    return Preview(
        changes=changes,
        house=-sum(one.change for one in changes),
        missing=sum(one.missing for one in changes if not one.is_bot),
        needs_approval=limits.reaches("reversal", won, hand.table.currency),
        not_now=_("A hand is live at this table. Reverse this one when it is over.")
        if running
        else "",
    )


def _changes(hand: Hand, names: dict[int, str]) -> Iterator[Change]:
    nets = nets_of(hand)
    seats = Seat.objects.filter(table=hand.table_id, left_at__isnull=True).select_related("stack")
    stacks = {seat.player_id: seat.stack.balance for seat in seats}
    wallets = dict(
        Account.objects.filter(
            kind=Account.Kind.PLAYER, owner__in=nets, currency=hand.table.currency
        ).values_list("owner", "balance")
    )
    for row in hand.seats.select_related("player").order_by("number"):
        reference = player_reference(row.player_id)
        won = nets.get(reference, 0)
        held = stacks.get(row.player_id, 0) + wallets.get(reference, 0)
        yield Change(
            player=names.get(row.number, row.player.username),
            is_bot=row.player.is_bot,
            won=won,
            change=-won,
            held=held,
            missing=max(0, won - held),
        )
