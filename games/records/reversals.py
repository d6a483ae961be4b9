"""Voiding live hands and reversing paid ones, for operators.

One posting reverses a paid hand: it moves back all that the hand's posting moved, and nothing is
deleted or changed. Money returns to its stack, or to the player's wallet if the player has left the
seat. It is taken from the winner's stack at this table, then from the winner's wallet, and never
below zero. If that is not enough, the reversal is refused unless the operator lets the house pay
the rest. `docs/ledger.md` says why.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from games.models import Hand, HandSeat, Seat, Table
from games.records.closed_days import hold_books, recount
from games.shoes import chain
from games.tables import hand_digest, hand_verbs
from games.tables.formats import format_of
from games.tables.lock import lock_table, seats_at, store_table
from games.tables.settle import posting_key
from wallets.models import Account, Currency, Entry
from wallets.models.holders import player_reference
from wallets.money import limits
from wallets.money.accounts import account
from wallets.money.cashier import HOUSE
from wallets.money.ledger import Leg, post
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.staff.approvals import Arguments, Change, Order
from wallets.values.amounts import show_amount
from wallets.values.errors import Hidden, Refused, require_none
from wallets.values.player import Viewer

PERMISSION: Final = "games.void_hand"
# A hand that is still played moves no money when it is taken back, so the floor may do it.
PERMISSION_LIVE: Final = "games.void_live_hand"
KIND: Final = "hand_void"
# The names of the verbs in the journal.
VERB: Final = "hand.reverse"
VERB_LIVE: Final = "hand.void"
# The ledger keeps a reason of 200 characters; the hand stores whose it is as well.
REASON_MAX: Final = 160


class Due(NamedTuple):
    """An amount that a player must return, and the accounts to take it from, in this order."""

    row: HandSeat
    amount: int
    sources: tuple[int, ...]


def void(
    operator: Viewer,
    hand_id: int,
    reason: str,
    now: datetime,
    *,
    house_pays: bool = False,
    cause: str = "",
) -> Hand:
    """Void or reverse a hand; if it is void already, return it unchanged.

    `games.records.reversals` decides before whether it needs a colleague's approval.
    """
    if not (operator.has_perm(PERMISSION) or operator.has_perm(PERMISSION_LIVE)):
        raise Refused("not_operator", _n("Your role cannot void or reverse hands."))
    reason = " ".join(reason.split())
    if not 1 <= len(reason) <= REASON_MAX:
        raise Refused("void_reason", _n("Say why, in 1 to {most} characters."), most=REASON_MAX)
    of_hand = Table.objects.filter(hands=hand_id).first()
    if of_hand is None:
        raise Hidden("no_such_hand", _n("There is no such hand."))
    with transaction.atomic():
        hold_books(Currency.objects.filter(pk=of_hand.currency_id))
        table = lock_table(of_hand.pk)
        hand = Hand.objects.select_related("shoe").get(pk=hand_id)
        if hand.status == Hand.Status.VOID:
            return hand
        require_not_played(operator, hand)
        before = hand.status
        verb = VERB_LIVE if before == Hand.Status.LIVE else VERB
        if before != Hand.Status.LIVE and not operator.has_perm(PERMISSION):
            raise Refused(
                "hand_paid", _n("This hand is over: only staff who may move money can reverse it.")
            )
        with under(verb):
            if hand.status == Hand.Status.LIVE:
                hand = hand_verbs.void(hand_id, reason, "operator", now)
            else:
                require_none(format_of(table).may_reverse(hand))
                _give_back(operator, table, hand, reason, now, house_pays=house_pays)
            journal.write(
                journal.by(operator),
                verb,
                hand.reference,
                before={"status": before, "nets": nets_of(hand)},
                after={"status": hand.status, "reversal": hand.reversal, "house_pays": house_pays},
                reason=reason,
                cause=cause,
            )
        return hand


def played_by(member: Viewer, hands: Iterable[int]) -> set[int]:
    """Those of these hands that a member of staff has played."""
    seats = HandSeat.objects.filter(player_id=member.pk, hand_id__in=hands)
    return set(seats.values_list("hand_id", flat=True))


def require_not_played(member: Viewer, hand: Hand) -> None:
    if played_by(member, [hand.pk]):
        raise Refused("own_hand", _n("You played this hand, so a colleague must reverse it."))


def nets_of(hand: Hand) -> dict[str, int]:
    """Return what each player won or lost, by reference; nothing of a hand that was not paid."""
    if hand.posting is None:
        return {}
    rows = hand.seats.order_by("number").values_list("player_id", "net")
    return {player_reference(player): net for player, net in rows}


def reversal_key(hand: Hand) -> UUID:
    """The key of the posting that reverses a hand; there is one at most."""
    return posting_key(f"void {hand.reference}")


def _give_back(
    operator: Viewer, table: Table, hand: Hand, reason: str, now: datetime, *, house_pays: bool
) -> None:
    if table.hand_id is not None:
        # Stacks cannot leave the table while a hand runs, and that hand was opened with them.
        raise Refused(
            "hand_running",
            _n("A hand is live at this table. Reverse this one when it is over."),
        )
    legs = _legs_back(table, hand, house_pays=house_pays)
    if legs:
        hand.reversal = reversal_key(hand)
        post(
            hand.reversal,
            KIND,
            legs,
            book=table.reference,
            reference=hand.reference,
            reason=reason,
            actor=player_reference(operator.pk),
        )
    hand.status, hand.reversed_at = Hand.Status.VOID, now
    hand.void_by, hand.void_text = "operator", reason
    hand.save(update_fields=["status", "reversed_at", "reversal", "void_by", "void_text"])
    hand.seats.update(status=hand.status)
    recount(hand)
    # Only a hash of the reason: the chain is public and cannot be changed.
    body = {"hand": hand.code, "shoe": hand.shoe_id, **hand_digest.published_of_void(hand)}
    chain.add(KIND, body, now)
    store_table(table)


def _legs_back(table: Table, hand: Hand, *, house_pays: bool) -> list[Leg]:
    entries = Entry.objects.filter(transaction__key=hand.posting) if hand.posting else ()
    moved = {entry.account_id: entry.amount for entry in entries}
    here = {seat.player_id: seat.stack_id for seat in seats_at(table)}
    legs, dues = [], []
    for row in hand.seats.select_related("seat", "player").order_by("number"):
        won = moved.pop(row.seat.stack_id, 0)
        wallet = account("player", player_reference(row.player_id), table.currency).pk
        if won > 0:
            sources = (here[row.player_id], wallet) if row.player_id in here else (wallet,)
            dues.append(Due(row, won, sources))
        elif won < 0:
            still_there = here.get(row.player_id) == row.seat.stack_id
            legs.append(Leg(row.seat.stack_id if still_there else wallet, -won))
    # The remaining accounts belong to the house: its bank, its rake, and pools.
    legs += [Leg(number, -amount) for number, amount in moved.items()]
    return legs + _collected(table, dues, legs, house_pays=house_pays)


def _collected(
    table: Table, dues: Iterable[Due], legs: Iterable[Leg], *, house_pays: bool
) -> list[Leg]:
    """Return the winners' part; the house pays for bots, because it gave them their play money."""
    promotion = account(Account.Kind.PROMOTION, HOUSE, table.currency).pk
    sources = {source for due in dues for source in due.sources}
    held = _held({promotion, *sources, *(leg.account for leg in legs)})
    taken: list[Leg] = []
    lacking: dict[str, int] = {}
    for row, amount, places in dues:
        due = amount
        for place in places:
            part = min(due, held[place])
            if part:
                taken.append(Leg(place, -part))
                due -= part
        if due:
            taken.append(Leg(promotion, -due))
            if not row.player.is_bot:
                lacking[row.player.username] = due
    if lacking and not house_pays:
        raise Refused(
            "not_covered",
            _n(
                "Some of the winnings are gone: {players} would have to return {amount} more "
                "than their seat and wallet hold. The house can pay the difference."
            ),
            players=", ".join(lacking),
            amount=sum(lacking.values()),
        )
    return taken


