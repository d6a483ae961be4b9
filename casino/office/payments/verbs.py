"""What staff do with payments: see what arrived, pay out, refuse, return, explain.

Money is moved by the same verb as at a till (`wallets/staff/cash_verbs.py`), so the same thresholds
decide whether a second person approves. The cash is what a provider keeps, not what is in a till.
"""

from datetime import datetime
from typing import Final, cast

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

from casino.office.payments import offered
from casino.office.payments.asking import DECIDED, NO_SUCH, end, held, locked, release
from casino.office.payments.models import Difference, Payment
from wallets.models import Account, Currency
from wallets.models.holders import player_reference
from wallets.money import limits
from wallets.money.ledger import Posted
from wallets.of_record.verbs import under
from wallets.payments import PROVIDERS, cash_of
from wallets.staff import approvals, journal
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.cash_verbs import DEPOSIT, WITHDRAWAL, CashVerb
from wallets.staff.permitted import Permitted, money
from wallets.values.errors import Refused
from wallets.values.player import Viewer

Status, Way = Payment.Status, Payment.Way
RECEIVE: Final = "payment.receive"
BOOK: Final = "payment.book"
PAY: Final = "payment.pay"
REFUND: Final = "payment.refund"
PAY_IN, PAY_OUT = "wallets.deposit", "wallets.withdraw"
REFUSE: Final = journal.register(
    "payment.refuse", _("Refuse a payment"), confirmed=True, permission=PAY_OUT
)
MANAGE: Final = "desk.manage_tills"
EXPLAIN: Final = journal.register("payment.explain", _("Explained a difference"), permission=MANAGE)


def payment_of(number: object, way: str) -> Payment:
    payment = None
    if type(number) is int:
        rows = Payment.objects.filter(pk=number, way=way)
        payment = rows.select_related("currency", "player").first()
    if payment is None:
        raise Refused("no_such_payment", NO_SUCH)
    return payment


class AboutPayment:
    """Arguments: the number of the `payment`, of the `way` that the verb decides about."""

    way: str

    def payment(self, arguments: Arguments) -> Payment:
        return payment_of(arguments.get("payment"), self.way)

    def check(self, arguments: Arguments) -> Arguments:
        return {"payment": self.payment(arguments).pk}

    def subject(self, arguments: Arguments) -> str:
        return f"payment:{arguments['payment']}"

    def state(self, arguments: Arguments) -> Arguments:
        return {"status": self.payment(arguments).status}


class OfPayment(AboutPayment, CashVerb):
    """Who is paid, and how much, follows from the payment."""

    def __init__(
        self, name: str, words: str | Promise, permission: str, sign: int, way: str, waits: str
    ) -> None:
        super().__init__(name, words, permission, sign)
        self.kind = DEPOSIT if sign > 0 else WITHDRAWAL
        self.way, self.waits = way, waits
        if sign < 0:
            # The player has set it aside by asking.
            self.holds = Account.Kind.ESCROW

    def check(self, arguments: Arguments) -> Arguments:
        payment = self.payment(arguments)
        moved = {
            "player": player_reference(payment.player_id),
            "currency": payment.currency_id,
            "amount": payment.came,
        }
        return {**CashVerb.check(self, moved), "payment": payment.pk}

    def require(self, order: Order, player: str, currency: Currency, amount: int) -> None:
        payment = locked(order.arguments["payment"])
        if payment.status != self.waits:
            raise Refused("payment_decided", DECIDED)
        payee = held(payment.player)
        if payee.pk == order.maker.pk:
            raise Refused("own_money", _("A colleague must serve you."))
        if self.sign > 0:
            offered.require_admitted(
                payee, payment.currency, payment.came, order.now, but=payment.pk
            )
            if self.name == RECEIVE and payment.provider != "transfer":
                raise Refused("not_by_hand", _("The provider says itself whether this was paid."))
            if payment.paid_currency not in ("", payment.currency_id):
                raise Refused("other_currency", _("It was paid in another currency: return it."))
        else:
            offered.require_free(payee)
        super().require(order, player, currency, amount)

    def cash_of(self, arguments: Arguments) -> str:
        return cash_of(self.payment(arguments).provider)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        payment = self.payment(arguments)
        by = [Change(str(payment), "", str(way_of(payment)))]
        if payment.target:
            by.append(Change(str(_("Goes to")), "", payment.target))
        if payment.paid_amount is not None:
            by.append(_asked_for(payment))
        return [*by, *super().describe(arguments, state)]

    def paid(self, order: Order, posted: Posted, currency: Currency) -> None:
        payment = locked(order.arguments["payment"])
        if payment.status != self.waits:
            raise Refused("payment_decided", DECIDED)
        payment.posting, payment.posting_key = posted.transaction, order.key
        if self.sign > 0:
            end(payment, Status.CONFIRMED, order.now)
        elif payment.source_id is None:
            end(payment, Status.PAID, order.now)
        else:
            payment.status, payment.next_at = Status.SENDING, order.now
            payment.attempts, payment.decided_at = 0, order.now
            payment.save()


