"""Chains of numbers: what a withheld, late, lost or repeated link gives to whom."""

import hashlib
import random
from typing import Any

import pytest

from games.rules import links
from games.rules.errors import Unreadable
from games.rules.shoe import ShoeProtocol

SEAT = 3
PROTOCOL = ShoeProtocol("T7-12-345678")
SECRET = bytes(range(32))
TIP, FIRST, SECOND, THIRD = (link.hex() for link in links.chain_of(PROTOCOL, SEAT, SECRET, 3))


def test_each_number_commits_to_the_next() -> None:
    text = b"CR2|T7|seat" + bytes([SEAT])
    assert hashlib.sha256(text + SECRET).hexdigest() == SECOND
    assert hashlib.sha256(text + bytes.fromhex(SECOND)).hexdigest() == FIRST
    assert hashlib.sha256(text + bytes.fromhex(FIRST)).hexdigest() == TIP
    assert SECRET.hex() == THIRD


def test_a_chain_serves_every_shoe_of_its_table_and_no_other_seat() -> None:
    octets = bytes.fromhex(FIRST)
    assert ShoeProtocol("T7-13-1").commitment(SEAT, octets).hex() == TIP
    for protocol, seat in (
        (ShoeProtocol("T8-12-345678"), SEAT),
        (PROTOCOL, SEAT + 1),
        (ShoeProtocol(PROTOCOL.id, 1), SEAT),
    ):
        assert protocol.commitment(seat, octets).hex() != TIP


@pytest.mark.parametrize(
    ("tip", "reveal", "after"),
    [
        pytest.param(TIP, FIRST, FIRST, id="the link came: it is the next commit"),
        pytest.param(TIP, "", "", id="withheld or lost: no lock asks for it again"),
        pytest.param(SECOND, "", SECOND, id="a new browser had started a chain: it stays"),
        pytest.param(SECOND, FIRST, SECOND, id="and where the link before it came"),
        pytest.param("", FIRST, "", id="the page was left: the chain has ended"),
    ],
)
def test_no_lock_waits_for_a_link_twice(tip: str, reveal: str, after: str) -> None:
    assert links.tip_after(tip, TIP, reveal) == after


@pytest.mark.parametrize(
    "text",
    ["", "start", f"start{TIP}", f"start  {TIP}", f"T7|1 {TIP}", f"T7-1 {TIP.upper()}",
     f"T7-1 {TIP}\n", f"T7-1\0 {TIP}", f"{'T' * 61} {TIP}", TIP],
)  # fmt: skip
def test_what_is_no_part_of_a_shoe(text: str) -> None:
    with pytest.raises(Unreadable):
        links.read(text)


def test_what_a_device_sends() -> None:
    assert links.read(f"start {TIP}") == (links.START, TIP)
    assert links.read(f"T7-12-345678 {FIRST}") == ("T7-12-345678", FIRST)


class Device:
    """A browser: it gives a link to one lock, over the number that it has shown last."""

    def __init__(self, chances: random.Random) -> None:
        self.chances = chances
        self.notes: dict[str, tuple[str, bytes]] = {}
        self.shown = set[bytes]()
        self.start()

    def start(self) -> str:
        self.chain = links.chain_of(PROTOCOL, SEAT, self.chances.randbytes(32), 40)
        self.at = 0
        return self.chain[0].hex()

    def link(self, lock: str, commit: str) -> bytes | None:
        """The link under a lock, once it is noted; None under a commit that it has left behind."""
        if lock in self.notes:
            noted, given = self.notes[lock]
            return given if noted == commit else None
        if commit != self.chain[self.at].hex():
            return None
        self.at += 1
        self.notes[lock] = commit, self.chain[self.at]
        return self.chain[self.at]


@pytest.mark.parametrize("seed", range(20))
def test_a_house_that_hides_links_never_knows_one_before_its_lock(seed: int) -> None:
    """It says of links that they did not come, asks again, under old commits or new locks.

    Whatever it does, each lock to which a device gives a link is over a commit whose link the house
    had not seen when it made the seal: so it cannot choose a seal that fits the link.
    """
    chances = random.Random(seed)
    device, tip = Device(chances), ""
    seen: dict[str, bytes] = {}
    given = 0
    for shoe in range(200):
        tip = tip or device.start()
        commit = chances.choice([tip, tip, *seen])
        sealed_knowing = set(seen.values())
        for lock in (f"{shoe}", f"{shoe} again" if chances.random() < 0.3 else f"{shoe}"):
            link = device.link(lock, commit)
            if link is None:
                continue
            assert PROTOCOL.commitment(SEAT, link).hex() == commit
            assert link not in sealed_knowing
            given += 1
            # The house may forge that it has not come, and ask for it in another lock.
            seen[commit] = link
        came = commit in seen and chances.random() < 0.7
        tip = links.tip_after(tip, commit, seen[commit].hex() if came else "")
        if device.at >= 38:
            tip = ""
    assert given > 20


def test_a_device_that_would_answer_every_lock_gives_the_house_its_seal() -> None:
    """What the rule of one lock a link is for: without it the house knows the link at its seal."""

    class Careless(Device):
        def link(self, lock: str, commit: str) -> bytes | None:
            numbers = [number.hex() for number in self.chain]
            return self.chain[numbers.index(commit) + 1]

    device: Any = Careless(random.Random(1))
    tip = device.chain[0].hex()
    first = device.link("1", tip)
    # "It did not come": the house seals anew, knowing it, and asks for it again.
    assert device.link("2", tip) == first
    careful = Device(random.Random(1))
    tip = careful.chain[0].hex()
    assert careful.link("1", tip) == first
    assert careful.link("2", tip) is None
