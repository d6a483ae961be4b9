"""Reversing a hand as a verb of staff: from a threshold on, a second person must approve."""

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from games.models import Hand
from games.records import reversals
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
