"""Malformed shoes, seats, draws and secrets are refused with their codes."""

from collections.abc import Callable

import msgspec
import pytest

from games.rules import shoe, verifying
from games.rules.cards import DECK, JOKERS, composition
from games.rules.errors import Unreadable
from games.rules.shoe import ShoeProtocol
from tests.rules.cases import each, unreadable
from tests.rules.shoe_proofs import COMMITS, PROOF, PROTOCOL, REVEALS, SECRET

SEALED = PROTOCOL.seal(SECRET, DECK)
SHORT, LONG = bytes(31), bytes(33)


@each(
    ("shoe_id", lambda: ShoeProtocol("")),
    ("shoe_id", lambda: ShoeProtocol("T1|1")),
    ("shoe_id", lambda: ShoeProtocol("T1 1")),
    ("shoe_id", lambda: ShoeProtocol("T1-1\n")),
    ("shoe_id", lambda: ShoeProtocol("Tä-1")),
    ("shoe_id", lambda: ShoeProtocol("T" * 101)),
    ("length", lambda: PROTOCOL.seal(SHORT, DECK)),
    ("length", lambda: PROTOCOL.seal(LONG, DECK)),
    ("composition", lambda: PROTOCOL.seal(SECRET, ())),
    ("composition", lambda: PROTOCOL.seal(SECRET, DECK[:51])),
    ("composition", lambda: PROTOCOL.seal(SECRET, DECK[::-1])),
    ("composition", lambda: PROTOCOL.seal(SECRET, DECK * 9)),
    ("composition", lambda: PROTOCOL.seal(SECRET, DECK + JOKERS[::-1])),
    ("composition", lambda: PROTOCOL.seal(SECRET, DECK * 2 + JOKERS)),
    ("composition", lambda: PROTOCOL.seal(SECRET, JOKERS)),
    ("length", lambda: PROTOCOL.seal_over(SHORT, SECRET, SEALED.leaves)),
    ("length", lambda: PROTOCOL.seal_over(SECRET, LONG, SEALED.leaves)),
    ("length", lambda: PROTOCOL.seal_over(SECRET, SECRET, [SHORT, LONG])),
    ("length", lambda: shoe.perm(SHORT, b"", 5)),
    ("size", lambda: shoe.perm(SECRET, b"", 0)),
    ("size", lambda: shoe.perm(SECRET, b"", 65_537)),
    ("seat", lambda: PROTOCOL.commitment(0, SECRET)),
    ("seat", lambda: PROTOCOL.commitment(256, SECRET)),
    ("length", lambda: PROTOCOL.commitment(1, SHORT)),
    ("seat", lambda: PROTOCOL.house_reveal(SECRET, -1)),
    ("length", lambda: PROTOCOL.house_reveal(LONG, 1)),
    ("length", lambda: PROTOCOL.lock(SHORT, COMMITS)),
    ("length", lambda: PROTOCOL.lock(SECRET, {1: LONG})),
    ("seat", lambda: PROTOCOL.lock(SECRET, {0: SECRET})),
    ("seats", lambda: PROTOCOL.lock(SECRET, {})),
    ("length", lambda: PROTOCOL.mix(SHORT, REVEALS)),
    ("length", lambda: PROTOCOL.mix(SECRET, {1: SHORT})),
    ("seat", lambda: PROTOCOL.mix(SECRET, {256: SECRET})),
    ("seats", lambda: PROTOCOL.mix(SECRET, {})),
    ("length", lambda: PROTOCOL.cut(SHORT, 52)),
    ("size", lambda: PROTOCOL.cut(SECRET, 0)),
    ("length", lambda: PROTOCOL.link_back(SHORT)),
    ("length", lambda: PROTOCOL.draw(SHORT, SECRET, "wild", 51)),
    ("length", lambda: PROTOCOL.draw(SECRET, LONG, "wild", 51)),
    ("label", lambda: PROTOCOL.draw(SECRET, SECRET, "", 51)),
    ("label", lambda: PROTOCOL.draw(SECRET, SECRET, "Wild", 51)),
    ("label", lambda: PROTOCOL.draw(SECRET, SECRET, "wild\n", 51)),
    ("label", lambda: PROTOCOL.draw(SECRET, SECRET, "w" * 41, 51)),
    ("size", lambda: PROTOCOL.draw(SECRET, SECRET, "wild", 0)),
    ("position", lambda: SEALED.open(range(52), -1)),
    ("position", lambda: SEALED.open(range(52), 52)),
    ("hex", lambda: shoe.from_hex("")),
    ("hex", lambda: shoe.from_hex("0" * 63)),
    ("hex", lambda: shoe.from_hex("0" * 66)),
    ("hex", lambda: shoe.from_hex("A" * 64)),
    ("hex", lambda: shoe.from_hex("0" * 64 + "\n")),
    ("hex", lambda: shoe.from_hex("0g" * 32)),
    ("hex", lambda: verifying.verify(msgspec.structs.replace(PROOF, key="no key"))),
    ("draw", lambda: shoe.card_drawn(-1)),
    ("draw", lambda: shoe.card_drawn(52)),
    ("length", lambda: shoe.chain_on(SHORT, {})),
)
def test_unreadable_input_is_refused_with_its_code(
    code: str, attempt: Callable[[], object]
) -> None:
    unreadable(code, attempt)


def test_bounds_are_inside() -> None:
    assert PROTOCOL.commitment(1, SECRET) != PROTOCOL.commitment(255, SECRET)
    assert ShoeProtocol("T" * 100).seal(SECRET, composition(8, True)).id == "T" * 100


def test_a_refused_secret_is_not_repeated() -> None:
    secret = b"correct horse battery staple"
    with pytest.raises(Unreadable) as refusal:
        PROTOCOL.seal(secret, DECK)
    assert "horse" not in str(refusal.value) + repr(refusal.value)