class ReturnPayment(AboutPayment, Permitted):
    """Return a payment of another amount than was asked for, which no wallet has.

    From the bound of withdrawals on, and in a currency that the house has not, with a second
    person.
    """

    name: str = REFUND
    words: str | Promise = _("Return a payment to whoever paid")
    permission: str = PAY_OUT
    way: str = Way.IN

    def admit(self, order: Order) -> None:
        if locked(order.arguments["payment"]).status != Status.DIFFERS:
            raise Refused("payment_decided", DECIDED)

    def needs_approval(self, order: Order) -> bool:
        payment = self.payment(order.arguments)
        currency = Currency.objects.filter(pk=payment.paid_currency).first()
        return currency is None or limits.reaches(WITHDRAWAL, payment.came, currency)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        payment = self.payment(arguments)
        return [
            Change(str(payment), "", str(way_of(payment))),
            _asked_for(payment),
            Change(str(_p("payment", "Paid")), "", paid_otherwise(payment)),
        ]

    def carry_out(self, order: Order) -> Payment:
        payment = locked(order.arguments["payment"])
        before = payment.status
        payment.status, payment.decided_at = Status.REFUNDING, order.now
        payment.next_at, payment.attempts = order.now, 0
        payment.save()
        order.note(
            self.name,
            payment.reference,
            before={"status": before},
            after={"status": payment.status},
        )
        return payment


def _asked_for(payment: Payment) -> Change:
    return Change(str(_("Asked for")), "", money(payment.amount, payment.currency))


def way_of(payment: Payment) -> str | Promise:
    """How a payment moves, as readers call it; a house may have left its provider."""
    provider = PROVIDERS.get(payment.provider)
    return provider.words if provider else payment.provider


def paid_otherwise(payment: Payment) -> str:
    """What the provider says was paid, if that is not what was asked for."""
    if payment.paid_amount is None:
        return ""
    if payment.paid_currency == payment.currency_id:
        return money(payment.paid_amount, payment.currency)
    currency = Currency.objects.filter(pk=payment.paid_currency).first()
    if currency is None:
        # Nothing here says how many decimals it has.
        amount = gettext("{amount} minor units").format(amount=payment.paid_amount)
        return f"{payment.paid_currency} {amount}"
    return money(payment.paid_amount, currency)


def as_decided(payment: Payment) -> dict[str, object]:
    """What the journal says about a payment after a decision."""
    return {
        "status": payment.status,
        "player": player_reference(payment.player_id),
        "amount": payment.amount,
        "currency": payment.currency_id,
    }


@under(REFUSE)
def refuse(member: Viewer, number: int, reason: str, now: datetime) -> Payment:
    """A transfer did not come, or money is not paid out: with a reason that the player reads."""
    if not member.has_perm(PAY_OUT):
        raise Refused("not_permitted", _("Your role cannot do this."))
    reason = journal.reason_of(reason)
    with transaction.atomic():
        payment, who = locked(number), journal.by(member)
        before = payment.status
        if payment.way == Way.OUT and before == Status.ASKED:
            release(payment, who.reference, reason)
        elif not payment.is_open_transfer:
            raise Refused("payment_decided", DECIDED)
        end(payment, Status.REFUSED, now, reason)
        journal.write(
            who,
            REFUSE,
            payment.reference,
            before={"status": before},
            after=as_decided(payment),
            reason=reason,
            now=now,
        )
    return payment


@under(EXPLAIN)
def explain(member: Viewer, number: int, reason: str, now: datetime) -> Difference:
    """Settle a difference that no later list will: the journal says why."""
    if not member.has_perm(MANAGE):
        raise Refused("not_permitted", _("Your role cannot do this."))
    reason = journal.reason_of(reason)
    with transaction.atomic():
        rows = Difference.objects.select_for_update(no_key=True)
        difference = rows.filter(pk=number, closed_at=None).first()
        if difference is None:
            raise Refused("no_such_difference", _("This difference is settled already."))
        difference.closed_at, difference.words = now, reason
        difference.closed_by_name = member.username
        difference.save(update_fields=["closed_at", "words", "closed_by_name"])
        journal.write(
            journal.by(member),
            EXPLAIN,
            difference.reference,
            before={"here": difference.here, "there": difference.there},
            after={"settled": True, "provider": difference.provider},
            reason=reason,
            now=now,
        )
    return difference


VERBS: Final = cast(
    tuple[approvals.Verb, ...],
    (
        OfPayment(RECEIVE, _("A transfer has arrived"), PAY_IN, 1, Way.IN, Status.STARTED),
        OfPayment(BOOK, _("Book what was paid"), PAY_IN, 1, Way.IN, Status.DIFFERS),
        OfPayment(PAY, _("Pay out to outside"), PAY_OUT, -1, Way.OUT, Status.ASKED),
        ReturnPayment(),
    ),
)
