"""The shoe in a hand record: its fields, and the secrets it cannot hold."""

import json

import msgspec
import pytest

from games.rules.cards import DECK
from games.rules.errors import Unreadable
from games.rules.shoe import ShoeProof
from tests.rules.cases import each, every
from tests.rules.shoe_proofs import KNOWN, PROOF, PROTOCOL, SECRET, altered, at_seal


def test_a_proof_goes_through_json_under_its_public_names() -> None:
    text = msgspec.json.encode(PROOF)
    assert msgspec.json.decode(text, type=ShoeProof) == PROOF
    plain = json.loads(text)
    assert list(plain) == [
        *("id", "seal", "decks", "jokers", "key", "x_0", "leaves", "from", "round"),
        *("seats", "lock", "mix", "x_m", "draws", "openings"),
    ]
    assert plain["seats"][3]["who"] == "house"
    assert list(plain["openings"][0]) == ["k", "card", "salt"]
    properties = msgspec.json.schema(ShoeProof)["$defs"]["ShoeProof"]["properties"]
    # A deal is there where it lies at several tables.
    assert [name for name in properties if name not in ("deal", "version")] == list(plain)


def test_unpublished_values_are_absent() -> None:
    sealed = PROTOCOL.seal(SECRET, DECK)
    assert list(json.loads(msgspec.json.encode(at_seal(sealed, DECK, 0, 1)))) == [
        *("id", "seal", "decks", "jokers", "key", "x_0", "leaves", "from", "round")
    ]


def test_a_seat_that_has_not_revealed_says_nothing_of_it() -> None:
    seat = msgspec.structs.replace(PROOF.seats[0], reveal=None)
    assert list(msgspec.to_builtins(seat)) == ["seat", "who", "commit"]


def test_a_proof_has_no_place_for_a_secret() -> None:
    plain = json.loads(msgspec.json.encode(PROOF))
    for inner in (plain, plain["seats"][0], plain["draws"][0], plain["openings"][0]):
        inner["secret"] = SECRET.hex()
        with pytest.raises(msgspec.ValidationError, match="unknown field `secret`"):
            msgspec.convert(plain, ShoeProof)
        del inner["secret"]
    assert msgspec.convert(plain, ShoeProof) == PROOF


def test_a_proof_tells_nothing_of_the_cards_that_are_not_open() -> None:
    sealed = PROTOCOL.seal(SECRET, KNOWN[1].cards)
    text = msgspec.json.encode(PROOF).decode()
    published = {opening.salt for opening in PROOF.openings}
    assert {salt.hex() for salt in sealed.hidden.salts if salt.hex() in text} == published
    assert len(published) == 3
    assert SECRET.hex() not in text
    assert not any(link.hex() in text for link in sealed.hidden.draws[3:])


def test_the_secret_side_of_a_shoe_is_kept_out_of_logs() -> None:
    sealed = PROTOCOL.seal(SECRET, DECK)
    text = repr(sealed)
    assert "Hidden(...)" in text
    assert repr(sealed.hidden.salts[0]) not in text
    assert "As" not in repr(sealed.hidden)


@each(
    (("id",), ""),
    (("id",), "T1|1"),
    (("id",), "T1-1\n"),
    (("seal",), "0" * 63),
    (("seal",), "0" * 64 + "\n"),
    (("key",), "A" * 64),
    (("x_0",), " " * 64),
    (("decks",), 0),
    (("decks",), 9),
    (("leaves",), []),
    (("from",), -1),
    (("from",), 432),
    (("round",), 0),
    (("round",), 257),
    (("seats", 0, "seat"), 0),
    (("seats", 3, "seat"), 256),
    (("seats", 0, "who"), "dealer"),
    (("draws", 0, "n"), 0),
    (("draws", 0, "value"), -1),
    (("draws", 0, "label"), "Wild"),
    (("draws", 0, "label"), "wild\n"),
    (("openings", 0, "k"), 432),
    (("openings", 0, "card"), "1c"),
)
def test_a_proof_that_is_none_is_not_read(path: tuple[str | int, ...], value: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        altered(PROOF, path, lambda _: value)


@every(order=[(0, 0), (1, 0)])
def test_seats_of_a_proof_ascend(order: tuple[int, int]) -> None:
    with pytest.raises(Unreadable, match="do not ascend") as refusal:
        altered(PROOF, ("seats",), lambda seats: [seats[index] for index in order])
    assert refusal.value.code == "seats"
