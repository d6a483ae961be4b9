"""Every refusal as its reader gets it: a stable code, a status, and a translated sentence."""

from typing import Final

from django.utils.translation import gettext as _

from games.rules.errors import RulesError, Unreadable
from games.words.naming import card_sign, term
from games.words.refusal import Gone, Hidden
from wallets.amounts import show_amount
from wallets.errors import Refused as PostingRefused
from wallets.models import Currency

# The exceptions by which rules, house and ledger refuse a request.
REFUSALS: Final = (RulesError, PostingRefused)
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


def status_of(error: Exception) -> int:
    """400 for unreadable input, 404 and 410 for what is missing, 409 for any other refusal."""
    if isinstance(error, Hidden):
        return 410 if isinstance(error, Gone) else 404
    if isinstance(error, Unreadable) or getattr(error, "code", "").startswith("amount"):
        return 400
    return 409


def code_of(error: Exception) -> str:
    return str(getattr(error, "code", "refused"))


def sentence_of(error: Exception, currency: Currency | None = None) -> str:
    """The sentence of a refusal, with amounts in the format of the currency."""
    assert isinstance(error, REFUSALS)
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


def refusal_payload(error: Exception, currency: Currency | None = None) -> dict[str, str]:
    """A refusal as JSON; for bad input, with the path of the field."""
    payload = {"code": code_of(error), "sentence": sentence_of(error, currency)}
    path = getattr(error, "path", "")
    return payload | ({"path": path} if path else {})
