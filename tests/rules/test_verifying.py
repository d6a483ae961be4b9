"""Proofs of shoes: what holds, and what is found of everything that may be altered."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import shoe, verifying
from games.rules.cards import DECK, Card, cards_text, composition
from games.rules.shoe import ShoeProtocol
from games.rules.verifying import Step
from tests.rules.cases import each, every
from tests.rules.shoe_proofs import (
    LABELS,
    OCTETS,
    PROOF,
    PROTOCOL,
    SECRET,
    Known,
    altered,
    every_composition,
    finished,
    flip,
    steps,
)

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
        protocol=ShoeProtocol(shoe_id),
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
    drawn = {draw.label: shoe.context_value(draw.label, draw.value) for draw in proof.draws}
    assert verifying.verify_hand(proof, audit.dealt, drawn) == ()


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


@each(
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
)
def test_an_altered_field_is_found_at_its_step(
    path: tuple[str | int, ...], change: Callable[[object], object], step: Step
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
        draw = PROTOCOL.draw(mix, x_m, label, 50)
        assert steps(verifying.verify(msgspec.structs.replace(PROOF, draws=(draw,)))) == [Step.DRAW]
    other = PROTOCOL.draw(mix, x_m, "wheel", 50)
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


def test_nothing_verifies_without_lock_and_seats() -> None:
    bare = msgspec.structs.replace(PROOF, seats=(), lock=None)
    assert steps(verifying.verify(bare)) == [Step.LOCK, Step.MIX]


def test_no_seat_may_be_left_out_of_the_mix() -> None:
    assert PROOF.lock is not None
    kept = {seat.seat: shoe.from_hex(seat.reveal) for seat in PROOF.seats[1:] if seat.reveal}
    mix = PROTOCOL.mix(shoe.from_hex(PROOF.lock), kept)
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


@every(label=["bonus-card", "wheel-card", "lucky-card"])
def test_a_drawn_card_stands_in_the_context_by_its_name(label: str) -> None:
    assert [shoe.context_value(label, value) for value in (0, 51)] == ["2c", "As"]
    assert [shoe.context_value(other, 51) for other in ("wild", "lucky-game", "wheel")] == [51] * 3


def test_a_card_drawn_beyond_the_deck_is_another_card_than_any_named() -> None:
    forged = altered(PROOF, ("draws", 1, "value"), lambda _: 52)
    drawn = {draw.label: shoe.context_value(draw.label, draw.value) for draw in PROOF.draws}
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


@each((0, "house"), (3, "player"))
def test_an_auditor_sees_a_false_label(index: int, who: str) -> None:
    proof = altered(PROOF, ("seats", index, "who"), lambda _: who)
    assert verifying.verify(proof) == ()
    (finding,) = verifying.audit(SECRET, proof).findings
    assert finding.step is Step.HOUSE
    assert finding.sentence == f"Seat {proof.seats[index].seat} was not played by the {who}"
