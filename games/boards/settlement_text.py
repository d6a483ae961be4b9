"""Settlement lines as sentences: names for seats, money for amounts, the reader's language."""

from typing import Any, Final

from django.utils.translation import gettext as _

from games.rules.messages import SENTENCES, said
from games.words.naming import card_sign, term
from wallets.amounts import show_amount
from wallets.models import Currency

# The values of lines that are amounts of money.
MONEY: Final = frozenset(("due", "most", "paid", "point", "pool", "stake", "won"))
# The values that are terms of the rules.
WORDS: Final = frozenset(("row", "winner", "loser", "natural", "bet", "combination"))


def sentence_of_line(line: dict[str, Any], names: dict[int, str], currency: Currency) -> str:
    """One settlement line as a sentence, with names in place of seat numbers."""
    values = {name: _value(name, value, currency) for name, value in line.get("values", {}).items()}
    seat = values.get("seat")
    if isinstance(seat, int):
        values["seat"] = names.get(seat, seat)
    parties = {side: party_in_words(line[side], names) for side in ("source", "target")}
    return _(SENTENCES[line["key"]]).format(**parties, **values)


def _value(name: str, value: Any, currency: Currency) -> Any:
    if name in MONEY and isinstance(value, int):
        return show_amount(value, currency)
    if name == "card":
        return card_sign(value)
    return term(value) if name in WORDS else said(name, value)


def party_in_words(party: str, names: dict[int, str]) -> str:
    """A party of a settlement line: a player's name, the house, its rake or a pool."""
    if party == "house":
        return _("the house")
    if party == "rake":
        return _("the rake")
    return names.get(int(party), party) if party.isdecimal() else term(party)
