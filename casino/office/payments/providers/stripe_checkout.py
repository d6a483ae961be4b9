"""Stripe: its hosted checkout for deposits, its refunds for what goes back, its signed webhooks.

The library is an optional package of the house (`requirements-extras.txt`), imported when it is
first used. Withdrawals go back to the card that paid, as refunds, so no card is known here.
"""

import json
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final, TypeVar
from uuid import UUID

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from wallets.payments import (
    Away,
    Call,
    Declined,
    Dispute,
    Line,
    NotSigned,
    Outcome,
    Refund,
    Refunded,
    Started,
    State,
    Wanted,
)

# Of these its amounts have no decimals, or three; of all others two.
WITHOUT_DECIMALS: Final = frozenset(
    (
        *("BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA"),
        *("PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"),
    )
)
WITH_THREE: Final = frozenset(("BHD", "JOD", "KWD", "OMR", "TND"))
SECONDS_MAX: Final = 6
# What is created within this time before a day may be paid on that day.
BEFORE: Final = timedelta(hours=2)
SIGNED: Final = "Stripe-Signature"
# A message is refused that was signed so long ago.
OLD_SECONDS: Final = 300
# How far a dispute is by its status; others are inquiries, which move no money.
DISPUTES: Final = {
    **dict.fromkeys(("needs_response", "under_review", "lost"), State.PAID),
    **dict.fromkeys(("won", "warning_closed", "prevented"), State.FAILED),
}
# The name under which the provider keeps the house's key.
KEY: Final = "card_room_payment"

Found = TypeVar("Found")


class Stripe:
    name = "stripe"
    words: str | Promise = _("Card")

    @property
    def client(self) -> Any:
        return _client(settings.STRIPE_KEY, settings.STRIPE_API)

    def takes(self, currency: str, exponent: int) -> bool:
        if len(currency) != 3:
            return False
        return exponent == (
            0 if currency in WITHOUT_DECIMALS else 3 if currency in WITH_THREE else 2
        )

    def start(self, wanted: Wanted) -> Started:
        price = {
            "currency": wanted.currency.lower(),
            "unit_amount": wanted.amount,
            "product_data": {"name": f"P{wanted.number}"},
        }
        given = {
            "mode": "payment",
            "line_items": [{"quantity": 1, "price_data": price}],
            "client_reference_id": str(wanted.key),
            "payment_intent_data": {"metadata": {KEY: str(wanted.key)}},
            "success_url": wanted.back,
            "cancel_url": wanted.back,
            "expires_at": int(wanted.until.timestamp()),
        }
        session = self._ask(
            lambda: self.client.v1.checkout.sessions.create(
                given, {"idempotency_key": str(wanted.key)}
            )
        )
        return Started(session.id, session.url or "")

    def confirm(self, reference: str) -> Outcome:
        session = self._ask(lambda: self.client.v1.checkout.sessions.retrieve(reference))
        if session.payment_status == "paid":
            return Outcome(State.PAID, session.amount_total, str(session.currency).upper())
        return Outcome(State.FAILED if session.status == "expired" else State.WAITING)

    def refund(self, refund: Refund) -> Refunded:
        if refund.reference:
            answer = self._read(lambda: self.client.v1.refunds.retrieve(refund.reference))
            return _refunded(answer)
        session = self._read(lambda: self.client.v1.checkout.sessions.retrieve(refund.payment))
        # The provider forgets a repeated key after a day, but not a refund.
        made = self._read(lambda: self._refunds({"payment_intent": session.payment_intent}))
        for answer in made:
            if _uuid(_kept(answer)) == refund.key:
                return _refunded(answer)
        given = {
            "payment_intent": session.payment_intent,
            "amount": refund.amount,
            "metadata": {KEY: str(refund.key)},
        }
        answer = self._ask(
            lambda: self.client.v1.refunds.create(given, {"idempotency_key": str(refund.key)})
        )
        return _refunded(answer)

    def reconcile(self, since: datetime, until: datetime) -> list[Line]:
        # A page may have been opened some time before it was paid.
        created = {"gte": int((since - BEFORE).timestamp()), "lt": int(until.timestamp())}
        sessions = self._ask(
            lambda: list(
                self.client.v1.checkout.sessions.list(
                    {"created": created, "limit": 100}
                ).auto_paging_iter()
            )
        )
        refunds = self._ask(lambda: self._refunds({"created": created}))
        lines = [
            _line(session, session.client_reference_id, session.amount_total, is_refund=False)
            for session in sessions
            if session.payment_status == "paid"
        ]
        return lines + [
            _line(refund, _kept(refund), refund.amount, is_refund=True)
            for refund in refunds
            if refund.status == "succeeded"
        ]

    def dispute(self, reference: str) -> Dispute:
        given = {"expand": ["payment_intent"]}
        return _dispute(self._read(lambda: self.client.v1.disputes.retrieve(reference, given)))

    def disputes(self, since: datetime, until: datetime) -> list[Dispute]:
        created = {"gte": int(since.timestamp()), "lt": int(until.timestamp())}
        given = {"created": created, "limit": 100, "expand": ["data.payment_intent"]}
        pages = self._ask(lambda: list(self.client.v1.disputes.list(given).auto_paging_iter()))
        return [_dispute(found) for found in pages]

    def read(self, body: bytes, headers: Mapping[str, str]) -> Call | None:
        """A signature is of the body and of a time, so an old message cannot be sent again."""
        import stripe  # noqa: PLC0415 - optional

        try:
            stripe.WebhookSignature.verify_header(
                body.decode(), headers.get(SIGNED, ""), settings.STRIPE_WEBHOOK_SECRET, OLD_SECONDS
            )
            event = json.loads(body)
            thing = event["data"]["object"]
            kind = thing.get("object")
        except (stripe.SignatureVerificationError, ValueError, KeyError, TypeError) as problem:
            raise NotSigned(str(problem)) from problem
        if kind == "checkout.session":
            return Call(str(thing.get("id")), _uuid(thing.get("client_reference_id")))
        if kind == "refund":
            return Call(str(thing.get("id")), _uuid((thing.get("metadata") or {}).get(KEY)))
        if kind == "dispute":
            return Call(str(thing.get("id")), None, is_dispute=True)
        return None

    def _refunds(self, of: Mapping[str, object]) -> list[Any]:
        return list(self.client.v1.refunds.list({**of, "limit": 100}).auto_paging_iter())

    def _read(self, ask: Callable[[], Found]) -> Found:
        """An error in reading decides nothing, such as that of a wrong key in the settings."""
        try:
            return self._ask(ask)
        except Declined as problem:
            raise Away(str(problem)) from problem

    def _ask(self, ask: Callable[[], Found]) -> Found:
        import stripe  # noqa: PLC0415 - optional

        try:
            return ask()
        except (stripe.CardError, stripe.InvalidRequestError) as problem:
            raise Declined(problem.user_message or type(problem).__name__) from problem
        except stripe.StripeError as problem:
            raise Away(type(problem).__name__) from problem


