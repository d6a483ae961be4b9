"""Settlement lines as sentences: names for seats, money for amounts, the reader's language."""

from typing import Final

from django.utils.translation import gettext as _

from games.rules.messages import SENTENCES, said
from games.rules.settlement import StoredLine
from games.words.naming import card_sign, term
from wallets.amounts import show_amount
from wallets.models import Currency

# The values of lines that are amounts of money.
MONEY: Final = frozenset(("due", "most", "paid", "point", "pool", "stake", "won"))
# The values that are terms of the rules.
WORDS: Final = frozenset(("row", "winner", "loser", "natural", "bet", "combination"))


def sentence_of_line(line: StoredLine, names: dict[int, str], currency: Currency) -> str:
    """One settlement line as a sentence, with names in place of seat numbers."""
    values = {name: _value(name, value, currency) for name, value in line.get("values", {}).items()}
    seat = values.get("seat")
    if isinstance(seat, int):
        values["seat"] = names.get(seat, seat)
    source, target = (party_in_words(party, names) for party in (line["source"], line["target"]))
    return _(SENTENCES[line["key"]]).format(source=source, target=target, **values)


def _value(name: str, value: object, currency: Currency) -> object:
    if name in MONEY and isinstance(value, int):
        return show_amount(value, currency)
    if name == "card":
        return card_sign(str(value))
    if name in WORDS:
        return term(value)
    return said(name, value if isinstance(value, int) else str(value))


def party_in_words(party: str, names: dict[int, str]) -> str:
    """A party of a settlement line: a player's name, the house, its rake or a pool."""
    if party == "house":
        return _("the house")
    if party == "rake":
        return _("the rake")
    return names.get(int(party), party) if party.isdecimal() else term(party)
