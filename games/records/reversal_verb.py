"""Reversing a hand as a verb of staff: from a threshold on, a second person must approve."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from games.models import Hand
from games.records import reversals
from games.words.refusal import Hidden
from wallets import approvals, limits
from wallets.amounts import show_amount
from wallets.approvals import Arguments, Line, Order
from wallets.player import Viewer


class TakeHandBack:
    """Arguments: `hand`, a number, and `house_pays`."""

    name: str = reversals.VERB
    words: str | Promise = _("Reverse a hand")

    def may_propose(self, member: Viewer) -> bool:
        return member.has_perm(reversals.PERMISSION)

    def may_approve(self, member: Viewer, arguments: Arguments) -> bool:
        """Nobody who has played the hand decides about it."""
        hand = _hand(arguments)
        return (
            member.has_perm(reversals.PERMISSION)
            and not hand.seats.filter(player_id=member.pk).exists()
        )

    def check(self, arguments: Arguments) -> Arguments:
        return {"hand": _hand(arguments).pk, "house_pays": bool(arguments.get("house_pays"))}

    def subject(self, arguments: Arguments) -> str:
        return _hand(arguments).reference

    def state(self, arguments: Arguments) -> Arguments:
        return {"status": _hand(arguments).status}

    def needs_approval(self, arguments: Arguments) -> bool:
        """Whether all winners together would have to return as much as the limit."""
        hand = _hand(arguments)
        if hand.status != Hand.Status.FINISHED:
            return False
        moved = sum(net for net in reversals.nets_of(hand).values() if net > 0)
        return limits.reaches("reversal", moved, hand.table.currency)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Line]:
        """Each player's wallet and stack together move back by what the hand had brought."""
        hand = _hand(arguments)
        currency = hand.table.currency
        lines = [
            Line(
                row.player.username,
                f"{show_amount(row.net, currency)} {currency.code}",
                f"{show_amount(0, currency)} {currency.code}",
            )
            for row in hand.seats.select_related("player").order_by("number")
        ]
        words = {True: str(_("the house")), False: str(_("nobody"))}
        pays = Line(str(_("Who pays what is missing")), "", words[bool(arguments["house_pays"])])
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


def _hand(arguments: Arguments) -> Hand:
    hands = Hand.objects.select_related("table__currency")
    hand = hands.filter(pk=int(arguments.get("hand") or 0)).first()
    if hand is None:
        raise Hidden("no_such_hand", _n("There is no such hand."))
    return hand


def register() -> None:
    approvals.register(TakeHandBack())
