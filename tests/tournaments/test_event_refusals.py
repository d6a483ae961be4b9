"""What the form of an event refuses: each problem is a sentence beside its field or in its row."""

from typing import Any

import pytest
from django.test import Client

from tests.tournaments.events import Event, form_of, sent, structure
from tournaments.mathematics.presets import preset
from tournaments.models import Template
from tournaments.office.editor.event_form import field_of
from tournaments.office.editor.rows import TypedRow

pytestmark = pytest.mark.django_db
ADD = "/admin/tournaments/template/add/"


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"name": ""}, "name", "This field is required."),
    ({"currency": "GOLD"}, "currency", "The house has no such currency."),
    ({"game": "blackjack"}, "game", "Select a valid choice"),
    ({"stake": "10.001"}, "stake", "10.001 is not an amount."),
    ({"stake": "0", "guarantee": "0"}, "stake", "there is nothing to win"),
    ({"fee": "minus"}, "fee", "minus is not an amount."),
    ({"field_min": "1"}, "field_min", "Enter a number from 2 to 10,000."),
    ({"field_min": "20"}, "field_max", "The largest field is smaller than the smallest field."),
    ({"field_max": "many"}, "field_max", "many is not a whole number."),
    ({"field_max": "٣٠"}, "field_max", "write it with the digits 0 to 9"),
    ({"table_size": "5"}, "table_size", "Enter a number from 2 to 4."),
    ({"starting_chips": "10"}, "starting_chips", "With 10 chips all players are out at once"),
    ({"late_registration_level": "3"}, "late_registration_level", "entries would never close"),
    ({"reentries_most": "1", "reentries_until": "9"}, "reentries_until", "would never close"),
    (
        {"add_on_chips": "5", "add_on_stake": "1", "add_on_from": "2", "add_on_until": "1"},
        "add_on_until",
        "The add-on ends before it begins.",
    ),
    (
        {"prizes": "shares", "entries_from": ["1"], "shares": ["60, 30"]},
        "prizes",
        "The shares add up to 90 %, and must add up to 100 %.",
    ),
    (
        {"prizes": "shares", "entries_from": ["1"], "shares": ["40, 60"]},
        "prizes",
        "A lower place is paid more than a higher one.",
    ),
    (
        {"prizes": "amounts", "amounts": "50; 30"},
        "prizes",
        "Fixed prizes need a pool of known size",
    ),
    (
        {"prizes": "amounts", "amounts": "12; 5", "field_min": "2", "field_max": "2"},
        "amounts",
        "The prizes add up to 17, and the pool is 20.",
    ),
    ({"prizes": "amounts", "amounts": "12, 5"}, "amounts", "12, 5 is not an amount."),
    ({"prizes": "amounts", "amounts": ""}, "amounts", "Enter the amounts"),
]


@pytest.mark.parametrize(("changes", "field", "sentence"), WRONG)
def test_what_is_wrong_is_said_beside_its_field(
    event: Event, changes: dict[str, Any], field: str, sentence: str
) -> None:
    form = form_of(structure(), **changes)
    assert form.structure is None
    assert sentence in " ".join(map(str, form.errors[field]))


OF_A_KIND: list[tuple[str, dict[str, Any], str, str]] = [
    ("sit_and_go", {"field_max": "5"}, "field_max", "its field is one size, a multiple of 4"),
    ("evening", {"until": "20"}, "until", "The knock-out cannot end with 20 players"),
    ("evening", {"line_points": "x"}, "line_points", "x is not a whole number."),
    ("evening", {"line_points": "500"}, "starting_chips", "the first level needs 5000."),
    ("evening", {"game": "thirteen_hongkong"}, "game", "played for points, without a banker"),
    ("swiss_rounds", {"until": "13"}, "until", "13 players do not fill tables of 3."),
    ("swiss_rounds", {"carry_divide_by": "0"}, "carry_divide_by", "Enter a number from 1 to"),
    ("duplicate", {"field_min": "3"}, "field_min", "there are no two tables to compare"),
    ("duplicate", {"duplicate_deals": "101"}, "duplicate_deals", "Enter a number from 1 to 100."),
    ("duplicate", {"duplicate_manner": "drawn"}, "duplicate_manner", "Select a valid choice."),
    (
        "duplicate",
        {"point": ["10", "20"], "length": ["5", ""], "pause": ["", ""]},
        "length_by",
        "The deals of a duplicate are all played at one level.",
    ),
    ("freezeout", {"add_on_chips": "5", "add_on_stake": ""}, "add_on_stake", "required"),
    ("satellite", {"field_max": "10000"}, "length_by", "the last levels are too low."),
]


