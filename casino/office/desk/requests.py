"""Withdrawals that players ask for: set aside at once, then paid, refused or cancelled."""

from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from casino.office.desk.models import Receipt, WithdrawalRequest
from casino.office.desk.paying import DeskCash
from wallets.models import Account, Currency
from wallets.models.holders import lock_player, player_reference
from wallets.money import cashier
from wallets.money.ledger import is_posted
from wallets.of_record.verbs import under, verb
from wallets.staff import journal
from wallets.staff.approvals import Arguments, Order
from wallets.staff.permitted import currency_of
from wallets.values.amounts import read_minor_units
from wallets.values.errors import Conflict, Refused
from wallets.values.player import Player, Viewer

PAY: Final = "desk.pay"
PERMISSION: Final = "wallets.withdraw"
REFUSE: Final = journal.register(
    "withdrawal.refuse", _("Refuse a withdrawal"), confirmed=True, permission=PERMISSION
)
# Wallets show these in their reader's language.
FOR_THE_DESK: Final = _n("a withdrawal that the player asked for")
CANCELLED: Final = _n("cancelled by the player")
Status = WithdrawalRequest.Status


@verb("player:withdrawal.ask")
def ask(
    player: Player, currency: Currency, amount: int, *, key: UUID, now: datetime
) -> WithdrawalRequest:
    """Set money aside for the desk; a repeated key asks once."""
    currency, amount = currency_of(currency.code), read_minor_units(amount)
    reference = player_reference(player.pk)
    with transaction.atomic():
        lock_player(player)
        earlier = WithdrawalRequest.objects.filter(key=key).first()
        if earlier is not None:
            same = (earlier.player_id, earlier.currency_id, earlier.amount)
            if same != (player.pk, currency.code, amount):
                raise Conflict("conflict", _("The key has been used for another posting."))
            return earlier
        if waiting().filter(player_id=player.pk, currency=currency).exists():
            raise Refused("request_waits", _("You have asked already: cancel that first."))
        cashier.set_aside(
            reference, currency, amount, key=key, actor=reference, reason=FOR_THE_DESK
        )
        return WithdrawalRequest.objects.create(
            player_id=player.pk, currency=currency, amount=amount, made_at=now, key=key
        )


def waiting() -> QuerySet[WithdrawalRequest]:
    requests = WithdrawalRequest.objects.filter(status=Status.WAITING)
    return requests.select_related("player", "currency")


def of_player(player: Player) -> QuerySet[WithdrawalRequest]:
    requests = WithdrawalRequest.objects.filter(player_id=player.pk).select_related("currency")
    return requests.select_related("currency", "receipt").order_by("-pk")


@verb("player:withdrawal.cancel")
def cancel(player: Player, number: int, now: datetime) -> WithdrawalRequest:
    """The player wants the money in the wallet again; cancelling twice cancels once."""
    with transaction.atomic():
        request = _held(number)
        if request.player_id != player.pk:
            raise Refused("no_such_request", _("There is no such request."))
        if request.status != Status.CANCELLED:
            _end(request, Status.CANCELLED, player_reference(player.pk), CANCELLED, now)
    return request


@under(REFUSE)
def refuse(member: Viewer, number: int, reason: str, now: datetime) -> WithdrawalRequest:
    """Return the money to the wallet, with a reason that the player can read."""
    reason = journal.reason_of(reason)
    with transaction.atomic():
        request, who = _held(number), journal.by(member)
        _end(request, Status.REFUSED, who.reference, reason, now)
        journal.write(
            who,
            REFUSE,
            player_reference(request.player_id),
            before={"status": Status.WAITING},
            after={
                "status": Status.REFUSED,
                "amount": request.amount,
                "currency": request.currency_id,
            },
            reason=reason,
            now=now,
        )
    return request


def _held(number: int) -> WithdrawalRequest:
    """Lock a request, so that it is decided once."""
    rows = WithdrawalRequest.objects.select_for_update(no_key=True)
    request = rows.filter(pk=number).first()
    if request is None:
        raise Refused("no_such_request", _("There is no such request."))
    return request


def release_key(request: WithdrawalRequest) -> UUID:
    """The key of the posting that returns the money of a request."""
    return uuid5(request.key, "release")


def _end(request: WithdrawalRequest, status: str, actor: str, why: str, now: datetime) -> None:
    if request.status != Status.WAITING:
        raise Refused("request_decided", _("This request is decided already."))
    cashier.release(
        player_reference(request.player_id),
        request.currency,
        request.amount,
        key=release_key(request),
        actor=actor,
        reason=why,
    )
    request.status, request.decided_at = status, now
    request.words = why if status == Status.REFUSED else ""
    request.save(update_fields=["status", "decided_at", "words"])


class PayRequest(DeskCash):
    """Pay what was set aside. Arguments: the number of the `request`, and of the `till`."""

    holds = Account.Kind.ESCROW

    def check(self, arguments: Arguments) -> Arguments:
        number = arguments.get("request")
        request = None
        if type(number) is int:
            request = WithdrawalRequest.objects.filter(pk=number).first()
        if request is None:
            raise Refused("no_such_request", _("There is no such request."))
        payment = {
            "player": player_reference(request.player_id),
            "currency": request.currency_id,
            "amount": request.amount,
            "till": arguments.get("till"),
        }
        return {**super().check(payment), "request": request.pk}

    def state(self, arguments: Arguments) -> Arguments:
        return {"status": WithdrawalRequest.objects.get(pk=arguments["request"]).status}

    def admit(self, order: Order) -> None:
        request = _held(order.arguments["request"])
        if request.status != Status.WAITING and not is_posted(order.key):
            raise Refused("request_decided", _("This request is decided already."))
        super().admit(order)

    def with_receipt(self, order: Order, receipt: Receipt) -> None:
        request = _held(order.arguments["request"])
        if request.status != Status.WAITING:
            raise Refused("request_decided", _("This request is decided already."))
        request.status, request.decided_at, request.receipt = Status.PAID, order.now, receipt
        request.save(update_fields=["status", "decided_at", "receipt"])
