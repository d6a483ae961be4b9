"""Deals that lie at several tables: what an organiser proves of the shoe that they come from.

Each table has its own row for such a deal, so that cards and rounds are counted by table; the row
names the deal, and has its secret, its seal, and the lock and the mix of the organiser's shoe. The
organiser knows who mixed that shoe, and registers a function here that returns it.
"""

import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Final, NamedTuple

from games.models import Shoe, Table
from games.rules.cards import Card
from games.rules.errors import Unreadable
from games.rules.shoe import DealProof, Sealed
from wallets.storage.sealed_columns import sealed_column
from wallets.values.registry import Registry

Finder = Callable[[str], DealProof | None]
# Each tells how the deals are proved that it knows by their names.
FINDERS: Final = Registry[Finder]("finder of deals")
SECRET: Final = sealed_column(Shoe, "secret")


def proof_of(shoe: Shoe) -> DealProof | None:
    """Return the seal and mix of a shoe's deal; None if the shoe is its table's own."""
    if not shoe.deal:
        return None
    deal_proof = next((proof for finder in FINDERS.values() if (proof := finder(shoe.deal))), None)
    if deal_proof is None:
        raise Unreadable("deal", "There is no deal {deal}", deal=shoe.deal)
    return deal_proof


class Dictated(NamedTuple):
    """A deal that is mixed already: what it was sealed as, from which secret, and its mix."""

    sealed: Sealed
    secret: bytes
    lock: str
    mix: str


def lay(table: Table, dictated: Dictated, now: datetime) -> Shoe:
    """Lay a deal on a locked table: its next hand is dealt from it."""
    table.shoes_sealed += 1
    sealed, cards = dictated.sealed, dictated.sealed.hidden.deck
    code = f"T{table.pk}-{table.shoes_sealed}-{secrets.randbelow(10**6):06}"
    shoe = Shoe.objects.create(
        code=code,
        deal=sealed.id,
        table=table,
        decks=cards.count(cards[0]),
        jokers=Card.RED_JOKER in cards,
        secret=SECRET.seal(dictated.secret, code),
        seal=sealed.seal.hex(),
        key=sealed.key.hex(),
        x_0=sealed.x_0.hex(),
        lock=dictated.lock,
        mix=dictated.mix,
        status=Shoe.Status.OPEN,
        sealed_at=now,
        locked_at=now,
    )
    table.shoe = shoe
    return shoe
