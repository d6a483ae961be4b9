"""The chain of hashes by which a seat's device takes part in mixing, and what a request says of it.

A device draws 32 bytes and hashes them again and again: the last hash is the tip of its chain, the
one before it the first link. A device starts its chain by sending the tip. Whatever was sent last
is the commit for the next shoe, and the link whose hash it is the reveal, which is at once the
commit for the shoe after that. So a device sends one number a shoe, and after the first no commit.

Each link is asked for in one lock only, whether it comes, comes late or never does: the house moves
the seat on to it, or takes the chain for ended (`tip_after`). A device sends no link under a second
lock, so a house that says that it did not get one gains nothing by asking for it again.
"""

import re
from typing import Final, NamedTuple

from games.rules.errors import Unreadable
from games.rules.shoe import HEX_32, ShoeProtocol

# How many links a device of ours draws at once.
LINKS: Final = 256
START: Final = "start"
END: Final = "end"
SHOE: Final = re.compile("[A-Za-z0-9-]{1,60}")


class Sent(NamedTuple):
    """The tip of a chain that starts or ends, or a link for the shoe that `what` names."""

    what: str
    value: str


def read(text: str) -> Sent:
    """Read what a device has sent: `start` or `end` and a tip, or a shoe's name and a link."""
    what, _space, value = text.partition(" ")
    if not SHOE.fullmatch(what) or not HEX_32.fullmatch(value):
        raise Unreadable("mix", "The part of a shoe is its name and 64 hexadecimal digits")
    return Sent(what, value)


def chain_of(protocol: ShoeProtocol, seat: int, secret: bytes, links: int = LINKS) -> list[bytes]:
    """A chain of so many links: its tip, then its links in the order in which they are sent."""
    chain = [secret]
    for _ in range(links):
        chain.append(protocol.commitment(seat, chain[-1]))
    return chain[::-1]


def tip_after(tip: str, commit: str, reveal: str) -> str:
    """The tip of a seat whose link was asked for in a lock that is over now.

    Without the link the chain has ended; a chain that was started meanwhile stays.
    """
    return reveal if tip == commit else tip
