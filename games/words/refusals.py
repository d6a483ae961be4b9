"""Every refusal in the reader's language, with amounts and cards as people read them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.forms import BaseForm
from django.utils.translation import gettext as _

from games.words.naming import card_sign, term
from wallets.models import Currency
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused

# The codes whose values are amounts of money.
ABOUT_MONEY: Final = frozenset(
    (
        "above_purse",
        "bet_too_large",
        "bet_too_small",
        "blind_unequal",
        "buy_in_bounds",
        "insurance_large",
        "insurance_small",
        "not_covered",
        "top_up_bounds",
    )
)


def sentence_of(error: Refused, currency: Currency | None = None) -> str:
    values: dict[str, object] = dict(error.values)
    if currency is not None and error.code in ABOUT_MONEY:
        values = {
            name: show_amount(value, currency) if isinstance(value, int) else value
            for name, value in values.items()
        }
    if "card" in values:
        card = values["card"]
        values["card"] = card_sign(str(getattr(card, "text", card)))
    if "move" in values:
        values["move"] = term(values["move"])
    return _(str(error.template)).format(**values)


@contextmanager
def refused_in(form: BaseForm, currency: Currency | None = None) -> Iterator[None]:
    """Say in a form what has refused what it asks for."""
    try:
        yield
    except Refused as refusal:
        form.add_error(None, sentence_of(refusal, currency))


def refusal_payload(error: Refused, currency: Currency | None = None) -> dict[str, str]:
    """A refusal as JSON; for bad input, with the path of the field."""
    payload = {"code": error.code, "sentence": sentence_of(error, currency)}
    return payload | ({"path": error.path} if error.path else {})
