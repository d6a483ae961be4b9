"""Seats that take part in mixing a shoe, as their browsers would."""

import secrets

from games.models import Shoe, Table
from games.rules.shoe import ShoeProtocol
from games.shoes.custody import Receipt
from games.tables import commit_reveal
from tests.games.house import House

NAMES = ("alice", "bob", "carol")


def sealed_table(house: House, game: str = "doudizhu", names: tuple[str, ...] = NAMES) -> Table:
    """People at a table, the first shoe sealed before them."""
    return pause_at(house, house.table(game), names)


def pause_at(house: House, table: Table, names: tuple[str, ...]) -> Table:
    """These people sit down, and the first shoe is sealed before them."""
    for number, name in enumerate(names, 1):
        house.sit(house.player(name), table, number)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    return table


def shoe(table: Table) -> Shoe:
    table.refresh_from_db()
    assert table.shoe is not None
    return table.shoe


def commit_of(house: House, table: Table, name: str, octets: bytes) -> str:
    number = house.seat(table, name).number
    return ShoeProtocol(shoe(table).code).commitment(number, octets).hex()


def commit(house: House, table: Table, name: str) -> bytes:
    octets = secrets.token_bytes(32)
    own = commit_of(house, table, name, octets)
    commit_reveal.commit(house.person(name), table.pk, shoe(table).code, own, house.now)
    return octets


def withhold(house: House, table: Table, name: str) -> bytes:
    """Commit, and let the time to reveal go by; the bytes."""
    octets = commit(house, table, name)
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    house.until_due(table)
    return octets


def reveal(
    house: House, table: Table, name: str, octets: bytes, code: str | None = None
) -> Receipt:
    """Reveal to the shoe on the table, or to the one that is named; the receipt."""
    code = shoe(table).code if code is None else code
    return commit_reveal.reveal(house.person(name), table.pk, code, octets.hex(), house.now)
