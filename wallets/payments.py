"""The port through which money comes from outside and returns there: four verbs of a provider.

A provider keeps the money of payments; the ledger says the same in an issue account of its own,
like a till's (`wallets/money/cashier.py`). What it answers is never believed twice: whoever calls a
provider posts under the key of the payment, and a payment has one key for its whole life.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple, Protocol, runtime_checkable
from uuid import UUID

from django.utils.functional import Promise

from wallets.values.registry import Registry


class Away(Exception):
    """The provider does not answer, or cannot: the same may be asked again later."""


class Declined(Exception):
    """The provider has decided against it; asking again changes nothing."""


class NotSigned(ValueError):
    """A message that says it is from a provider, and is not, or is too old."""


class State(StrEnum):
    """How far a payment is by its provider."""

    WAITING = "waiting"
    PAID = "paid"
    FAILED = "failed"


class Wanted(NamedTuple):
    """A payment to start: an amount in minor units of a currency, under its key."""

    key: UUID
    number: int
    amount: int
    currency: str
    exponent: int
    # Where the provider sends the browser afterwards.
    back: str
    # Until when the page is open.
    until: datetime


class Started(NamedTuple):
    """What the provider calls it, and the page where the player pays, if there is one."""

    reference: str
    address: str = ""


class Outcome(NamedTuple):
    """How far a payment or a refund is, by its provider, and what it moved."""

    state: State
    amount: int = 0
    currency: str = ""


class Refund(NamedTuple):
    """Money to return to whoever paid: of a payment, an amount, under a key of its own."""

    key: UUID
    # What the provider calls the payment, and the refund once it has a name.
    payment: str
    amount: int
    reference: str = ""


class Refunded(NamedTuple):
    reference: str
    outcome: Outcome


class Line(NamedTuple):
    """A payment or a refund in the provider's own list."""

    reference: str
    # The house's key of it, if the provider has kept it.
    key: UUID | None
    is_refund: bool
    amount: int
    currency: str
    at: datetime


class Dispute(NamedTuple):
    """A payment that its payer disputes: paid while the payer has the money, failed once not.

    It is waiting while the payer's bank only asks.
    """

    reference: str
    # The house's key of the payment, if the provider has kept it.
    key: UUID | None
    outcome: Outcome
    is_final: bool


class Provider(Protocol):
    """Each verb may raise `Away`, and is then called again with the same arguments."""

    name: str
    words: str | Promise

    def takes(self, currency: str, exponent: int) -> bool:
        """Whether it pays this currency, counted in the same minor units."""

    def start(self, wanted: Wanted) -> Started:
        """Open a payment; a repeated key opens none, and returns the first."""

    def confirm(self, reference: str) -> Outcome:
        """Ask how far a payment is."""

    def refund(self, refund: Refund) -> Refunded:
        """Return money; a repeated key returns it once."""

    def reconcile(self, since: datetime, until: datetime) -> list[Line] | None:
        """The completed payments and refunds of a time; None from one that keeps no list."""


class Call(NamedTuple):
    """A signed message of a provider: that something about a payment or a dispute is new."""

    reference: str
    key: UUID | None
    is_dispute: bool = False


@runtime_checkable
class Calling(Protocol):
    """A provider that calls the house. What a call says is asked again before it is believed."""

    def read(self, body: bytes, headers: Mapping[str, str]) -> Call | None:
        """Raise `NotSigned`, or return what the call is about; None if it is no payment."""


@runtime_checkable
class Disputing(Protocol):
    """A provider whose payers can have their bank take a payment back."""

    def dispute(self, reference: str) -> Dispute:
        """Ask how far a dispute is."""

    def disputes(self, since: datetime, until: datetime) -> list[Dispute]:
        """The disputes that began within a time."""


PROVIDERS: Final = Registry[Provider]("provider of payments")
OWNER: Final = "provider:"


def cash_of(provider: str) -> str:
    """The owner of the issue account of what a provider keeps for the house."""
    return f"{OWNER}{provider}"
