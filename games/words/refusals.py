"""Every refusal as a reader gets it: a stable code, a status, and a sentence in their language."""

from typing import Any, Final

from django.utils.translation import gettext as _

from games.refusal import Gone, Hidden
from games.rules.errors import RulesError, Unreadable
from games.words.naming import card_sign, term
from wallets.amounts import show_amount
from wallets.errors import Refused as PostingRefused
from wallets.models import Currency

# What can be refused on the way from a request to a table, by the rules, the house, or the ledger.
REFUSALS: Final = (RulesError, PostingRefused)
# The codes whose numbers are money.
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


def status_of(error: Exception) -> int:
    """400 for what means nothing, 404 and 410 for what is not there, 409 for what cannot be now."""
    if isinstance(error, Hidden):
        return 410 if isinstance(error, Gone) else 404
    if isinstance(error, Unreadable) or getattr(error, "code", "").startswith("amount"):
        return 400
    return 409


def code_of(error: Exception) -> str:
    return str(getattr(error, "code", "refused"))


def sentence_of(error: Exception, currency: Currency | None = None) -> str:
    """The sentence of a refusal; amounts of money stand in it as the currency writes them."""
    assert isinstance(error, REFUSALS)
    values: dict[str, Any] = dict(error.values)
    if currency is not None and error.code in ABOUT_MONEY:
        values = {
            name: show_amount(value, currency) if isinstance(value, int) else value
            for name, value in values.items()
        }
    if "card" in values:
        values["card"] = card_sign(getattr(values["card"], "text", values["card"]))
    if "move" in values:
        values["move"] = term(values["move"])
    return _(str(error.template)).format(**values)


def told_refusal(error: Exception, currency: Currency | None = None) -> dict[str, str]:
    """A refusal as a program gets it; where it is about what was sent, with the place in it."""
    told = {"code": code_of(error), "sentence": sentence_of(error, currency)}
    path = getattr(error, "path", "")
    return told | ({"path": path} if path else {})
