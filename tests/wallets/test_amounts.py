"""A wrong amount has one sentence and one code, at every place that takes amounts."""

from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django import forms
from django.contrib.auth import get_user_model
from django.http import QueryDict
from django.utils.http import urlencode

from casino.office.jackpot_list import DrainForm
from games.api.table_requests import TopUpRequest
from games.rules.errors import Unreadable
from games.web.payloads import read
from tests.games.house import House
from tests.people import BY_TEST, HTMX, client_of
from wallets.models import Currency
from wallets.money import cashier, jackpots
from wallets.office.whole_units import AmountField, NumberField
from wallets.values import AMOUNT_MAX
from wallets.values.amounts import amount_for_input, as_form_error, read_amount, read_minor_units
from wallets.values.errors import Refused, WrongAmount

BOUNDS = "Enter an amount from 0.01 to 10,000,000,000,000."
# Full-width, Arabic-Indic and Devanagari digits, alone and beside others.
OTHER_DIGITS = ("\uff11\uff12", "\u0661\u0662\u0663", "1\u0966\u0966", "12.\uff15")
WRONG_TEXTS = [
    ("lots", "amount_unreadable", "lots is not an amount."),
    ("-5", "amount_unreadable", "-5 is not an amount."),
    ("1.234", "amount_unreadable", "1.234 is not an amount."),
    ("1e9", "amount_unreadable", "1e9 is not an amount."),
    ("NaN", "amount_unreadable", "NaN is not an amount."),
    ("Infinity", "amount_unreadable", "Infinity is not an amount."),
    (f"{2**63}", "amount_unreadable", f"{2**63} is not an amount."),
    ("0", "amount_bounds", BOUNDS),
    ("10,000,000,000,000.01", "amount_bounds", BOUNDS),
    *(
        (text, "amount_digits", f"{text}: write it with the digits 0 to 9.")
        for text in OTHER_DIGITS
    ),
]
WRONG_VALUES: tuple[Any, ...] = (
    *("100", "many", True, None, [], {}),
    *(100.0, 0.5, float("nan"), float("inf"), Decimal(100), Fraction(100)),
    *(0, -1, AMOUNT_MAX + 1, 2**63, -(2**63), 10**40),
)
WHOLE_MINOR_UNITS = f"An amount is a whole number of minor units from 1 to {AMOUNT_MAX}."


def test_every_page_refuses_an_amount_with_the_same_sentence_and_code(db: None) -> None:
    house = House()
    table, alice = house.table("baccarat"), house.player("alice")
    player = client_of(alice)
    jackpot = jackpots.create("Dragon", "progressive", table.currency, actor="test", seed=100)
    operator = client_of(
        get_user_model().objects.create_superuser("olga", password="a long password")
    )
    drain = f"/admin/wallets/jackpot/{jackpot.pk}/drain/"
    for text, code, sentence in WRONG_TEXTS:
        fields = {"seat": "1", "amount": text}
        page = player.post(f"/tables/{table.pk}/sit/", fields, headers=HTMX)
        assert f'data-code="{code}"' in page.text, text
        assert sentence in page.text, text
        page = operator.post(drain, {"amount": text, "reason": "why"}, follow=True)
        assert sentence in page.text, text
        form = DrainForm(QueryDict(urlencode({"amount": text, "reason": "why"})), table.currency)
        assert form.has_error("amount", code), text
        assert form.errors["amount"] == [sentence], text
    house.sit(alice, table, 1)
    for text, _code, sentence in WRONG_TEXTS:
        page = player.get("/history/", {"least": text, "currency": table.currency_id})
        assert sentence in page.text, text


LONG = "x" * 40, "1" * 39 + "\uff11"


@pytest.mark.parametrize(
    ("text", "code", "sentence"),
    [
        *WRONG_TEXTS,
        (f"{LONG[0]}x", "amount_unreadable", f"{LONG[0]} is not an amount."),
        (f"{LONG[1]}1", "amount_digits", f"{LONG[1]}: write it with the digits 0 to 9."),
    ],
)
def test_a_typed_amount_is_refused_with_a_sentence_and_a_code(
    text: str, code: str, sentence: str
) -> None:
    """A long text is quoted by its beginning."""
    with pytest.raises(WrongAmount) as refused:
        read_amount(text, Currency(code="X", exponent=2))
    assert (refused.value.code, refused.value.sentence) == (code, sentence)


def test_the_bounds_of_an_amount_can_be_typed() -> None:
    currency = Currency(code="X", exponent=2)
    read = [read_amount(text, currency) for text in ("0.01", " 1 200.5 ", "10,000,000,000,000")]
    assert read == [1, 120_050, AMOUNT_MAX]
    assert read_amount("0", currency, least=0) == 0


def test_a_field_has_changed_if_another_amount_is_typed_or_none() -> None:
    field = AmountField(required=False)
    typed = {"1.00": False, "1": False, "1.01": True, "": True, "lots": True}
    assert {text: field.has_changed(100, text) for text in typed} == typed


@pytest.mark.parametrize("value", WRONG_VALUES, ids=repr)
def test_the_api_and_the_ledger_refuse_an_amount_with_the_same_sentence_and_code(
    value: Any, euro: Currency
) -> None:
    with pytest.raises(Unreadable) as refused:
        read(TopUpRequest, {"amount": value})
    assert (refused.value.sentence, refused.value.code) == (WHOLE_MINOR_UNITS, "amount")
    with pytest.raises(Refused) as posting:
        cashier.deposit("player:1", euro, value, key=uuid4(), **BY_TEST)
    assert (posting.value.sentence, posting.value.code) == (WHOLE_MINOR_UNITS, "amount")


@pytest.mark.parametrize("text", OTHER_DIGITS[:3])
def test_a_number_in_a_form_has_the_digits_of_amounts(text: str) -> None:
    with pytest.raises(forms.ValidationError) as error:
        NumberField().clean(text)
    assert error.value.messages == [f"{text}: write it with the digits 0 to 9."]
    assert NumberField().clean(" 12 ") == 12


def test_a_form_reports_a_refused_amount_as_its_own_error() -> None:
    with pytest.raises(forms.ValidationError) as error, as_form_error():
        read_minor_units(0)
    assert (error.value.message, error.value.code) == (WHOLE_MINOR_UNITS, "amount")


@pytest.mark.parametrize("exponent", [0, 2, 8])
@pytest.mark.parametrize("amount", [1, 9, 100, 12_345, AMOUNT_MAX])
def test_an_input_field_holds_an_amount_that_can_be_read_again(amount: int, exponent: int) -> None:
    currency = Currency(code="X", exponent=exponent)
    assert read_amount(amount_for_input(amount, currency), currency) == amount
