"""Entries of the journal as people read them: fields in words, money in whole units."""

from typing import Any

import pytest

from casino.office.frame.journal_words import Change, Reader
from tests.games.house import House
from wallets.models import Currency
from wallets.staff import journal

pytestmark = pytest.mark.django_db


def read(subject: str, before: dict[str, Any], after: dict[str, Any]) -> list[Change]:
    entry = journal.write(
        journal.HOUSE, "table.change", subject, before=before, after=after, reason="a test"
    )
    return Reader([entry]).changes_of(entry)


def test_a_table_is_read_in_its_own_currency_and_words() -> None:
    table = House().table("doudizhu")
    before = {"buy_in_min": 1_000, "status": "open", "options": {"rake_bp": 250, "point": 100}}
    after = {"buy_in_min": 2_050, "status": "closing", "options": {"rake_bp": 500, "point": 150}}
    assert read(table.reference, before, after) == [
        ("Smallest buy-in", "10.00 PLAY", "20.50 PLAY"),
        (
            "Rules",
            "Value of a point: 1.00 PLAY; Rake: 2.5 %",
            "Value of a point: 1.50 PLAY; Rake: 5 %",
        ),
        ("Status", "open", "closing"),
    ]


def test_money_of_an_entry_is_of_the_currency_that_it_names() -> None:
    Currency.objects.create(code="JPY", name="Yen", exponent=0)
    Currency.objects.create(code="EUR", name="Euro")
    paid = {"balance": 500, "currency": "JPY", "amount": 500}
    assert read("player:1", {"balance": 0}, paid) == [
        ("Amount", "", "500 JPY"),
        ("Balance", "0 JPY", "500 JPY"),
        ("Currency", "", "JPY"),
    ]
    held = {"held": {"EUR": 150, "JPY": 7}}
    assert read("shift:1", {}, held) == [("In the till", "", "1.50 EUR; 7 JPY")]


@pytest.mark.always
def test_what_nothing_names_is_still_read() -> None:
    given = {"odd_thing": {"deep": [1, True]}, "at": "2026-03-01T18:00:00.123456+00:00", "pool": 7}
    assert read("nothing:9", {}, given) == [
        ("Time", "", "1 Mar 2026, 18:00"),
        ("Odd thing", "", "Deep: 1, yes"),
        ("In the pool", "", "7 minor units"),
    ]
