"""What players do: start a deposit, ask for a withdrawal, cancel it."""

from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import Q, Sum
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.office.payments import offered
from casino.office.payments.models import DESTINATION_MAX, Payment
from wallets.models.holders import player_reference
from wallets.money import cashier
from wallets.of_record.verbs import verb
from wallets.values.amounts import read_minor_units
from wallets.values.errors import Conflict, Refused

# Wallets show these in their reader's language.
FOR_OUTSIDE: Final = _n("a withdrawal that the player asked for")
CANCELLED: Final = _n("cancelled by the player")
NO_SUCH: Final = _("There is no such payment.")
DECIDED: Final = _("This payment is decided already.")
Status, Way = Payment.Status, Payment.Way
# How many deposits of a player may be open at once.
OPEN_MAX: Final = 5
# What is not made, or was made and came back, leaves the money with the payment.
NOT_BACK: Final = (
    *(Status.REFUSED, Status.CANCELLED, Status.RETURNED),
    *(Status.INQUIRED, Status.WON),
)


@verb("player:payment.start")
def start(
    player: Player, provider: str, currency: str, amount: int, *, key: UUID, now: datetime
) -> Payment:
    """Ask a provider for a deposit; a repeated key asks once. No money has moved yet."""
    amount = read_minor_units(amount)
    of = offered.provider_of(provider)
    money = offered.currency_for(of, currency)
    with transaction.atomic():
        player = held(player)
        wanted = Payment(
            way=Way.IN,
            provider=provider,
            player=player,
            currency=money,
            amount=amount,
            made_at=now,
            key=key,
            next_at=now,
        )
        if earlier := _same(wanted):
            return earlier
        offered.require_admitted(player, money, amount, now)
        _require_few_open(player)
        wanted.save(force_insert=True)
        return wanted


@verb("player:payment.ask")
def ask(  # noqa: PLR0913 - what a withdrawal is
    player: Player,
    provider: str,
    currency: str,
    amount: int,
    *,
    source: int | None = None,
    destination: str = "",
    key: UUID,
    now: datetime,
) -> Payment:
    """Set money aside for a withdrawal: to an account, or back to the payment that it came from."""
    amount = read_minor_units(amount)
    of = offered.provider_of(provider)
    money = offered.currency_for(of, currency)
    destination = " ".join(destination.replace("\0", " ").split())[:DESTINATION_MAX]
    with transaction.atomic():
        player = held(player)
        wanted = Payment(
            way=Way.OUT,
            provider=provider,
            player=player,
            currency=money,
            amount=amount,
            status=Status.ASKED,
            source_id=source,
            made_at=now,
            key=key,
        )
        if earlier := _same(wanted):
            return earlier
        offered.require_free(player)
        offered.require_known(player, now)
        if source is not None:
            _require_left(player, wanted)
        elif provider != "transfer":
            raise Refused("no_source", _("Choose the payment to which the money goes back."))
        elif not destination:
            raise Refused("no_destination", _("Say to which account the money goes."))
        else:
            wanted.destination = destination
        if Payment.objects.filter(
            player=player, currency=money, way=Way.OUT, status=Status.ASKED
        ).exists():
            raise Refused("request_waits", _("You have asked already: cancel that first."))
        reference = player_reference(player.pk)
        cashier.set_aside(reference, money, amount, key=key, actor=reference, reason=FOR_OUTSIDE)
        wanted.save(force_insert=True)
        return wanted


@verb("player:payment.cancel")
def cancel(player: Player, number: int, now: datetime) -> Payment:
    """The player wants the money in the wallet again, or pays no more; twice cancels once."""
    with transaction.atomic():
        payment = locked(number)
        if payment.player_id != player.pk:
            raise Refused("no_such_payment", NO_SUCH)
        if payment.status == Status.CANCELLED:
            return payment
        if payment.status == Status.ASKED:
            release(payment, player_reference(player.pk), CANCELLED)
        elif not payment.is_open_transfer:
            raise Refused("payment_decided", DECIDED)
        end(payment, Status.CANCELLED, now)
    return payment


def of_player(player: Player) -> list[Payment]:
    rows = Payment.objects.filter(player_id=player.pk).select_related("currency", "source")
    return list(rows.order_by("-pk")[:30])


def sources(player: Player) -> list[tuple[Payment, int]]:
    """The deposits to which money can go back, with what is left of each."""
    returning = [provider.name for provider in offered.providers() if provider.name != "transfer"]
    paid = Payment.objects.filter(
        player_id=player.pk, way=Way.IN, status=Status.CONFIRMED, provider__in=returning
    )
    rows = paid.select_related("currency").annotate(
        back=Sum("refunds__amount", filter=~Q(refunds__status__in=NOT_BACK))
    )
    sources = [(payment, payment.came - (payment.back or 0)) for payment in rows.order_by("-pk")]
    return [pair for pair in sources if pair[1] > 0]


def release(payment: Payment, actor: str, why: str) -> None:
    """Put into the wallet again what was set aside."""
    cashier.release(
        player_reference(payment.player_id),
        payment.currency,
        payment.amount,
        key=release_key(payment),
        actor=actor,
        reason=why,
    )


def release_key(payment: Payment) -> UUID:
    """The key of the posting that returns what was set aside."""
    return uuid5(payment.key, "release")


def end(payment: Payment, status: str, now: datetime, words: str = "") -> None:
    payment.status, payment.decided_at, payment.words = status, now, words
    payment.next_at = None
    payment.save()


def locked(number: int) -> Payment:
    """A payment that no other transaction moves until this one ends."""
    rows = Payment.objects.select_for_update(no_key=True).filter(pk=number)
    payment = rows.first()
    if payment is None:
        raise Refused("no_such_payment", NO_SUCH)
    return payment


def held(player: Player) -> Player:
    return Player.objects.select_for_update(no_key=True).get(pk=player.pk)


def _require_few_open(player: Player) -> None:
    """Each open payment is asked about for days: a few are enough for one player."""
    rows = Payment.objects.filter(player=player, way=Way.IN, status=Status.STARTED)
    if rows.count() >= OPEN_MAX:
        raise Refused(
            "payments_open",
            _("{most} of your payments are open already: wait until one of them is over."),
            most=OPEN_MAX,
        )


def _same(wanted: Payment) -> Payment | None:
    """The payment that this key has made already, if it is the same."""
    earlier = Payment.objects.filter(key=wanted.key).first()
    names = ("way", "provider", "player_id", "currency_id", "amount", "source_id")
    if earlier and any(getattr(earlier, name) != getattr(wanted, name) for name in names):
        raise Conflict("conflict", _("The key has been used for another posting."))
    return earlier


def _require_left(player: Player, wanted: Payment) -> None:
    """Refuse more than is left of the payment to which it goes back."""
    left = {payment.pk: (payment, rest) for payment, rest in sources(player)}
    source, rest = left.get(wanted.source_id or 0, (None, 0))
    fits = source is not None and (source.provider, source.currency_id) == (
        wanted.provider,
        wanted.currency_id,
    )
    if not fits:
        raise Refused("no_source", _("Choose the payment to which the money goes back."))
    if wanted.amount > rest:
        raise Refused("source_short", _("So much of this payment is not left."))
