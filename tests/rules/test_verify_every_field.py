"""`docs/verify.py` on records, chain entries and notes of which any one field is falsified."""

from copy import deepcopy
from pathlib import Path

import pytest

from games.rules.cards import composition
from games.rules.record import leaf_of, parts_of
from tests.rules.conftest import Share
from tests.rules.falsified import GOOD, TAKEN_BACK, falsified, says_the_same, unnoticed
from tests.rules.proved import AUDITOR, PLAYERS, Record, chain_entry, kept_note, record
from tests.rules.verdicts import holds

Change = tuple[str, Record]


@pytest.mark.slow
@pytest.mark.parametrize("reader", [None, AUDITOR])
def test_no_field_of_a_record_is_falsified_unnoticed(
    tmp_path: Path, reader: str | None, share: Share[Change]
) -> None:
    hidden = () if reader else (1, 4)
    honest = record(composition(), first=3, round_number=2, hidden=hidden, reader=reader)
    assert holds(tmp_path, honest, chain_entry(honest))
    gaps = unnoticed(tmp_path, share(falsified(honest)), chain_entry(honest))
    assert {what for what in gaps if not says_the_same(what)} == set()


def test_no_field_of_a_hand_taken_back_is_falsified_but_the_reason(
    tmp_path: Path, share: Share[Change]
) -> None:
    """Why it was taken back does not stand in the chain, which is public and stays."""
    changes = share(falsified(TAKEN_BACK))
    gaps = unnoticed(tmp_path, changes, chain_entry(TAKEN_BACK))
    expected = {"void changed"} & {what for what, _ in changes}
    assert {what for what in gaps if not says_the_same(what)} == expected
    taken_back_later = {**TAKEN_BACK}
    del taken_back_later["void"]
    assert not holds(tmp_path, taken_back_later, chain_entry(TAKEN_BACK))
    assert not holds(tmp_path, TAKEN_BACK, chain_entry(taken_back_later))


@pytest.mark.parametrize("honest", [GOOD["a viewer"], TAKEN_BACK], ids=["paid", "taken back"])
def test_no_field_of_a_chain_entry_is_falsified_unnoticed(
    tmp_path: Path, honest: Record, share: Share[Change]
) -> None:
    """The head is what is looked for in the chain; its number only says where."""
    changes = share(falsified(chain_entry(honest)), least=20)
    gaps = unnoticed(tmp_path, changes, honest)
    expected = {"position changed"} & {what for what, _ in changes}
    assert {what for what in gaps if not what.startswith("taken_back.position")} == expected


def test_no_field_of_a_note_is_falsified_unnoticed(tmp_path: Path, share: Share[Change]) -> None:
    """A receipt may be missing, and in it a part: its signature is checked with all of them."""
    honest = GOOD["a viewer"]
    changes = share(falsified(kept_note(honest, 3)), least=20)
    gaps = unnoticed(tmp_path, changes, honest)
    signed = {"receipt", "receipt.statement.at", "receipt.signature", "receipt.key"}
    expected = {f"{name} changed" for name in signed} & {what for what, _ in changes}
    assert {what for what in gaps if not what.endswith("deleted")} == expected
    assert {what for what in gaps if not what.startswith("receipt")} == set()


def test_the_note_of_a_seat_that_the_house_played_is_not_believed(tmp_path: Path) -> None:
    honest = GOOD["a viewer"]
    assert not holds(tmp_path, honest, kept_note(honest, 7))


def test_another_shoe_of_the_same_name_is_not_believed(tmp_path: Path) -> None:
    honest, other = record(labels={}), record(labels={}, secret=bytes(32))
    assert honest["shoe"]["id"] == other["shoe"]["id"]
    entry = chain_entry(honest)
    moved = {**other, "moves": honest["moves"], "digest": honest["digest"]}
    assert holds(tmp_path, other, chain_entry(other))
    assert not holds(tmp_path, moved, entry)


def test_a_record_without_its_digest_is_not_an_older_one(tmp_path: Path) -> None:
    honest = GOOD["a viewer"]
    older = {name: part for name, part in honest.items() if name != "digest"}
    assert not holds(tmp_path, older, chain_entry(honest))


def test_shown_values_cannot_be_declared_closed(tmp_path: Path) -> None:
    """A leaf in place of its salt gives the same digest, and would free the part to be changed."""
    honest = record(reader=AUDITOR)
    for name, value in parts_of(honest, PLAYERS).items():
        forged = deepcopy(honest)
        salt = bytes.fromhex(forged["digest"]["salts"].pop(name))
        forged["digest"]["leaves"] = {name: leaf_of("B-28", name, value, salt).hex()}
        assert not holds(tmp_path, forged, chain_entry(honest)), name
        if name == "move/4":
            forged["moves"].pop()
            assert not holds(tmp_path, forged, chain_entry(honest))
