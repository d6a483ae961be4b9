"""The formulas of an event's shoe: those of any shoe, with entrants in place of seats.

A number of two bytes names an entrant, as an event has more of them than a table has seats, and a
draw gives a whole order, not one number. For an entrant who committed and did not reveal, the house
supplies the number, with bytes that follow from the secret, which was sealed before the first
commit.

**Deals.** Where all tables of an event play the same deals, each deal is a separate shoe, whose
secret follows from that of the event. All of them are sealed with the event: its seal is the hash
of its own and theirs, so lock and mix are over them all. The mix of the event cuts each deal under
the deal's name.
"""

import hmac
from collections.abc import Mapping, Sequence
from itertools import chain

from games.rules.errors import Unreadable
from games.rules.shoe import ShoeProtocol, perm

ENTRANTS_MAX = 65_535


def _number(entrant: int) -> bytes:
    if not 1 <= entrant <= ENTRANTS_MAX:
        raise Unreadable("entrant", "{entrant} is no number of an entrant", entrant=entrant)
    return entrant.to_bytes(2, "big")


def _ascending(parts: Mapping[int, bytes]) -> list[tuple[bytes, bytes]]:
    if not parts:
        raise Unreadable("entrants", "An event's shoe needs at least one entrant")
    return [(_number(entrant), parts[entrant]) for entrant in sorted(parts)]


class EventProtocol(ShoeProtocol, frozen=True):
    def house_reveal(self, secret: bytes, seat: int) -> bytes:
        return hmac.digest(secret, self._name(b"entrant") + _number(seat), "sha256")

    def commitment(self, seat: int, reveal: bytes) -> bytes:
        return self._hash(b"entrant", _number(seat), reveal)

    def lock(self, seal: bytes, commits: Mapping[int, bytes]) -> bytes:
        return self._hash(b"lock", seal, *chain.from_iterable(_ascending(commits)))

    def mix(self, lock: bytes, reveals: Mapping[int, bytes]) -> bytes:
        return self._hash(b"mix", lock, *(value for _, value in _ascending(reveals)))

    def deal_name(self, round_number: int, deal: int) -> str:
        """By this name the cards of a deal are sealed, cut and drawn; both numbers begin at 1."""
        return f"{self.id}-R{round_number}-D{deal}"

    def deal_secret(self, secret: bytes, round_number: int, deal: int) -> bytes:
        """The secret of one deal: opening its cards tells nothing of another's."""
        numbers = round_number.to_bytes(2, "big") + deal.to_bytes(2, "big")
        return hmac.digest(secret, self._name(b"deal") + numbers, "sha256")

    def seal_with(self, seal: bytes, deals: Sequence[bytes]) -> bytes:
        """The seal of an event with deals: over its own seal, and those of all deals in order."""
        return self._hash(b"deals", seal, *deals)

    def order(self, mix: bytes, x_m: bytes, label: str, n: int) -> tuple[int, ...]:
        """The numbers 0 to n-1 in the order that a round of the shoe draws under a label."""
        key = self._hash(b"draw-mix", mix, x_m)
        return perm(key, self._name(label.encode()), n)