@lru_cache(maxsize=2)
def _client(key: str, base: str) -> Any:
    import stripe  # noqa: PLC0415 - optional

    # It would write a line for each question.
    logging.getLogger("stripe").setLevel(logging.WARNING)
    return stripe.StripeClient(
        key,
        http_client=stripe.RequestsClient(timeout=SECONDS_MAX),
        max_network_retries=0,
        base_addresses={"api": base} if base else None,
    )


def _refunded(found: Any) -> Refunded:
    states = {"succeeded": State.PAID, "failed": State.FAILED, "canceled": State.FAILED}
    outcome = Outcome(
        states.get(found.status, State.WAITING), found.amount, str(found.currency).upper()
    )
    return Refunded(found.id, outcome)


def _dispute(found: Any) -> Dispute:
    state = DISPUTES.get(found.status, State.WAITING)
    outcome = Outcome(state, found.amount, str(found.currency).upper())
    payment = found.payment_intent
    return Dispute(
        found.id, _uuid(_kept(payment) if payment else None), outcome, found.status == "lost"
    )


def _line(found: Any, key: object, amount: int, *, is_refund: bool) -> Line:
    return Line(
        found.id,
        _uuid(key),
        is_refund,
        amount,
        str(found.currency).upper(),
        datetime.fromtimestamp(found.created, UTC),
    )


def _kept(found: Any) -> object:
    return found.metadata[KEY] if found.metadata and KEY in found.metadata else None


def _uuid(text: object) -> UUID | None:
    with suppress(ValueError):
        return UUID(str(text))
    return None
