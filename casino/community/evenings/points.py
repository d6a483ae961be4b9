"""The points of evenings: a currency that is worth no money and is in no wallet.

Each seat gets as many as the table's buy-in when a player sits down and returns them when they
leave, so players need no money, and no score depends on who sat down first. Every hand is a posting
of the ledger like any other.
"""

from typing import Final

from django.utils.translation import gettext_noop as _n

from games.models import Seat, Table
from games.tables.formats import Posting
from wallets.models import Account, Currency
from wallets.money.accounts import account
from wallets.money.ledger import Leg, post

CODE: Final = "PTS"
# The stack of each player in stakes: more than a player loses in an evening.
STAKES_IN_A_STACK: Final = 10_000


def points() -> Currency:
    """The currency of points, which have no smaller unit."""
    return Currency.objects.get_or_create(
        code=CODE,
        defaults={"name": _n("Points of an evening"), "kind": Currency.Kind.CHIPS, "exponent": 0},
    )[0]


def move(table: Table, seat: Seat, amount: int, posting: Posting) -> None:
    """Put points on a seat, or take them from it with a negative amount."""
    source = account(Account.Kind.ISSUE, table.reference, CODE)
    legs = [Leg(source.pk, -amount), Leg(seat.stack_id, amount)]
    post(
        posting.key,
        "chips_issued" if amount > 0 else "chips_burnt",
        legs,
        book=table.reference,
        actor=posting.actor,
        reason=posting.reason,
        reference=seat.reference,
    )
