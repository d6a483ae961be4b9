"""Every refusal, and every reason why the house voids by itself, in the reader's language."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.forms import BaseForm
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _n

from games.words.naming import card_sign, term
from wallets.models import Currency
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused

# The reason is published in these words; a page says it in its reader's language. What an
# operator has written is not translated.

OUT_OF_CARDS: Final = _n("the shoe ran out of cards")
OTHER_CARDS: Final = _n("the table is played with other cards now")
NOT_DEALT: Final = _n("it could not be dealt to those who mixed it")
NO_BETS: Final = _n("nobody bet")
EVENT_OVER: Final = _n("the tournament is over")
NOT_REVEALED: Final = _n("not revealed by seat {seats}")

# The reasons for which the house voids a hand by itself, by the codes that hands store.
OUT_OF_CARDS_CODE: Final = "out_of_cards"
EVENT_OVER_CODE: Final = "event_over"
_OF_HANDS: Final = {OUT_OF_CARDS_CODE: OUT_OF_CARDS, EVENT_OVER_CODE: EVENT_OVER}


def is_own_reason(code: str, by: str, text: str) -> bool:
    """Whether the code matches its text; without a code any text is allowed."""
    return not code or (by == "house" and text == _OF_HANDS.get(code))


def hand_reason_in_words(code: str, text: str) -> str:
    """Return why a hand is void, as its reader says it; typed text is not translated."""
    return _(_OF_HANDS[code]) if code in _OF_HANDS else text


def reason_in_words(reason: str) -> str:
    """A reason as its reader says it."""
    if reason in (OUT_OF_CARDS, OTHER_CARDS, NOT_DEALT, NO_BETS):
        return _(reason)
    begins = NOT_REVEALED.format(seats="")
    if reason.startswith(begins):
        return _(NOT_REVEALED).format(seats=reason.removeprefix(begins))
    return reason


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
