"""Shoes with known answers, and proofs of them that can be altered."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import strategies as st

from games.rules import verifying
from games.rules.cards import DECK, JOKERS, Card, composition
from games.rules.shoe import Sealed, SeatProof, ShoeProof, ShoeProtocol
from games.rules.verifying import Step

SECRET = bytes(range(32))
# The answers are those of the first version; the second differs in its commits alone.
PROTOCOL = ShoeProtocol("T1-1", 1)
REVEALS = {seat: bytes([seat]) * 32 for seat in (1, 4, 6)}
COMMITS = {seat: PROTOCOL.commitment(seat, reveal) for seat, reveal in REVEALS.items()}
LABELS = {"wild": 51, "bonus-card": 52, "wheel-card": 52, "wheel": 100}
OCTETS = st.binary(min_size=32, max_size=32)


class Known(NamedTuple):
    cards: tuple[Card, ...]
    leaf_0: str
    seal: str
    lock: str
    mix: str
    cut: list[int]
    dealt: str
    draws: dict[int, list[int]]


KNOWN = [
    Known(
        cards=composition(),
        leaf_0="3580f229c35f3fbdcf3674a25cd5436466bf6dc172c26dd8d80331e16b4fda58",
        seal="cf873102d73d1677606f1525ba09aa08bffe4df97d961387cd0ab55c191d8790",
        lock="a3941b6ecf6702eed3f7fd01a996801d5e185baf10b2003779791e8fb5129881",
        mix="88daa2d20f39c783c16e4856307d5ccbf89aaef18519098ebb3f6026b8778b54",
        cut=[37, 27, 43, 38, 17, 0, 4, 50],
        dealt="Kd7h4cJhAsJd9sQc9c4h2sKh",
        draws={1: [29, 5, 16, 51], 2: [38, 6, 23, 98]},
    ),
    Known(
        cards=composition(jokers=True),
        leaf_0="a75230edc6307666d22ac788214fe208b7d4fe9d4f15341d021e7869c7533738",
        seal="bb8ad521e77b0ee95871e28698470177fd6df19f1f7a16c7e5ff1e1205d805e4",
        lock="7e0c64b4814c8b7b073b0da8633502923ab6e7356c2d6ae26f796b088f0e16ac",
        mix="362f72c460f15b6c8edadcac49b4245a38f0e7c5625a0311e95ac5c477597594",
        cut=[19, 14, 1, 24, 6, 41, 46, 12],
        dealt="7s2d7cQhKs5d4s6cJcRJ3cTs",
        draws={1: [2, 33, 20, 69], 2: [45, 35, 47, 61]},
    ),
    Known(
        cards=composition(8),
        leaf_0="d63cc1091516c95fef1b5a7ecf6052f63486fd574a04d0b6c0170e56674c208f",
        seal="f9aff56de16ab2c429b3d0a770e7542edf1cb4e9f4cc732382f9735eaf57e3e3",
        lock="d7b05aae39e0d26032f15e484122f979db6ce67a4a15dbe65c67a294c97baa23",
        mix="601ffa4e78332893015b6e2e42c348e307a9cabdf51609709c7377ba37d6be66",
        cut=[312, 52, 210, 250, 332, 31, 96, 324],
        dealt="Ks6c7hTh2dQh8sAsKdQcJc3d",
        draws={1: [4, 48, 27, 93], 2: [35, 23, 44, 65]},
    ),
]
every_composition = pytest.mark.parametrize("known", KNOWN, ids=["52", "54", "416"])


def finished(
    cards: tuple[Card, ...] = KNOWN[1].cards,
    *,
    protocol: ShoeProtocol = PROTOCOL,
    secret: bytes = SECRET,
    players: dict[int, bytes] = REVEALS,
    house: tuple[int, ...] = (9,),
    first: int = 0,
    round_number: int = 2,
    opened: tuple[int, ...] = (0, 3, 20),
) -> ShoeProof:
    """What is published of a shoe after a hand with every kind of draw."""
    sealed = protocol.seal(secret, cards)
    reveals = players | {seat: protocol.house_reveal(secret, seat) for seat in house}
    commits = {seat: protocol.commitment(seat, reveal) for seat, reveal in reveals.items()}
    lock = protocol.lock(sealed.seal, commits)
    mix = protocol.mix(lock, reveals)
    order = protocol.cut(mix, len(cards))
    x_m = sealed.hidden.draws[round_number]
    return msgspec.structs.replace(
        at_seal(sealed, cards, first, round_number),
        version=protocol.version,
        seats=tuple(
            SeatProof(
                seat,
                "house" if seat in house else "player",
                commits[seat].hex(),
                reveals[seat].hex(),
            )
            for seat in sorted(reveals)
        ),
        lock=lock.hex(),
        mix=mix.hex(),
        x_m=x_m.hex(),
        draws=tuple(protocol.draw(mix, x_m, label, n) for label, n in LABELS.items()),
        openings=tuple(sealed.open(order, k) for k in opened),
    )


def at_seal(sealed: Sealed, cards: tuple[Card, ...], first: int, round_number: int) -> ShoeProof:
    return ShoeProof(
        id=sealed.id,
        seal=sealed.seal.hex(),
        decks=cards.count(DECK[0]),
        jokers=JOKERS[0] in cards,
        key=sealed.key.hex(),
        x_0=sealed.x_0.hex(),
        leaves=tuple(leaf.hex() for leaf in sealed.leaves),
        first=first,
        round_number=round_number,
    )


PROOF = finished()


def steps(findings: tuple[verifying.Finding, ...]) -> list[Step]:
    return [finding.step for finding in findings]


def altered(
    proof: ShoeProof, path: tuple[str | int, ...], change: Callable[[Any], Any]
) -> ShoeProof:
    """The proof with one published value changed, read again as JSON is read."""
    plain = json.loads(msgspec.json.encode(proof))
    inner = plain
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = change(inner[path[-1]])
    return msgspec.json.decode(msgspec.json.encode(plain), type=ShoeProof)


def flip(bit: int) -> Callable[[str], str]:
    return lambda digits: f"{int(digits, 16) ^ 1 << bit:064x}"