@pytest.mark.always
@pytest.mark.parametrize(("name", "changes", "field", "sentence"), OF_A_KIND)
def test_what_is_wrong_with_a_kind_is_said_beside_its_field(
    event: Event, name: str, changes: dict[str, Any], field: str, sentence: str
) -> None:
    form = form_of(preset(name, "Autumn cup", "PLAY", 100), **changes)
    assert form.structure is None
    assert sentence in " ".join(map(str, form.errors[field]))


ROWS_WRONG: list[tuple[dict[str, Any], int, str]] = [
    ({"point": ["20", "10", "40"]}, 1, "Level 2 is lower than the one before."),
    ({"point": ["20", "many", "40"]}, 1, "many is not a whole number."),
    ({"point": ["20", "", "40"]}, 1, "Level 2 needs a point value"),
    ({"length": ["10", "", ""]}, 1, "Enter the length of this level."),
    ({"length": ["10", "1:75", ""]}, 1, "1:75 is not a length of time such as 10 or 1:30."),
    ({"pause": ["", "", "5"]}, 2, "There is no level after level 3."),
    ({"length_by": "hands", "length": ["10", "0", ""]}, 1, "Enter a number from 1 to 10,000."),
]


@pytest.mark.parametrize(("changes", "number", "sentence"), ROWS_WRONG)
def test_what_is_wrong_with_a_level_is_said_in_its_row(
    event: Event, changes: dict[str, Any], number: int, sentence: str
) -> None:
    form = form_of(structure(), **changes)
    assert form.structure is None
    assert sentence in " ".join(form.levels[number].errors)
    assert "Correct the levels that are marked." in form.errors["__all__"]


@pytest.mark.parametrize(
    ("shares", "sentence"),
    [
        ("60; 40", "60; 40 is not a percentage"),
        ("60.001, 40", "60.001 is not a percentage"),
        ("", "Enter the shares, such as 50, 30, 20."),
        ("0, 100", "A share is above 0 and at most 100 %."),
    ],
)
def test_what_is_wrong_with_shares_is_said_in_their_row(
    event: Event, shares: str, sentence: str
) -> None:
    form = form_of(structure(), prizes="shares", entries_from=["1"], shares=[shares])
    assert form.structure is None
    assert sentence in " ".join(form.shares[0].errors)


@pytest.mark.always
def test_each_part_of_a_structure_has_a_field() -> None:
    """A break is entered in the row of the level that it follows."""
    levels = [TypedRow({"pause": pause}) for pause in ("", "5", "", "10")]
    fields = {
        "$.levels[3].point": ("length_by", 3),
        "$.levels[4].point": ("length_by", None),
        "$.breaks[1].seconds": ("length_by", 3),
        "$.breaks[2].seconds": ("length_by", None),
        "$.knock_out.until": ("until", None),
        "$.knock_out.points": ("line_points", None),
        "$.name": ("name", None),
    }
    assert {path: field_of(path, levels) for path in fields} == fields


def test_nothing_is_stored_without_a_reason_or_with_a_fault(manager: Client) -> None:
    for changes in ({"reason": ""}, {"stake": "x"}, {"point": ["9", "1", "1"]}):
        answer = manager.post(ADD, sent(structure(), store="1", **changes))
        assert answer.status_code == 200
        assert 'role="alert"' in answer.text
    looked = manager.post(ADD, sent(structure(), look="1", reason=""))
    assert 'role="alert"' not in looked.text
    assert not Template.objects.exists()