def _held(accounts: set[int]) -> dict[int, int]:
    """The balances of these accounts, locked in the same order as by a posting."""
    rows = Account.objects.select_for_update().filter(pk__in=accounts).order_by("pk")
    return dict(rows.values_list("pk", "balance"))


# The preview only reads: what it says is as true as the balances of that moment. `reversals`
# moves the money, and holds every account while it does.


class TakeHandBack:
    """Arguments: `hand`, a number, and `house_pays`."""

    name: str = VERB
    words: str | Promise = _("Reverse a hand")
    permission: str = PERMISSION
    missing: tuple[type[Exception], ...] = (Refused,)

    def may_propose(self, member: Viewer) -> bool:
        return member.has_perm(self.permission)

    def may_approve(self, member: Viewer, some: Sequence[Arguments]) -> list[bool]:
        """Players of the hand cannot decide about it."""
        hands = [int(arguments.get("hand", 0)) for arguments in some]
        played = played_by(member, hands)
        may = member.has_perm(self.permission)
        return [may and hand not in played for hand in hands]

    def check(self, arguments: Arguments) -> Arguments:
        return {"hand": _hand(arguments).pk, "house_pays": bool(arguments.get("house_pays"))}

    def admit(self, order: Order) -> None:
        """Nor can a member of staff propose to reverse a hand of their own."""
        require_not_played(order.maker, _hand(order.arguments))

    def subject(self, arguments: Arguments) -> str:
        return _hand(arguments).reference

    def state(self, arguments: Arguments) -> Arguments:
        return {"status": _hand(arguments).status}

    def needs_approval(self, order: Order) -> bool:
        """Whether all winners together would have to return as much as the limit."""
        hand = _hand(order.arguments)
        if hand.status != Hand.Status.FINISHED:
            return False
        moved = sum(net for net in nets_of(hand).values() if net > 0)
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
        return void(
            order.maker,
            order.arguments["hand"],
            order.reason,
            order.now,
            house_pays=order.arguments["house_pays"],
            cause=order.cause,
        )


class VoidHand(TakeHandBack):
    """The same for a hand that is still played: no money moves, so it needs no approval."""

    name: str = VERB_LIVE
    words: str | Promise = _("Void a live hand")
    permission: str = PERMISSION_LIVE

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
