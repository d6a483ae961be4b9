"""The shoe protocol against its known answers, its promises and everything that may be altered."""

import hashlib
import hmac
import json
import struct
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import shoe, verifying
from games.rules.cards import DECK, JOKERS, Card, cards_text, composition
from games.rules.errors import Unreadable
from games.rules.shoe import Ceremony, Opening, Sealed, SeatProof, ShoeProof
from games.rules.verifying import Step

SECRET = bytes(range(32))
CEREMONY = Ceremony("T1-1")
REVEALS = {seat: bytes([seat]) * 32 for seat in (1, 4, 6)}
COMMITS = {seat: CEREMONY.commitment(seat, reveal) for seat, reveal in REVEALS.items()}
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
    ceremony: Ceremony = CEREMONY,
    secret: bytes = SECRET,
    players: dict[int, bytes] = REVEALS,
    house: tuple[int, ...] = (9,),
    first: int = 0,
    round_number: int = 2,
    opened: tuple[int, ...] = (0, 3, 20),
) -> ShoeProof:
    """What is published of a shoe after a hand with every kind of draw."""
    sealed = ceremony.seal(secret, cards)
    reveals = players | {seat: ceremony.house_reveal(secret, seat) for seat in house}
    commits = {seat: ceremony.commitment(seat, reveal) for seat, reveal in reveals.items()}
    lock = ceremony.lock(sealed.seal, commits)
    mix = ceremony.mix(lock, reveals)
    order = ceremony.cut(mix, len(cards))
    x_m = sealed.hidden.draws[round_number]
    return msgspec.structs.replace(
        at_seal(sealed, cards, first, round_number),
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
        draws=tuple(ceremony.draw(mix, x_m, label, n) for label, n in LABELS.items()),
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


# Known answers


@every_composition
def test_known_answers_of_seal_lock_mix_and_deal(known: Known) -> None:
    sealed = CEREMONY.seal(SECRET, known.cards)
    assert sealed.leaves[0].hex() == known.leaf_0
    assert sealed.seal.hex() == known.seal
    lock = CEREMONY.lock(sealed.seal, COMMITS)
    assert lock.hex() == known.lock
    mix = CEREMONY.mix(lock, REVEALS)
    assert mix.hex() == known.mix
    order = CEREMONY.cut(mix, len(known.cards))
    assert list(order[:8]) == known.cut
    assert cards_text(sealed.deal(order)[:12]) == known.dealt


@every_composition
def test_known_answers_that_are_the_same_for_every_composition(known: Known) -> None:
    sealed = CEREMONY.seal(SECRET, known.cards)
    answers = [
        sealed.key,
        sealed.x_0,
        *sealed.hidden.draws[:3],
        sealed.hidden.salts[0],
        COMMITS[1],
    ]
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
    x_m = CEREMONY.seal(SECRET, known.cards).hidden.draws[round_number]
    mix = bytes.fromhex(known.mix)
    drawn = [CEREMONY.draw(mix, x_m, label, n).value for label, n in LABELS.items()]
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
    sealed = CEREMONY.seal(secret, cards)
    assert sorted(map(str, sealed.hidden.deck)) == sorted(map(str, cards))
    assert len(set(sealed.leaves)) == len(cards)


def test_the_chain_of_draws_leads_back_link_by_link() -> None:
    draws = CEREMONY.seal(SECRET, DECK).hidden.draws
    assert len(draws) == 257
    assert all(CEREMONY.link_back(link) == before for before, link in pairwise(draws))
    assert CEREMONY.link_back(draws[256], 256) == draws[0]
    assert CEREMONY.link_back(draws[5], 2) == draws[3]


def test_another_shoe_has_other_bytes_throughout() -> None:
    here, there = CEREMONY.seal(SECRET, DECK), Ceremony("T1-2").seal(SECRET, DECK)
    assert not {here.key, here.x_0, here.seal, *here.leaves, *here.hidden.salts} & {
        *(there.key, there.x_0, there.seal),
        *(*there.leaves, *there.hidden.salts),
    }
    assert CEREMONY.house_reveal(SECRET, 1) != Ceremony("T1-2").house_reveal(SECRET, 1)
    assert CEREMONY.house_reveal(SECRET, 1) != CEREMONY.house_reveal(SECRET, 2)


def test_seats_count_in_ascending_order_however_they_are_given() -> None:
    backwards = dict(reversed(COMMITS.items()))
    assert CEREMONY.lock(SECRET, backwards) == CEREMONY.lock(SECRET, COMMITS)
    assert CEREMONY.mix(SECRET, dict(reversed(REVEALS.items()))) == CEREMONY.mix(SECRET, REVEALS)


def test_a_card_draw_names_a_card_of_the_first_deck() -> None:
    assert [shoe.card_drawn(value).text for value in (0, 12, 13, 51)] == ["2c", "Ac", "2d", "As"]


# What holds


@settings(deadline=None, max_examples=40)
@given(
    secret=OCTETS,
    shoe_id=st.from_regex("[A-Za-z0-9-]{1,100}", fullmatch=True),
    decks=st.integers(1, 3),
    jokers=st.booleans(),
    players=st.dictionaries(st.integers(1, 127), OCTETS, min_size=1, max_size=9),
    house=st.sets(st.integers(128, 255), max_size=3),
    round_number=st.integers(1, 256),
    opened=st.sets(st.integers(0, 51), max_size=20),
)
def test_an_honest_shoe_holds_in_every_step(
    *,
    secret: bytes,
    shoe_id: str,
    decks: int,
    jokers: bool,
    players: dict[int, bytes],
    house: set[int],
    round_number: int,
    opened: set[int],
) -> None:
    cards = composition(decks, jokers)
    proof = finished(
        cards,
        ceremony=Ceremony(shoe_id),
        secret=secret,
        players=players,
        house=tuple(house),
        round_number=round_number,
        opened=tuple(opened),
    )
    assert verifying.verify(proof) == ()
    audit = verifying.audit(secret, proof)
    assert audit.findings == ()
    assert sorted(map(str, audit.dealt)) == sorted(map(str, cards))
    drawn = {draw.label: shoe.told(draw.label, draw.value) for draw in proof.draws}
    assert verifying.verify_hand(proof, audit.dealt, drawn) == ()


def test_every_card_of_a_shoe_opens_its_own_leaf_only() -> None:
    sealed = CEREMONY.seal(SECRET, DECK)
    order = CEREMONY.cut(SECRET, 52)
    dealt = sealed.deal(order)
    for k in range(52):
        opening = sealed.open(order, k)
        assert opening.card is dealt[k]
        assert CEREMONY.opens(sealed.leaves, order, opening)
        elsewhere = Opening((k + 1) % 52, opening.card, opening.salt)
        assert not CEREMONY.opens(sealed.leaves, order, elsewhere)


@pytest.mark.parametrize("k", [-1, 52])
def test_a_card_outside_the_shoe_opens_nothing(k: int) -> None:
    sealed, order = CEREMONY.seal(SECRET, DECK), CEREMONY.cut(SECRET, 52)
    opening = sealed.open(order, 51)
    assert not CEREMONY.opens(sealed.leaves, order, Opening(k, opening.card, opening.salt))


def test_a_proof_holds_at_every_stage_of_publication() -> None:
    committed = tuple(msgspec.structs.replace(seat, reveal=None) for seat in PROOF.seats)
    dealt = msgspec.structs.replace(PROOF, draws=(), openings=())
    revealed = msgspec.structs.replace(dealt, x_m=None)
    unmixed = msgspec.structs.replace(revealed, mix=None)
    locked = msgspec.structs.replace(unmixed, seats=committed)
    unlocked = msgspec.structs.replace(locked, lock=None)
    sealed = msgspec.structs.replace(unlocked, seats=())
    for stage in (sealed, unlocked, locked, unmixed, revealed, dealt, PROOF):
        assert verifying.verify(stage) == ()
    assert verifying.audit(SECRET, locked) == verifying.Audit((), ())


# What does not hold

FLIPS = [
    (("seal",), Step.SEAL),
    (("key",), Step.SEAL),
    (("x_0",), Step.SEAL),
    *((("leaves", place), Step.SEAL) for place in (0, 26, 53)),
    *((("seats", index, "commit"), Step.COMMIT) for index in range(4)),
    *((("seats", index, "reveal"), Step.COMMIT) for index in range(4)),
    (("lock",), Step.LOCK),
    (("mix",), Step.MIX),
    (("x_m",), Step.DRAW_CHAIN),
    *((("openings", index, "salt"), Step.OPENING) for index in range(3)),
]


@pytest.mark.parametrize(("path", "step"), FLIPS, ids=str)
@settings(deadline=None, max_examples=10)
@given(bit=st.integers(0, 255))
def test_one_flipped_bit_is_found_at_its_step(
    path: tuple[str | int, ...], step: Step, bit: int
) -> None:
    assert steps(verifying.verify(altered(PROOF, path, flip(bit))))[0] is step


ALTERATIONS: list[tuple[tuple[str | int, ...], Callable[[Any], Any], Step]] = [
    (("id",), lambda name: name + "1", Step.SEAL),
    (("decks",), lambda decks: decks + 1, Step.SEAL),
    (("jokers",), lambda jokers: not jokers, Step.SEAL),
    (("leaves",), lambda leaves: leaves[:-1], Step.SEAL),
    (("leaves",), lambda leaves: [*leaves, leaves[0]], Step.SEAL),
    (("leaves",), lambda leaves: [leaves[1], leaves[0], *leaves[2:]], Step.SEAL),
    (("seats", 1, "seat"), lambda seat: seat + 1, Step.COMMIT),
    (("seats",), lambda seats: seats[1:], Step.LOCK),
    (("seats",), lambda seats: [], Step.LOCK),
    (("seats", 3), lambda seat: {**seat, "reveal": None}, Step.MIX),
    (("lock",), lambda lock: None, Step.LOCK),
    (("mix",), lambda mix: None, Step.MIX),
    (("x_m",), lambda x_m: None, Step.DRAW_CHAIN),
    (("round",), lambda number: number + 1, Step.DRAW_CHAIN),
    (("round",), lambda number: number - 1, Step.DRAW_CHAIN),
    *(
        (("draws", index, "value"), lambda value: value + 1, Step.DRAW)
        for index in range(len(LABELS))
    ),
    (("draws", 3, "n"), lambda n: n + 1, Step.DRAW),
    (("draws", 3, "label"), lambda label: "wheels", Step.DRAW),
    (("openings", 0, "k"), lambda k: k + 1, Step.OPENING),
    (("openings", 0, "k"), lambda k: 431, Step.OPENING),
    (("openings", 0, "card"), lambda card: "2c" if card != "2c" else "2d", Step.OPENING),
]


@pytest.mark.parametrize(("path", "change", "step"), ALTERATIONS)
def test_an_altered_field_is_found_at_its_step(
    path: tuple[str | int, ...], change: Callable[[Any], Any], step: Step
) -> None:
    assert steps(verifying.verify(altered(PROOF, path, change)))[0] is step


def test_a_finding_names_what_it_is_about() -> None:
    findings = verifying.verify(altered(PROOF, ("openings", 1, "salt"), flip(0)))
    assert [finding.sentence for finding in findings] == ["Card 3 does not fit its leaf"]
    findings = verifying.verify(altered(PROOF, ("seats", 2, "reveal"), flip(0)))
    assert findings[0].sentence == "Seat 6 revealed other bytes"
    findings = verifying.verify(altered(PROOF, ("draws", 3, "value"), lambda _: 7))
    assert [finding.sentence for finding in findings] == ["wheel of 100 did not give 7"]


def test_steps_are_known_by_these_names() -> None:
    assert [step.value for step in Step] == [
        *("seal", "commit", "lock", "mix", "draw-chain", "draw", "opening"),
        *("cards", "context", "house"),
    ]


def test_a_false_composition_fails_at_the_seal_alone() -> None:
    one_deck_more = altered(PROOF, ("decks",), lambda decks: decks + 1)
    assert steps(verifying.verify(one_deck_more)) == [Step.SEAL]


def test_the_house_cannot_choose_the_size_of_a_draw() -> None:
    assert PROOF.mix is not None
    assert PROOF.x_m is not None
    mix, x_m = shoe.from_hex(PROOF.mix), shoe.from_hex(PROOF.x_m)
    for label in ("wild", "bonus-card", "wheel-card", "lucky-card"):
        draw = CEREMONY.draw(mix, x_m, label, 50)
        assert steps(verifying.verify(msgspec.structs.replace(PROOF, draws=(draw,)))) == [Step.DRAW]
    other = CEREMONY.draw(mix, x_m, "wheel", 50)
    assert verifying.verify(msgspec.structs.replace(PROOF, draws=(other,))) == ()


def test_a_link_must_not_be_open_before_the_reveals() -> None:
    early = msgspec.structs.replace(
        PROOF,
        seats=tuple(msgspec.structs.replace(seat, reveal=None) for seat in PROOF.seats),
        mix=None,
        draws=(),
        openings=(),
    )
    assert steps(verifying.verify(early)) == [Step.MIX]


def test_no_reveal_may_come_before_the_lock() -> None:
    early = msgspec.structs.replace(PROOF, lock=None, mix=None, x_m=None, draws=(), openings=())
    assert steps(verifying.verify(early)) == [Step.LOCK]


def test_nothing_is_believed_without_lock_and_seats() -> None:
    bare = msgspec.structs.replace(PROOF, seats=(), lock=None)
    assert steps(verifying.verify(bare)) == [Step.LOCK, Step.MIX]


def test_no_seat_may_be_left_out_of_the_mix() -> None:
    assert PROOF.lock is not None
    kept = {seat.seat: shoe.from_hex(seat.reveal) for seat in PROOF.seats[1:] if seat.reveal}
    mix = CEREMONY.mix(shoe.from_hex(PROOF.lock), kept)
    withheld = msgspec.structs.replace(PROOF.seats[0], reveal=None)
    partial = msgspec.structs.replace(
        PROOF, seats=(withheld, *PROOF.seats[1:]), mix=mix.hex(), draws=(), openings=()
    )
    assert steps(verifying.verify(partial)) == [Step.MIX]


def test_a_hand_must_play_with_the_cards_and_draws_of_its_proof() -> None:
    dealt = verifying.audit(SECRET, PROOF).dealt
    proof = finished(first=3, opened=(3, 20))
    wild, bonus_card, wheel_card, wheel = (draw.value for draw in proof.draws)
    drawn: dict[str, int | str] = {
        "wild": wild,
        "bonus-card": DECK[bonus_card].text,
        "wheel-card": DECK[wheel_card].text,
        "wheel": wheel,
    }
    seen: list[Card | None] = list(dealt[3:21])
    assert verifying.verify_hand(proof, seen, drawn) == ()
    out_of_sight = [seen[0], *[None] * 16, seen[17]]
    assert verifying.verify_hand(proof, out_of_sight, drawn) == ()
    (finding,) = verifying.verify_hand(proof, seen[:17], drawn)
    assert (finding.step, finding.sentence) == (Step.CARDS, "The hand's card 20 is another")
    assert steps(verifying.verify_hand(proof, [None, *seen[1:]], drawn)) == [Step.CARDS]
    moved = msgspec.structs.replace(proof, first=4)
    assert steps(verifying.verify_hand(moved, seen, drawn)) == [Step.CARDS, Step.CARDS]
    findings = verifying.verify_hand(proof, seen, drawn | {"wild": wild + 1})
    assert [finding.sentence for finding in findings] == ["The hand's wild is another"]
    for other in ({"bonus-card": DECK[bonus_card - 1].text}, {"wheel-card": wheel_card}):
        assert steps(verifying.verify_hand(proof, seen, drawn | other)) == [Step.CONTEXT]
    assert steps(verifying.verify_hand(proof, seen, {})) == [Step.CONTEXT] * 4
    bare = msgspec.structs.replace(proof, draws=())
    assert steps(verifying.verify_hand(bare, seen, {"wheel": 0})) == [Step.CONTEXT]


@pytest.mark.parametrize("label", ["bonus-card", "wheel-card", "lucky-card"])
def test_a_card_that_is_drawn_is_told_by_its_name(label: str) -> None:
    assert [shoe.told(label, value) for value in (0, 51)] == ["2c", "As"]
    assert [shoe.told(other, 51) for other in ("wild", "lucky-game", "wheel")] == [51] * 3


def test_a_card_drawn_beyond_the_deck_is_another_card_than_any_named() -> None:
    forged = altered(PROOF, ("draws", 1, "value"), lambda _: 52)
    drawn = {draw.label: shoe.told(draw.label, draw.value) for draw in PROOF.draws}
    assert steps(verifying.verify_hand(forged, [], drawn)) == [Step.CARDS] * 3 + [Step.CONTEXT]


# Audit


@every_composition
def test_an_auditor_deals_the_whole_shoe_again(known: Known) -> None:
    audit = verifying.audit(SECRET, finished(known.cards, house=(), opened=()))
    assert audit.findings == ()
    assert len(audit.dealt) == len(known.cards)
    assert cards_text(audit.dealt[:12]) == known.dealt


def test_an_auditor_sees_another_secret_at_the_seal() -> None:
    findings = verifying.audit(bytes(32), finished(house=())).findings
    assert steps(findings) == [Step.SEAL]


def test_an_auditor_sees_everything_that_anyone_can_check() -> None:
    proof = altered(PROOF, ("lock",), flip(3))
    assert verifying.verify(proof) == verifying.audit(SECRET, proof).findings != ()


@pytest.mark.parametrize(("index", "who"), [(0, "house"), (3, "player")])
def test_an_auditor_sees_a_false_label(index: int, who: str) -> None:
    proof = altered(PROOF, ("seats", index, "who"), lambda _: who)
    assert verifying.verify(proof) == ()
    (finding,) = verifying.audit(SECRET, proof).findings
    assert finding.step is Step.HOUSE
    assert finding.sentence == f"Seat {proof.seats[index].seat} was not played by the {who}"


# The part of a hand record


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
    assert list(properties) == list(plain)


def test_what_is_not_published_yet_is_absent() -> None:
    sealed = CEREMONY.seal(SECRET, DECK)
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
    sealed = CEREMONY.seal(SECRET, KNOWN[1].cards)
    text = msgspec.json.encode(PROOF).decode()
    told = {opening.salt for opening in PROOF.openings}
    assert {salt.hex() for salt in sealed.hidden.salts if salt.hex() in text} == told
    assert len(told) == 3
    assert SECRET.hex() not in text
    assert not any(link.hex() in text for link in sealed.hidden.draws[3:])


def test_the_secret_side_of_a_shoe_stays_out_of_logs() -> None:
    sealed = CEREMONY.seal(SECRET, DECK)
    text = repr(sealed)
    assert "Hidden(...)" in text
    assert repr(sealed.hidden.salts[0]) not in text
    assert "As" not in repr(sealed.hidden)


@pytest.mark.parametrize(
    ("path", "value"),
    [
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
    ],
)
def test_a_proof_that_is_none_is_not_read(path: tuple[str | int, ...], value: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        altered(PROOF, path, lambda _: value)


@pytest.mark.parametrize("order", [(0, 0), (1, 0)])
def test_seats_of_a_proof_ascend(order: tuple[int, int]) -> None:
    with pytest.raises(Unreadable, match="do not ascend") as refusal:
        altered(PROOF, ("seats",), lambda seats: [seats[index] for index in order])
    assert refusal.value.code == "seats"


# Unreadable input

SEALED = CEREMONY.seal(SECRET, DECK)
SHORT, LONG = bytes(31), bytes(33)
BAD_INPUT: list[tuple[str, Callable[[], object]]] = [
    ("shoe_id", lambda: Ceremony("")),
    ("shoe_id", lambda: Ceremony("T1|1")),
    ("shoe_id", lambda: Ceremony("T1 1")),
    ("shoe_id", lambda: Ceremony("T1-1\n")),
    ("shoe_id", lambda: Ceremony("Tä-1")),
    ("shoe_id", lambda: Ceremony("T" * 101)),
    ("length", lambda: CEREMONY.seal(SHORT, DECK)),
    ("length", lambda: CEREMONY.seal(LONG, DECK)),
    ("composition", lambda: CEREMONY.seal(SECRET, ())),
    ("composition", lambda: CEREMONY.seal(SECRET, DECK[:51])),
    ("composition", lambda: CEREMONY.seal(SECRET, DECK[::-1])),
    ("composition", lambda: CEREMONY.seal(SECRET, DECK * 9)),
    ("composition", lambda: CEREMONY.seal(SECRET, DECK + JOKERS[::-1])),
    ("composition", lambda: CEREMONY.seal(SECRET, DECK * 2 + JOKERS)),
    ("composition", lambda: CEREMONY.seal(SECRET, JOKERS)),
    ("length", lambda: CEREMONY.seal_over(SHORT, SECRET, SEALED.leaves)),
    ("length", lambda: CEREMONY.seal_over(SECRET, LONG, SEALED.leaves)),
    ("length", lambda: CEREMONY.seal_over(SECRET, SECRET, [SHORT, LONG])),
    ("length", lambda: shoe.perm(SHORT, b"", 5)),
    ("size", lambda: shoe.perm(SECRET, b"", 0)),
    ("size", lambda: shoe.perm(SECRET, b"", 65_537)),
    ("seat", lambda: CEREMONY.commitment(0, SECRET)),
    ("seat", lambda: CEREMONY.commitment(256, SECRET)),
    ("length", lambda: CEREMONY.commitment(1, SHORT)),
    ("seat", lambda: CEREMONY.house_reveal(SECRET, -1)),
    ("length", lambda: CEREMONY.house_reveal(LONG, 1)),
    ("length", lambda: CEREMONY.lock(SHORT, COMMITS)),
    ("length", lambda: CEREMONY.lock(SECRET, {1: LONG})),
    ("seat", lambda: CEREMONY.lock(SECRET, {0: SECRET})),
    ("seats", lambda: CEREMONY.lock(SECRET, {})),
    ("length", lambda: CEREMONY.mix(SHORT, REVEALS)),
    ("length", lambda: CEREMONY.mix(SECRET, {1: SHORT})),
    ("seat", lambda: CEREMONY.mix(SECRET, {256: SECRET})),
    ("seats", lambda: CEREMONY.mix(SECRET, {})),
    ("length", lambda: CEREMONY.cut(SHORT, 52)),
    ("size", lambda: CEREMONY.cut(SECRET, 0)),
    ("length", lambda: CEREMONY.link_back(SHORT)),
    ("length", lambda: CEREMONY.draw(SHORT, SECRET, "wild", 51)),
    ("length", lambda: CEREMONY.draw(SECRET, LONG, "wild", 51)),
    ("label", lambda: CEREMONY.draw(SECRET, SECRET, "", 51)),
    ("label", lambda: CEREMONY.draw(SECRET, SECRET, "Wild", 51)),
    ("label", lambda: CEREMONY.draw(SECRET, SECRET, "wild\n", 51)),
    ("label", lambda: CEREMONY.draw(SECRET, SECRET, "w" * 41, 51)),
    ("size", lambda: CEREMONY.draw(SECRET, SECRET, "wild", 0)),
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
]


@pytest.mark.parametrize(("code", "attempt"), BAD_INPUT)
def test_unreadable_input_is_refused_with_its_code(
    code: str, attempt: Callable[[], object]
) -> None:
    with pytest.raises(Unreadable) as refusal:
        attempt()
    assert refusal.value.code == code
    assert "{" not in refusal.value.sentence


def test_bounds_are_inside() -> None:
    assert CEREMONY.commitment(1, SECRET) != CEREMONY.commitment(255, SECRET)
    assert Ceremony("T" * 100).seal(SECRET, composition(8, True)).id == "T" * 100


def test_a_refused_secret_is_not_repeated() -> None:
    secret = b"correct horse battery staple"
    with pytest.raises(Unreadable) as refusal:
        CEREMONY.seal(secret, DECK)
    assert "horse" not in str(refusal.value) + repr(refusal.value)


# The public chain


def test_the_chain_hashes_canonical_json() -> None:
    entry = {"b": [1, None, True], "a": {"z": "牌", "y": "x"}}
    digest = hashlib.sha256('{"a":{"y":"x","z":"牌"},"b":[1,null,true]}'.encode()).digest()
    head = shoe.chain_on(shoe.CHAIN_START, entry)
    assert head == hashlib.sha256(bytes(32) + digest).digest()
    following = shoe.chain_on(head, {})
    assert following == hashlib.sha256(head + hashlib.sha256(b"{}").digest()).digest()


def test_the_chain_takes_typed_entries_as_their_json() -> None:
    plain = json.loads(msgspec.json.encode(PROOF))
    assert shoe.chain_on(SECRET, PROOF) == shoe.chain_on(SECRET, plain)
    assert shoe.chain_on(SECRET, {2: 1, 10: 3}) == shoe.chain_on(SECRET, {"10": 3, "2": 1})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@settings(deadline=None)
@given(st.lists(JSON, min_size=1, max_size=4), st.data())
def test_no_entry_of_the_chain_can_be_dropped(entries: list[object], data: st.DataObject) -> None:
    def head(chosen: list[object]) -> bytes:
        last = shoe.CHAIN_START
        for entry in chosen:
            last = shoe.chain_on(last, entry)
        return last

    dropped = data.draw(st.integers(0, len(entries) - 1))
    assert head(entries) != head(entries[:dropped] + entries[dropped + 1 :])
