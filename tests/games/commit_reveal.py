"""Seats that take part in mixing a shoe, as their browsers would."""

import secrets
from hashlib import sha256

from games.models import Shoe, Table
from games.rules import links
from games.rules.shoe import ShoeProtocol
from games.shoes.custody import Receipt
from games.tables import device_links
from tests.games.house import House

LINKS = 20
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


class Device:
    """A seat's device with a chain, which is the same each time unless another is asked for."""

    def __init__(self, house: House, table: Table, name: str, other: str = "") -> None:
        self.house, self.table, self.name = house, table, name
        self.number = house.seat(table, name).number
        protocol, secret = ShoeProtocol(f"T{table.pk}-0"), sha256(f"{name} {other}".encode())
        self.chain = links.chain_of(protocol, self.number, secret.digest(), LINKS)

    def start(self) -> None:
        self.send(f"start {self.chain[0].hex()}")

    def link_for(self, lying: Shoe) -> str:
        """What the device sends for a locked shoe; nothing where none of its links is due."""
        part = lying.seats.filter(number=self.number, by_house=False, reveal="").first()
        tip = bytes.fromhex(part.commit) if part is not None else b""
        if lying.status != Shoe.Status.LOCKED or tip not in self.chain:
            return ""
        return f"{lying.code} {self.chain[self.chain.index(tip) + 1].hex()}"

    def answer(self) -> None:
        """Send what the house waits for."""
        self.table.refresh_from_db()
        if bytes.fromhex(self.house.seat(self.table, self.name).tip) not in self.chain:
            self.start()
        for lying in filter(None, (self.table.shoe, self.table.next_shoe)):
            if text := self.link_for(lying):
                self.send(text)
        self.table.refresh_from_db()

    def send(self, text: str) -> Receipt | None:
        return device_links.take(self.house.person(self.name), self.table.pk, text, self.house.now)


def commit(house: House, table: Table, name: str) -> bytes:
    """Start a chain; its first link."""
    device = Device(house, table, name, secrets.token_hex())
    device.start()
    return device.chain[1]


def end(house: House, table: Table, name: str, octets: bytes) -> None:
    """End the chain that `commit` has started."""
    tip = ShoeProtocol(f"T{table.pk}-0").commitment(house.seat(table, name).number, octets).hex()
    device_links.take(house.person(name), table.pk, f"end {tip}", house.now)


def withhold(house: House, table: Table, name: str) -> bytes:
    """Commit, and let the time to reveal go by; the bytes."""
    octets = commit(house, table, name)
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    house.until_due(table)
    return octets


def reveal(
    house: House, table: Table, name: str, octets: bytes, code: str | None = None
) -> Receipt:
    """Send a link for the shoe on the table, or for the one that is named; the receipt."""
    code = shoe(table).code if code is None else code
    return device_links.reveal(house.person(name), table.pk, code, octets.hex(), house.now)
