"""Taking hands back, for operators: one that runs, or one that has been paid.

A hand that was paid is undone by one posting of its own that moves back all that the hand's posting
moved; nothing is deleted or changed. Money goes back to the stack it came from, or to the wallet
where that seat has been left since. It is taken from what lies before the winner at this table,
then from the winner's wallet, and never below zero: what is missing then refuses the whole, unless
the operator has said that the house pays it. `docs/ledger.md` says why.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.utils.translation import gettext_noop as _n

from games import play
from games.accounting import hold_books, recount
from games.models import ChainEntry, Hand, HandSeat, Table
from games.paying import posting_key
from games.refusal import Hidden, Refused
from games.rows import lock_table, seats_at, store_table
from wallets.accounts import account
from wallets.cashier import HOUSE
from wallets.holders import player_reference
from wallets.ledger import Leg, post
from wallets.models import Account, Currency, Entry

PERMISSION: Final = "games.void_hand"
KIND: Final = "hand_void"
# The ledger keeps a reason of 200 characters, and the hand says whose it is besides.
REASON_MAX: Final = 160


class Due(NamedTuple):
    """What a player is to give back, and the accounts it is taken from, one after the other."""

    row: HandSeat
    amount: int
    sources: tuple[int, ...]


def void(
    operator: Any, hand_id: int, reason: str, now: datetime, *, house_pays: bool = False
) -> Hand:
    """Take a hand back; asked again, it is answered as it stands."""
    if not operator.has_perm(PERMISSION):
        raise Refused("not_operator", _n("Only an operator takes hands back."))
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
        if hand.seats.filter(player=operator).exists():
            raise Refused(
                "own_hand", _n("You have played this hand: somebody else must take it back.")
            )
        if hand.status == Hand.Status.LIVE:
            hand = play.void(hand_id, reason, "operator", now)
        else:
            _give_back(operator, table, hand, reason, now, house_pays=house_pays)
        told = f"took it back: {reason}" + (" (the house pays what is missing)" * house_pays)
        LogEntry.objects.log_actions(operator.pk, [hand], CHANGE, told, single_object=True)
        return hand


def reversal_key(hand: Hand) -> Any:
    """The key of the posting that gives back what a hand has paid: there is one at most."""
    return posting_key(f"void {hand.reference}")


def _give_back(
    operator: Any, table: Table, hand: Hand, reason: str, now: datetime, *, house_pays: bool
) -> None:
    if table.hand_id is not None:
        # Stacks cannot leave the table while a hand runs, and that hand was opened with them.
        raise Refused(
            "hand_running",
            _n("A hand is being played at this table. Take this one back when that has ended."),
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
    hand.void_reason = f"operator: {reason}"
    hand.save(update_fields=["status", "reversed_at", "reversal", "void_reason"])
    hand.seats.update(status=hand.status)
    recount(hand)
    # Without the reason: what is in the chain is public and stays there.
    body = {"hand": hand.code, "shoe": hand.shoe_id}
    ChainEntry.objects.create(kind=KIND, body=body, made_at=now)
    store_table(table)


def _legs_back(table: Table, hand: Hand, *, house_pays: bool) -> list[Leg]:
    """The hand's posting the other way round, as far as money is still where it went."""
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
            stays = here.get(row.player_id) == row.seat.stack_id
            legs.append(Leg(row.seat.stack_id if stays else wallet, -won))
    # What is left are the accounts of the house: its bank, its rake, and pools.
    legs += [Leg(number, -amount) for number, amount in moved.items()]
    return legs + _collected(table, dues, legs, house_pays=house_pays)


def _collected(
    table: Table, dues: Iterable[Due], legs: Iterable[Leg], *, house_pays: bool
) -> list[Leg]:
    """What the winners give back; a bot's play money came from the house, which makes it good."""
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
                "Not all of what was won is there any more: {players} would have to give back "
                "{amount} beyond what their seat and wallet hold. The house can pay that."
            ),
            players=", ".join(lacking),
            amount=sum(lacking.values()),
        )
    return taken


def _held(accounts: set[int]) -> dict[int, int]:
    """What these accounts hold, locked in the order in which a posting locks them."""
    rows = Account.objects.select_for_update().filter(pk__in=accounts).order_by("pk")
    return dict(rows.values_list("pk", "balance"))
