"""Reversing a hand as a verb of staff, with a second person, and a preview of it.

The preview only reads: what it says is as true as the balances of that moment. `reversals` moves
the money, and holds every account while it does.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from games.models import Hand, Seat
from games.records import reversals
from games.records.reversals import nets_of
from wallets.models import Account
from wallets.models.holders import player_reference
from wallets.money import limits
from wallets.staff.approvals import Arguments, Change, Order
from wallets.values.amounts import show_amount
from wallets.values.errors import Hidden, Refused
from wallets.values.player import Viewer


class TakeHandBack:
    """Arguments: `hand`, a number, and `house_pays`."""

    name: str = reversals.VERB
    words: str | Promise = _("Reverse a hand")
    permission: str = reversals.PERMISSION
    missing: tuple[type[Exception], ...] = (Refused,)

    def may_propose(self, member: Viewer) -> bool:
        return member.has_perm(self.permission)

    def may_approve(self, member: Viewer, some: Sequence[Arguments]) -> list[bool]:
        """Players of the hand cannot decide about it."""
        hands = [int(arguments.get("hand", 0)) for arguments in some]
        played = reversals.played_by(member, hands)
        may = member.has_perm(self.permission)
        return [may and hand not in played for hand in hands]

    def check(self, arguments: Arguments) -> Arguments:
        return {"hand": _hand(arguments).pk, "house_pays": bool(arguments.get("house_pays"))}

    def admit(self, order: Order) -> None:
        """Nor can a member of staff propose to reverse a hand of their own."""
        reversals.require_not_played(order.maker, _hand(order.arguments))

    def subject(self, arguments: Arguments) -> str:
        return _hand(arguments).reference

    def state(self, arguments: Arguments) -> Arguments:
        return {"status": _hand(arguments).status}

    def needs_approval(self, order: Order) -> bool:
        """Whether all winners together would have to return as much as the limit."""
        hand = _hand(order.arguments)
        if hand.status != Hand.Status.FINISHED:
            return False
        moved = sum(net for net in reversals.nets_of(hand).values() if net > 0)
        return limits.reaches("reversal", moved, hand.table.currency)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        """Each player's wallet and stack together move back by what the hand had brought."""
        hand = _hand(arguments)
        currency = hand.table.currency
        lines = [
            Change(
                row.player.username,
                f"{show_amount(row.net, currency)} {currency.code}",
                f"{show_amount(0, currency)} {currency.code}",
            )
            for row in hand.seats.select_related("player").order_by("number")
        ]
        words = {True: str(_("the house")), False: str(_("nobody"))}
        pays = Change(str(_("Who pays the shortfall")), "", words[bool(arguments["house_pays"])])
        return [*lines, pays]

    def carry_out(self, order: Order) -> Hand:
        return reversals.void(
            order.maker,
            order.arguments["hand"],
            order.reason,
            order.now,
            house_pays=order.arguments["house_pays"],
            cause=order.cause,
        )


class VoidHand(TakeHandBack):
    """The same for a hand that is still played: no money moves, so it needs no approval."""

    name: str = reversals.VERB_LIVE
    words: str | Promise = _("Void a live hand")
    permission: str = reversals.PERMISSION_LIVE

    def check(self, arguments: Arguments) -> Arguments:
        if _hand(arguments).status == Hand.Status.FINISHED:
            raise Refused(
                "hand_paid", _n("This hand is over: only staff who may move money can reverse it.")
            )
        return super().check(arguments)

    def needs_approval(self, order: Order) -> bool:
        return False


def verb_for(hand: Hand) -> str:
    return VoidHand.name if hand.status == Hand.Status.LIVE else TakeHandBack.name


def _hand(arguments: Arguments) -> Hand:
    hands = Hand.objects.select_related("table__currency")
    hand = hands.filter(pk=int(arguments.get("hand") or 0)).first()
    if hand is None:
        raise Hidden("no_such_hand", _n("There is no such hand."))
    return hand


class Moved(NamedTuple):
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
    changes: list[Moved]
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
        house=-sum(change.change for change in changes),
        missing=sum(change.missing for change in changes if not change.is_bot),
        needs_approval=limits.reaches("reversal", won, hand.table.currency),
        not_now=gettext("A hand is live at this table. Reverse this one when it is over.")
        if running
        else "",
    )


def _changes(hand: Hand, names: dict[int, str]) -> Iterator[Moved]:
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
        yield Moved(
            player=names.get(row.number, row.player.username),
            is_bot=row.player.is_bot,
            won=won,
            change=-won,
            held=held,
            missing=max(0, won - held),
        )
