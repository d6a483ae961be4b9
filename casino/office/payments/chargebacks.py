"""What staff decide about a chargeback, each time with a second person.

The provider has paid it, so what the provider keeps is corrected, against the player's wallet or
against the house's variances. If the dispute is won later, the same is posted the other way round.
"""

from typing import Final, cast

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.office.desk.cash import variance_account
from casino.office.payments.advancing import sent_back_key
from casino.office.payments.asking import DECIDED, end, locked
from casino.office.payments.models import Payment
from casino.office.payments.verbs import PAY_OUT, AboutPayment, as_decided, way_of
from wallets.models import Account, Entry
from wallets.models.holders import player_reference
from wallets.money import cashier
from wallets.money.accounts import account
from wallets.money.ledger import Posted
from wallets.payments import cash_of
from wallets.staff import approvals
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted, money
from wallets.values.errors import Refused

# Of the posting, as the cashier's own corrections.
CORRECTION: Final = "correction"
Kind, Status, Way = Account.Kind, Payment.Status, Payment.Way
TAKE_BACK: Final = "payment.take_back"
BEAR: Final = "payment.bear"
GIVE_BACK: Final = "payment.give_back"


class OfChargeback(AboutPayment, Permitted):
    permission: str = PAY_OUT
    way: str = Way.CHARGEBACK

    def __init__(self, name: str, words: str | Promise, waits: str, ends: str) -> None:
        self.name, self.words, self.waits, self.ends = name, words, waits, ends

    def admit(self, order: Order) -> None:
        payment = locked(order.arguments["payment"])
        gives_back = self.ends == Status.RETURNED
        if payment.status != self.waits or (payment.posting_key is not None) != gives_back:
            raise Refused("payment_decided", DECIDED)
        if payment.player_id == order.maker.pk:
            raise Refused("own_money", _("A colleague must serve you."))
        if self.name == TAKE_BACK:
            if payment.source is None or payment.source.posting_key is None:
                raise Refused("never_booked", _("No wallet has had this payment."))
            owner = player_reference(payment.player_id)
            cashier.require(Kind.PLAYER, owner, payment.currency, payment.amount)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        payment = self.payment(arguments)
        return [
            Change(str(payment), "", str(way_of(payment))),
            Change(str(_("Player")), "", payment.player.username),
            Change(str(_("Amount")), "", money(payment.amount, payment.currency)),
        ]

    def carry_out(self, order: Order) -> Payment:
        payment = locked(order.arguments["payment"])
        before = payment.status
        if self.ends == Status.RETURNED:
            from_wallet = _is_from_wallet(payment)
            key = sent_back_key(payment)
            _post(payment, order._replace(key=key), payment.amount, from_wallet=from_wallet)
        else:
            from_wallet = self.ends == Status.TAKEN
            posted = _post(payment, order, -payment.amount, from_wallet=from_wallet)
            payment.posting, payment.posting_key = posted.transaction, order.key
        end(payment, self.ends, order.now, payment.words)
        order.note(
            self.name,
            payment.reference,
            before={"status": before},
            after=as_decided(payment),
        )
        return payment


def _is_from_wallet(payment: Payment) -> bool:
    """Whether the player has borne a chargeback, and not the house."""
    entries = Entry.objects.filter(transaction=payment.posting)
    return entries.filter(account__kind=Kind.PLAYER).exists()


def _post(payment: Payment, order: Order, amount: int, *, from_wallet: bool) -> Posted:
    """Add to who bears it what the provider has again, or take from them what it has paid."""
    at_provider = account(Kind.ISSUE, cash_of(payment.provider), payment.currency)
    if from_wallet:
        owner = player_reference(payment.player_id)
        return cashier.correct(owner, payment.currency, amount, at_provider, **order.stated)
    ends = (at_provider, variance_account(payment.currency))
    source, target = ends if amount < 0 else reversed(ends)
    return cashier.move_cash(CORRECTION, source, target, abs(amount), **order.stated)


VERBS: Final = cast(
    tuple[approvals.Verb, ...],
    (
        OfChargeback(
            TAKE_BACK, _("Take a chargeback from the wallet"), Status.DISPUTED, Status.TAKEN
        ),
        OfChargeback(BEAR, _("Bear a chargeback"), Status.DISPUTED, Status.BORNE),
        OfChargeback(GIVE_BACK, _("Return a chargeback that was won"), Status.WON, Status.RETURNED),
    ),
)
