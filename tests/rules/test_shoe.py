"""The shoe protocol against its known answers and its promises."""

import hashlib
import hmac
import struct
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import shoe
from games.rules.cards import DECK, cards_text, composition
from games.rules.shoe import Opening, ShoeProtocol
from tests.rules.cases import every
from tests.rules.shoe_proofs import (
    COMMITS,
    LABELS,
    OCTETS,
    PROTOCOL,
    REVEALS,
    SECRET,
    Known,
    every_composition,
)

# Known answers


@every_composition
def test_known_answers_of_seal_lock_mix_and_deal(known: Known) -> None:
    sealed = PROTOCOL.seal(SECRET, known.cards)
    assert sealed.leaves[0].hex() == known.leaf_0
    assert sealed.seal.hex() == known.seal
    lock = PROTOCOL.lock(sealed.seal, COMMITS)
    assert lock.hex() == known.lock
    mix = PROTOCOL.mix(lock, REVEALS)
    assert mix.hex() == known.mix
    order = PROTOCOL.cut(mix, len(known.cards))
    assert list(order[:8]) == known.cut
    assert cards_text(sealed.deal(order)[:12]) == known.dealt


@every_composition
def test_known_answers_that_are_the_same_for_every_composition(known: Known) -> None:
    sealed = PROTOCOL.seal(SECRET, known.cards)
    answers = [sealed.key, sealed.x_0, *sealed.hidden.draws[:3], sealed.hidden.salts[0], COMMITS[1]]
    assert [answer.hex() for answer in answers] == [
        "09a831de0c97f9727f7f6ddcdf6871011557076dfede6a70569f167c2d87d980",
        "9c406c3bfb1f3106ba6207a102fa93677868c7feff3d6e98bcf55593d3a2cd8c",
        "9c406c3bfb1f3106ba6207a102fa93677868c7feff3d6e98bcf55593d3a2cd8c",
        "f279f49bb4c34f47e8caeea6d65278dbd8b02844d9ac559bc95b6e39b7342e0d",
        "9a70e9c91122b288cdb3a5d089f976a720d19e0bf5b78fb5c510b7b391b44348",
        "155b6869940e82b5176d612965f680c72189da8fb3e9965cd0c829f74bb6b804",
        "8afeb2c2d9ba5da010386ed9d024b3c15a5603c228285766d2353ff5f2ce9215",
    ]


@every_composition
@pytest.mark.parametrize("round_number", [1, 2])
def test_known_answers_of_draws(known: Known, round_number: int) -> None:
    x_m = PROTOCOL.seal(SECRET, known.cards).hidden.draws[round_number]
    mix = bytes.fromhex(known.mix)
    drawn = [PROTOCOL.draw(mix, x_m, label, n).value for label, n in LABELS.items()]
    assert drawn == known.draws[round_number]


def test_known_answer_with_a_rejected_word() -> None:
    order = shoe.perm((69).to_bytes(32, "big"), b"kat", 52)
    assert order[:8] == (13, 3, 37, 50, 49, 2, 36, 32)
    digest = hashlib.sha256(bytes(order)).hexdigest()
    assert digest == "8f6a7a8d5c1616eaa37def12df3e553e565bec7e35c2b723a4a4ceabebc8dc73"


def test_a_word_at_the_limit_is_rejected() -> None:
    key = (403_801).to_bytes(32, "big")
    block = hmac.digest(key, b"kat" + bytes(4), "sha256")
    assert struct.unpack(">3H", block[:6]) == (65_535, 11_461, 843)
    # Thirds take the words below 65,535: the second word moves place 1 to the end, and the third,
    # which is odd, leaves the other two as they are.
    assert shoe.perm(key, b"kat", 3) == (0, 2, 1)


# Shuffling, sealing, drawing


@settings(deadline=None)
@given(OCTETS, st.binary(max_size=40), st.integers(1, 600))
def test_perm_keeps_every_number_once(key: bytes, label: bytes, n: int) -> None:
    assert sorted(shoe.perm(key, label, n)) == list(range(n))


def test_perm_reaches_its_bounds() -> None:
    assert shoe.perm(SECRET, b"", 1) == (0,)
    assert len(set(shoe.perm(SECRET, b"", 65_536))) == 65_536


@settings(deadline=None, max_examples=30)
@given(OCTETS, st.integers(1, 8), st.booleans())
def test_a_sealed_shoe_has_the_cards_of_its_composition(
    secret: bytes, decks: int, jokers: bool
) -> None:
    cards = composition(decks, jokers)
    sealed = PROTOCOL.seal(secret, cards)
    assert sorted(map(str, sealed.hidden.deck)) == sorted(map(str, cards))
    assert len(set(sealed.leaves)) == len(cards)


def test_the_chain_of_draws_leads_back_link_by_link() -> None:
    draws = PROTOCOL.seal(SECRET, DECK).hidden.draws
    assert len(draws) == 257
    assert all(PROTOCOL.link_back(link) == before for before, link in pairwise(draws))
    assert PROTOCOL.link_back(draws[256], 256) == draws[0]
    assert PROTOCOL.link_back(draws[5], 2) == draws[3]


def test_another_shoe_has_other_bytes_throughout() -> None:
    here, there = PROTOCOL.seal(SECRET, DECK), ShoeProtocol("T1-2").seal(SECRET, DECK)
    assert not {here.key, here.x_0, here.seal, *here.leaves, *here.hidden.salts} & {
        *(there.key, there.x_0, there.seal),
        *(*there.leaves, *there.hidden.salts),
    }
    assert PROTOCOL.house_reveal(SECRET, 1) != ShoeProtocol("T1-2").house_reveal(SECRET, 1)
    assert PROTOCOL.house_reveal(SECRET, 1) != PROTOCOL.house_reveal(SECRET, 2)


def test_seats_count_in_ascending_order_however_they_are_given() -> None:
    backwards = dict(reversed(COMMITS.items()))
    assert PROTOCOL.lock(SECRET, backwards) == PROTOCOL.lock(SECRET, COMMITS)
    assert PROTOCOL.mix(SECRET, dict(reversed(REVEALS.items()))) == PROTOCOL.mix(SECRET, REVEALS)


def test_a_card_draw_names_a_card_of_the_first_deck() -> None:
    assert [shoe.card_drawn(value).text for value in (0, 12, 13, 51)] == ["2c", "Ac", "2d", "As"]


# Opening


def test_every_card_of_a_shoe_opens_its_own_leaf_only() -> None:
    sealed = PROTOCOL.seal(SECRET, DECK)
    order = PROTOCOL.cut(SECRET, 52)
    dealt = sealed.deal(order)
    for k in range(52):
        opening = sealed.open(order, k)
        assert opening.card is dealt[k]
        assert PROTOCOL.opens(sealed.leaves, order, opening)
        elsewhere = Opening((k + 1) % 52, opening.card, opening.salt)
        assert not PROTOCOL.opens(sealed.leaves, order, elsewhere)


@every(k=[-1, 52])
def test_a_card_outside_the_shoe_opens_nothing(k: int) -> None:
    sealed, order = PROTOCOL.seal(SECRET, DECK), PROTOCOL.cut(SECRET, 52)
    opening = sealed.open(order, 51)
    assert not PROTOCOL.opens(sealed.leaves, order, Opening(k, opening.card, opening.salt))
